// kiln/device/stream_order: work on one buffer from several streams happens in the order it was asked for. Nothing is
// recorded while one stream is used; a crossing costs one event.
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>
#include <device/recording/while_recording.hpp>

#include <bit>

namespace kiln::launch {

constexpr std::uint64_t stream_bit(int stream) { return std::uint64_t{1} << stream; }

/// Streams whose work may use what a thread on `stream` has just used. Recorded work has not run: none.
constexpr std::uint64_t used_on(int stream) { return stream == recorded_stream ? 0 : stream_bit(stream); }

/// On a stream that runs what it is given.
inline void order_read(device& on, const kiln::detail::array_node& node, int stream) {
    kiln::detail::buffer_state& uses = node.storage().buffer;
    const std::uint64_t bit = stream_bit(stream);
    if (!(uses.ordered_after_writer.load(std::memory_order_relaxed) & bit)) {
        on.order_after(stream, static_cast<int>(uses.writer.load(std::memory_order_relaxed)));
        uses.ordered_after_writer.fetch_or(bit, std::memory_order_relaxed);
    }
    if (!(uses.readers.load(std::memory_order_relaxed) & bit)) uses.readers.fetch_or(bit, std::memory_order_relaxed);
}

/// Streams whose work may still touch the buffer.
inline std::uint64_t streams_of(const kiln::detail::buffer_state& uses) {
    return uses.readers.load(std::memory_order_relaxed) |
           stream_bit(static_cast<int>(uses.writer.load(std::memory_order_relaxed)));
}

inline void note_writer(const kiln::detail::array_node& node, int stream) {
    kiln::detail::buffer_state& uses = node.storage().buffer;
    uses.writer.store(static_cast<std::uint32_t>(stream), std::memory_order_relaxed);
    uses.ordered_after_writer.store(stream_bit(stream), std::memory_order_relaxed);
    uses.readers.store(0, std::memory_order_relaxed);
}

/// Nothing else has used the buffer since it was allocated, or all that did comes before.
inline void mark_written(const kiln::detail::array_node& node, int stream) {
    if (stream != recorded_stream) note_writer(node, stream);
}

/// On a stream that runs what it is given.
inline void order_write(device& on, const kiln::detail::array_node& node, int stream) {
    std::uint64_t others = streams_of(node.storage().buffer) & ~stream_bit(stream);
    for (; others; others &= others - 1) on.order_after(stream, std::countr_zero(others));
    note_writer(node, stream);
}

inline void before_read(device& on, const kiln::detail::array_node& node, int stream) {
    if (stream == recorded_stream) note_read(on, node);
    else order_read(on, node, stream);
}

inline void before_write(device& on, const kiln::detail::array_node& node, int stream) {
    if (stream == recorded_stream) note_write(on, node);
    else order_write(on, node, stream);
}

}  // namespace kiln::launch
