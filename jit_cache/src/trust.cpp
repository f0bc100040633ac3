// jit_cache/trust: the rule, by what the kernel says of the process, of open files and of each folder of a path.
#include <jit_cache/trust.hpp>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace jit_cache::trust {

namespace {

constexpr int most_links = 40;  // as many as the kernel follows

/// Root, the effective user, and who owns what this process runs already: in a container that maps user numbers, /usr may
/// belong to neither of the first two.
bool is_trusted_owner(::uid_t owner) {
    static const std::array<::uid_t, 2> running = [] {
        std::array<::uid_t, 2> owners{0, 0};
        struct ::stat status {};
        if (::stat("/proc/self/exe", &status) == 0) owners[0] = status.st_uid;
        // The program's interpreter, by the path that programs name it with, belongs to who owns the C library.
        for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"})
            if (::stat(loader, &status) == 0) owners[1] = status.st_uid;
        return owners;
    }();
    return owner == 0 || owner == ::geteuid() || std::find(running.begin(), running.end(), owner) != running.end();
}

bool others_may_write(const struct ::stat& status) {
    if ((status.st_mode & S_IWOTH) != 0) return true;
    return (status.st_mode & S_IWGRP) != 0 && status.st_uid != 0;
}

/// Of one part of a path: a folder on the way, a link, or the file at its end.
std::string distrust_part(const std::string& part, const struct ::stat& status, bool of_anybody) {
    // A link's own mode says nothing; who may replace it, the folder that it is in decides.
    const bool kept_by_sticky_bit = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if (!S_ISLNK(status.st_mode) && others_may_write(status) && !kept_by_sticky_bit)
        return part + ": " + owner_and_mode(status) + ": others can write it, and whoever can, can run code as you";
    if (!of_anybody && !is_trusted_owner(status.st_uid))
        return part + ": " + owner_and_mode(status) + ", which is neither root nor uid " + std::to_string(::geteuid());
    return {};
}

std::string text_of(int error) { return std::generic_category().message(error); }

}  // namespace

bool has_raised_privileges() noexcept { return ::getauxval(AT_SECURE) != 0; }

std::string environment(const char* name) {
    if (has_raised_privileges()) return {};
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool is_ignored(const char* name) {
    const char* const value = std::getenv(name);
    return has_raised_privileges() && value != nullptr && *value != '\0';
}

std::string owner_and_mode(const struct ::stat& status) {
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(status.st_mode & 07777));
    return "owner uid " + std::to_string(status.st_uid) + ", mode " + mode;
}

std::string distrust(const struct ::stat& status, owners allowed) {
    const bool foreign = status.st_uid != ::geteuid() && !(allowed == owners::user_or_root && status.st_uid == 0);
    const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (!foreign && !shared) return {};
    return owner_and_mode(status) + ", but only uid " + std::to_string(::geteuid()) +
           (allowed == owners::user_or_root ? " or root" : "") +
           " may own and write it: whoever else can write it can run code as you";
}

std::string distrust_program(const std::string& path, chosen_by how) {
    std::string rest = path;
    if (!rest.starts_with('/')) {
        char folder[PATH_MAX];
        if (::getcwd(folder, sizeof folder) == nullptr) return path + ": " + text_of(errno);
        rest = std::string(folder) + '/' + rest;
    }
    // The path is walked as the kernel walks it, link by link, since each folder that is passed through decides.
    std::string walked;
    // Below a folder in which anybody may make one, a name says nothing about whose it is.
    bool of_anybody = how == chosen_by::name;
    for (int links = 0; !rest.empty();) {
        const std::size_t begin = rest.find_first_not_of('/');
        if (begin == std::string::npos) break;
        const std::size_t end = std::min(rest.find('/', begin), rest.size());
        const std::string part = rest.substr(begin, end - begin);
        rest.erase(0, end);
        if (part == ".") continue;
        if (part == "..") {
            walked.resize(walked.empty() ? 0 : walked.rfind('/'));
            continue;
        }
        const std::string here = walked + '/' + part;
        struct ::stat status {};
        if (::lstat(here.c_str(), &status) != 0) return here + ": " + text_of(errno);
        if (std::string why = distrust_part(here, status, of_anybody); !why.empty()) return why;
        if (!S_ISLNK(status.st_mode)) {
            of_anybody = of_anybody && !others_may_write(status);
            walked = here;
            continue;
        }
        if (++links > most_links) return path + ": " + text_of(ELOOP);
        char target[PATH_MAX];
        const ::ssize_t length = ::readlink(here.c_str(), target, sizeof target);
        if (length < 0) return here + ": " + text_of(errno);
        const std::string_view to(target, static_cast<std::size_t>(length));
        rest = std::string(to) + rest;
        if (to.starts_with('/')) walked.clear();
    }
    return {};
}

std::string distrust_shared_folder(const std::string& path) {
    struct ::stat status {};
    if (::stat(path.c_str(), &status) != 0) return path + ": " + text_of(errno);
    if (!S_ISDIR(status.st_mode)) return path + ": it is not a folder";
    const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (shared && (status.st_mode & S_ISVTX) == 0)
        return path + ": " + owner_and_mode(status) +
               ": others can write it and, without a sticky bit, move what is in it";
    if (!is_trusted_owner(status.st_uid))
        return path + ": " + owner_and_mode(status) + ", which is neither root nor uid " + std::to_string(::geteuid());
    return {};
}

}  // namespace jit_cache::trust
