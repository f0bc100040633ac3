// jit_cache/directory: a store's folder, its shards, and who may be trusted with them. Nothing is kept open between two
// calls: a folder that was deleted, remounted or made unsafe meanwhile is seen as it is now.
// in: a path   out: open folders, or why not   knows nothing of: what entries hold, threads
#pragma once

#include "file_descriptor.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace jit_cache {

/// The convention of bford.info/cachedir, by which backup programs pass such folders over.
inline constexpr const char* tag_name = "CACHEDIR.TAG";

enum class access : std::uint8_t {
    inspect,    // the tool reads and deletes for whoever may: no trust asked, nothing is run
    read_only,  // what is read will be run: root's or the user's, nobody else may write
    read,       // as read_only, and the user's own
    write       // as read, and the folder is created when missing
};

struct opened_folder {
    file_descriptor folder;       // open (O_PATH) when all is well
    int error = 0;                // errno when a system call failed: ENOENT is "not there (yet)"
    std::string trouble;          // for people; empty with a closed folder: not there
    bool distrusted = false;      // the trouble is who may write to it
    bool system_refused = false;  // creating it failed (full, read-only): nothing is wrong with what is there
};

/// Opens the root: the folder of this format's version in a store's folder. Neither may be a symbolic link, both must be
/// trusted. No rights but inspect where the process runs with raised privileges.
[[nodiscard]] opened_folder open_root(const std::filesystem::path& path, access wanted);

/// Opens the folder `shard` (two hexadecimal digits) in an open root, under the same rules.
[[nodiscard]] opened_folder open_shard(const file_descriptor& root, std::string_view shard, access wanted);

/// For who reads one file: opens the store's folder alone, under the same rules, ...
[[nodiscard]] opened_folder open_store_folder(const std::filesystem::path& path, access wanted);
/// ... and looks at what is in it ("v2", then "v2/b8") without opening that: half as expensive, and as safe, since whoever may
/// not write to a folder cannot exchange what was looked at in it. All is well where `error` is 0.
[[nodiscard]] opened_folder look_at_folder(const file_descriptor& store_folder, const std::string& below,
                                           access wanted);

/// Empty when what `status` describes may be used so; else owner and mode, for people.
[[nodiscard]] std::string distrust(const struct ::stat& status, access wanted);

/// The names in an open folder, without "." and "..". Stops at an error: what was read until then.
[[nodiscard]] std::vector<std::string> names_in(const file_descriptor& folder);

/// The shards of an open root.
[[nodiscard]] std::vector<std::string> shards_in(const file_descriptor& root);

/// strerror without its race between threads.
[[nodiscard]] std::string error_text(int error);

/// Entry names: the first two digits name the shard.
[[nodiscard]] bool is_entry_name(std::string_view name);
[[nodiscard]] bool is_shard_name(std::string_view name);

}  // namespace jit_cache
