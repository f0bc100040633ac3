// kiln/device/cuda/cuda_timers: when kernels ran, by CUPTI where there is one, else by events of the driver around them; and when copies
// ran, by events.
// in: streams   out: times on the host's clock   knows nothing of: kernels, who asks
#pragma once

#include <device/cuda/cuda_streams.hpp>
#include <device/cuda/driver.hpp>
#include <device/device.hpp>

#if KILN_HAS_CUDA

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace kiln::backend {

/// Events that are not used now. Making one costs as much as recording it.
class cuda_timers : public std::enable_shared_from_this<cuda_timers> {
public:
    cuda_timers(const driver& api, CUcontext context, std::shared_ptr<cuda_streams> streams)
        : api_(api), context_(context), streams_(std::move(streams)) {}
    ~cuda_timers();
    cuda_timers(const cuda_timers&) = delete;
    cuda_timers& operator=(const cuda_timers&) = delete;

    /// From now on timers are made. Waits for the device.
    void set();
    /// None are made until set() is called again. Waits for the device where what it did would else be lost.
    void stop();
    [[nodiscard]] std::shared_ptr<launch_timer> make();
    /// Calls `work`, which gives the stream something to do: when that ran, by events.
    [[nodiscard]] std::shared_ptr<record::run_timer> time(CUstream on, const std::function<void()>& work);

private:
    class timer;
    class cupti_timer;

    [[nodiscard]] CUevent make_event();
    CUevent take();
    void give_back(CUevent one) noexcept;
    void pass(CUevent one, CUstream stream);
    void set_clock();
    record::run_time between(CUevent begin, CUevent end);

    const driver& api_;
    CUcontext context_;
    std::shared_ptr<cuda_streams> streams_;
    std::mutex mutex_;
    std::vector<CUevent> spare_;
    std::atomic<bool> by_cupti_{false};
    CUevent zero_ = nullptr;  // passed at zero_ns_
    std::int64_t zero_ns_ = 0;
    double empty_ns_ = 0;  // between two events with nothing between them
};

}  // namespace kiln::backend

#endif
