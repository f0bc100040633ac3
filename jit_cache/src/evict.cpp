// jit_cache/evict: lists a folder, deletes what was used longest ago, and what dead writers left behind.
// in: an open root, bounds   out: what was deleted, what is left   knows nothing of: keys, payloads, who asks
#include "evict.hpp"

#include "directory.hpp"
#include "entry_file.hpp"
#include "hints.hpp"
#include "in_threads.hpp"
#include "names.hpp"
#include "stale_temporary.hpp"
#include "temporary_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <random>
#include <tuple>
#include <utility>

namespace jit_cache {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::int64_t day_s = 24 * 3'600;

// The least that stands for the rest. A sample estimates what is there to 1 / sqrt(500) = 5 in 100 (one standard deviation);
// of 20,000 entries 16 shards of 256 hold 1,250, which do to 3 in 100.
constexpr std::size_t least_shards = 16;
constexpr std::size_t least_entries = 500;

// One entry of more than this part of the sample's bytes, and the sample says little of the rest.
constexpr std::uint64_t too_large_for_a_sample = 16;

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

/// One pass over the shards of a root, or over some of them.
class sweeper {
public:
    sweeper(const file_descriptor& root, const sweep_order& order)
        : root_(root), order_(order), started_(clock::now()) {
        ::timespec now{};
        ::clock_gettime(CLOCK_REALTIME, &now);
        now_s_ = now.tv_sec;
    }

    root_sweep run() {
        list();
        const amount most = share_of(order_.allowed);
        if (!is_within(left(), most)) evict(most);
        return {.result = result_, .saw_all = seen_ == shard_count_};
    }

private:
    [[nodiscard]] bool deletes() const { return order_.what == doing::it; }

    /// Whether that part of the time is over, where there is no more.
    [[nodiscard]] bool is_late(int part) const {
        return order_.in_a_hurry && clock::now() - started_ > order_.in_a_hurry->time / part;
    }

    /// Of a bound of all, what the shards that were seen may hold.
    [[nodiscard]] amount share_of(const amount& whole) const {
        if (seen_ == shard_count_) return whole;  // a bound of "any number" stays one
        const double share = static_cast<double>(seen_) / static_cast<double>(shard_count_);
        const auto part = [share](std::uint64_t bound) {
            return static_cast<std::uint64_t>(static_cast<double>(bound) * share);
        };
        return {.bytes = part(whole.bytes), .entries = part(whole.entries)};
    }

    [[nodiscard]] amount left() const { return {.bytes = result_.bytes_left, .entries = result_.entries_left}; }

    [[nodiscard]] static bool is_within(const amount& what, const amount& most) {
        return what.bytes <= most.bytes && what.entries <= most.entries;
    }

    // A tenth to spare: at exactly the bound, every publish would be followed by another sweep.
    static amount with_room_to_spare(const amount& most) {
        return {.bytes = most.bytes - most.bytes / 10, .entries = most.entries - most.entries / 10};
    }

    void note_trouble(std::string_view name, int error) {
        if (result_.trouble.empty()) result_.trouble = std::string(name) + ": " + error_text(error);
    }

    void list() {
        std::vector<std::string> shards = shards_in(root_);
        shard_count_ = shards.size();
        if (order_.in_a_hurry) {
            std::sort(shards.begin(), shards.end());
            std::minstd_rand random(order_.in_a_hurry->seed);
            std::shuffle(shards.begin(), shards.end(), random);
        }
        for (const std::string& shard : shards) {
            if (is_late(2) && is_sample()) return;
            list_shard(shard);
            ++seen_;
        }
    }

    /// Whether what was seen stands for the rest, and holds as much as must go.
    [[nodiscard]] bool is_sample() const {
        if (seen_ < least_shards || entries_.size() < least_entries) return false;
        const amount most = share_of(order_.allowed);
        if (largest_bytes_ > most.bytes / too_large_for_a_sample) return false;
        if (is_within(left(), most)) return true;
        const amount kept = with_room_to_spare(most);
        const amount& published = order_.in_a_hurry->published;
        return result_.bytes_left >= kept.bytes + 2 * published.bytes ||
               result_.entries_left >= kept.entries + 2 * published.entries;
    }

