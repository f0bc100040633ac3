// kiln/streamed/packed: elements of the host's between where they are, with any strides, and one run of bytes.
// By several threads, where there are many. knows nothing of: devices
#pragma once

#include <capture/array_node.hpp>
#include <device/cpu/thread_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kiln::streamed {

/// Row-major, of a node without a map.
void pack(const kiln::detail::array_node& from, std::byte* to);
void unpack(const std::byte* from, const kiln::detail::array_node& to);

/// Neighbours.
struct byte_move {
    const std::byte* from;
    std::byte* to;
    std::size_t bytes;
    bool is_of_much = false;  // what is written there is not found in a cache later: it goes past them
};
/// Whether so many bytes are.
bool is_much(std::size_t bytes);
/// In any order, all at once.
void move_bytes(std::span<const byte_move> moves);

/// The same by threads that go on while the caller does something else.
class moves_beside {
public:
    moves_beside() = default;
    moves_beside(const moves_beside&) = delete;
    moves_beside& operator=(const moves_beside&) = delete;

    /// Those before are finished.
    void begin(std::vector<byte_move> moves);
    void finish();

private:
    std::vector<byte_move> moves_;
    std::function<void(std::int64_t, std::int64_t)> some_;
    std::optional<backend::thread_pool::begun> threads_;  // the last: they read the others
};

}  // namespace kiln::streamed
