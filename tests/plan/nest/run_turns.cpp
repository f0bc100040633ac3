#include "cluster_run.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tests::runs {

namespace {

/// A thread for each block, of which one runs at a time.
class turns {
public:
    explicit turns(std::size_t blocks) : is_next_(blocks), ended_(blocks), most_(1000 * blocks) {}

    void begin(std::size_t block) { wait_for(block); }
    void others_go_on(std::size_t block) {
        if (++taken_ > most_) throw nest_fault("waits for what no block publishes");
        pass(block);
        wait_for(block);
    }
    void end(std::size_t block) {
        ended_[block] = 1;
        pass(block);
    }

private:
    void pass(std::size_t from) {
        const std::lock_guard lock(mutex_);
        next_ = from;
        for (std::size_t i = 1; i <= ended_.size(); ++i)
            if (const std::size_t other = (from + i) % ended_.size(); !ended_[other]) {
                next_ = other;
                break;
            }
        is_next_[next_].notify_one();
    }
    void wait_for(std::size_t block) {
        std::unique_lock lock(mutex_);
        is_next_[block].wait(lock, [&] { return next_ == block; });
    }

    std::mutex mutex_;
    std::vector<std::condition_variable> is_next_;
    std::size_t next_ = 0;
    std::vector<char> ended_;
    std::size_t taken_ = 0;
    const std::size_t most_;
};

}  // namespace

void take_turns(const nest::tree& of, const nest_call& call, element_meaning& meaning,
                const std::vector<std::int64_t>& order) {
    turns whose(order.size());
    std::exception_ptr trouble;
    std::vector<std::thread> blocks;
    for (std::size_t i = 0; i < order.size(); ++i)
        blocks.emplace_back([&, i] {
            whose.begin(i);
            nest_call mine = call;
            mine.others_go_on = [&] {
                if (trouble) throw nest_fault("another block is at fault");
                whose.others_go_on(i);
            };
            try {
                if (!trouble) cluster_run(of, mine, meaning, order[i] * of.cluster).run();
            } catch (...) {
                if (!trouble) trouble = std::current_exception();
            }
            whose.end(i);
        });
    for (std::thread& each : blocks) each.join();
    if (trouble) std::rethrow_exception(trouble);
}

}  // namespace tests::runs
