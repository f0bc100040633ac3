// kiln/process/until_exit: exit() first destroys its thread's thread_local objects, then runs the handlers that were registered,
// the library's among them, the last one first. So one of the main thread's objects ends the others' calls, and so does a
// handler, which is registered behind the library's again and again: libraries register theirs when they are first used, or
// later. Each side writes what it does before it reads what the other does: no call is missed.
#include <process/until_exit.hpp>

#include <process/fork.hpp>

#include <cstdlib>
#include <utility>

#include <sys/syscall.h>
#include <unistd.h>

namespace kiln::process {

namespace {

constexpr std::size_t most_libraries = 16;                    // kiln calls four; more would not be ended by one another
constinit std::atomic<until_exit*> all[most_libraries] = {};  // those that were called, the first ones
constinit std::atomic<long> ending_thread{0};                 // 0: the program is not ending
constinit std::atomic<std::uint32_t> threads{0};
constinit thread_local std::uint32_t place = 0;  // of this thread's tally, from 1 on

constinit thread_local until_exit* held = nullptr;  // by this thread, for several calls

constexpr std::uint64_t one_made = std::uint64_t{1} << 32;

long this_thread() noexcept { return ::syscall(SYS_gettid); }

template <class Visit>
void each_library(Visit visit) noexcept {
    for (const std::atomic<until_exit*>& each : all)
        if (until_exit* const library = each.load()) visit(*library);
}

}  // namespace

struct main_thread {
    bool watches = false;
    ~main_thread() {
        if (watches) until_exit::end_all();
    }
};

// The calls of the threads that a child of fork() does not have.
struct forgotten_calls {
    static void none() {}
    static void forget() {
        each_library([](until_exit& each) {
            for (until_exit::tally& one : each.tallies_) one.calls.store(0);
        });
    }
};

namespace {

thread_local main_thread on_this_thread;
const fork_participant forgets{fork_order::calls, forgotten_calls::none, forgotten_calls::none,
                               forgotten_calls::forget};

bool watches_main_thread() noexcept {
    if (this_thread() == ::getpid()) on_this_thread.watches = true;
    return true;
}
// Other threads alone may use kiln. Where one of them loads it, the main one is watched from its first call on.
[[maybe_unused]] const bool watched = watches_main_thread();

}  // namespace

void until_exit::watch() noexcept {
    // Threads that call it for the first time beside each other all do this, so that each has done it before its call.
    if (!listed_.load()) {
        for (std::atomic<until_exit*>& each : all) {
            until_exit* other = nullptr;
            if (each.compare_exchange_strong(other, this) || other == this) break;
        }
        // First called while the program ends: a handler that it registers now would come too late.
        if (const long ending = ending_thread.load(); ending != 0) only_.store(ending);
        listed_.store(true);
    }
    watches_main_thread();
}

bool until_exit::may() const noexcept {
    const long only = only_.load();
    if (only == 0) [[likely]]
        return true;
    return only == this_thread() && !over_.load();
}

void until_exit::begin(call& of) noexcept {
    if (place == 0 || !listed_.load(std::memory_order_relaxed)) [[unlikely]] {
        watch();
        if (place == 0) place = threads.fetch_add(1) % count + 1;
    }
    std::atomic<std::uint64_t>& mine = tallies_[place - 1].calls;
    of.before_ = mine.fetch_add(1);
    if (may() || held == this) [[likely]]
        of.tally_ = &mine;
    else mine.fetch_sub(1);
}

void until_exit::end(call& of) noexcept {
    const std::uint64_t made = of.before_ / one_made + 1;
    // After the first, second, fourth, ...: whatever the library registered meanwhile runs after it.
    if ((made & (made - 1)) == 0) [[unlikely]]
        std::atexit(handler_);
    of.tally_->fetch_add(one_made - 1);
}

until_exit::together::together(until_exit& library) noexcept
    : first_(library), before_(first_ ? std::exchange(held, &library) : held) {}

until_exit::together::~together() { held = before_; }

void until_exit::only_this_thread() noexcept {
    only_.store(this_thread());
    const auto under_way = [&] {
        for (const tally& each : tallies_)
            if (each.calls.load() % one_made != 0) return true;
        return false;
    };
    for (; patience_ms_ > 0 && under_way(); --patience_ms_) ::usleep(1'000);
}

void until_exit::exit_has_begun() noexcept {
    if (then_ == ended_library::misbehaves) over_.store(true);
    end_all();
}

void until_exit::end_all() noexcept {
    ending_thread.store(this_thread());
    each_library([](until_exit& each) { each.only_this_thread(); });
}

}  // namespace kiln::process
