// kiln/device/interpreter/movement: elements between memory walked by strides and blocks without gaps.
// in: a position in an iteration, strides   out: moved elements   knows nothing of: programs, types but for their width
#pragma once

#include <kiln/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::backend {

/// A row-major walk over collapsed axes, and where it stands.
struct walk {
    int rank = 1;
    const std::int64_t* extents = nullptr;  // outermost first
    std::int64_t coordinates[max_rank];

    void move_to(std::int64_t position) noexcept;
    [[nodiscard]] std::int64_t row_length() const noexcept { return extents[rank - 1]; }
    [[nodiscard]] std::int64_t left_in_row() const noexcept { return row_length() - coordinates[rank - 1]; }
};

// Elements are moved by their width whatever they are. Structs, because a template parameter forgets a typedef's
// attributes.
using byte_element = std::uint8_t;
struct [[gnu::may_alias]] half_element {
    std::uint16_t word;
};
struct [[gnu::may_alias]] word_element {
    std::uint32_t word;
};
// A complex number lies at multiples of its parts.
struct [[gnu::may_alias, gnu::packed, gnu::aligned(4)]] long_element {
    std::uint64_t word;
};
struct [[gnu::may_alias]] wide_element {
    std::uint64_t half[2];
};

/// Calls use(T{}) with the element of that width.
template <class Use>
void by_width(int bytes, Use use) {
    switch (bytes) {
        case 1: use(byte_element{}); break;
        case 2: use(half_element{}); break;
        case 4: use(word_element{}); break;
        case 8: use(long_element{}); break;
        default: use(wide_element{}); break;
    }
}

/// to[i] = *value.
void fill(void* to, const void* value, int bytes, std::int64_t count) noexcept;

}  // namespace kiln::backend
