// jit_cache/statistics: what a process has counted, and the file in which processes add it up.
// in: events, an open root   out: totals   knows nothing of: keys, why anything happened; nothing is decided by it
#pragma once

#include "directory.hpp"

#include <jit_cache/folder.hpp>

#include <cstdint>
#include <mutex>

namespace jit_cache {

inline constexpr const char* statistics_file = "statistics";

/// Counts of this process that are not in the file yet. Thread-safe; nothing on a warm path counts here.
class tally {
public:
    void count_hit(std::uint64_t saved_ms);
    void count_miss(miss_reason why);
    void count_published(std::uint64_t bytes);
    void count_evicted(std::uint64_t entries, std::uint64_t bytes);

    /// Adds what was counted to the file's totals and begins again from 0; keeps it where the file cannot be had.
    void write_to(const file_descriptor& root);

private:
    std::mutex mutex_;
    statistics counted_;
};

}  // namespace jit_cache
