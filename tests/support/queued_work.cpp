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
        : queues_{std::make_shared<work_queue>(), std::move(kernels), std::make_shared<work_queue>()},
          pace_(copies),
          is_locked_(std::move(is_locked)),
          count_(std::move(count)) {}

    ~queued_lanes() override {
        of(lane::in).run_all();
        of(lane::out).run_all();
    }

    void copy_in(std::byte* to, const void* from, std::size_t bytes) override {
        push(lane::in, from, bytes, [=] { std::memcpy(to, from, bytes); });
    }
    void copy_out(void* to, const std::byte* from, std::size_t bytes) override {
        push(lane::out, to, bytes, [=] { std::memcpy(to, from, bytes); });
    }
    void set(int number, lane at) override {
        marks_[number] = {queues_[static_cast<int>(at)], of(at).end()};
        hurry();
    }
    void wait(lane in, int number) override {
        const mark& until = marks_[number];
        if (until.of && until.of.get() != &of(in)) of(in).push_wait(until.of, until.position);
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

    [[nodiscard]] work_queue& of(lane which) { return *queues_[static_cast<int>(which)]; }
    void push(lane on, const void* host, std::size_t bytes, std::function<void()> copy) {
        count_(on, bytes);
        of(on).push(std::move(copy));
        if (!is_locked_(host, bytes)) of(on).run_all();
        hurry();
    }
    void hurry() {
        if (pace_ == pace::late) return;
        of(lane::in).run_ready();
        of(pace_ == pace::early ? lane::out : lane::kernels).run_ready();
    }

    std::shared_ptr<work_queue> queues_[3];  // as lanes are numbered
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
