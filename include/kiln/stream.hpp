// kiln/stream: streams as objects, for work that need not wait for other work of the same device.
// in: a device, a priority   out: a stream, and threads on it   knows nothing of: arrays, which kiln keeps in order by itself
#pragma once

#include <kiln/device.hpp>
#include <kiln/export.hpp>

#include <utility>

namespace kiln::inline v0_1 {

/// k::stream copies(k::cuda(0), -1);
/// { k::scoped_stream here(copies); k::array<float> y = x * 2; }   // beside what else the device does
/// A stream of a device's; on the CPU, which runs everything at once, nothing. Arrays may be used on any of them: work on one array
/// happens in the order in which it was asked for. It does not wait for the default stream (cudaStreamNonBlocking). A thread that is on it must leave before it goes; its work goes on.
class stream {
public:
    /// `priority`: as CUDA's; of streams with work, one with a lower number comes first; 0 is the default, and what is past the
    /// device's range is brought into it. Throws device_error.
    KILN_API explicit stream(const kiln::device& on = current_device(), int priority = 0);
    stream(stream&& other) noexcept : on_(other.on_), native_(std::exchange(other.native_, nullptr)) {}
    stream& operator=(stream&& other) noexcept {
        std::swap(on_, other.on_);
        std::swap(native_, other.native_);
        return *this;
    }
    KILN_API ~stream();

    [[nodiscard]] kiln::device device() const noexcept { return on_; }
    /// A cudaStream_t, for other libraries; nullptr on the CPU.
    [[nodiscard]] void* native() const noexcept { return native_; }

    /// Work given to the stream from now on starts after what `event`, a cudaEvent_t of the user's, was recorded behind. Nothing on the
    /// CPU. Throws device_error.
    KILN_API void wait_for(void* event) const;
    /// The event is behind all that the stream holds now. Nothing on the CPU: what it ran is done. Throws device_error.
    KILN_API void record(void* event) const;
    /// Waits for all that it holds. Throws device_error for what went wrong there.
    KILN_API void synchronize() const;

private:
    kiln::device on_;
    void* native_ = nullptr;
};

/// The calling thread is on that stream of its device while the object lives, then on the one before. It need not be on that device.
class [[nodiscard]] scoped_stream {
public:
    /// Throws device_error where 63 streams are in use at once.
    [[nodiscard]] KILN_API explicit scoped_stream(const stream& on);
    KILN_API ~scoped_stream();
    scoped_stream(const scoped_stream&) = delete;
    scoped_stream& operator=(const scoped_stream&) = delete;

private:
    kiln::device on_;
    void* previous_ = nullptr;
};

}  // namespace kiln::inline v0_1
