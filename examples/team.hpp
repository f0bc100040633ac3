// Threads that share pieces of work which follow one another within milliseconds. They stay awake between them, for waking a dozen threads takes
// a good part of what a piece takes; so a team is for a while in which nothing else wants their cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

class team {
public:
    /// What elements from `begin` on, before `end`, add up to.
    using part_sum = std::function<std::uint64_t(std::int64_t begin, std::int64_t end)>;

    /// The caller of sum() is one of them.
    explicit team(unsigned threads) {
        for (unsigned i = 1; i < threads; ++i) others_.emplace_back([this] { work_until_left(); });
    }
    ~team() {
        ends_ = true;
        for (std::thread& each : others_) each.join();
    }
    team(const team&) = delete;
    team& operator=(const team&) = delete;

    /// Of `count` elements, `grain` at a time by whoever is free. One caller at a time.
    std::uint64_t sum(std::int64_t count, std::int64_t grain, part_sum of) {
        of_ = std::move(of);
        count_ = count;
        grain_ = grain;
        next_ = 0;
        total_ = 0;
        busy_ = others_.size();
        ++round_;
        take_parts();
        while (busy_ > 0) rest();
        return total_;
    }

private:
    void work_until_left() {
        for (std::uint64_t seen = 0; !ends_;) {
            if (round_ == seen) {
                rest();
                continue;
            }
            seen = round_;
            take_parts();
            --busy_;
        }
    }

    void take_parts() {
        std::uint64_t mine = 0;
        for (std::int64_t begin = next_.fetch_add(grain_); begin < count_; begin = next_.fetch_add(grain_))
            mine += of_(begin, std::min(begin + grain_, count_));
        total_ += mine;
    }

    static void rest() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        std::this_thread::yield();
#endif
    }

    std::vector<std::thread> others_;
    std::atomic<bool> ends_{false};
    std::atomic<std::uint64_t> round_{0};
    std::atomic<std::size_t> busy_{0};
    std::atomic<std::int64_t> next_{0};
    std::atomic<std::uint64_t> total_{0};
    // Of the round, written before it is begun.
    part_sum of_;
    std::int64_t count_ = 0;
    std::int64_t grain_ = 1;
};
