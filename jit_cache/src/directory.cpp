// jit_cache/directory: opening, creating and judging folders.
// in: a path   out: open folders, or why not   knows nothing of: what entries hold, threads
#include "directory.hpp"

#include <jit_cache/folder.hpp>
#include <jit_cache/trust.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace jit_cache {

namespace {

constexpr std::string_view tag_text =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# Compiled kernels, each of which can be made again. See https://bford.info/cachedir/\n";

bool is_hex(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

opened_folder refused(int error, std::string trouble) {
    opened_folder result;
    result.error = error;
    result.trouble = std::move(trouble);
    return result;
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

/// Root with a user's HOME (sudo keeps it) would make folders that the user can never write to again.
std::string why_not_created_by_root(const std::string& path) {
    if (::geteuid() != 0) return {};
    for (std::string parent = path;;) {
        const std::size_t slash = parent.rfind('/');
        if (slash == std::string::npos) return {};
        parent.resize(std::max<std::size_t>(slash, 1));
        struct ::stat status {};
        if (::stat(parent.c_str(), &status) != 0) continue;
        if (status.st_uid == 0 || (status.st_mode & S_ISVTX) != 0) return {};
        return "not made by root in " + parent + ", which belongs to uid " + std::to_string(status.st_uid) +
               " and would then hold a folder that its owner cannot use";
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

int open_folder(int base, const std::string& name, int how) {
    int number = -1;
    do {
        number = ::openat(base, name.c_str(), how | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    } while (number < 0 && errno == EINTR);
    return number;
}

/// To look at and to go on from, which is all that a look-up does with it: a third cheaper than opening it to be listed.
int open_to_pass(int base, const std::string& name) { return open_folder(base, name, O_PATH); }

// Why an open() with O_DIRECTORY | O_NOFOLLOW failed: the kernel says ENOTDIR for a link as well as for a file.
std::string why_not_opened(int base, const std::string& name, int error) {
    struct ::stat status {};
    if ((error == ENOTDIR || error == ELOOP) && ::fstatat(base, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISLNK(status.st_mode)) return "it is a symbolic link (" + trust::owner_and_mode(status) + ")";
        if (!S_ISDIR(status.st_mode)) return "it is not a folder";
    }
    return error_text(error);
}

opened_folder not_trusted(std::string why) {
    opened_folder result = refused(EPERM, std::move(why));
    result.distrusted = true;
    return result;
}

opened_folder not_opened(int base, const std::string& name, int error) {
    return error == ENOENT ? refused(ENOENT, {}) : refused(error, why_not_opened(base, name, error));
}

opened_folder check_opened(int base, const std::string& name, int number, access wanted) {
    if (number < 0) return not_opened(base, name, errno);
    opened_folder result;
    result.folder = file_descriptor(number);
    struct ::stat status {};
    if (::fstat(number, &status) != 0) return refused(errno, error_text(errno));
    if (std::string why = distrust(status, wanted); !why.empty()) return not_trusted(std::move(why));
    return result;
}

opened_folder open_or_make(const file_descriptor& parent, const std::string& name, access wanted) {
    int number = open_to_pass(parent.get(), name);
    if (number < 0 && errno == ENOENT && wanted == access::write) {
        if (::mkdirat(parent.get(), name.c_str(), 0700) != 0 && errno != EEXIST) {
            const int error = errno;
            opened_folder result = refused(error, error_text(error));
            result.system_refused = true;
            return result;
        }
        number = open_to_pass(parent.get(), name);
    }
    return check_opened(parent.get(), name, number, wanted);
}

/// Best effort: a folder without the tag is as good a store.
void write_tag(const file_descriptor& folder) {
    const file_descriptor tag(
        ::openat(folder.get(), tag_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (tag) [[maybe_unused]]
        const ::ssize_t ignored = ::write(tag.get(), tag_text.data(), tag_text.size());
}

opened_folder open_or_make_all(const std::string& name, access wanted) {
    int number = open_to_pass(AT_FDCWD, name);
    if (number < 0 && errno == ENOENT && wanted == access::write) {
        if (std::string why = why_not_created_by_root(name); !why.empty()) return refused(EPERM, std::move(why));
        const int create_error = create_folders(name);
        number = open_to_pass(AT_FDCWD, name);
        if (number < 0 && errno == ENOENT && create_error != 0) {
            opened_folder result = refused(create_error, error_text(create_error));
            result.system_refused = true;
            return result;
        }
    }
    return check_opened(AT_FDCWD, name, number, wanted);
}

}  // namespace

std::string error_text(int error) { return std::generic_category().message(error); }

bool is_entry_name(std::string_view name) { return name.size() == 32 && is_hex(name); }

bool is_shard_name(std::string_view name) { return name.size() == 2 && is_hex(name); }

std::string distrust(const struct ::stat& status, access wanted) {
    if (wanted == access::inspect) return {};
    return trust::distrust(status, wanted == access::read_only ? trust::owners::user_or_root : trust::owners::user);
}

opened_folder open_store_folder(const std::filesystem::path& path, access wanted) {
    // A set-user-ID program takes its environment, and so this path, from a less privileged user.
    if (wanted != access::inspect && trust::has_raised_privileges())
        return not_trusted("this program runs with raised privileges");
    return open_or_make_all(without_trailing_slashes(path.native()), wanted);
}

opened_folder look_at_folder(const file_descriptor& store_folder, const std::string& below, access wanted) {
    struct ::stat status {};
    if (::fstatat(store_folder.get(), below.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return not_opened(store_folder.get(), below, errno);
    if (!S_ISDIR(status.st_mode)) return not_opened(store_folder.get(), below, ENOTDIR);
    if (std::string why = distrust(status, wanted); !why.empty()) return not_trusted(std::move(why));
    return {};
}

opened_folder open_root(const std::filesystem::path& path, access wanted) {
    opened_folder folder = open_store_folder(path, wanted);
    if (!folder.folder) return folder;
    opened_folder root = open_or_make(folder.folder, std::string(format_folder), wanted);
    if (!root.trouble.empty()) root.trouble = std::string(format_folder) + ": " + root.trouble;
    if (root.folder && wanted == access::write && ::faccessat(folder.folder.get(), tag_name, F_OK, 0) != 0)
        write_tag(folder.folder);
    return root;
}

opened_folder open_shard(const file_descriptor& root, std::string_view shard, access wanted) {
    return open_or_make(root, std::string(shard), wanted);
}

std::vector<std::string> names_in(const file_descriptor& folder) {
    const int number = open_folder(folder.get(), ".", O_RDONLY);
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

std::vector<std::string> shards_in(const file_descriptor& root) {
    std::vector<std::string> names = names_in(root);
    std::erase_if(names, [](const std::string& name) { return !is_shard_name(name); });
    return names;
}

}  // namespace jit_cache
