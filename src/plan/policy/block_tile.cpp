#include <plan/policy/block_tile.hpp>

namespace kiln::plan {

using nest::value;
namespace types = nest::types;

std::vector<value> block_tile::positions(const kernel& of, value outer, value inner) const {
    std::vector<value> out = beside;
    out[static_cast<std::size_t>(of.tile_axis)] = outer;
    out[static_cast<std::size_t>(of.rank - 1)] = inner;
    return out;
}

block_tile tile_of_block(nest::builder& to, nest::operands& operands, const kernel& of, value block) {
    const int grid = of.grid_word;
    block_tile out;
    const value along_outer = to.let("along_outer", types::number, to.quotient(block, grid, grid + 1));
    out.inner_first = to.let("inner_first", types::index, (block - along_outer * to.word(grid)) * of.tile_side);
    const value others = to.let("others", types::number, to.quotient(along_outer, grid + 2, grid + 3));
    out.outer_first = to.let("outer_first", types::index, (along_outer - others * to.word(grid + 2)) * of.tile_side);
    std::vector<int> axes;
    for (int axis = 0; axis + 1 < of.rank; ++axis)
        if (axis != of.tile_axis) axes.push_back(axis);
    out.beside.resize(static_cast<std::size_t>(of.rank));
    operands.positions(others, axes, out.beside);
    return out;
}

value number_at(nest::operands& operands, const kernel& of, const std::vector<value>& positions) {
    value out = positions[0];
    for (int axis = 1; axis < of.rank; ++axis)
        out = out * operands.extent(axis) + positions[static_cast<std::size_t>(axis)];
    return out;
}

}  // namespace kiln::plan
