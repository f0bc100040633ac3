// kiln/device/devices: the process's devices, and which of them the calling thread is on. A device is made when
// something is first to run there, and stays.
// in: known devices, KILN_DEVICE   out: devices   knows nothing of: arrays, expressions
#pragma once

#include <device/device.hpp>

#include <memory>
#include <vector>

namespace kiln::backend {

namespace detail {
extern std::atomic<known_device*> usual_device;
extern thread_local constinit known_device* thread_device;  // nullptr: the usual one
/// Takes the calling thread's work instead of the device that it stands for; null as a rule.
extern thread_local constinit device* recorder;
known_device& choose_usual_device();
device& start(known_device& known);
device& recorder_for(known_device& known);
}  // namespace detail

/// The CPU, then the GPUs that the driver sees.
std::vector<known_device*> all_devices();
/// Throws device_error, saying how many there are, for one that is not.
known_device& gpu_at(int index);

/// The calling thread's. Throws device_error where KILN_DEVICE is none.
inline known_device& current_known() {
    if (known_device* const mine = detail::thread_device) return *mine;
    known_device* const usual = detail::usual_device.load(std::memory_order_acquire);
    return usual ? *usual : detail::choose_usual_device();
}

/// What work on a device goes to: while the calling thread records, what it records with; device_error then for another
/// device than the recording's. Starts a device that nothing has run on: throws device_error where it is not there.
inline device& device_at(known_device& known) {
    if (detail::recorder) [[unlikely]]
        return detail::recorder_for(known);
    device* const object = known.object.load(std::memory_order_acquire);
    return object ? *object : detail::start(known);
}

inline device& current_device() { return device_at(current_known()); }

/// nullptr: nothing has run there yet, or it is gone.
inline device* device_if_started(const known_device& known) noexcept {
    return known.object.load(std::memory_order_acquire);
}

/// What memory of a device goes back to, whoever records what.
inline device& owner_at(const known_device& known) noexcept {
    if (device* const recorder = detail::recorder; recorder && recorder->known() == &known) [[unlikely]]
        return *recorder;
    return *device_if_started(known);
}

/// The calling thread is on that device while it lives.
class scoped_current {
public:
    explicit scoped_current(known_device& on) noexcept : previous_(std::exchange(detail::thread_device, &on)) {}
    ~scoped_current() { detail::thread_device = previous_; }
    scoped_current(const scoped_current&) = delete;
    scoped_current& operator=(const scoped_current&) = delete;

private:
    known_device* const previous_;
};

/// Copies elements from one device's memory to another's: after what the calling thread's streams on both hold, and
/// before what they are given next. By the host, where the two have no way of their own; has copied then.
void copy_between(device& to, std::byte* into, device& from, const std::byte* elements, std::size_t bytes);

/// Where memory of the user's is.
struct memory_place {
    enum class side : std::uint8_t { host, device, both };
    side where = side::host;
    known_device* on = nullptr;  // of a device's memory
    bool is_pinned = false;      // of the host's: page-locked, by CUDA
};
/// Asks the driver, if this process has one. Throws device_error for memory that no kernel can reach.
memory_place place_of(const void* pointer);

// --- devices of tests and benchmarks

/// One more device, which no other is listed beside. It goes with remove_device.
known_device& add_device(std::unique_ptr<device> made, device_kind kind, int index);
/// Its kernels go with it; its arrays must be gone. Whoever still asks for it gets a device_error.
void remove_device(known_device& known);
/// Threads that are on no other are on this one from now on.
void set_usual_device(known_device& known);

}  // namespace kiln::backend
