#include <support/queued_work.hpp>

#include <cstring>
#include <utility>

namespace tests {

namespace {

using kiln::backend::lane;

class queued_lanes final : public kiln::backend::copy_lanes {
public:
    queued_lanes(std::shared_ptr<work_queue> kernels, pace copies,
                 std::function<bool(const void*, std::size_t)> is_locked, std::function<void(lane, std::size_t)> count)
        : kernels_(std::move(kernels)), pace_(copies), is_locked_(std::move(is_locked)), count_(std::move(count)) {
        for (std::shared_ptr<work_queue>& each : copies_) each = std::make_shared<work_queue>();
    }

    ~queued_lanes() override {
        for (const std::shared_ptr<work_queue>& each : copies_) each->run_all();
    }

    void copy_in(std::byte* to, const void* from, std::size_t bytes) override {
        push(lane::in, from, bytes, [=] { std::memcpy(to, from, bytes); });
    }
    void copy_out(void* to, const std::byte* from, std::size_t bytes) override {
        push(lane::out, to, bytes, [=] { std::memcpy(to, from, bytes); });
    }
    void use_track(int track) override { track_ = track; }
    void set(int number, lane at) override {
        marks_[number] = {queue_of(at), queue_of(at)->end()};
        hurry();
    }
    void wait(lane in, int number) override {
        const mark& until = marks_[number];
        if (until.of && until.of != queue_of(in)) queue_of(in)->push_wait(until.of, until.position);
        hurry();
    }
    void wait(int number) override {
        if (const mark until = marks_[number]; until.of) until.of->run_to(until.position);
    }
    std::shared_ptr<kiln::record::run_timer> time(lane, const std::function<void()>& work) override {
        work();
        return nullptr;
    }

private:
    struct mark {
        std::shared_ptr<work_queue> of;
        std::size_t position = 0;
    };

    [[nodiscard]] const std::shared_ptr<work_queue>& queue_of(lane which) const {
        if (which == lane::kernels) return kernels_;
        return copies_[track_ != no_track ? track_ : which == lane::in ? 0 : 1];
    }
    void push(lane on, const void* host, std::size_t bytes, std::function<void()> copy) {
        count_(on, bytes);
        queue_of(on)->push(std::move(copy));
        if (!is_locked_(host, bytes)) queue_of(on)->run_all();
        hurry();
    }
    void hurry() {
        if (pace_ != pace::early) return;
        for (const std::shared_ptr<work_queue>& each : copies_) each->run_ready();
    }

    const std::shared_ptr<work_queue> kernels_;
    std::shared_ptr<work_queue>
        copies_[kiln::backend::lane_track_count];  // the lanes in and out are the first two tracks
    int track_ = no_track;
    const pace pace_;
    const std::function<bool(const void*, std::size_t)> is_locked_;
    const std::function<void(lane, std::size_t)> count_;
    mark marks_[kiln::backend::lane_mark_count];
};

}  // namespace

std::unique_ptr<kiln::backend::copy_lanes> make_queued_lanes(std::shared_ptr<work_queue> kernels, pace copies,
                                                             std::function<bool(const void*, std::size_t)> is_locked,
                                                             std::function<void(lane, std::size_t)> count) {
    return std::make_unique<queued_lanes>(std::move(kernels), copies, std::move(is_locked), std::move(count));
}

}  // namespace tests
