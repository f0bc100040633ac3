// kiln/compile/until_exit: a lock that users share and that an exit handler takes for itself. Handlers run in the reverse order
// of their registration, and a library registers some at its first calls: so ours is registered after them, again and again.
#include <compile/until_exit.hpp>

#include <process/fork.hpp>
#include <process/immortal.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <shared_mutex>

#include <unistd.h>

namespace kiln::compile {

namespace {

struct state {
    std::shared_mutex in_use;
    std::atomic<bool> over{false};
    std::atomic<std::uint64_t> uses{0};
    std::uint32_t process = process::fork_count();
};
constinit process::immortal<state> ending;

void end_uses() noexcept {
    state& of = ending();
    of.over.store(true);
    // The holders may be threads of the process that this one is a fork() of.
    if (of.process != process::fork_count()) return;
    for (int waits = 0; waits < 1'000; ++waits) {
        if (of.in_use.try_lock()) return of.in_use.unlock();
        ::usleep(10'000);
    }
}

}  // namespace

use_until_exit::use_until_exit() noexcept {
    state& of = ending();
    if (of.over.load()) return;
    of.in_use.lock_shared();
    may_ = !of.over.load();
    if (!may_) of.in_use.unlock_shared();
}

use_until_exit::~use_until_exit() {
    if (!may_) return;
    state& of = ending();
    const std::uint64_t count = of.uses.fetch_add(1) + 1;
    // After the first, second, fourth, ...: whatever the library registered meanwhile runs after it.
    if ((count & (count - 1)) == 0) std::atexit(end_uses);
    of.in_use.unlock_shared();
}

}  // namespace kiln::compile
