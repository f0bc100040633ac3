// As they lie in registers, pairs of neighbours, rows that begin anywhere leave in parts of sectors, which the second cache takes one by one: of
// 8209 products of 33 x 17 by 17 x 35 float16 an H100 takes 73 us so.
#include <plan/policy/stored_product.hpp>

namespace kiln::plan {

using nest::runner;
using nest::value;
namespace types = nest::types;

void store_product(nest::builder& to, const warp_sums& of, const product_result& out) {
    const value begin = to.let("begin", types::index, out.begin);
    const value skew = to.let("skew", types::small, to.skew(out.memory, begin, stored_vector_bytes));
    const value rows = to.let("rows", types::small, out.rows);
    const value columns = to.let("columns", types::small, out.columns);
    const value row_in_tile = to.let("row_in_tile", types::small, of.warp_row + of.lane / 4);
    const value column_in_tile = to.let("column_in_tile", types::small, of.warp_column + of.lane % 4 * 2);
    to.barrier();
    to.unrolled("i", 2 * of.row_tiles, [&](value i) {
        const value row = to.let("row", types::small, row_in_tile + i * 8);
        to.when(row < rows, [&] {
            const value place = to.let("place", types::small, skew + row * columns);
            to.unrolled("j", of.column_tiles, [&](value j) {
                to.unrolled("k", 2, [&](value k) {
                    const value column = to.let("column", types::small, column_in_tile + j * 8 + k);
                    to.when(column < columns, [&] {
                        to.assign(to.at(out.staged, place + column),
                                  out.finished(to.at(of.sums, of.of_half(i, j) + k)));
                    });
                });
            });
        });
    });
    to.barrier();
    const int width = stored_vector_bytes / bytes_of(out.type);
    const nest::type vector = types::vector(out.type, width);
    const value end = to.let("end", types::small, skew + rows * columns);
    to.loop(runner::serial, "first", out.thread * width, end, out.threads * width, [&](value first) {
        const value there = to.let("there", types::index, begin + (first - skew));
        to.when(
            first >= skew && first + width <= end,
            [&] { to.assign(to.at(out.memory, there, vector), to.at(out.staged, first, vector)); },
            [&] {
                to.unrolled("k", width, [&](value k) {
                    to.when(first + k >= skew && first + k < end,
                            [&] { to.assign(to.at(out.memory, there + k), to.at(out.staged, first + k)); });
                });
            });
    });
}

}  // namespace kiln::plan
