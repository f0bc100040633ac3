// jit_cache/directory: opening, creating and judging folders.
// in: a path   out: open folders, or why not   knows nothing of: what entries hold, threads
#include "directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace jit_cache {

namespace {

bool is_hex(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

opened_folder refused(int error, std::string trouble) {
    return {.folder = {}, .error = error, .trouble = std::move(trouble), .system_refused = false};
}

std::string owner_and_mode(const struct ::stat& status) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(status.st_mode & 07777));
    return "owner uid " + std::to_string(status.st_uid) + ", mode " + mode;
}

// "link/" and "link/." would be followed in spite of O_NOFOLLOW, and a planted link would pass for a folder.
std::string without_trailing_slashes(std::string path) {
    for (;;) {
        if (path.size() > 1 && path.ends_with('/')) {
            path.pop_back();
        } else if (path.size() > 2 && path.ends_with("/.")) {
            path.resize(path.size() - 2);
        } else {
            return path;
        }
    }
}

// Makes the folder and its missing parents, private to the user. Returns errno of the first one that failed, or 0.
int create_folders(const std::string& path) {
    int first_error = 0;
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        if (::mkdir(path.substr(0, end).c_str(), 0700) != 0 && errno != EEXIST && first_error == 0) first_error = errno;
        if (end == std::string::npos) return first_error;
    }
}

int open_folder(int base, const std::string& name) {
    int number = -1;
    do {
        number = ::openat(base, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    } while (number < 0 && errno == EINTR);
    return number;
}

// Why an open() with O_DIRECTORY | O_NOFOLLOW failed: the kernel says ENOTDIR for a link as well as for a file.
std::string why_not_opened(int base, const std::string& name, int error) {
    struct ::stat status {};
    if ((error == ENOTDIR || error == ELOOP) && ::fstatat(base, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISLNK(status.st_mode)) return "it is a symbolic link (" + owner_and_mode(status) + ")";
        if (!S_ISDIR(status.st_mode)) return "it is not a folder";
    }
    return error_text(error);
}

opened_folder check_opened(file_descriptor folder, access wanted) {
    struct ::stat status {};
    if (::fstat(folder.get(), &status) != 0) return refused(errno, error_text(errno));
    if (wanted != access::inspect) {
        if (std::string why = distrust(status); !why.empty()) return refused(EPERM, std::move(why));
    }
    return {.folder = std::move(folder), .error = 0, .trouble = {}, .system_refused = false};
}

}  // namespace

std::string error_text(int error) { return std::generic_category().message(error); }

bool is_entry_name(std::string_view name) { return name.size() == 32 && is_hex(name); }

bool is_shard_name(std::string_view name) { return name.size() == 2 && is_hex(name); }

std::string distrust(const struct ::stat& status) {
    const bool foreign = status.st_uid != ::geteuid();
    const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (!foreign && !shared) return {};
    return owner_and_mode(status) + ", but only uid " + std::to_string(::geteuid()) +
           " may own and write it: whoever else can write it can run code as you";
}

opened_folder open_root(const std::filesystem::path& path, access wanted) {
    // A set-user-ID program takes its environment, and so this path, from a less privileged user.
    if (wanted != access::inspect && ::getauxval(AT_SECURE) != 0) {
        return refused(EPERM, "this program runs with raised privileges");
    }
    const std::string name = without_trailing_slashes(path.native());
    int number = open_folder(AT_FDCWD, name);
    if (number < 0 && errno == ENOENT && wanted == access::write) {
        const int create_error = create_folders(name);
        number = open_folder(AT_FDCWD, name);
        if (number < 0 && errno == ENOENT && create_error != 0) errno = create_error;
    } else if (number < 0 && errno == ENOENT) {
        return refused(ENOENT, {});
    }
    if (number < 0) {
        const int error = errno;
        return refused(error, why_not_opened(AT_FDCWD, name, error));
    }
    return check_opened(file_descriptor(number), wanted);
}

opened_folder open_shard(const file_descriptor& root, std::string_view shard, access wanted) {
    const std::string name(shard);
    int number = open_folder(root.get(), name);
    if (number < 0 && errno == ENOENT && wanted == access::write) {
        if (::mkdirat(root.get(), name.c_str(), 0700) != 0 && errno != EEXIST) {
            const int error = errno;
            opened_folder result = refused(error, error_text(error));
            result.system_refused = true;
            return result;
        }
        number = open_folder(root.get(), name);
    } else if (number < 0 && errno == ENOENT) {
        return refused(ENOENT, {});
    }
    if (number < 0) {
        const int error = errno;
        return refused(error, why_not_opened(root.get(), name, error));
    }
    return check_opened(file_descriptor(number), wanted);
}

std::vector<std::string> names_in(const file_descriptor& folder) {
    // A second open of the same folder: readdir() moves the position of the descriptor it is given.
    const int number = open_folder(folder.get(), ".");
    if (number < 0) return {};
    ::DIR* stream = ::fdopendir(number);
    if (stream == nullptr) {
        ::close(number);
        return {};
    }
    std::vector<std::string> names;
    while (const ::dirent* one = ::readdir(stream)) {
        const std::string_view name = one->d_name;
        if (name != "." && name != "..") names.emplace_back(name);
    }
    ::closedir(stream);
    return names;
}

}  // namespace jit_cache
