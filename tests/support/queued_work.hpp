// tests/support/queued_work: a device's streams, without a device: what a lane is given is done as late as it may be, when somebody waits for
// it, or as early as the marks that it waits for allow. Work that is done in another order than it was asked for shows as other bits.
#pragma once

#include <device/copy_lanes.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

namespace tests {

/// When copies are made. `late_out`: what comes in, and kernels, run as early as they may, and what goes out late.
enum class pace { late, early, late_out };

/// One lane's, in order.
class work_queue {
public:
    void push(std::function<void()> run) { jobs_.push_back({std::move(run), nullptr, 0}); }
    /// What follows starts when the first `position` jobs of `other` are done.
    void push_wait(std::shared_ptr<work_queue> other, std::size_t position) {
        jobs_.push_back({{}, std::move(other), position});
    }
    /// Where a mark stands that is set now.
    [[nodiscard]] std::size_t end() const noexcept { return done_ + jobs_.size(); }

    void run_to(std::size_t position) {
        while (done_ < position && !jobs_.empty()) run_first();
    }
    void run_all() { run_to(end()); }
    /// Those whose turn it could be.
    void run_ready() {
        while (!jobs_.empty() && (!jobs_.front().other || jobs_.front().other->done_ >= jobs_.front().position))
            run_first();
    }

private:
    struct job {
        std::function<void()> run;
        std::shared_ptr<work_queue> other;
        std::size_t position;
    };
    void run_first() {
        const job first = std::move(jobs_.front());
        jobs_.pop_front();
        if (first.other) first.other->run_to(first.position);
        else first.run();
        ++done_;
    }

    std::deque<job> jobs_;
    std::size_t done_ = 0;
};

/// Of host memory that `is_locked` says is locked, copies are queued; others are made when they are asked for, behind those before. `count` is
/// told of each.
std::unique_ptr<kiln::backend::copy_lanes> make_queued_lanes(
    std::shared_ptr<work_queue> kernels, pace copies, std::function<bool(const void*, std::size_t)> is_locked,
    std::function<void(kiln::backend::lane, std::size_t)> count);

}  // namespace tests
