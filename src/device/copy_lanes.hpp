// kiln/device/copy_lanes: copies between the host's memory and a device's that go on while kernels run and the calling thread does something
// else: a lane into the device, a lane out of it, and marks by which the lanes and the thread's stream wait for one another.
// in: addresses, bytes   out: copies under way   knows nothing of: arrays, chunks
#pragma once

#include <record/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace kiln::backend {

enum class lane : std::uint8_t {
    in,
    kernels,  // the stream that the calling thread was on when the lanes were made
    out
};

/// Marks are numbered from 0.
inline constexpr int lane_mark_count = 16;

/// One thread's, which stays on its stream meanwhile. Each call throws device_error; of kernels whose results a mark waits for, too.
class copy_lanes {
public:
    /// Waits until nothing is under way in either lane: the memory of both ends may go.
    virtual ~copy_lanes() = default;

    /// The host's memory is device::lock_pages()'s, and stays as it is until a mark behind the copy is reached. Other memory is copied
    /// as well, but may have been when the call returns, or hold up all that follows.
    virtual void copy_in(std::byte* to, const void* from, std::size_t bytes) = 0;
    virtual void copy_out(void* to, const std::byte* from, std::size_t bytes) = 0;

    /// Behind all that `of` holds now. Who waits for where the mark was before goes on doing so.
    virtual void set(int mark, lane of) = 0;
    /// What `in` is given from now on begins after that. A mark that was never set is reached.
    virtual void wait(lane in, int mark) = 0;
    /// The calling thread waits.
    virtual void wait(int mark) = 0;

    /// Calls `work`, which gives a lane something to do; tells when that ran, for profiles. nullptr: it has run when `work` returns.
    virtual std::shared_ptr<record::run_timer> time(lane of, const std::function<void()>& work) = 0;
};

}  // namespace kiln::backend
