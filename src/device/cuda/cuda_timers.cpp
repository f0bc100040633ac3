#include <device/cuda/cuda_timers.hpp>

#include <device/cuda/cupti_times.hpp>
#include <record/stopwatch.hpp>

#if KILN_HAS_CUDA

#include <algorithm>
#include <utility>

namespace kiln::backend {

class cuda_timers::timer final : public launch_timer {
public:
    explicit timer(std::shared_ptr<cuda_timers> of) : of_(std::move(of)) {
        const context_scope current(of_->api_, of_->context_);
        begin_ = of_->take();
        end_ = of_->take();
    }
    ~timer() override {
        of_->give_back(begin_);
        of_->give_back(end_);
    }

    void start(int stream) override { start(of_->streams_->handle(stream)); }
    void stop(int stream) override { stop(of_->streams_->handle(stream)); }
    void start(CUstream stream) { of_->pass(begin_, stream); }
    void stop(CUstream stream) { of_->pass(end_, stream); }

    record::run_time read() override {
        if (!is_read_) read_ = of_->between(begin_, end_);
        is_read_ = true;
        return read_;
    }

private:
    std::shared_ptr<cuda_timers> of_;
    CUevent begin_ = nullptr;
    CUevent end_ = nullptr;
    bool is_read_ = false;
    record::run_time read_;
};

class cuda_timers::cupti_timer final : public launch_timer {
public:
    explicit cupti_timer(std::shared_ptr<cuda_timers> of) : of_(std::move(of)) {}
    ~cupti_timer() override {
        if (!is_read_) cupti_times::forget(launch_);
    }

    void start(int) override {}
    void stop(int) override { launch_ = cupti_times::last_launch(); }

    record::run_time read() override {
        if (is_read_) return read_;
        if (!cupti_times::read(launch_, read_)) {
            const context_scope current(of_->api_, of_->context_);
            check(of_->api_, of_->api_.cuCtxSynchronize(), "kiln: device: wait for what a profile timed");
            cupti_times::flush();
            if (!cupti_times::read(launch_, read_)) read_ = {};
        }
        cupti_times::forget(launch_);
        is_read_ = true;
        return read_;
    }

private:
    std::shared_ptr<cuda_timers> of_;
    std::uint32_t launch_ = 0;
    bool is_read_ = false;
    record::run_time read_;
};

cuda_timers::~cuda_timers() {
    const context_scope current(api_, context_);
    for (const CUevent each : spare_) api_.cuEventDestroy(each);
    if (zero_) api_.cuEventDestroy(zero_);
}

CUevent cuda_timers::take() {
    {
        const std::lock_guard held(mutex_);
        if (!spare_.empty()) {
            const CUevent one = spare_.back();
            spare_.pop_back();
            return one;
        }
    }
    return make_event();
}

CUevent cuda_timers::make_event() {
    CUevent made = nullptr;
    check(api_, api_.cuEventCreate(&made, CU_EVENT_DEFAULT), "kiln: device: make an event for a profile");
    return made;
}

void cuda_timers::give_back(CUevent one) noexcept {
    if (!one) return;
    const std::lock_guard held(mutex_);
    spare_.push_back(one);
}

void cuda_timers::pass(CUevent one, CUstream stream) {
    const context_scope current(api_, context_);
    check(api_, api_.cuEventRecord(one, stream), "kiln: device: time a launch for a profile");
}

std::shared_ptr<launch_timer> cuda_timers::make() {
    if (by_cupti_) return std::make_shared<cupti_timer>(shared_from_this());
    return std::make_shared<timer>(shared_from_this());
}

std::shared_ptr<record::run_timer> cuda_timers::time(CUstream on, const std::function<void()>& work) {
    auto made = std::make_shared<timer>(shared_from_this());
    made->start(on);
    work();
    made->stop(on);
    return made;
}

void cuda_timers::stop() {
    if (!by_cupti_.exchange(false)) return;
    const context_scope current(api_, context_);
    api_.cuCtxSynchronize();
    cupti_times::end();
}

void cuda_timers::set() {
    const context_scope current(api_, context_);
    if (!by_cupti_) by_cupti_ = cupti_times::begin();
    set_clock();  // of copies, which CUPTI is not asked about, too
    if (by_cupti_) return;
    // Of the first launches no event has to be made.
    constexpr int made_ahead = 512;
    std::vector<CUevent> ahead;
    while (ahead.size() < made_ahead) ahead.push_back(take());
    for (const CUevent each : ahead) give_back(each);
}

void cuda_timers::set_clock() {
    if (!zero_) zero_ = take();
    constexpr int tries = 16;
    empty_ns_ = 1e9;
    const CUevent begin = take();
    const CUevent end = take();
    for (int i = 0; i < tries; ++i) {
        pass(begin, streams_->handle(0));
        pass(end, streams_->handle(0));
        check(api_, api_.cuEventSynchronize(end), "kiln: device: wait for a profile's clock");
        float ms = 0;
        check(api_, api_.cuEventElapsedTime(&ms, begin, end), "kiln: device: set a profile's clock");
        empty_ns_ = std::min(empty_ns_, static_cast<double>(ms) * 1e6);
    }
    give_back(begin);
    give_back(end);
    pass(zero_, streams_->handle(0));
    check(api_, api_.cuEventSynchronize(zero_), "kiln: device: wait for a profile's clock");
    zero_ns_ = record::now_ns();
}

record::run_time cuda_timers::between(CUevent begin, CUevent end) {
    const context_scope current(api_, context_);
    check(api_, api_.cuEventSynchronize(end), "kiln: device: wait for what a profile timed");
    float since_zero = 0;
    float ran = 0;
    check(api_, api_.cuEventElapsedTime(&since_zero, zero_, begin), "kiln: device: read a profile's clock");
    check(api_, api_.cuEventElapsedTime(&ran, begin, end), "kiln: device: read a profile's clock");
    // A kernel stands between two records, and waits for each: a queued empty one takes 2.7 us from event to event where two
    // events alone are 1.3 us apart (NVIDIA H200). Onto an idle stream it comes later by what the host takes to launch it, which
    // no event can tell.
    const double ns = std::max(0.0, static_cast<double>(ran) * 1e6 - 2 * empty_ns_);
    return {zero_ns_ + static_cast<std::int64_t>(static_cast<double>(since_zero) * 1e6), static_cast<std::int64_t>(ns)};
}

}  // namespace kiln::backend

#endif
