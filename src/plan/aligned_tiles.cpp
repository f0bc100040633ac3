#include <plan/aligned_tiles.hpp>

namespace kiln::plan {

namespace {

bool goes_through_tile(const kernel& of, const operand& input) { return of.tiled(input) && !input.is_position; }

}  // namespace

aligned_tile aligned_tile_of(const kernel& of, const operand& input) {
    const int width = elements_of_word(input.type);
    return {of.tile_side + elements_of_start(of.outputs.front().type) - 1, of.tile_side + 2 * width - 1, width - 1};
}

bool has_aligned_tiles(const kernel& of) {
    if (of.outputs.size() != 1 || of.aliased || of.gathers()) return false;
    const operand& output = of.outputs.front();
    if (output.how != access::contiguous || output.guarded_axes) return false;
    const unsigned all = (1u << of.rank) - 1;
    for (const operand& each : of.inputs) {
        if (each.is_partial) return false;
        if (each.is_position) continue;
        // An element for each of the output's beside the tile is loaded while other blocks load theirs, and more of those at once take
        // longer: x + transpose(x) of 8192 x 8192 floats takes 186 us one by one, 218 so.
        if (!goes_through_tile(of, each) && (each.axes_read() & all) == all) return false;
        // A step says where each of its elements is. Narrowed, words of the output gain less than tiles' longer rows cost: floats of
        // 8192 x 8192 to float16 take 97 us one by one, 105 so.
        if (goes_through_tile(of, each) && (!each.steps.empty() || bytes_of(each.type) > bytes_of(output.type)))
            return false;
    }
    return true;
}

int bytes_of_aligned_tiles(const kernel& of) {
    int out = 0;
    for (const operand& each : of.inputs)
        if (goes_through_tile(of, each)) out += aligned_tile_of(of, each).elements() * bytes_of(each.type);
    return out;
}

}  // namespace kiln::plan
