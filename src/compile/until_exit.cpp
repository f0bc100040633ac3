// kiln/compile/until_exit: exit() first destroys its thread's thread_local objects, then runs the handlers that were registered,
// the library's among them, the last one first. So one of the main thread's objects ends the others' uses, and a handler, which
// is registered behind the library's again and again, ends the main thread's own.
#include <compile/until_exit.hpp>

#include <process/fork.hpp>
#include <process/immortal.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <shared_mutex>

#include <sys/syscall.h>
#include <unistd.h>

namespace kiln::compile {

namespace {

struct state {
    std::shared_mutex in_use;
    std::atomic<long> only{0};  // the thread that may still use it, by its number; 0: all
    std::atomic<bool> over{false};
    std::atomic<std::uint64_t> uses{0};
    std::uint32_t process = process::fork_count();
};
constinit process::immortal<state> ending;

long this_thread() noexcept { return ::syscall(SYS_gettid); }

void wait_for_users(state& of) noexcept {
    // They may be threads of the process that this one is a fork() of.
    if (of.process != process::fork_count()) return;
    for (int waits = 0; waits < 1'000; ++waits) {
        if (of.in_use.try_lock()) return of.in_use.unlock();
        ::usleep(10'000);
    }
}

void end_all_uses() noexcept {
    state& of = ending();
    of.over.store(true);
    wait_for_users(of);
}

struct main_thread {
    bool watches = false;
    ~main_thread() {
        if (!watches) return;
        state& of = ending();
        of.only.store(this_thread());
        wait_for_users(of);
    }
};
thread_local main_thread on_this_thread;

}  // namespace

void use_until_exit::watch_for_exit() noexcept {
    if (this_thread() == ::getpid()) on_this_thread.watches = true;
}

use_until_exit::use_until_exit() noexcept {
    watch_for_exit();
    state& of = ending();
    const auto may = [&] {
        const long only = of.only.load();
        return !of.over.load() && (only == 0 || only == this_thread());
    };
    if (!may()) return;
    of.in_use.lock_shared();
    may_ = may();
    if (!may_) of.in_use.unlock_shared();
}

use_until_exit::~use_until_exit() {
    if (!may_) return;
    state& of = ending();
    const std::uint64_t count = of.uses.fetch_add(1) + 1;
    // After the first, second, fourth, ...: whatever the library registered meanwhile runs after it.
    if ((count & (count - 1)) == 0) std::atexit(end_all_uses);
    of.in_use.unlock_shared();
}

}  // namespace kiln::compile
