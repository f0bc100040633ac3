// kiln/streamed/budget: how much memory chunks may take.
// in: KILN_DEVICE_MEMORY, a device   out: bytes   knows nothing of: chunks
#pragma once

#include <device/device.hpp>

#include <cstdint>

namespace kiln::streamed {

/// Of a device's memory: what KILN_DEVICE_MEMORY says ("4G", "512M", "65536"; powers of 1024), less what kiln's arrays hold there; without
/// it nine tenths of what is free. Of a CPU, which reads files where they are: as said, or 512 MiB. At least 0. Throws device_error for
/// a variable that is no number of bytes.
std::int64_t free_budget(backend::device& on);

/// " (KILN_DEVICE_MEMORY=4G, of which arrays hold 12 bytes)"
std::string budget_text(backend::device& on);

}  // namespace kiln::streamed
