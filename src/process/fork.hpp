// kiln/process/fork: what a fork() beside working threads must not find half done. Whoever forks takes every lock listed here
// first, and lets go of them in both processes: no child begins with a lock that a thread holds which it does not have, or
// with a table that such a thread was changing.
// in: locks, in the order in which they nest   out: nothing; fork() does so   knows nothing of: what they guard
#pragma once

#include <cstdint>

namespace kiln::process {

/// A thread that holds one may take those below it, not those above.
enum class fork_order : int {
    device,        // which devices there are
    partial_sums,  // one is put in its place
    scan_kernels,
    kernels,         // one is loaded
    loaded_objects,  // one is unloaded to make room
    tables,          // caches, functions, traces: held for a look-up
    immortals,       // something is made that stays
    memory,          // the device's free lists
    rates,           // of devices
    progress,        // who is told of it
    profiles,
    tallies,
    calls,  // of libraries that end with the program
    messages,
};

/// Registers itself for good; a namespace-scope object of static storage, one for each lock.
class fork_participant {
public:
    /// `release` runs in the parent, and in the child unless `release_in_child` is given. Threads other than the forking
    /// one do not exist there.
    fork_participant(fork_order order, void (*take)(), void (*release)(),
                     void (*release_in_child)() = nullptr) noexcept;
    fork_participant(const fork_participant&) = delete;
    fork_participant& operator=(const fork_participant&) = delete;

private:
    friend struct fork_handlers;

    const fork_order order_;
    void (*const take_)();
    void (*const release_)();
    void (*const release_in_child_)();
    fork_participant* outer_ = nullptr;
    fork_participant* inner_ = nullptr;
};

/// How many forks lie between this process and the one that began; what was noted under another number is a parent's.
[[nodiscard]] std::uint32_t fork_count() noexcept;

}  // namespace kiln::process
