#include <device/cuda/cuda_lanes.hpp>

#if KILN_HAS_CUDA

#include <string>
#include <utility>

namespace kiln::backend {

class cuda_lane_pool::lanes final : public copy_lanes {
public:
    lanes(cuda_lane_pool& of, CUstream kernels)
        : of_(of), api_(of.api_), current_(api_, of.context_), mine_(of.take()), kernels_(kernels) {}

    // What is under way ends by itself: it waits for work that was given to streams before. An error of that work shows elsewhere.
    ~lanes() override {
        api_.cuStreamSynchronize(mine_.in);
        api_.cuStreamSynchronize(mine_.out);
        const std::lock_guard held(of_.mutex_);
        of_.spare_.push_back(mine_);
    }

    void copy_in(std::byte* to, const void* from, std::size_t bytes) override {
        const CUresult result = api_.cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(to), from, bytes, mine_.in);
        if (result != CUDA_SUCCESS) fail(result, "kiln: device: copy from the host", bytes);
    }

    void copy_out(void* to, const std::byte* from, std::size_t bytes) override {
        const CUresult result = api_.cuMemcpyDtoHAsync(to, reinterpret_cast<CUdeviceptr>(from), bytes, mine_.out);
        if (result != CUDA_SUCCESS) fail(result, "kiln: device: copy to the host", bytes);
    }

    void set(int mark, lane of) override {
        check(api_, api_.cuEventRecord(mine_.marks[mark], stream_of(of)),
              "kiln: device: record an event to order copies and kernels by");
    }

    void wait(lane in, int mark) override {
        check(api_, api_.cuStreamWaitEvent(stream_of(in), mine_.marks[mark], CU_EVENT_WAIT_DEFAULT),
              "kiln: device: let a stream wait for a copy, or a copy for a stream");
    }

    void wait(int mark) override {
        const CUresult result = api_.cuEventSynchronize(mine_.marks[mark]);
        if (result != CUDA_SUCCESS)
            throw_device_error(api_, result, "kiln: device: wait for a copy beside kernels", of_.recent_.text());
    }

    std::shared_ptr<record::run_timer> time(lane of, const std::function<void()>& work) override {
        return of_.timers_->time(stream_of(of), work);
    }

private:
    [[nodiscard]] CUstream stream_of(lane which) const noexcept {
        return which == lane::in ? mine_.in : which == lane::out ? mine_.out : kernels_;
    }
    [[noreturn]] void fail(CUresult result, const char* doing, std::size_t bytes) const {
        throw_device_error(api_, result, doing, " (" + std::to_string(bytes) + " bytes)" + of_.recent_.text());
    }

    cuda_lane_pool& of_;
    const driver& api_;
    const context_scope current_;  // for as long as they live, in place of a question with each call
    const streams mine_;
    const CUstream kernels_;
};

cuda_lane_pool::~cuda_lane_pool() {
    const context_scope current(api_, context_);
    for (const streams& each : spare_) destroy(each);
}

void cuda_lane_pool::destroy(const streams& of) noexcept {
    for (const CUevent each : of.marks)
        if (each) api_.cuEventDestroy(each);
    for (const CUstream each : {of.in, of.out})
        if (each) api_.cuStreamDestroy(each);
}

cuda_lane_pool::streams cuda_lane_pool::take() {
    {
        const std::lock_guard held(mutex_);
        if (!spare_.empty()) {
            const streams out = spare_.back();
            spare_.pop_back();
            return out;
        }
    }
    const context_scope current(api_, context_);
    streams made;
    try {
        // They wait for nothing but marks: not for the default stream either.
        for (CUstream* const each : {&made.in, &made.out})
            check(api_, api_.cuStreamCreateWithPriority(each, CU_STREAM_NON_BLOCKING, /*priority=*/0),
                  "kiln: device: make a stream for copies");
        for (CUevent& each : made.marks)
            check(api_, api_.cuEventCreate(&each, CU_EVENT_DISABLE_TIMING), "kiln: device: make an event");
    } catch (...) {
        destroy(made);
        throw;
    }
    return made;
}

std::unique_ptr<copy_lanes> cuda_lane_pool::make(CUstream kernels) { return std::make_unique<lanes>(*this, kernels); }

}  // namespace kiln::backend

#endif
