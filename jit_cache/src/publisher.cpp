// jit_cache/publisher: the queue and its thread.
// in: jobs   out: jobs done, in order   knows nothing of: files
#include "publisher.hpp"

#include <csignal>
#include <system_error>
#include <utility>

namespace jit_cache {

publisher::publisher(runs how, std::function<void(const publish_job&)> work)
    : work_(std::move(work)), inline_(how == runs::inline_in_push) {}

publisher::~publisher() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void publisher::push(publish_job job) {
    {
        const std::lock_guard lock(mutex_);
        if (!inline_ && !thread_.joinable()) {
            // The new thread inherits the mask: a signal of the program's must not run its handler here, on a thread
            // that the program does not know of.
            ::sigset_t all;
            ::sigset_t before;
            ::sigfillset(&all);
            ::pthread_sigmask(SIG_SETMASK, &all, &before);
            try {
                thread_ = std::thread([this] { run(); });
            } catch (const std::system_error&) {
                inline_ = true;  // no thread to be had: slower, and still right
            }
            ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        }
        if (!inline_) {
            pending_.push_back(std::move(job));
            changed_.notify_all();
            return;
        }
    }
    const std::lock_guard working(inline_mutex_);
    work_(job);
}

void publisher::flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return pending_.empty() && !busy_; });
}

void publisher::settle() {
    std::unique_lock lock(mutex_);
    inline_ = true;
    changed_.wait(lock, [this] { return pending_.empty() && !busy_; });
}

void publisher::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ending_ || !pending_.empty(); });
        if (pending_.empty()) return;
        const publish_job job = std::move(pending_.front());
        pending_.pop_front();
        busy_ = true;
        lock.unlock();
        work_(job);
        lock.lock();
        busy_ = false;
        if (pending_.empty()) changed_.notify_all();
    }
}

}  // namespace jit_cache
