// kiln/process/fork: a list in nesting order, walked inwards before a fork() and outwards after it.
#include <process/fork.hpp>

#include <pthread.h>

#include <atomic>

namespace kiln::process {

namespace {

// Filled before main() and, where a library is opened later, by dlopen(), under its lock.
constinit fork_participant* outermost = nullptr;
constinit fork_participant* innermost = nullptr;
constinit std::atomic<std::uint32_t> forks{0};

}  // namespace

struct fork_handlers {
    static void before() {
        for (fork_participant* each = outermost; each; each = each->inner_) each->take_();
    }
    static void in_parent() {
        for (fork_participant* each = innermost; each; each = each->outer_) each->release_();
    }
    static void in_child() {
        forks.fetch_add(1, std::memory_order_relaxed);
        for (fork_participant* each = innermost; each; each = each->outer_)
            (each->release_in_child_ ? each->release_in_child_ : each->release_)();
    }

    static void insert(fork_participant* added) {
        if (!outermost) ::pthread_atfork(before, in_parent, in_child);
        fork_participant* outer = innermost;
        while (outer && outer->order_ > added->order_) outer = outer->outer_;
        fork_participant* const inner = outer ? outer->inner_ : outermost;
        added->outer_ = outer;
        added->inner_ = inner;
        (outer ? outer->inner_ : outermost) = added;
        (inner ? inner->outer_ : innermost) = added;
    }
};

fork_participant::fork_participant(fork_order order, void (*take)(), void (*release)(),
                                   void (*release_in_child)()) noexcept
    : order_(order), take_(take), release_(release), release_in_child_(release_in_child) {
    fork_handlers::insert(this);
}

std::uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace kiln::process
