// jit_cache/sweep_schedule: when a process that publishes looks at how full its folder is, and how much of it.
// in: what was published, what a sweep found   out: whether a sweep is due, and its order   knows nothing of: files
#pragma once

#include "evict.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace jit_cache {

class sweep_schedule {
public:
    /// `time`: what a publish that finds the folder full pays for sweeping, and the end of a process waits for.
    sweep_schedule(amount allowed, std::chrono::microseconds time)
        : allowed_(allowed),
          between_({.bytes = allowed.bytes / part_of_bounds,
                    .entries = std::min(allowed.entries / part_of_bounds, most_entries_between)}),
          time_(time) {}

    /// After each publish.
    [[nodiscard]] bool is_due(std::uint64_t bytes_published) {
        published_.bytes += bytes_published;
        ++published_.entries;
        if (!swept_ || published_.bytes >= between_.bytes || published_.entries >= between_.entries) return true;
        // A folder that was seen whole is small, and its bounds are kept to the entry.
        return saw_all_ && (left_.bytes + published_.bytes > allowed_.bytes ||
                            left_.entries + published_.entries > allowed_.entries);
    }

    [[nodiscard]] sweep_order order(std::uint32_t seed) const {
        return {.allowed = allowed_,
                .what = doing::it,
                .in_a_hurry = hurry{.time = time_, .published = published_, .seed = seed},
                .remembers = true};
    }

    void swept(const root_sweep& done) {
        swept_ = true;
        saw_all_ = done.saw_all;
        left_ = {.bytes = done.result.bytes_left, .entries = done.result.entries_left};
        published_ = {};
    }

private:
    // Other processes publish too, dozens at times. Looking costs by what is there, so this is about 100 us a publish.
    static constexpr std::uint64_t part_of_bounds = 64;
    // Of 256 publishes one waits for a sweep: within the one in a hundred that may be slow.
    static constexpr std::uint64_t most_entries_between = 256;

    amount allowed_;
    amount between_;  // two looks
    std::chrono::microseconds time_;
    bool swept_ = false;
    bool saw_all_ = false;
    amount left_;
    amount published_;
};

}  // namespace jit_cache
