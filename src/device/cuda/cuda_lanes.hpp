// kiln/device/cuda/cuda_lanes: copies on two streams of their own, put in order with a thread's by events.
// in: pinned memory, device memory   out: copies under way   knows nothing of: arrays, chunks
#pragma once

#include <device/copy_lanes.hpp>
#include <device/cuda/cuda_timers.hpp>
#include <device/cuda/driver.hpp>
#include <device/cuda/recent_launches.hpp>

#if KILN_HAS_CUDA

#include <memory>
#include <mutex>
#include <vector>

namespace kiln::backend {

/// Of one device. Streams and events are made once, and used again: making them takes longer than a small copy.
class cuda_lane_pool {
public:
    cuda_lane_pool(const driver& api, CUcontext context, recent_launches& recent, std::shared_ptr<cuda_timers> timers)
        : api_(api), context_(context), recent_(recent), timers_(std::move(timers)) {}
    ~cuda_lane_pool();
    cuda_lane_pool(const cuda_lane_pool&) = delete;
    cuda_lane_pool& operator=(const cuda_lane_pool&) = delete;

    /// Beside `kernels`, a thread's stream, which lives as long as they do. Throws device_error.
    std::unique_ptr<copy_lanes> make(CUstream kernels);

private:
    class lanes;
    struct streams {
        CUstream in = nullptr;
        CUstream out = nullptr;
        CUevent marks[lane_mark_count] = {};
    };

    void destroy(const streams& of) noexcept;
    streams take();

    const driver& api_;
    const CUcontext context_;
    recent_launches& recent_;
    std::shared_ptr<cuda_timers> timers_;
    std::mutex mutex_;
    std::vector<streams> spare_;
};

}  // namespace kiln::backend

#endif
