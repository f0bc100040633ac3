// kiln-cache/file_system: what a folder lies on.
// in: a path   out: type, mount options, room   knows nothing of: stores
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace kiln_cache {

struct file_system {
    std::string type;         // "ext4"; by /proc/self/mountinfo, or by statfs() as a number
    std::string mount_point;  // empty where /proc does not say
    bool is_read_only = false;
    bool is_noexec = false;
    bool has_size = true;                      // no: the kernel's own, such as /proc
    std::uint64_t free_bytes = 0;              // for who is not root
    std::optional<std::uint64_t> free_inodes;  // none: it counts none
};

/// Of the nearest folder of the path that is there; nothing where even "/" does not answer.
[[nodiscard]] std::optional<file_system> file_system_of(const std::filesystem::path& path);

}  // namespace kiln_cache
