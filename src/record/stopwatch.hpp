// kiln/record/stopwatch: host time of a scope, added to a counter. Scopes nest, and a scope's time does not include the
// scopes inside it: compile is not in find, load is not in compile.
#pragma once

#include <record/profile.hpp>
#include <record/tally.hpp>

#include <chrono>
#include <ctime>

namespace kiln::record {

/// Now, as nanoseconds of the stopwatches' clock; for the warm path, where nothing nests. Straight to the system: the library's
/// clock costs as much again.
inline std::int64_t now_ns() noexcept {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

/// What profiles call the time of a counter.
struct phase {
    const char* name;
    std::int64_t profile_phases::*time;
};
inline phase phase_of(counter which) noexcept {
    switch (which) {
        case counter::lower_ns: return {"lower", &profile_phases::lower};
        case counter::plan_ns: return {"plan", &profile_phases::plan};
        case counter::emit_ns: return {"emit", &profile_phases::emit};
        case counter::find_ns: return {"find", &profile_phases::find};
        case counter::toolchain_ns: return {"toolchain", &profile_phases::toolchain};
        case counter::compile_ns: return {"compile", &profile_phases::compile};
        case counter::load_ns: return {"load", &profile_phases::load};
        default: return {"launch", &profile_phases::launch};
    }
}

class stopwatch {
public:
    explicit stopwatch(counter which) noexcept : which_(which), outer_(innermost_), start_(clock::now()) {
        innermost_ = this;
        if (is_profiling()) begin_phase(phase_of(which).name);
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
        if (is_profiling()) {
            const phase of = phase_of(which_);
            add_phase(of.time, own_ns_, {of.name, begin_ns(), begin_ns() + elapsed});
            end_phase();
        }
        innermost_ = outer_;
        if (outer_) outer_->inner_ns_ += elapsed;
        return own_ns_;
    }

    /// On the clock of now_ns().
    [[nodiscard]] std::int64_t begin_ns() const noexcept {
        return std::chrono::nanoseconds(start_.time_since_epoch()).count();
    }

private:
    using clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC, as now_ns()'s

    static inline thread_local constinit stopwatch* innermost_ = nullptr;

    counter which_;
    bool stopped_ = false;
    stopwatch* outer_;
    std::int64_t inner_ns_ = 0;
    std::int64_t own_ns_ = 0;
    clock::time_point start_;
};

/// Time of a phase that nobody counts but profiles.
class timed_phase {
public:
    explicit timed_phase(std::int64_t profile_phases::*which) noexcept : which_(which), begin_ns_(begin()) {}
    ~timed_phase() {
        if (begin_ns_ != 0) [[unlikely]]
            add_phase(which_, now_ns() - begin_ns_);
    }
    timed_phase(const timed_phase&) = delete;
    timed_phase& operator=(const timed_phase&) = delete;

private:
    static std::int64_t begin() noexcept { return is_profiling() ? now_ns() : 0; }

    std::int64_t profile_phases::*which_;
    std::int64_t begin_ns_;
};

/// Seconds since 1970, for the date of a stored kernel.
inline std::int64_t unix_s() noexcept { return static_cast<std::int64_t>(std::time(nullptr)); }

}  // namespace kiln::record
