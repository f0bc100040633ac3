// jit_cache/folder: what can be done with a store's folder from outside, beside programs that use it: look at it, check it,
// empty it, pack it up. All of it for the inspection tool; a program needs none of it.
// in: a folder   out: what is in it, what was done   knows nothing of: stores, threads, kiln
#pragma once

#include <jit_cache/key.hpp>
#include <jit_cache/miss.hpp>
#include <jit_cache/store.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jit_cache {

/// The format that this library reads and writes, and its folder's name in a store's folder.
inline constexpr std::uint32_t format_version = 2;
inline constexpr std::string_view format_folder = "v2";

// --- Looking ------------------------------------------------------------------------------------------------------------

/// One entry of a folder as the inspection tool shows it.
struct entry_info {
    std::filesystem::path file;
    hash128 name;
    std::uint64_t file_bytes = 0;
    std::int64_t last_used_unix_s = 0;
    key entry_key;
    std::vector<fact> facts;
    std::uint64_t payload_bytes = 0;
    std::string
        ignored_because;  // who else can write it or its folder, for which no program would run it; empty: nobody
    bool is_in_ignored_shard = false;  // the folder
};

enum class file_fault : std::uint8_t {
    damaged,    // the store's own, and not what was written
    foreign,    // somebody else's, in an entry's place
    unreadable  // what it is, nobody knows: a call failed
};

struct broken_file {
    std::filesystem::path file;
    std::string why;
    file_fault fault = file_fault::foreign;
};

/// A folder of entries that others can write: programs neither read nor replace what is in it.
struct ignored_shard {
    std::filesystem::path folder;
    std::string why;
    std::uint64_t entries = 0;
};

struct temporary_file {
    std::filesystem::path file;
    std::uint64_t bytes = 0;
    bool is_stale = false;  // its writer is gone, and the next sweep takes it
};

enum class depth : std::uint8_t {
    described,  // headers, keys and facts: payloads are neither read nor checked
    whole       // every byte, against its checksum
};

struct scan_result {
    std::vector<entry_info> entries;  // newest use first
    std::vector<broken_file> broken;  // by path, as all that follow
    std::vector<ignored_shard> ignored_shards;
    std::vector<temporary_file> temporaries;       // entries that are being written, or were
    std::vector<std::filesystem::path> strangers;  // whose names are none of the store's; nothing touches them
    std::vector<std::filesystem::path> versions;   // what other versions of the format keep in the same folder
    std::uint64_t newer_format_count = 0;          // left alone
    std::string trouble;                           // why the folder cannot be read; empty: it can
};

/// Reads the entries of a folder, those whose name begins with `prefix` (hexadecimal digits); writes nothing, follows no
/// symlink. A missing folder is an empty one. With a prefix, strangers and versions are not looked for.
[[nodiscard]] scan_result scan(const std::filesystem::path& directory, depth how = depth::whole,
                               std::string_view prefix = {});

/// As scan(), but hands each entry over as it is read, in no order, one at a time but on any of its threads, and keeps none:
/// the sources of 20,000 keys are 150 MB.
[[nodiscard]] scan_result scan_each(const std::filesystem::path& directory, depth how,
                                    const std::function<void(entry_info&&)>& visit, std::string_view prefix = {});

/// The whole of one entry; nothing when it is gone or broken.
struct whole_entry {
    key entry_key;
    artifact value;
};
[[nodiscard]] std::optional<whole_entry> read_whole(const std::filesystem::path& directory, hash128 name);

// --- Cleaning -----------------------------------------------------------------------------------------------------------

struct sweep_result {
    std::uint64_t entries_removed = 0;
    std::uint64_t damaged_removed = 0;  // of them, those whose header says so; no more is read
    std::uint64_t bytes_removed = 0;
    std::uint64_t entries_left = 0;
    std::uint64_t bytes_left = 0;
    std::uint64_t newer_format_count = 0;  // met on the way and left alone
    std::uint64_t foreign_count = 0;       // the same, of files that this library did not write
    std::uint64_t temporaries_removed = 0;
    std::string trouble;  // the first thing that could not be read or deleted; empty: all went well
};

enum class doing : std::uint8_t { it, nothing };  // nothing: only say what would go

