// kiln/device/cuda/cuda_user_streams: k::stream's, by the driver.
#pragma once

#include <device/cuda/cuda_streams.hpp>
#include <device/user_streams.hpp>

#if KILN_HAS_CUDA

#include <algorithm>

namespace kiln::backend {

class cuda_user_streams final : public user_streams {
public:
    cuda_user_streams(const driver& api, CUcontext context, const cuda_streams& streams)
        : api_(api), context_(context), streams_(streams) {}

    void* make(int priority) override {
        const context_scope current(api_, context_);
        int least = 0;
        int greatest = 0;
        check(api_, api_.cuCtxGetStreamPriorityRange(&least, &greatest), "kiln: device: ask for priorities of streams");
        CUstream made = nullptr;
        // It does not wait for the default stream: arrays that were made there are put in order by events.
        check(api_,
              api_.cuStreamCreateWithPriority(&made, CU_STREAM_NON_BLOCKING, std::clamp(priority, greatest, least)),
              "kiln: device: make a stream");
        return made;
    }
    void destroy(void* stream) noexcept override {
        const context_scope current(api_, context_);
        api_.cuStreamDestroy(static_cast<CUstream>(stream));
    }
    [[nodiscard]] void* current() const noexcept override { return streams_.handle(streams_.current()); }
    [[nodiscard]] bool is_captured() const noexcept override {
        const int mine = streams_.current();
        return mine != 0 && streams_.capturing(mine);
    }
    void wait_for(void* stream, void* event) override {
        const context_scope current(api_, context_);
        check(api_,
              api_.cuStreamWaitEvent(static_cast<CUstream>(stream), static_cast<CUevent>(event), CU_EVENT_WAIT_DEFAULT),
              "kiln: device: let a stream wait for an event");
    }
    void record(void* stream, void* event) override {
        const context_scope current(api_, context_);
        check(api_, api_.cuEventRecord(static_cast<CUevent>(event), static_cast<CUstream>(stream)),
              "kiln: device: record an event in a stream");
    }
    void synchronize(void* stream) override {
        const context_scope current(api_, context_);
        check(api_, api_.cuStreamSynchronize(static_cast<CUstream>(stream)), "kiln: device: wait for a stream");
    }

private:
    const driver& api_;
    const CUcontext context_;
    const cuda_streams& streams_;
};

}  // namespace kiln::backend

#endif
