// jit_cache/scan: the entries of a folder, read and checked, for the inspection tool.
// in: a path   out: entries, what else is there, or why the folder cannot be read   knows nothing of: stores, threads
#include <jit_cache/folder.hpp>

#include "directory.hpp"
#include "entry_file.hpp"
#include "hints.hpp"
#include "in_threads.hpp"
#include "names.hpp"
#include "stale_temporary.hpp"
#include "statistics.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <iterator>
#include <mutex>
#include <thread>

namespace jit_cache {

namespace {

/// "v1": the root of another version of the format.
bool is_other_version(std::string_view name) {
    return name.size() > 1 && name[0] == 'v' && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// A listing waits for the kernel, which opens, reads and closes each file: `kiln-cache ls` of 20,000 takes 172 ms on one
// thread and 127 ms on two (2 processors, tmpfs, 2026-11). Below so many shards they are not worth starting.
constexpr unsigned most_threads = 4;
constexpr std::size_t least_shards_for_threads = 32;

/// One thread's part of a pass over a folder.
class scanner {
public:
    scanner(const file_descriptor& root, depth how, std::string_view prefix,
            const std::function<void(entry_info&&)>& visit)
        : root_(root), how_(how), prefix_(prefix), visit_(visit) {}

    [[nodiscard]] scan_result& result() { return result_; }

    void scan_shard(const std::string& shard_name, const std::filesystem::path& in) {
        const opened_folder shard = open_shard(root_, shard_name, access::inspect);
        if (!shard.folder) {
            // A file or a link in a shard's place was not put there by the store.
            const bool is_folder = shard.error != ENOTDIR && shard.error != ELOOP;
            if (shard.error != ENOENT)
                note_broken(in, shard.trouble, is_folder ? file_fault::unreadable : file_fault::foreign);
            return;
        }
        struct ::stat status {};
        const std::string why = ::fstat(shard.folder.get(), &status) == 0 ? distrust(status, access::read_only) : "";
        const bool is_ignored = !why.empty();
        if (is_ignored) result_.ignored_shards.push_back({.folder = in, .why = why});
        for (const std::string& name : names_in(shard.folder)) {
            if (!name.starts_with(prefix_) && !prefix_.empty()) continue;
            if (is_entry_name(name) && name.starts_with(shard_name)) {
                scan_file(shard.folder, name, in / name, is_ignored ? &result_.ignored_shards.back() : nullptr);
            } else if (is_entry_name(name)) {
                note_broken(in / name, "it is in another shard's folder", file_fault::foreign);
            } else if (const auto owner = owner_of_temporary(name)) {
                note_temporary(shard.folder, name, *owner, in / name);
            } else {
                result_.strangers.push_back(in / name);
            }
        }
    }

private:
    void scan_file(const file_descriptor& shard, const std::string& name, const std::filesystem::path& file,
                   ignored_shard* ignored) {
        file_reading found = held_to_name(how_ == depth::whole ? read_entry(shard, name, access::inspect)
                                                               : read_description(shard, name, access::inspect),
                                          name);
        switch (found.state) {
            case file_state::absent: return;  // deleted between the listing and now
            case file_state::newer: ++result_.newer_format_count; return;
            case file_state::broken:
            case file_state::foreign:
            case file_state::untrusted:
            case file_state::failed: note_broken(file, std::move(found.why), fault_of(found.state)); return;
            case file_state::good: break;
        }
        if (ignored != nullptr) {
            ++ignored->entries;
            found.ignored_because = "its folder: " + ignored->why;
        }
        visit_({.file = file,
                .name = name_of(name),
                .file_bytes = found.file_bytes,
                .last_used_unix_s = found.last_used_unix_s,
                .entry_key = std::move(found.content.stored_key),
                .facts = std::move(found.content.value.facts),
                .payload_bytes = found.payload_bytes,
                .ignored_because = std::move(found.ignored_because),
                .is_in_ignored_shard = ignored != nullptr});
    }

    void note_broken(const std::filesystem::path& file, std::string why, file_fault fault) {
        result_.broken.push_back({file, std::move(why), fault});
    }

    void note_temporary(const file_descriptor& shard, const std::string& name, const temporary_owner& owner,
                        const std::filesystem::path& file) {
        struct ::stat status {};
        if (::fstatat(shard.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;  // it is an entry by now
        result_.temporaries.push_back({.file = file,
                                       .bytes = static_cast<std::uint64_t>(status.st_size),
                                       .is_stale = is_stale_temporary(shard, name, owner, ::time(nullptr))});
    }

    const file_descriptor& root_;
    const depth how_;
    const std::string_view prefix_;
    const std::function<void(entry_info&&)>& visit_;
    scan_result result_;
};

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>& more) {
    std::move(more.begin(), more.end(), std::back_inserter(to));
}

void append(scan_result& to, scan_result& more) {
    append(to.broken, more.broken);
    append(to.ignored_shards, more.ignored_shards);
    append(to.temporaries, more.temporaries);
    append(to.strangers, more.strangers);
    to.newer_format_count += more.newer_format_count;
}

void look_beside_root(const std::filesystem::path& directory, scan_result& result) {
    std::error_code ignored;
    for (const auto& each : std::filesystem::directory_iterator(directory, ignored)) {
        const std::string name = each.path().filename().string();
        if (name == format_folder || name == tag_name) continue;
        (is_other_version(name) ? result.versions : result.strangers).push_back(each.path());
    }
}

/// Those whose names begin with the prefix. What else is in the root goes into the result.
std::vector<std::string> shards_to_scan(const file_descriptor& root, const std::filesystem::path& in,
                                        std::string_view prefix, scan_result& result) {
    std::vector<std::string> shards;
    for (std::string& name : names_in(root)) {
        if (is_shard_name(name)) {
            if (name.starts_with(prefix.substr(0, name.size()))) shards.push_back(std::move(name));
        } else if (prefix.empty() && name != hints_file && name != statistics_file) {
            result.strangers.push_back(in / name);
        }
    }
    return shards;
}

unsigned threads_for(std::size_t shards, depth how) {
    // A whole entry may take a gigabyte of memory: not several at once.
    if (how == depth::whole || shards < least_shards_for_threads) return 1;
    return std::clamp(std::thread::hardware_concurrency(), 1U, most_threads);
}

}  // namespace

scan_result scan_each(const std::filesystem::path& directory, depth how, const std::function<void(entry_info&&)>& visit,
                      std::string_view prefix) {
    scan_result result;
    const opened_folder root = open_root(directory, access::inspect);
    result.trouble = root.trouble;
    if (result.trouble.empty() && prefix.empty()) look_beside_root(directory, result);
    if (root.folder) {
        const std::filesystem::path in = directory / format_folder;
        const std::vector<std::string> shards = shards_to_scan(root.folder, in, prefix, result);
        std::atomic<std::size_t> next = 0;
        std::mutex mutex;  // of visit, which is called by one thread at a time, and of the result
        const std::function<void(entry_info&&)> visit_alone = [&](entry_info&& one) {
            const std::lock_guard lock(mutex);
            visit(std::move(one));
        };
        in_threads(threads_for(shards.size(), how), [&] {
            scanner mine(root.folder, how, prefix, visit_alone);
            for (std::size_t i = next++; i < shards.size(); i = next++) mine.scan_shard(shards[i], in / shards[i]);
            const std::lock_guard lock(mutex);
            append(result, mine.result());
        });
    }
    const auto by_path = [](const auto& left, const auto& right) { return left.file < right.file; };
    std::sort(result.broken.begin(), result.broken.end(), by_path);
    std::sort(result.temporaries.begin(), result.temporaries.end(), by_path);
    std::sort(result.ignored_shards.begin(), result.ignored_shards.end(),
              [](const ignored_shard& left, const ignored_shard& right) { return left.folder < right.folder; });
    std::sort(result.strangers.begin(), result.strangers.end());
    std::sort(result.versions.begin(), result.versions.end());
    return result;
}

scan_result scan(const std::filesystem::path& directory, depth how, std::string_view prefix) {
    std::vector<entry_info> entries;
    scan_result result = scan_each(
        directory, how, [&](entry_info&& one) { entries.push_back(std::move(one)); }, prefix);
    result.entries = std::move(entries);
    // Equal times in the order of names: two runs over the same folder print the same.
    std::sort(result.entries.begin(), result.entries.end(), [](const entry_info& left, const entry_info& right) {
        if (left.last_used_unix_s != right.last_used_unix_s) return left.last_used_unix_s > right.last_used_unix_s;
        return left.file < right.file;
    });
    return result;
}

std::optional<whole_entry> read_whole(const std::filesystem::path& directory, hash128 name) {
    const opened_folder root = open_root(directory, access::inspect);
    if (!root.folder) return std::nullopt;
    file_reading read = inspect_entry(root.folder, to_hex(name));
    if (read.state != file_state::good) return std::nullopt;
    return whole_entry{std::move(read.content.stored_key), std::move(read.content.value)};
}

}  // namespace jit_cache
