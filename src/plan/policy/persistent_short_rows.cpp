// Rows of which a warp has several, and whose elements do not move in vectors: lanes that each took elements of rows of their own would
// reach a line of memory each. The warp moves its rows together, neighbours by neighbouring lanes, through shared memory of its own.
#include <plan/policy/persistent_rows.hpp>

#include <algorithm>

namespace kiln::plan {

namespace types = nest::types;

/// Softmax of (1048573, 13) floats takes an H200 49 us in place of 143, of rows of 31 51 for 142, layer norm of rows of 13 doubles 51 for
/// 159. Sixteen lanes' elements of 16 bits are in few lines already: of rows of 251, 40 us without and 41 with it.
bool persistent_rows_policy::moves_by_warps() const {
    if (of_.threads_per_output >= warp || of_.vectorised || has_slots() || of_.gathers() || moves_by_blocks())
        return false;
    const std::vector<element_type> types = moved_types();
    const bool is_narrow =
        std::all_of(types.begin(), types.end(), [](element_type each) { return bytes_of(each) <= 2; });
    return !types.empty() && (of_.threads_per_output < warp / 2 || !is_narrow) && tile_bytes() <= most_tile_bytes;
}

/// Of inputs that have elements of their own for each row, and of outputs. Not those of few, that other rows have as well: they come from the
/// first cache sooner. The distances between 8192 and 10000 points in space take an H200 248 us so, 674 where they move.
bool persistent_rows_policy::is_moved(const operand& input) const {
    constexpr int few = 4;
    const unsigned kept_axes = ((1U << of_.rank) - 1) & ~unsigned{of_.reduced_axes};
    if (input.how == access::uniform || input.is_position || input.is_partial) return false;
    if (input.how == access::contiguous) return true;
    const unsigned own_axes = input.axes_read() & kept_axes;
    return own_axes == kept_axes || (own_axes != 0 && row_room() > few);
}

std::vector<element_type> persistent_rows_policy::moved_types() const {
    std::vector<element_type> out;
    const auto add = [&out](element_type each) {
        if (std::find(out.begin(), out.end(), each) == out.end()) out.push_back(each);
    };
    for (const operand& each : of_.inputs)
        if (is_moved(each) && !read_in_place(of_, each)) add(each.type);
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (of_.stores_elements(i)) add(of_.outputs[i].type);
    return out;
}

int persistent_rows_policy::tile_bytes() const {
    int out = 0;
    for (const element_type each : moved_types())
        out += bytes_of(each) * tile_elements() * (of_.threads_per_block / warp);
    return out;
}

void persistent_rows_policy::make_tiles() {
    for (const element_type each : moved_types())
        tiles_[each] = to_.shared("rows_" + std::string(info(each).suffix), types::element(each),
                                  tile_elements() * (of_.threads_per_block / warp));
}

/// Each element of the warp's rows, by the lane that moves it.
template <class Each>
void persistent_rows_policy::each_moved(Each each) {
    const value lane = to_.let("lane_of_warp", types::small, threads_.thread % warp);
    const value warp_of_block = to_.let("warp", types::small, threads_.thread / warp);
    const value first_row = to_.let("first_row", types::number,
                                    threads_.group * threads_.outputs_per_block() + warp_of_block * rows_of_warp());
    to_.unrolled("j", row_room() * rows_of_warp() / warp, [&](value j) {
        const value number = to_.let("number", types::small, j * warp + lane);
        const value element = to_.let("element", types::number, number % row_room());
        const value row = to_.let("row", types::small, number / row_room());
        to_.when(element < threads_.reduced, [&] {
            each(to_.let("which", types::number, first_row + row), element,
                 warp_of_block * tile_elements() + row * (row_room() + 1) + element);
        });
    });
}

/// A thread's own element, of those that were moved.
nest::value persistent_rows_policy::in_tile(element_type type, value first) {
    const value row = threads_.thread / of_.threads_per_output;
    return to_.at(tiles_[type], row * (row_room() + 1) + first);
}

void persistent_rows_policy::load_rows(const source& of) {
    const element_type type = of_.inputs[of.input].type;
    to_.wave_barrier();  // all have what was there before
    each_moved([&](value which, value element, value place) {
        value_threads::place row =
            threads_.place_of_value(to_.let("row_read", types::number, to_.least(which, threads_.kept - 1)));
        value_threads::place at = threads_.place_of(row.positions, element);
        to_.assign(to_.at(tiles_[type], place), operands_.element(of.input, threads_.address(of.input, at)));
    });
    to_.wave_barrier();
    each_element(in_registers(),
                 [&](value u, value k, value first) { to_.assign(kept(of.kept, u, k), in_tile(type, first)); });
}

void persistent_rows_policy::store_rows(const work& of, items which) {
    std::vector<nest::id> made(of_.outputs.size(), nest::none);
    for (const std::size_t i : of.stored)
        made[i] = to_.own("made_" + operands_.output_name(i), types::element(of_.outputs[i].type),
                          of_.items_in_registers * width());
    // Without fast paths for whole items: a row has few elements more than the threads' first ones.
    each_element(which, [&](value u, value k, value first) {
        take_element_at(of, which, u, k, first, none_at_hand(), {},
                        [&](std::size_t output, value element, value_threads::place&) {
                            to_.assign(to_.at(made[output], u * width() + k), element);
                        });
    });
    for (const std::size_t i : of.stored) {
        const element_type type = of_.outputs[i].type;
        to_.wave_barrier();
        each_element(which, [&](value u, value k, value first) {
            to_.assign(in_tile(type, first), to_.at(made[i], u * width() + k));
        });
        to_.wave_barrier();
        each_moved([&](value row, value element, value place) {
            to_.when(row < threads_.kept, [&] {
                value_threads::place at = threads_.place_of(threads_.place_of_value(row).positions, element);
                to_.assign(operands_.output(i, threads_.number(at)), to_.at(tiles_[type], place));
            });
        });
    }
}

}  // namespace kiln::plan
