// jit_cache/entry_file: reads one entry from an open shard, and publishes one in it.
// in: an open shard, a name, bytes   out: an entry or what is wrong with it   knows nothing of: keys wanted, threads
#pragma once

#include "directory.hpp"
#include "entry.hpp"

#include <jit_cache/folder.hpp>

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace jit_cache {

/// No binary is this large; a file that is stays unread, so that a sparse one cannot eat the machine's memory.
inline constexpr std::uint64_t largest_entry_bytes = std::uint64_t{1} << 30;

enum class file_state : std::uint8_t {
    good,
    absent,
    newer,      // a later version's: a miss, kept
    broken,     // read, and wrong: to be made again and replaced
    foreign,    // not written by this library: as broken where an entry is wanted, and never deleted
    untrusted,  // others can write it: to be made again and replaced
    failed      // could not be read, which says nothing about what it holds: a miss, kept
};

struct file_reading {
    file_state state = file_state::absent;
    entry content;
    std::string why;  // for people, when it is none of good, absent and newer
    std::uint64_t file_bytes = 0;
    std::uint64_t payload_bytes = 0;
    std::int64_t last_used_unix_s = 0;
    std::string ignored_because;  // access::inspect: what the others would have said of who can write it
};

/// Reads and checks a whole entry. Follows no symbolic link and never blocks on a FIFO. All but access::inspect also ask
/// that nobody else can write the file.
[[nodiscard]] file_reading read_entry(const file_descriptor& shard, const std::string& name, access wanted);

/// The same of its key and facts alone; payload and extras stay on the disk.
[[nodiscard]] file_reading read_description(const file_descriptor& shard, const std::string& name, access wanted);

/// What was read, but broken where its key has another name.
[[nodiscard]] file_reading held_to_name(file_reading found, const std::string& name);

/// The two together, in an open root, for who only looks.
[[nodiscard]] file_reading inspect_entry(const file_descriptor& root, const std::string& name);

/// What a file is that was looked at and is no entry: neither good, absent nor newer.
[[nodiscard]] file_fault fault_of(file_state state);

/// Marks an entry as used now. Fails silently: a read-only folder still gives hits.
void touch_entry(const file_descriptor& shard, const std::string& name);

/// The state that the first 32 bytes give away; `good` says nothing about the rest.
struct probed_entry {
    file_state state = file_state::absent;
    struct ::stat status {};  // where it is a regular file that could be opened
};
[[nodiscard]] probed_entry probe_entry(const file_descriptor& shard, const std::string& name);

struct published {
    int error = 0;        // errno; 0: the entry is on disk
    std::string trouble;  // for people, when error is not 0
};

/// Writes a temporary in the same folder and renames it: a reader sees the old file or the new one, never half. Leaves
/// no temporary behind when it fails.
[[nodiscard]] published publish_entry(const file_descriptor& shard, const std::string& name, std::string_view bytes);

/// All of the bytes, in as many writes as it takes; errno, or 0. To be called while write_signals_held_back lives.
[[nodiscard]] int write_fully(const file_descriptor& file, std::string_view bytes);

}  // namespace jit_cache
