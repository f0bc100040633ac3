// kiln/device/user_streams: streams that a user asks a device for, and events of the user's.
// in: handles as CUDA's runtime has them, as void*   knows nothing of: which of them is a thread's
#pragma once

namespace kiln::backend {

/// Each throws device_error but destroy().
class user_streams {
public:
    virtual ~user_streams() = default;

    /// `priority`: as CUDA's, lower numbers first; brought into the device's range.
    virtual void* make(int priority) = 0;
    /// Its work goes on; the handle is no stream any more.
    virtual void destroy(void* stream) noexcept = 0;
    /// The calling thread's; nullptr: the default stream.
    [[nodiscard]] virtual void* current() const noexcept = 0;
    /// Whether the calling thread's is being captured into a graph.
    [[nodiscard]] virtual bool is_captured() const noexcept = 0;
    /// Of work that is given to the stream from now on: after what the event was recorded behind.
    virtual void wait_for(void* stream, void* event) = 0;
    virtual void record(void* stream, void* event) = 0;
    virtual void synchronize(void* stream) = 0;
};

}  // namespace kiln::backend
