// kiln/device/recording/while_recording: what the rest of the library does otherwise while its thread records (recording.hpp).
#pragma once

#include <capture/array_node.hpp>
#include <device/devices.hpp>

namespace kiln::backend {

/// The current stream of a thread that records: no stream, and no number of one.
inline constexpr int recorded_stream = -1;

/// In place of putting streams in order.
void note_read(device& on, const kiln::detail::array_node& node);
void note_write(device& on, const kiln::detail::array_node& node);

/// Throws device_error naming `what` (a public function) where the calling thread records.
[[noreturn]] void refuse_to_record(const char* what);
inline void refuse_while_recording(const char* what) {
    if (detail::recorder) [[unlikely]]
        refuse_to_record(what);
}

}  // namespace kiln::backend
