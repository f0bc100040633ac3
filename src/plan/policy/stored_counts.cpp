#include <plan/policy/stored_counts.hpp>

namespace kiln::plan {

using nest::value;
namespace types = nest::types;

/// A bit of the lanes' numbers and one of the numbers of their values change places.
void stored_counts::exchange(std::span<value> values, int lane_bit, std::size_t number_bit) {
    const value other_lane = to_.let("other_lane", types::small, to_.bit_xor(of_.lane, lane_bit));
    const value is_upper = to_.let("is_upper", types::boolean, of_.lane / lane_bit % 2 == 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i & number_bit) continue;
        value& low = values[i];
        value& high = values[i | number_bit];
        const value came = to_.let("came", to_.shuffle(to_.select(is_upper, low, high), other_lane));
        low = to_.let("low", to_.select(is_upper, came, low));
        high = to_.let("high", to_.select(is_upper, high, came));
    }
}

void stored_counts::store_four(value four, value row, value column) {
    to_.when(row < out_.rows && column < out_.columns,
             [&] { to_.assign(to_.at(out_.memory, out_.place(row, column), four.is()), four); });
}

void stored_counts::store_one(value sum, value of_row, value column) {
    const value row = to_.let("row", types::index, of_row);
    const value one = to_.let("one", types::element(out_.type), out_.finished(sum));
    to_.when(row < out_.rows && column < out_.columns,
             [&] { to_.assign(to_.at(out_.memory, out_.place(row, column)), one); });
}

/// Of two tiles beside each other a thread has a pair of each. Of two neighbouring threads the even one takes both pairs of the near
/// tile, which lie side by side, and the odd one those of the far one.
void stored_counts::fours() {
    const value is_odd = to_.let("is_odd", types::boolean, of_.lane % 2 == 1);
    const value neighbour = to_.let("neighbour", types::small, to_.bit_xor(of_.lane, 1));
    const value row_in_tile = to_.let("row_in_tile", types::small, of_.warp_row + of_.lane / 4);
    const value column_in_tile =
        to_.let("column_in_tile", types::small, of_.warp_column + of_.lane % 2 * 8 + of_.lane % 4 / 2 * 4);
    to_.unrolled("i", 2 * of_.row_tiles, [&](value i) {
        const value row = to_.let("row", types::index, of_.first_row + row_in_tile + i * 8);
        to_.unrolled("j", of_.column_tiles / 2, [&](value j) {
            const value column = to_.let("column", types::index, of_.first_column + column_in_tile + j * 16);
            const value near = of_.of_half(i, j * 2);
            const value far = near + nest::tile::sums_of_thread;
            const value four = to_.variable("four", types::vector(out_.type, 4));
            to_.unrolled("k", 2, [&](value k) {
                const value in_near = to_.let("in_near", to_.at(of_.sums, near + k));
                const value in_far = to_.let("in_far", to_.at(of_.sums, far + k));
                // All threads of the warp are here, whatever is stored of it.
                const value came = to_.let("came", to_.shuffle(to_.select(is_odd, in_near, in_far), neighbour));
                to_.assign(to_.lane(four, k), out_.finished(to_.select(is_odd, came, in_near)));
                to_.assign(to_.lane(four, k + 2), out_.finished(to_.select(is_odd, in_far, came)));
            });
            store_four(four, row, column);
        });
    });
}

/// Of each tile a thread has a pair of two rows eight apart, and gets in their place four neighbouring rows of one column.
void stored_counts::turned_fours() {
    const value row_of_lane = to_.let("row_of_lane", types::small, of_.lane / 4);
    const value row_in_tile = to_.let("turned_row", types::small, of_.warp_column + of_.lane % 4 * 2 + row_of_lane % 2);
    const value column_in_tile =
        to_.let("turned_column", types::small, of_.warp_row + row_of_lane / 2 % 2 * 8 + row_of_lane / 4 * 4);
    to_.unrolled("j", of_.column_tiles, [&](value j) {
        const value row = to_.let("row", types::index, of_.first_column + row_in_tile + j * 8);
        to_.unrolled("i", of_.row_tiles, [&](value i) {
            const value column = to_.let("column", types::index, of_.first_row + column_in_tile + i * 16);
            std::array<value, 4> values;
            for (int k = 0; k < 4; ++k) values[static_cast<std::size_t>(k)] = to_.at(of_.sums, of_.of_tile(i, j) + k);
            exchange(values, 4, 1);
            exchange(values, 8, 2);
            const value four = to_.variable("four", types::vector(out_.type, 4));
            for (int k = 0; k < 4; ++k)
                to_.assign(to_.lane(four, to_.constant(k)), out_.finished(values[static_cast<std::size_t>(k)]));
            store_four(four, row, column);
        });
    });
}

/// A thread has a pair of each of four tiles beside each other, and gets one of each of eight rows: of the 32 lanes they are 32
/// neighbours.
void stored_counts::lines() {
    const value column_in_tile = to_.let("column_in_tile", types::small,
                                         of_.warp_column + of_.lane / 8 * 8 + of_.lane % 4 * 2 + of_.lane / 4 % 2);
    to_.unrolled("i", 2 * of_.row_tiles, [&](value i) {
        to_.unrolled("j", of_.column_tiles / 4, [&](value j) {
            const value column = to_.let("column", types::index, of_.first_column + column_in_tile + j * 32);
            eight values;
            for (int k = 0; k < 8; ++k)
                values[static_cast<std::size_t>(k)] =
                    to_.at(of_.sums, of_.of_half(i, j * 4) + (k / 2 * nest::tile::sums_of_thread + k % 2));
            exchange(values, 4, 1);
            exchange(values, 8, 2);
            exchange(values, 16, 4);
            for (int k = 0; k < 8; ++k)
                store_one(values[static_cast<std::size_t>(k)], of_.first_row + of_.warp_row + (i * 8 + k), column);
        });
    });
}

/// Of two tiles below each other a thread has a pair of four rows, and gets one of each of eight columns.
void stored_counts::turned_lines() {
    const value column_in_tile =
        to_.let("turned_column", types::small, of_.warp_row + of_.lane / 2 % 2 * 16 + of_.lane % 2 * 8 + of_.lane / 4);
    to_.unrolled("j", of_.column_tiles, [&](value j) {
        to_.unrolled("i", of_.row_tiles / 2, [&](value i) {
            const value column = to_.let("column", types::index, of_.first_row + column_in_tile + i * 32);
            eight values;
            for (int k = 0; k < 8; ++k)
                values[static_cast<std::size_t>(k)] =
                    to_.at(of_.sums, of_.of_tile(i * 2, j) + (k / 4 * of_.of_row() + k % 4));
            exchange(values, 1, 2);
            exchange(values, 2, 4);
            for (int k = 0; k < 8; ++k)
                store_one(values[static_cast<std::size_t>(k)], of_.first_column + of_.warp_column + (j * 8 + k),
                          column);
        });
    });
}

}  // namespace kiln::plan
