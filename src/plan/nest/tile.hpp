// kiln/plan/nest/tile: the products of tiles that tensor cores make, and which thread of a warp has which of their elements.
// A tile of 16 x 8 sums is added products of 16 rows of a and 8 columns of b, both of `depth` elements. A register holds
// `parts` elements that are neighbours along the depth. Elements of one bit are words of 32 of them: their product is how many
// are 1 in both.
// Four warps that follow each other, a group, make products of 64 rows and up to 256 columns at once, and read both operands
// from shared memory by themselves: lines of 128 bytes, in which the places of 16 bytes are exchanged (swizzled_place), so that
// neither rows nor columns of them meet in one bank. A warp has 16 of the rows, as of tiles beside each other.
// Source: PTX ISA 8.7, "Matrix Fragments for mma.m16n8k16" and its like; "Asynchronous Warpgroup Level Matrix Instructions".
#pragma once

#include <kiln/element_type.hpp>

#include <cstdint>

namespace kiln::plan::nest {

enum class tile_shape : std::uint8_t { f16, bf16, s8, b1 };

struct tile {
    const char* name;
    element_type of;
    element_type sums;
    int parts;  // elements of a register
    int depth;
    static constexpr int rows = 16;
    static constexpr int columns = 8;
    static constexpr int registers_of_a = 4;
    static constexpr int registers_of_b = 2;
    static constexpr int sums_of_thread = 4;
};

constexpr tile tiles[] = {{"f16", element_type::float16, element_type::float32, 2, 16},
                          {"bf16", element_type::bfloat16, element_type::float32, 2, 16},
                          {"s8", element_type::int8, element_type::int32, 4, 32},
                          {"b1", element_type::uint32, element_type::int32, 1, 8}};
// --- What groups read ---

inline constexpr int warps_of_group = 4;
inline constexpr int rows_of_group = 64;
/// Of 16-bit elements: a line, and the elements of each row and column that are multiplied at once.
inline constexpr int line_of_group = 64;
/// A memory that they read begins at a multiple of so many bytes: eight lines.
inline constexpr int bytes_of_eight_lines = 1024;
/// Element `at` of line `line` (numbers, or a builder's values with `exclusive_or`).
template <class Number, class Or>
Number swizzled_place(Number line, Number at, Or exclusive_or) {
    return line * line_of_group + exclusive_or(at / 8, line % 8) * 8 + at % 8;
}

constexpr const tile& info(tile_shape of) { return tiles[static_cast<int>(of)]; }

// Of the thread with this lane of the warp (numbers, or a builder's values): where the first element of a register is.
template <class Lane>
Lane tile_row_of_a(Lane lane, int number) {
    return lane / 4 + 8 * (number % 2);
}
template <class Lane>
Lane tile_depth_of_a(const tile& of, Lane lane, int number) {
    return lane % 4 * of.parts + 4 * of.parts * (number / 2);
}
template <class Lane>
Lane tile_column_of_b(Lane lane) {
    return lane / 4;
}
template <class Lane>
Lane tile_depth_of_b(const tile& of, Lane lane, int number) {
    return lane % 4 * of.parts + 4 * of.parts * number;
}
template <class Lane>
Lane tile_row_of_sum(Lane lane, int number) {
    return lane / 4 + 8 * (number / 2);
}
template <class Lane>
Lane tile_column_of_sum(Lane lane, int number) {
    return lane % 4 * 2 + number % 2;
}

}  // namespace kiln::plan::nest
