// kiln/record/stopwatch: host time of a scope, added to a counter. Scopes nest, and a scope's time does not include the
// scopes inside it: compile is not in find, load is not in compile.
#pragma once

#include <record/tally.hpp>

#include <chrono>
#include <ctime>

namespace kiln::record {

class stopwatch {
public:
    explicit stopwatch(counter which) noexcept : which_(which), outer_(innermost_), start_(clock::now()) {
        innermost_ = this;
    }
    ~stopwatch() { stop(); }
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;

    /// Nanoseconds of this scope alone. Counts them once, however often it is called.
    std::int64_t stop() {
        if (stopped_) return own_ns_;
        stopped_ = true;
        const std::int64_t elapsed = std::chrono::nanoseconds(clock::now() - start_).count();
        own_ns_ = elapsed - inner_ns_;
        this_thread().add(which_, own_ns_);
        innermost_ = outer_;
        if (outer_) outer_->inner_ns_ += elapsed;
        return own_ns_;
    }

private:
    using clock = std::chrono::steady_clock;

    static inline thread_local constinit stopwatch* innermost_ = nullptr;

    counter which_;
    bool stopped_ = false;
    stopwatch* outer_;
    std::int64_t inner_ns_ = 0;
    std::int64_t own_ns_ = 0;
    clock::time_point start_;
};

/// Now, as nanoseconds of the same clock; for the warm path, where nothing nests. Straight to the system: the library's
/// clock costs as much again.
inline std::int64_t now_ns() noexcept {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

/// Seconds since 1970, for the date of a stored kernel.
inline std::int64_t unix_s() noexcept { return static_cast<std::int64_t>(std::time(nullptr)); }

}  // namespace kiln::record
