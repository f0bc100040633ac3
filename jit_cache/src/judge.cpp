// jit_cache/judge: what a program would say of a folder, without a program.
// in: a path   out: whether it would be read and written, and why not   knows nothing of: entries
#include <jit_cache/folder.hpp>

#include "directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace jit_cache {

namespace {

// Of the file systems of /proc and /sys. Source: statfs(2).
constexpr long proc_magic = 0x9fa0;
constexpr long sysfs_magic = 0x62656572;

/// Where access() lets root write, and mkdir() finds no such file or directory.
bool is_made_up_by_kernel(const std::filesystem::path& folder) {
    struct ::statfs status {};
    return ::statfs(folder.c_str(), &status) == 0 && (status.f_type == proc_magic || status.f_type == sysfs_magic);
}

}  // namespace

judgement judge(const std::filesystem::path& directory, folder_role role) {
    judgement result;
    const access how = role == folder_role::read_only ? access::read_only : access::read;
    const opened_folder root = open_root(directory, how);
    result.exists = static_cast<bool>(root.folder) || root.error != ENOENT;
    if (!root.folder && !root.trouble.empty()) result.ignored_because = root.trouble;
    if (role == folder_role::read_only) {
        if (!result.exists) result.ignored_because = "there is no such folder";
        return result;
    }
    // Where it is not there yet: whether the nearest folder that is lets one be made. Programs make a relative one, too.
    std::error_code error;
    std::filesystem::path nearest = std::filesystem::absolute(directory, error);
    struct ::stat status {};
    while (::stat(nearest.c_str(), &status) != 0 && nearest.has_relative_path()) nearest = nearest.parent_path();
    if (!result.ignored_because.empty()) {
        result.not_written_because = result.ignored_because;
    } else if (::faccessat(AT_FDCWD, nearest.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        result.not_written_because = nearest.string() + ": " + error_text(errno);
    } else if (is_made_up_by_kernel(nearest)) {
        result.not_written_because = nearest.string() + " is the kernel's own file system, and holds no other files";
    } else if (!result.exists && ::geteuid() == 0 && status.st_uid != 0 && (status.st_mode & S_ISVTX) == 0) {
        result.not_written_because =
            "root makes no folder in " + nearest.string() + ", which belongs to uid " + std::to_string(status.st_uid);
    }
    return result;
}

}  // namespace jit_cache