    void list_shard(const std::string& shard_name) {
        const opened_folder shard = open_shard(root_, shard_name, access::inspect);
        if (!shard.folder) {
            if (shard.error != ENOENT) note_trouble(shard_name, shard.error);
            return;
        }
        for (std::string& name : names_in(shard.folder)) {
            if (const auto owner = owner_of_temporary(name)) {
                remove_if_stale(shard.folder, name, *owner);
                continue;
            }
            // Anything else in the folder was not put there by this library and is not its to delete.
            if (!is_entry_name(name) || !name.starts_with(shard_name)) continue;
            struct ::stat status {};
            if (::fstatat(shard.folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
            if (!S_ISREG(status.st_mode)) {
                ++result_.foreign_count;
                continue;
            }
            const auto bytes = static_cast<std::uint64_t>(status.st_size);
            ++result_.entries_left;
            result_.bytes_left += bytes;
            largest_bytes_ = std::max(largest_bytes_, bytes);
            entries_.push_back({.shard = shard_name,
                                .name = std::move(name),
                                .bytes = bytes,
                                .seconds = status.st_mtim.tv_sec,
                                .nanoseconds = status.st_mtim.tv_nsec,
                                .from_the_future = status.st_mtim.tv_sec > now_s_ + day_s});
        }
    }

    void remove_if_stale(const file_descriptor& shard, const std::string& name, const temporary_owner& owner) {
        if (!is_stale_temporary(shard, name, owner, now_s_)) return;
        if (!deletes() || ::unlinkat(shard.get(), name.c_str(), 0) == 0) ++result_.temporaries_removed;
    }

    void evict(const amount& most) {
        std::sort(entries_.begin(), entries_.end(), less_recently_used);
        const amount kept = with_room_to_spare(most);
        const auto work = [&] {
            while (const candidate* one = next_to_go(kept)) evict_one(*one);
        };
        in_threads(order_.threads, work);
        if (!deletes() || !order_.remembers) return;
        // By last use, whichever thread was faster: of names that share a place the last one is remembered.
        std::sort(gone_.begin(), gone_.end());
        std::vector<hash128> names;
        for (const candidate* one : gone_) names.push_back(name_of(one->name));
        remember_evicted(root_, names);
    }

    /// None where enough has gone or is going, or where time is up.
    const candidate* next_to_go(const amount& kept) {
        const std::lock_guard lock(mutex_);
        const amount staying{.bytes = result_.bytes_left - going_.bytes,
                             .entries = result_.entries_left - going_.entries};
        if (next_ == entries_.size() || is_within(staying, kept) || (has_done_its_part() && is_late(1))) return nullptr;
        const candidate& one = entries_[next_++];
        going_.bytes += one.bytes;
        ++going_.entries;
        return &one;
    }

    [[nodiscard]] bool has_done_its_part() const {
        if (!order_.in_a_hurry) return false;
        const amount& published = order_.in_a_hurry->published;
        return result_.bytes_removed >= 2 * published.bytes && result_.entries_removed >= 2 * published.entries;
    }

    void evict_one(const candidate& one) {
        const opened_folder shard = open_shard(root_, one.shard, access::inspect);
        probed_entry found;
        int error = shard.error;
        bool is_chosen = false;
        if (shard.folder) {
            found = probe_entry(shard.folder, one.name);
            // Read or replaced since it was listed: no longer the one used longest ago.
            is_chosen = (found.state == file_state::good || found.state == file_state::broken ||
                         found.state == file_state::untrusted) &&
                        found.status.st_mtim.tv_sec == one.seconds && found.status.st_mtim.tv_nsec == one.nanoseconds;
            if (is_chosen && deletes() && ::unlinkat(shard.folder.get(), one.name.c_str(), 0) != 0) error = errno;
        }

        const std::lock_guard lock(mutex_);
        going_.bytes -= one.bytes;
        --going_.entries;
        const auto no_longer_counts = [&] {
            --result_.entries_left;
            result_.bytes_left -= one.bytes;
        };
        if (found.state == file_state::absent) no_longer_counts();  // another sweeper was faster
        // What belongs to a later version or to somebody else does not count: else it would push out all of ours.
        if (found.state == file_state::newer || found.state == file_state::foreign) {
            ++(found.state == file_state::newer ? result_.newer_format_count : result_.foreign_count);
            no_longer_counts();
        }
        if (error != 0 && error != ENOENT) note_trouble(one.name, error);
        if (!is_chosen || error != 0) return;
        ++result_.entries_removed;
        if (found.state == file_state::broken) ++result_.damaged_removed;
        result_.bytes_removed += one.bytes;
        no_longer_counts();
        gone_.push_back(&one);
    }

    const file_descriptor& root_;
    const sweep_order& order_;
    const clock::time_point started_;
    std::int64_t now_s_ = 0;
    std::size_t shard_count_ = 0;
    std::size_t seen_ = 0;
    std::uint64_t largest_bytes_ = 0;
    std::vector<candidate> entries_;
    std::mutex mutex_;  // of what follows, while several threads delete
    std::size_t next_ = 0;
    amount going_;  // taken by a thread, and not yet gone
    std::vector<const candidate*> gone_;
    sweep_result result_;
};

}  // namespace

root_sweep sweep_root(const file_descriptor& root, const sweep_order& order) { return sweeper(root, order).run(); }

void remove_empty_shards(const file_descriptor& root) {
    for (const std::string& name : shards_in(root)) ::unlinkat(root.get(), name.c_str(), AT_REMOVEDIR);
}

sweep_result sweep(const std::filesystem::path& directory, std::uint64_t max_bytes, std::uint64_t max_entries,
                   doing what) {
    const opened_folder root = open_root(directory, access::inspect);
    sweep_result result;
    if (!root.folder) {
        result.trouble = root.trouble;
        return result;
    }
    // Deleting waits for the disk: 9,000 entries take 1.3 s one by one and 0.6 s so (ext4 that discards at once, 2026-11).
    constexpr unsigned threads = 8;
    result = sweep_root(root.folder, {.allowed = {.bytes = max_bytes, .entries = max_entries},
                                      .what = what,
                                      .in_a_hurry = {},
                                      .threads = threads,
                                      .remembers = max_bytes > 0 && max_entries > 0})
                 .result;
    if (what == doing::it) remove_empty_shards(root.folder);
    return result;
}

}  // namespace jit_cache
