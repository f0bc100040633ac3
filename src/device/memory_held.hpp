// kiln/device/memory_held: what of a device's memory kiln has.
#pragma once

#include <cstddef>

namespace kiln::backend {

struct memory_held {
    std::size_t live_bytes = 0;   // asked for and not given back
    std::size_t spare_bytes = 0;  // given back, and kept for who asks next
};

}  // namespace kiln::backend
