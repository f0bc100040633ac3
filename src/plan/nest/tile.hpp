// kiln/plan/nest/tile: the products of tiles that tensor cores make, and which thread of a warp has which of their elements.
// A tile of 16 x 8 sums is added products of 16 rows of a and 8 columns of b, both of `depth` elements. A register holds
// `parts` elements that are neighbours along the depth. Elements of one bit are words of 32 of them: their product is how many
// are 1 in both.
// Source: PTX ISA 8.7, "Matrix Fragments for mma.m16n8k16" and its like.
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
