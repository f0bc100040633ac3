// kiln/record/profile: what profiles that are alive are told. A thread's evaluation under way collects what its phases took;
// each launch, copy, wait, compile and look into the store becomes an event, which every profile that sees the thread keeps.
// in: marks of the other rooms   out: events   knows nothing of: how anything runs
#pragma once

#include <process/thread_state.hpp>

#include <kiln/profile.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace kiln::record {

/// One load and a test: all that a warm call pays where no profile is alive.
inline bool is_profiling() noexcept { return kiln::detail::profile_count.load(std::memory_order_relaxed) != 0; }

/// What stays the same from launch to launch of a kernel.
struct kernel_facts {
    std::string name;
    std::string expression;
    std::string key;
    kernel_origin origin = kernel_origin::memory;  // where it came from first
    std::string why;
    std::uint64_t found_by = 0;  // the evaluation that did; 0: none that a profile saw
    std::int64_t step_count = 0;
    kernel_work work;
    std::shared_ptr<const std::string> source;  // null: the interpreter runs it

    /// The last run that a profile was asked for; of one launch or of two beside each other.
    struct {
        std::atomic<std::int64_t> bytes{0};
        std::atomic<std::int64_t> ns{0};
    } mutable last_run;
};

/// When something ran, on the clock of now_ns().
struct run_time {
    std::int64_t begin_ns = 0;
    std::int64_t ns = 0;
};

/// Of work that a device was given and may not have done yet.
class run_timer {
public:
    virtual ~run_timer() = default;
    /// Waits until it is done. Throws device_error.
    virtual run_time read() = 0;
};

/// A scope in which a phase was at work, with the scopes of other phases inside it. They nest.
struct phase_span {
    const char* name = "";
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
};

/// An event before it is asked for: times as now_ns() has them, texts where they are kept.
struct event {
    profile_event seen;
    /// Of phases that first calls alone have. Where the others are follows from their times: stage and bind come first,
    /// prepare and launch last. A warm launch so allocates nothing more.
    std::vector<phase_span> spans;
    std::shared_ptr<const kernel_facts> kernel;
    std::shared_ptr<run_timer> timer;
};

/// Told to every profile that sees the calling thread.
void add_event(const std::shared_ptr<event>& made);

/// The calling thread, as events name it.
int thread_number() noexcept;

// --- evaluations

/// Of one thread; they nest.
struct evaluation_under_way {
    std::uint64_t number = 0;
    const char* label = nullptr;
    source_line where;
    std::int64_t begin_ns = 0;      // its own, then the end of its last launch
    std::int64_t marked_ns = 0;     // what came before is some phase's
    profile_phases phases;          // of no event yet
    std::vector<phase_span> spans;  // of no event yet
    bool launched = false;
};

/// The one that a kernel found now is found by; 0: none that a profile sees.
std::uint64_t evaluation_number() noexcept;

/// The calling thread's evaluation while it lives, where a profile is alive. At its end phases that no launch took make an
/// event of their own.
class observed_evaluation {
public:
    explicit observed_evaluation(const char* label) noexcept : is_seen_(is_profiling()) {
        if (is_seen_) [[unlikely]]
            begin(label);
    }
    ~observed_evaluation() {
        if (is_seen_) [[unlikely]]
            end();
    }
    observed_evaluation(const observed_evaluation&) = delete;
    observed_evaluation& operator=(const observed_evaluation&) = delete;

    /// What it did so far was to bind.
    void is_bound() noexcept {
        if (is_seen_) [[unlikely]]
            mark_bound();
    }

private:
    // What they know of the evaluation is the thread's: this object is a register.
    static void begin(const char* label) noexcept;
    static void mark_bound() noexcept;
    static void end() noexcept;

    const bool is_seen_;
};

/// An expression of host arrays, from the first copy to the last: events of the calling thread meanwhile are its pipeline's. Inside
/// another it is part of that one.
class observed_pipeline {
public:
    observed_pipeline() noexcept;
    observed_pipeline(const observed_pipeline&) = delete;
    observed_pipeline& operator=(const observed_pipeline&) = delete;
    ~observed_pipeline();

private:
    bool is_outermost_ = false;
};

/// Of the calling thread, for tools that listen; they nest.
void begin_phase(const char* name) noexcept;
void end_phase() noexcept;

/// Time of the calling thread's evaluation under way, or, where `stage` is made before any is, of its next one.
void add_phase(std::int64_t profile_phases::*which, std::int64_t ns) noexcept;
/// And where it was.
void add_phase(std::int64_t profile_phases::*which, std::int64_t ns, const phase_span& scope) noexcept;

/// A launch that begins now: the evaluation's phases up to here are this event's. `kernel` may be null.
std::shared_ptr<event> begin_launch(profiled what, std::shared_ptr<const kernel_facts> kernel);
/// It was handed over. Profiles are told at the thread's next launch or the evaluation's end, when its bytes are counted:
/// they are what the thread's tally got since.
void end_launch(std::shared_ptr<event> launched);
/// Profiles are told of the thread's last launch.
void tell_of_last_launch();

/// From its construction to its end: copies, waits, compiles, looks into the store. An exception on the way: no event.
class timed_event {
public:
    timed_event(profiled what, const char* name);
    timed_event(const timed_event&) = delete;
    timed_event& operator=(const timed_event&) = delete;

    profile_event* operator->() noexcept { return &made_->seen; }
    /// Of what a device was given, and does when it comes to it.
    void runs_by(std::shared_ptr<run_timer> timer) noexcept { made_->timer = std::move(timer); }
    void finish();
    /// It ended before.
    void finish_at(std::int64_t end_ns);

private:
    std::shared_ptr<event> made_;
};

}  // namespace kiln::record

namespace kiln::inline v0_1::detail {

/// What one k::profile keeps.
class profile_data {
public:
    explicit profile_data(profile_scope of);

    /// `mutex` of the list of profiles is held.
    [[nodiscard]] bool sees(std::thread::id thread) const noexcept { return all_threads_ || thread == thread_; }
    void keep(const std::shared_ptr<record::event>& one) { kept_.push_back(one); }

    /// Waits for the device's part, and puts times and texts in their places. `finish`: does the rest of a new one.
    const std::vector<profile_event>& events(const std::function<void(profile_event&)>& finish);

    /// Of the events so far asked for, on their clock.
    [[nodiscard]] const std::vector<record::phase_span>& spans_of(std::size_t event) const { return spans_[event]; }

    /// From the beginning to stop(), or to now.
    [[nodiscard]] std::int64_t wall_ns() const;

    bool recording = false;
    std::int64_t stopped_ns = 0;

private:
    bool all_threads_;
    std::thread::id thread_;
    std::int64_t begin_ns_;
    std::vector<std::shared_ptr<record::event>> kept_;  // under the mutex of the list
    std::vector<profile_event> events_;
    std::vector<std::vector<record::phase_span>> spans_;  // of each event
};

void begin_recording(const std::shared_ptr<profile_data>& into);
/// False: it did not record.
bool end_recording(const std::shared_ptr<profile_data>& into);

}  // namespace kiln::inline v0_1::detail
