// kiln/process/immortal: the one lock, and how often the calling thread has it.
#include <process/immortal.hpp>

#include <process/fork.hpp>

#include <mutex>

namespace kiln::process {

namespace {

constinit std::mutex mutex;
constinit thread_local int depth = 0;

void take() {
    if (depth++ == 0) mutex.lock();
}

void release() {
    if (--depth == 0) mutex.unlock();
}

const fork_participant held_immortals{fork_order::immortals, take, release};

}  // namespace

detail::making_immortal::making_immortal() noexcept { take(); }

detail::making_immortal::~making_immortal() { release(); }

}  // namespace kiln::process
