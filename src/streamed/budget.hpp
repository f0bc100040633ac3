// kiln/streamed/budget: how much memory chunks may take.
// in: KILN_DEVICE_MEMORY, a device   out: bytes   knows nothing of: chunks
#pragma once

#include <device/device.hpp>

#include <cstdint>
#include <limits>

namespace kiln::streamed {

/// Of a device's memory: what KILN_DEVICE_MEMORY says ("4G", "1.5G", "512M", "65536"; powers of 1024), less what kiln's arrays hold there; without
/// it nine tenths of what is free. Of a CPU, which reads files where they are: as said, or 512 MiB. At least 0. Throws device_error for
/// a variable that is no number of bytes. Where what kiln keeps there is `enough`, that is the answer: asking a driver what is free takes as
/// long as copying a megabyte.
std::int64_t free_budget(backend::device& on, std::int64_t enough = std::numeric_limits<std::int64_t>::max());

/// " (KILN_DEVICE_MEMORY=4G, of which arrays hold 12 bytes)"
std::string budget_text(backend::device& on);

}  // namespace kiln::streamed
