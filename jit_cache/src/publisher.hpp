// jit_cache/publisher: one thread that writes entries, so that nobody waits for a disk.
// in: jobs   out: jobs done, in order   knows nothing of: files
#pragma once

#include <jit_cache/key.hpp>
#include <jit_cache/store.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace jit_cache {

struct publish_job {
    hash128 name;
    key wanted;
    std::shared_ptr<const artifact> value;
};

class publisher {
public:
    enum class runs : std::uint8_t { on_its_own_thread, inline_in_push };

    /// `work` does one job; it must not throw. Starts no thread before the first push.
    publisher(runs how, std::function<void(const publish_job&)> work);
    /// Does what is pending, then ends the thread.
    ~publisher();
    publisher(const publisher&) = delete;
    publisher& operator=(const publisher&) = delete;

    void push(publish_job job);
    /// Waits until nothing is pending.
    void flush();
    /// flush(), and from now on push() itself does the work: at the end of a process there may be no thread to do it.
    void settle();

private:
    void run();

    std::function<void(const publish_job&)> work_;
    std::mutex mutex_;
    std::mutex inline_mutex_;  // several threads may push; `work` is promised one at a time
    std::condition_variable changed_;
    std::deque<publish_job> pending_;
    std::thread thread_;
    bool busy_ = false;
    bool ending_ = false;
    bool inline_;
};

}  // namespace jit_cache
