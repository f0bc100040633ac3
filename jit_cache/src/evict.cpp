// jit_cache/evict: lists a folder, deletes what was used longest ago, and what dead writers left behind.
// in: an open root, bounds   out: what was deleted, what is left   knows nothing of: keys, payloads, threads
#include "evict.hpp"

#include "directory.hpp"
#include "entry_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <tuple>

namespace jit_cache {

namespace {

constexpr std::int64_t hour_s = 3'600;
constexpr std::int64_t day_s = 24 * hour_s;

struct candidate {
    std::string shard;
    std::string name;
    std::uint64_t bytes = 0;
    std::int64_t seconds = 0;      // last use, Unix time
    std::int64_t nanoseconds = 0;  // its fraction
    bool from_the_future = false;
};

bool less_recently_used(const candidate& left, const candidate& right) {
    // A time stamp of next year was written by a wrong clock and would be "used last" for ever: such entries go first.
    // One that is still in use is touched at its next hit, which puts it right.
    return std::tie(right.from_the_future, left.seconds, left.nanoseconds, left.name) <
           std::tie(left.from_the_future, right.seconds, right.nanoseconds, right.name);
}

void note_trouble(sweep_result& result, std::string_view name, int error) {
    if (result.trouble.empty()) result.trouble = std::string(name) + ": " + error_text(error);
}

// A temporary is stale when nobody holds its lock and its process is gone, or when it is hours old: the process number
// may mean another process by now, or may come from another machine.
void remove_if_stale(const file_descriptor& shard, const std::string& name, std::int64_t process, std::int64_t now_s,
                     sweep_result& result) {
    struct ::stat status {};
    if (::fstatat(shard.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    const bool owner_is_gone = process <= 0 || (::kill(static_cast<::pid_t>(process), 0) != 0 && errno == ESRCH);
    const std::int64_t age_s = now_s - status.st_mtim.tv_sec;
    if (!owner_is_gone && age_s > -hour_s && age_s < hour_s) return;
    if (S_ISREG(status.st_mode)) {
        const file_descriptor file(::openat(shard.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return;
        if (::unlinkat(shard.get(), name.c_str(), 0) == 0) ++result.temporaries_removed;
    } else if (::unlinkat(shard.get(), name.c_str(), S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0) == 0) {
        ++result.temporaries_removed;
    }
}

std::vector<candidate> list_entries(const file_descriptor& root, std::int64_t now_s, sweep_result& result) {
    std::vector<candidate> entries;
    for (const std::string& shard_name : names_in(root)) {
        if (!is_shard_name(shard_name)) continue;
        const opened_folder shard = open_shard(root, shard_name, access::inspect);
        if (!shard.folder) {
            if (shard.error != ENOENT) note_trouble(result, shard_name, shard.error);
            continue;
        }
        for (std::string& name : names_in(shard.folder)) {
            if (const auto process = temporary_owner(name)) {
                remove_if_stale(shard.folder, name, *process, now_s, result);
                continue;
            }
            // Anything else in the folder was not put there by this library and is not its to delete.
            if (!is_entry_name(name)) continue;
            struct ::stat status {};
            if (::fstatat(shard.folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
            entries.push_back({.shard = shard_name,
                               .name = std::move(name),
                               .bytes = static_cast<std::uint64_t>(status.st_size),
                               .seconds = status.st_mtim.tv_sec,
                               .nanoseconds = status.st_mtim.tv_nsec,
                               .from_the_future = status.st_mtim.tv_sec > now_s + day_s});
        }
    }
    return entries;
}

enum class removal : std::uint8_t { removed, used_meanwhile, newer_format, failed };

removal remove_entry(const file_descriptor& root, const candidate& one, sweep_result& result) {
    const opened_folder shard = open_shard(root, one.shard, access::inspect);
    if (!shard.folder) return shard.error == ENOENT ? removal::removed : removal::failed;
    struct ::stat status {};
    if (::fstatat(shard.folder.get(), one.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? removal::removed : removal::failed;
    }
    // Read or replaced since it was listed: no longer the one used longest ago.
    if (status.st_mtim.tv_sec != one.seconds || status.st_mtim.tv_nsec != one.nanoseconds)
        return removal::used_meanwhile;
    if (S_ISREG(status.st_mode) && probe_entry(shard.folder, one.name) == file_state::newer)
        return removal::newer_format;
    if (::unlinkat(shard.folder.get(), one.name.c_str(), S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0) == 0) {
        ++result.entries_removed;
        result.bytes_removed += one.bytes;
        return removal::removed;
    }
    if (errno == ENOENT) return removal::removed;  // another sweeper was faster
    note_trouble(result, one.name, errno);
    return removal::failed;
}

// A tenth to spare: at exactly the bound, every publish would be followed by another sweep.
std::uint64_t with_room_to_spare(std::uint64_t bound) { return bound - bound / 10; }

}  // namespace

sweep_result sweep_root(const file_descriptor& root, bounds allowed) {
    sweep_result result;
    ::timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    std::vector<candidate> entries = list_entries(root, now.tv_sec, result);
    result.entries_left = entries.size();
    for (const candidate& one : entries) result.bytes_left += one.bytes;
    if (result.bytes_left <= allowed.max_bytes && result.entries_left <= allowed.max_entries) return result;

    std::sort(entries.begin(), entries.end(), less_recently_used);
    for (const candidate& one : entries) {
        if (result.bytes_left <= with_room_to_spare(allowed.max_bytes) &&
            result.entries_left <= with_room_to_spare(allowed.max_entries)) {
            break;
        }
        const removal outcome = remove_entry(root, one, result);
        if (outcome == removal::newer_format) ++result.newer_format_count;
        // What belongs to a later version does not count: else its entries would push out all of ours.
        if (outcome == removal::removed || outcome == removal::newer_format) {
            --result.entries_left;
            result.bytes_left -= one.bytes;
        }
    }
    return result;
}

void remove_empty_shards(const file_descriptor& root) {
    for (const std::string& name : names_in(root)) {
        if (is_shard_name(name)) ::unlinkat(root.get(), name.c_str(), AT_REMOVEDIR);
    }
}

sweep_result sweep(const std::filesystem::path& directory, std::uint64_t max_bytes, std::uint64_t max_entries) {
    const opened_folder root = open_root(directory, access::inspect);
    sweep_result result;
    if (root.folder) {
        result = sweep_root(root.folder, {.max_bytes = max_bytes, .max_entries = max_entries});
        remove_empty_shards(root.folder);
    } else {
        result.trouble = root.trouble;
    }
    return result;
}

std::uint64_t clear(const std::filesystem::path& directory) { return sweep(directory, 0, 0).entries_removed; }

}  // namespace jit_cache
