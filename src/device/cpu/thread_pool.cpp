// kiln/device/cpu/thread_pool: workers that wait on a word each, woken as a tree, and a caller that takes what they leave.
#include <device/cpu/thread_pool.hpp>
#include <plan/ceil_div.hpp>
#include <process/fork.hpp>
#include <record/stopwatch.hpp>

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace kiln::backend {

namespace {

// Of a thread's range: a stopped thread holds up a 16th of what two do.
constexpr int most_pieces_of_part = 8;

void pause_briefly() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Whether `is_so` before so long is over: asked again and again.
template <class Condition>
bool spin_until(const Condition& is_so, std::int64_t longest_ns) noexcept {
    constexpr int between_looks = 16;  // at the clock, which takes as long as a pause or two
    const auto look = [&] {
        for (int i = 0; i < between_looks; ++i) {
            if (is_so()) return true;
            pause_briefly();
        }
        return false;
    };
    if (look()) return true;
    const std::int64_t end = record::now_ns() + longest_ns;
    do
        if (look()) return true;
    while (record::now_ns() < end);
    return false;
}

enum : std::uint32_t { idle, posted, stopping };

}  // namespace

// A line of its own each: a worker spins on it.
struct alignas(64) thread_pool::worker {
    std::atomic<std::uint32_t> state{idle};
    std::thread thread;
    std::atomic<bool> sleeps{false};
    std::mutex placing;
    bool is_kept_off = false;                             // a processor of those that it may use
    cpu_set_t may_use;                                    // then: all of them
    alignas(64) std::atomic<std::int64_t> next_piece{0};  // of its part
};

// workers[i] runs part i + 1; part 0 is the caller's.
struct thread_pool::workers {
    explicit workers(int count) : each(static_cast<std::size_t>(count)) {}
    std::vector<worker> each;
    int started = 0;
};

int usable_thread_count() {
    cpu_set_t usable;
    CPU_ZERO(&usable);
    if (::sched_getaffinity(0, sizeof(usable), &usable) == 0) return std::max(1, CPU_COUNT(&usable));
    // More cores than cpu_set_t holds.
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// In a virtual machine Linux takes an idle processor that the host has halted for one that was preempted, and wakes a thread on the waker's
/// own: it would begin when the caller is done. exp(sin(x)) of 4M floats took two threads of an EPYC 3.0 ms after a pause of 20 ms, and
/// takes 1.75.
void thread_pool::wake(worker& which) noexcept {
    if (which.sleeps.load(std::memory_order_acquire)) keep_off_this_processor(which);
    which.state.notify_one();
}

void thread_pool::keep_off_this_processor(worker& which) noexcept {
    const std::lock_guard held(which.placing);
    if (!which.sleeps.load(std::memory_order_relaxed)) return;  // it has seen its work by itself, and is under way
    const pthread_t thread = which.thread.native_handle();
    // Of more processors than cpu_set_t holds nothing is changed.
    if (!which.is_kept_off && ::pthread_getaffinity_np(thread, sizeof which.may_use, &which.may_use) != 0) return;
    cpu_set_t others = which.may_use;
    const int here = ::sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE) return;
    CPU_CLR(here, &others);
    if (CPU_COUNT(&others) == 0) return;
    which.is_kept_off = ::pthread_setaffinity_np(thread, sizeof others, &others) == 0 || which.is_kept_off;
}

/// A thread that has begun stays where it is unless the system has a reason.
void thread_pool::use_all_processors(worker& own) noexcept {
    const std::lock_guard held(own.placing);
    own.sleeps.store(false, std::memory_order_relaxed);
    if (std::exchange(own.is_kept_off, false))
        ::pthread_setaffinity_np(::pthread_self(), sizeof own.may_use, &own.may_use);
}

thread_pool::thread_pool(int thread_count, std::int64_t spin_ns)
    : thread_count_(std::max(1, thread_count)), spin_ns_(spin_ns) {}

thread_pool::~thread_pool() {
    if (!workers_) return;
    if (started_in_ != process::fork_count()) {
        // In a forked child: these threads are the parent's. Neither joined nor destroyed, only forgotten.
        static_cast<void>(workers_.release());
        return;
    }
    for (worker& each : workers_->each) {
        each.state.store(stopping, std::memory_order_release);
        each.state.notify_one();
    }
    for (worker& each : workers_->each)
        if (each.thread.joinable()) each.thread.join();
}

bool thread_pool::ensure_started() {
    // Threads do not survive fork(): a child must not wait for workers that only its parent has.
    const std::uint32_t generation = process::fork_count();
    if (workers_) return started_in_ == generation && workers_->started > 0;
    workers_ = std::make_unique<workers>(thread_count_ - 1);
    started_in_ = generation;
    for (worker& each : workers_->each) {
        try {
            each.thread = std::thread([this, number = workers_->started] { work(number); });
        } catch (const std::system_error&) {
            break;  // a limit on threads: those that there are must do
        }
        ++workers_->started;
    }
    return workers_->started > 0;
}

void thread_pool::work(int number) noexcept {
    worker& own = workers_->each[static_cast<std::size_t>(number)];
    for (;;) {
        std::uint32_t state = idle;
        const bool is_called = spin_until(
            [&] {
                state = own.state.load(std::memory_order_acquire);
                return state != idle;
            },
            spin_ns_);
        if (state == stopping) return;
        if (!is_called) {
            own.sleeps.store(true, std::memory_order_release);
            own.state.wait(idle, std::memory_order_acquire);
            use_all_processors(own);
            continue;
        }
        const int part = number + 1;
        if (!claim(part)) continue;
        // Waking is a system call each: done as a tree, so that the last of many threads does not wait for all of them.
        for (int child = 2 * part + 1; child <= 2 * part + 2 && child < job_.part_count; ++child)
            wake(workers_->each[static_cast<std::size_t>(child - 1)]);
        run_part(part);
        if (remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1) remaining_.notify_one();
    }
}

// Whoever claims a part runs it: its worker, or the caller when the worker has not woken by the time the caller is
// done.
bool thread_pool::claim(int part) noexcept {
    std::uint32_t expected = posted;
    return workers_->each[static_cast<std::size_t>(part - 1)].state.compare_exchange_strong(expected, idle,
                                                                                            std::memory_order_acq_rel);
}

/// Then what others have not begun.
void thread_pool::run_part(int part) noexcept {
    for (int i = 0; i < job_.part_count; ++i) run_pieces_of((part + i) % job_.part_count);
}

std::atomic<std::int64_t>& thread_pool::next_piece_of(int part) noexcept {
    return part == 0 ? next_piece_ : workers_->each[static_cast<std::size_t>(part - 1)].next_piece;
}

void thread_pool::run_pieces_of(int part) noexcept {
    const std::int64_t part_end = std::min(job_.count, (part + 1) * job_.part_length);
    std::atomic<std::int64_t>& next = next_piece_of(part);
    for (;;) {
        const std::int64_t begin =
            part * job_.part_length + next.fetch_add(1, std::memory_order_relaxed) * job_.piece_length;
        if (begin >= part_end) return;
        try {
            (*job_.body)(begin, std::min(part_end, begin + job_.piece_length));
        } catch (...) {
            if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
        }
    }
}

void thread_pool::wait_for_others() noexcept {
    if (spin_until([&] { return remaining_.load(std::memory_order_acquire) == 0; }, spin_ns_)) return;
    for (std::uint32_t left = remaining_.load(std::memory_order_acquire); left != 0;
         left = remaining_.load(std::memory_order_acquire))
        remaining_.wait(left, std::memory_order_acquire);
}

void thread_pool::parallel_for(std::int64_t count, std::int64_t grain, range_function body, std::int64_t multiple) {
    run(count, grain, body, multiple, 1);
}

void thread_pool::parallel_for_pieces(std::int64_t count, std::int64_t grain, range_function body,
                                      std::int64_t multiple) {
    run(count, grain, body, multiple, most_pieces_of_part);
}

void thread_pool::run(std::int64_t count, std::int64_t grain, range_function body, std::int64_t multiple,
                      int most_pieces) {
    if (count <= 0) return;
    if (begin(count, grain, body, multiple, most_pieces)) finish();
    else body(0, count);
}

/// Workers have what is theirs to do. False: the caller's thread does all of it.
bool thread_pool::begin(std::int64_t count, std::int64_t grain, const range_function& body, std::int64_t multiple,
                        int most_pieces) {
    const std::int64_t wanted = std::min<std::int64_t>(thread_count_, count / std::max<std::int64_t>(1, grain));
    if (wanted <= 1 || busy_.exchange(true, std::memory_order_acquire)) return false;
    if (!ensure_started()) {
        busy_.store(false, std::memory_order_release);
        return false;
    }
    const std::int64_t parts = std::min<std::int64_t>(wanted, workers_->started + 1);
    const std::int64_t length = plan::ceil_div(plan::ceil_div(count, parts), multiple) * multiple;
    const std::int64_t pieces = std::clamp<std::int64_t>(length / std::max<std::int64_t>(1, grain), 1, most_pieces);
    const std::int64_t piece = plan::ceil_div(plan::ceil_div(length, pieces), multiple) * multiple;
    job_ = {&body, count, length, piece, static_cast<int>(plan::ceil_div(count, length))};
    for (int part = 0; part < job_.part_count; ++part) next_piece_of(part).store(0, std::memory_order_relaxed);
    failed_.store(false, std::memory_order_relaxed);
    failure_ = nullptr;
    remaining_.store(static_cast<std::uint32_t>(job_.part_count - 1), std::memory_order_relaxed);
    for (int part = 1; part < job_.part_count; ++part)
        workers_->each[static_cast<std::size_t>(part - 1)].state.store(posted, std::memory_order_release);
    for (int part = 1; part <= 2 && part < job_.part_count; ++part)
        wake(workers_->each[static_cast<std::size_t>(part - 1)]);
    return true;
}

void thread_pool::finish() {
    struct release_on_exit {
        std::atomic<bool>& flag;
        ~release_on_exit() { flag.store(false, std::memory_order_release); }
    } const release{busy_};
    run_part(0);
    for (int part = 1; part < job_.part_count; ++part) {
        if (!claim(part)) continue;
        run_part(part);
        remaining_.fetch_sub(1, std::memory_order_acq_rel);
    }
    wait_for_others();
    if (failed_.load(std::memory_order_relaxed)) {
        const std::exception_ptr failure = std::exchange(failure_, nullptr);
        std::rethrow_exception(failure);
    }
}

thread_pool::begun::begun(thread_pool& of, std::int64_t count, std::int64_t grain, range_function body,
                          std::int64_t multiple)
    : of_(of), count_(count), body_(body) {
    is_with_workers_ = count > 0 && of.begin(count, grain, body_, multiple, most_pieces_of_part);
}

thread_pool::begun::~begun() {
    try {
        finish();
    } catch (...) {  // nobody asks any more
    }
}

void thread_pool::begun::finish() {
    if (is_done_ || count_ <= 0) return;
    is_done_ = true;
    if (is_with_workers_) of_.finish();
    else body_(0, count_);
}

}  // namespace kiln::backend