/// Beyond either bound, deletes the entries used longest ago until both are kept with a tenth to spare; within them,
/// only the temporaries of dead processes. Safe beside running programs: whoever reads an entry keeps what it read. What
/// this library did not write stays.
sweep_result sweep(const std::filesystem::path& directory, std::uint64_t max_bytes, std::uint64_t max_entries,
                   doing what = doing::it);

/// Deletes one entry, or what is left of it. False: there is none, or it is of a newer format, or not this library's.
bool remove(const std::filesystem::path& directory, hash128 name);

/// Deletes the damaged entries of a folder, as broken by scan(); returns how many went. What is not this library's stays.
std::uint64_t remove_broken(const std::filesystem::path& directory, const scan_result& scanned);

// --- Packs --------------------------------------------------------------------------------------------------------------

/// Entries in one file, for an application or a container image to bring along.
struct pack_result {
    std::uint64_t entries = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t skipped = 0;          // unpacking: of a newer format, or there already
    std::vector<broken_file> left_out;  // packing: of those that need not be there, what could not be packed, and why
    std::string trouble;  // why it failed; empty: it did not. A pack is written and unpacked whole or not at all.
};

/// Writes the entries of those names into a file, in the order of their names, so that the same entries make the same pack.
/// Replaces the file by rename. Where one of `needed` is gone, damaged, or could have been written by others than the
/// user and root, nothing is written; one of `others` is then left out. Neither: all of the folder's, as others. A folder
/// that others can write is not packed.
pack_result pack(const std::filesystem::path& directory, const std::vector<hash128>& needed,
                 const std::filesystem::path& file, const std::vector<hash128>& others = {});

/// Checks all of the pack, then publishes its entries into the folder, which is made where it is missing. A pack is code:
/// whoever made it can run what they like as whoever uses the folder.
enum class readable_by : std::uint8_t {
    user,  // as a store's own folder
    all    // folders 0755, those above it that were missing too, entries 0644: for root to fill and others to read
};
/// Called before each entry, with how many are done, and once when all are; what it throws ends the unpacking between two
/// entries, and what is published stays.
using unpack_progress = std::function<void(std::uint64_t done, std::uint64_t total)>;
pack_result unpack(const std::filesystem::path& file, const std::filesystem::path& directory,
                   readable_by readers = readable_by::user, const unpack_progress& progress = {});

/// What a pack holds, without unpacking it. The whole file is checked, as unpack() does.
struct pack_contents {
    std::vector<entry_info> entries;       // in the order of their names; `file` and the last use are empty
    std::uint64_t newer_format_count = 0;  // which unpack() would skip
    std::uint64_t file_bytes = 0;
    std::string trouble;  // why it cannot be read; empty: it can
};
[[nodiscard]] pack_contents read_pack(const std::filesystem::path& file);

// --- Statistics ---------------------------------------------------------------------------------------------------------

/// What programs have counted in this folder. Nothing is ever decided by it; what a killed process had not written yet is
/// missing.
struct statistics {
    std::int64_t since_unix_s = 0;  // 0: nothing was counted
    std::uint64_t disk_hits = 0;
    std::uint64_t saved_ms = 0;  // what the hits had taken to make, by their fact "compile_ms"
    std::array<std::uint64_t, miss_reason_count> misses{};
    std::uint64_t published = 0;
    std::uint64_t published_bytes = 0;
    std::uint64_t evicted = 0;
    std::uint64_t evicted_bytes = 0;
};

[[nodiscard]] statistics read_statistics(const std::filesystem::path& directory);

// --- Judging ------------------------------------------------------------------------------------------------------------

/// What programs would make of a folder, without changing it.
struct judgement {
    bool exists = false;
    std::string ignored_because;  // empty: programs read it
    std::string not_written_because;
};

enum class folder_role : std::uint8_t { private_one, read_only };
[[nodiscard]] judgement judge(const std::filesystem::path& directory, folder_role role = folder_role::private_one);

// --- The environment ----------------------------------------------------------------------------------------------------

/// default_directory(), and who named it.
struct named_directory {
    std::filesystem::path path;
    std::string named_by;  // "KILN_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "the passwd entry"; empty where there is none
};
[[nodiscard]] named_directory find_default_directory(std::string_view application = "kiln");

/// "1073741824", "512M", "2G", "1.5T", also "2GiB" and "2GB", all in powers of 1024, with up to 6 digits behind the point; nothing for
/// anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

}  // namespace jit_cache
