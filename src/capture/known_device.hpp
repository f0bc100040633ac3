// kiln/capture/known_device: a device as arrays, calls and users' handles know it: what tells it from the others.
// knows nothing of: what a device does (device/)
#pragma once

#include <kiln/device.hpp>

#include <atomic>
#include <cstdint>
#include <string>

namespace kiln::backend {
class device;
}

namespace kiln::inline v0_1::detail {

/// One for each device that the process ever has; it is never destroyed, and its number is no other's, ever.
struct known_device {
    constexpr known_device(device_kind kind_, int index_, std::uint32_t number, std::uint16_t calls) noexcept
        : kind(kind_), index(index_), call_tag(std::uint64_t{number} << 32 | calls) {}

    const device_kind kind;
    const int index;
    /// In the key of each of its calls (plan/bind.hpp): its number, and whether they are a host's.
    const std::uint64_t call_tag;
    /// nullptr: nothing has run there yet. It belongs to device/devices.hpp, which alone looks through it.
    std::atomic<backend::device*> object{nullptr};
};

/// "cpu", "cuda:1".
std::string name_of(const known_device& device);

/// Throws device_error: operands, or an operand and the place of a result, are on two devices.
[[noreturn]] void throw_two_devices(const known_device& one, const known_device& other);

/// The one device of several operands, of which some may be on none. Throws as above.
class meeting_device {
public:
    void meet(known_device* each) {
        if (found_ && each && each != found_) throw_two_devices(*found_, *each);
        if (each) found_ = each;
    }
    /// `usual`: of operands that are on none.
    [[nodiscard]] known_device& or_else(known_device& (*usual)()) const { return found_ ? *found_ : usual(); }

private:
    known_device* found_ = nullptr;
};

}  // namespace kiln::inline v0_1::detail
