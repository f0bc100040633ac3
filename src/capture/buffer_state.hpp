// kiln/capture/buffer_state: what is in a buffer, and who put it there: of all arrays that are parts of it.
// knows nothing of: arrays, devices, streams but as bits
#pragma once

#include <atomic>
#include <cstdint>

namespace kiln::inline v0_1::detail {

struct buffer_state {
    // Streams (as bits; see device/stream_order.hpp) that have touched it since its last write.
    std::atomic<std::uint64_t> readers{0};
    std::atomic<std::uint64_t> ordered_after_writer{1};  // the writer's own stream is among them
    std::atomic<std::uint32_t> writer{0};
    // Of a buffer of partial sums (plan/partial_sums.hpp): how many; less than 0 where the sum is there, too.
    std::atomic<std::int32_t> partial_count{0};
};

}  // namespace kiln::inline v0_1::detail
