// Positions one after the other, in the index's order.
#include <capture/known_device.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>

#include <kiln/put.hpp>

#include <cstddef>
#include <cstring>

namespace kiln::inline v0_1::detail {

void refuse_to_record_put() { backend::refuse_while_recording("put()"); }

bool is_host(const device& on) { return backend::reaches_host(backend::device_at(access::known(on))); }

void require_device(const device& of_values, const device& written) {
    meeting_device both;
    both.meet(&access::known(of_values));
    both.meet(&access::known(written));
}

void put_each(void* to, std::int64_t size, const array<std::int64_t>& index, const void* values, bool are_the_same,
              std::size_t element_bytes) {
    const auto* from = static_cast<const std::byte*>(values);
    for (const std::int64_t position : index.to_host()) {
        const std::int64_t at = position < 0 ? position + size : position;
        if (at >= 0 && at < size)
            std::memcpy(static_cast<std::byte*>(to) + static_cast<std::size_t>(at) * element_bytes, from,
                        element_bytes);
        if (!are_the_same) from += element_bytes;
    }
}

}  // namespace kiln::inline v0_1::detail
