// kiln-cache/file_system: statvfs() and /proc/self/mountinfo.
#include "file_system.hpp"

#include <fmt/format.h>

#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace kiln_cache {

namespace {

std::string real_path_of_nearest(const std::filesystem::path& path) {
    std::error_code error;
    for (std::filesystem::path here = std::filesystem::absolute(path, error);; here = here.parent_path()) {
        const std::filesystem::path real = std::filesystem::canonical(here, error);
        if (!error) return real.string();
        if (!here.has_relative_path()) return {};
    }
}

/// Blanks and backslashes in mountinfo are \040 and the like.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size()) {
            plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

bool is_below(std::string_view path, std::string_view mount_point) {
    if (mount_point == "/" || path == mount_point) return true;
    return path.starts_with(mount_point) && path[mount_point.size()] == '/';
}

/// Of the deepest mount above the path; of two at one point the later covers the earlier.
void read_mount(const std::string& path, file_system& found) {
    std::ifstream in("/proc/self/mountinfo");
    for (std::string line; std::getline(in, line);) {
        // "27 1 254:0 / /mnt rw,noexec - ext4 /dev/vda rw": after the fifth field come options, then any number of words to
        // the "-".
        std::istringstream words(line);
        std::string word;
        std::string mount_point;
        for (int i = 0; i < 5; ++i) words >> mount_point;
        mount_point = unescaped(mount_point);
        if (mount_point.size() < found.mount_point.size() || !is_below(path, mount_point)) continue;
        while (words >> word && word != "-") {
        }
        if (words >> word) {
            found.type = word;
            found.mount_point = mount_point;
        }
    }
}

}  // namespace

std::optional<file_system> file_system_of(const std::filesystem::path& path) {
    const std::string real = real_path_of_nearest(path);
    struct ::statvfs room {};
    struct ::statfs kind {};
    if (real.empty() || ::statvfs(real.c_str(), &room) != 0 || ::statfs(real.c_str(), &kind) != 0) return std::nullopt;
    file_system found;
    found.is_read_only = (room.f_flag & ST_RDONLY) != 0;
    found.is_noexec = (room.f_flag & ST_NOEXEC) != 0;
    found.has_size = room.f_blocks > 0;
    found.free_bytes = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize;
    if (room.f_files > 0) found.free_inodes = room.f_favail;
    read_mount(real, found);
    if (found.type.empty()) found.type = fmt::format("type {:#x}", static_cast<unsigned long>(kind.f_type));
    return found;
}

}  // namespace kiln_cache
