// From registers, four lanes would store 16 bytes side by side of each of eight rows, halves of sectors, and each of a thread's 128 values would
// be finished in text of its own: of 4096 x 1024 by 1024 x 4096 bfloat16 an H200 (CUDA 13.0) takes 58 us so for 76, with a bias added 66 for 89,
// finished in gelu 82 for 124 (90 by tiles of 128 x 128, of which a multiprocessor has two blocks).
#include <plan/policy/stored_rows.hpp>

namespace kiln::plan {

using nest::runner;
using nest::value;
namespace types = nest::types;

void store_rows(nest::builder& to, const warp_sums& of, const rows_result& out) {
    // As what was multiplied: lines of 64 columns, swizzled, so that neither pairs of eight rows nor a row's vectors meet in one bank. Pairs
    // know their line's number among eight: 64 places that are divided anew take 10 instructions each.
    const int columns_apart = out.rows * nest::line_of_group;
    const auto exclusive_or = [&](value a, value b) { return to.bit_xor(a, b); };
    const value among_eight = to.let("among_eight", types::small, of.lane / 4);
    const value place_of_thread =
        to.let("place_of_thread", types::small, (of.warp_row + among_eight) * nest::line_of_group + of.lane % 4 * 2);
    to.wait_copies(0);
    to.barrier();
    to.unrolled("i", 2 * of.row_tiles, [&](value i) {
        to.unrolled("j", of.column_tiles, [&](value j) {
            const value pair = to.variable("rounded", types::vector(out.type, 2));
            to.unrolled("k", 2, [&](value k) {
                to.assign(to.lane(pair, k), out.rounded(to.at(of.sums, of.of_half(i, j) + k)));
            });
            const value place = place_of_thread + i * (8 * nest::line_of_group) + j / 8 * columns_apart +
                                exclusive_or(among_eight, j % 8) * 8;
            to.assign(to.at(out.staged, place, pair.is()), pair);
        });
    });
    to.barrier();
    const int of_row = out.columns / out.width;
    const value first = to.let("first_of_thread", types::small, out.thread % of_row * out.width);
    const value row_of_thread = to.let("row_of_thread", types::small, out.thread / of_row);
    const value column = to.let("column", types::index, of.first_column + first);
    to.when(column < out.column_extent, [&] {
        to.loop(
            runner::serial, "down", 0, out.rows, out.threads / of_row,
            [&](value down) {
                const value in_tile = to.let("in_tile", types::small, row_of_thread + down);
                const value row = to.let("row", types::index, of.first_row + in_tile);
                to.when(row < out.row_extent, [&] {
                    const nest::type vector = types::vector(out.type, out.width);
                    const value place = first / nest::line_of_group * columns_apart +
                                        nest::swizzled_place(in_tile, first % nest::line_of_group, exclusive_or);
                    out.store(row, column, to.let("sums_of_row", to.at(out.staged, place, vector)));
                });
            },
            out.written_out);
    });
}

}  // namespace kiln::plan
