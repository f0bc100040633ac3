// kiln/device/cuda/cuda_streams: the user's streams, as numbers 0 to 63, and which of them each thread is on.
// in: stream handles   out: numbers, and an order between them   knows nothing of: memory, kernels
//
// A user may destroy a stream once no thread is on it. So the last thread to leave one records an event in it, and from
// then on that event is waited for and the stream is never touched. Number 0 is the legacy default stream, where the
// CUDA runtime, Thrust and cuBLAS put their work; it is always there.
#pragma once

#include <device/cuda/driver.hpp>

#if KILN_HAS_CUDA

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace kiln::backend {

inline constexpr int stream_count = 64;

/// Thread-safe. Calls need the device's context current.
class cuda_streams : public std::enable_shared_from_this<cuda_streams> {
public:
    explicit cuda_streams(const driver& api);
    ~cuda_streams();

    /// The calling thread's. Costs one thread-local load and a comparison.
    [[nodiscard]] int current() const noexcept;
    [[nodiscard]] CUstream handle(int number) const noexcept {
        return slots_[static_cast<std::size_t>(number)].handle.load(std::memory_order_relaxed);
    }
    /// True where `number` may be given work: the default stream, and those that some thread is on.
    [[nodiscard]] bool usable(int number) const noexcept {
        return number == 0 || slots_[static_cast<std::size_t>(number)].threads.load(std::memory_order_relaxed) > 0;
    }
    /// Never the default stream: the driver refuses to capture it. False for a stream that is not usable.
    [[nodiscard]] bool capturing(int number) const noexcept;
    /// While it is held no thread enters or leaves a stream, and order_after() and capturing() must not be called.
    [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

    /// Makes it the calling thread's. Null gives the default stream. Throws device_error for the driver's per-thread
    /// default stream (one handle, a different stream in each thread) and for a 64th stream in use at once.
    void use(CUstream stream);

    /// Work given to `stream` from now on starts after all that `earlier` holds now.
    void order_after(int stream, int earlier);

private:
    enum class past : std::uint8_t {
        none,      // nothing that must be waited for
        parked,    // `left` was recorded when the last thread left
        orphaned,  // its thread ended without leaving: only a wait for the whole context is safe
    };
    struct slot {
        std::atomic<CUstream> handle{nullptr};
        std::atomic<int> threads{0};
        bool taken = false;  // number 0 never is: it needs no entry
        past before = past::none;
        CUevent left = nullptr;
        std::uint64_t last_used = 0;
    };
    friend struct thread_exit;

    [[nodiscard]] bool is_captured(int number) const noexcept;
    CUevent event_of(slot& of);
    int number_for(CUstream stream);
    void enter(int number);
    void leave(int number);
    void forget_thread(int number) noexcept;
    void wait_for_everything(const char* doing);

    const driver& api_;
    const std::uint64_t id_;  // tells devices of one process apart, also when one lies where another lay
    std::array<slot, stream_count> slots_;
    CUevent crossing_ =
        nullptr;  // one serves every crossing: a wait keeps the record that it saw when it was asked for
    std::uint64_t uses_ = 0;
    mutable std::mutex mutex_;
};

}  // namespace kiln::backend

#endif
