// kiln/launch/interpreter/movement: elements between memory walked by strides and blocks without gaps.
// in: a position in an iteration, strides   out: moved elements   knows nothing of: programs, types but for their width
#pragma once

#include <kiln/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::launch {

/// A row-major walk over collapsed axes, and where it stands.
struct walk {
    int rank = 1;
    const std::int64_t* extents = nullptr;  // outermost first
    std::int64_t coordinates[max_rank];

    void move_to(std::int64_t position) noexcept;
    [[nodiscard]] std::int64_t row_length() const noexcept { return extents[rank - 1]; }
    [[nodiscard]] std::int64_t left_in_row() const noexcept { return row_length() - coordinates[rank - 1]; }
    /// Where the walk stands, in elements from the operand's first.
    [[nodiscard]] std::int64_t offset(const std::int64_t* strides) const noexcept;
};

/// count elements of `bytes` each, from where the walk stands on, to `to`.
void gather(void* to, const std::byte* from, int bytes, const walk& at, const std::int64_t* strides,
            std::int64_t count) noexcept;
/// The other way.
void scatter(std::byte* to, const void* from, int bytes, const walk& at, const std::int64_t* strides,
             std::int64_t count) noexcept;
/// to[i] = *value.
void fill(void* to, const void* value, int bytes, std::int64_t count) noexcept;

}  // namespace kiln::launch
