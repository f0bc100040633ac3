// Contiguous: one loop that the compiler vectorises. Others: row by row along the innermost axis, positions of the outer axes
// stepped without a division; or, where neighbours of some operands are along another axis, a range of tiles.
#include <plan/policy/host_elementwise.hpp>

#include <plan/byte_tables.hpp>
#include <plan/chain.hpp>
#include <plan/float_vectors.hpp>
#include <plan/policy/policies.hpp>
#include <plan/policy/row_functions.hpp>

#include <algorithm>
#include <utility>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

// Vectors of eight whose chains are woven into one another: a polynomial of degree 16 takes 1.0 ns with two of them, 0.8 with four,
// 0.6 with eight, 1.1 with sixteen, which have no registers (one core of an EPYC, Zen 4; 16 registers, g++ 12).
constexpr int lines_of_chain = 4;
// Of a long body two: 20 steps of Mandelbrot's set take 3.05 ns for 4.4 (AVX-512), 5.5 for 7.1 with 16 registers; four take 2.7, and twice
// as long to compile.
constexpr int lines_of_long_body = 2;
// Each array more has its addresses: sixteen neighbours added up take 0.66 ns in order of elements, 0.87 woven.
constexpr std::size_t most_arrays_woven = 4;

bool is_elementwise(const kernel& of) {
    return !of.persistent_rows && !of.side_by_side && !of.crossed && !of.short_rows;
}

/// How many lines of elements are computed at once.
int lines_woven(const lower::program& program, const kernel& of, bool calls_library) {
    if (!is_elementwise(of) || of.rows_in_lanes || of.parts_in_lanes || of.inputs.size() > most_arrays_woven ||
        drawn_together(program, of) > 1 || computes_float_vectors(program, of))
        return 1;
    if (elements_per_line(of, calls_library) > 0 && has_long_chain(program, of)) return lines_of_chain;
    if (elements_of_lines(of, calls_library) > 0 && outlasts_window(program, of)) return lines_of_long_body;
    return 1;
}

class host_policy {
public:
    host_policy(const lower::program& program, const kernel& of, bool calls_library)
        : of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          of_rows_(to_, operands_, program, of),
          in_strips_(of_rows_.are_there() ? of_rows_.in_strips() : strips_of_kernel(to_, program, of, 1u << inner())),
          elements_(elements_in_memory(operands_, of, calls_library && !(of_rows_.are_there() && of_rows_.are_all()),
                                       in_strips_)),
          range_(to_.call_range()) {
        elements_.drawn_together = drawn_together(program, of);
        // What draws is not bound by stores.
        if (elements_.drawn_together > 1) elements_.line = 0;
        if (const int lines = lines_woven(program, of, calls_library); lines > 1) {
            elements_.woven = true;
            elements_.line = elements_of_lines(of, calls_library) * lines;
        }
        if (elements_.line)
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean));
        if (computes_float_vectors(program, of)) compute_blocks();
    }

    nest::tree run() {
        if (copies_alone()) {
            copy_elements();
            return to_.finish();
        }
        if (of_.has_byte_table) look_up();
        if (of_.mapping == thread_mapping::tiles) tiles();
        else if (inner() == 0) add({range_.begin, range_.end, {}, std::vector<value>(1)});
        else if (of_rows_.are_there()) rows_in_blocks();
        else rows();
        return to_.finish();
    }

private:
    /// Whether arrays are reduced as they are: where the device does not take their elements where they lie, they are copied, without a loop that
    /// a compiler would look for vectors in.
    [[nodiscard]] bool copies_alone() const {
        return of_.reduces() && of_.rank == 1 && of_.first_step == of_.last_step &&
               std::all_of(of_.outputs.begin(), of_.outputs.end(), [this](const operand& each) {
                   const operand* const from = copied_to(each);
                   return from && from->how == access::contiguous && !from->is_position && !from->is_partial &&
                          !from->gathered && from->type == each.type;
               });
    }
    [[nodiscard]] const operand* copied_to(const operand& output) const {
        const auto found = std::find_if(of_.inputs.begin(), of_.inputs.end(),
                                        [&](const operand& each) { return each.value == output.value; });
        return found == of_.inputs.end() ? nullptr : &*found;
    }
    void copy_elements() {
        const value count = to_.let("count", types::index, range_.end - range_.begin);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            const auto input = static_cast<std::size_t>(copied_to(of_.outputs[i]) - of_.inputs.data());
            to_.move(nest::movement::copy_rows, {to_.place(operands_.memory_of_output(i), range_.begin),
                                                 to_.place(operands_.memory_of_input(input), range_.begin),
                                                 to_.constant(1, types::index), count, count});
        }
    }

    [[nodiscard]] int inner() const { return of_.rank - 1; }
    static std::string name_of(int axis) { return "p" + std::to_string(axis); }
    void add(const row_bounds& in) { add_row(to_, operands_, inner(), elements_, in, nontemporal_); }

    void compute_blocks() {
        elements_.block = block_elements(of_);
        elements_.compute_block = [this](const std::vector<value>& inputs, const std::vector<value>& outputs,
                                         value count, value past_caches) {
            std::vector<value> arguments = inputs;
            for (std::size_t i = 0; i < of_.scalars.size(); ++i) arguments.push_back(operands_.scalar(i));
            arguments.insert(arguments.end(), outputs.begin(), outputs.end());
            arguments.insert(arguments.end(), {count, past_caches});
            to_.compute_block(arguments);
        };
    }

    /// What the body makes of each byte, once for all elements of the range; they then are looked up.
    void look_up() {
        const operand& input = of_.inputs.front();
        const nest::id bytes = to_.own("bytes", types::element(input.type), values_of_a_byte, line_bytes);
        to_.loop(
            runner::serial, "i", 0, values_of_a_byte, 1,
            [&](value i) { to_.assign(to_.at(bytes, i), to_.convert(i, types::element(input.type))); },
            /*written_out=*/0, types::index);
        std::vector<nest::id> tables;
        row_elements all = elements_;
        all.line = 0;
        all.inputs.front() = {&anywhere_, "bytes",    [this, bytes](value i) { return to_.at(bytes, i); },
                              true,       nest::none, input.value};
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            tables.push_back(to_.own("made_" + operands_.output_name(i), types::element(of_.outputs[i].type),
                                     values_of_a_byte, line_bytes));
            all.outputs[i] = {&anywhere_, operands_.output_name(i),
                              [this, table = tables.back()](value at) { return to_.at(table, at); }, true, nest::none};
        }
        add_row(to_, operands_, inner(), all,
                {to_.constant(0, types::index),
                 to_.constant(values_of_a_byte, types::index),
                 {},
                 std::vector<value>(static_cast<std::size_t>(of_.rank))},
                {});
        elements_.in_strips = nullptr;
        elements_.compute = [this, tables](const std::vector<value>& inputs, const std::vector<value>& outputs,
                                           const std::vector<value>&) {
            const value entry =
                to_.let("entry", types::index, to_.convert(inputs.front(), types::index) & (values_of_a_byte - 1));
            for (std::size_t i = 0; i < tables.size(); ++i) to_.assign(outputs[i], to_.at(tables[i], entry));
        };
    }

    void rows() {
        std::vector<value> positions(static_cast<std::size_t>(of_.rank));
        operands_.first_positions(range_.begin, 0, inner(), positions);
        const auto along = positions[static_cast<std::size_t>(inner())];
        to_.loop_while_below("first", range_.begin, range_.end, [&](value first) {
            // `first` is where the row's position 0 would be in the contiguous operands.
            const value begin = to_.let("row_begin", types::index, along);
            const value left = to_.let("left", types::index, range_.end - first);
            const value length = operands_.extent(inner()) - begin;
            const value end = to_.let("row_end", types::index, begin + to_.least(length, left));
            const value row = to_.let("row", types::index, first - begin);
            add({begin, end, row, positions});
            to_.assign(first, first + (end - begin));
            to_.assign(along, 0);
            operands_.next_positions(positions, 0, inner() - 1);
        });
    }

    /// Rows, as many as there are: what is made once for all of them is made for a block of their columns. Of two, which may have no column in
    /// common, it is made for each.
    void rows_in_blocks() {
        const auto name = [this](const char* as, value of) { return to_.let(as, types::index, of); };
        const value columns = name("columns", operands_.extent(inner()));
        const value first = name("first_row", range_.begin / columns);
        const value last = name("last_row", (range_.end - 1) / columns);
        const value first_column = name("first_column", range_.begin - first * columns);
        const value end_column = name("end_column", range_.end - last * columns);
        const value is_many = to_.let("is_many", types::boolean, last - first >= 2);
        const auto begin_of = [&](value row, value least) { return to_.select(row == first, first_column, least); };
        const auto end_of = [&](value row, value most) { return to_.select(row == last, end_column, most); };
        to_.loop_while_below("row", first, last + 1, [&](value row) {
            const value rows_end = name("rows_end", to_.select(is_many, last + 1, row + 1));
            const value zero = to_.constant(0, types::index);
            const value from = name("from", to_.select(is_many, zero, begin_of(row, zero)));
            const value to = name("to", to_.select(is_many, columns, end_of(row, columns)));
            to_.loop(
                runner::serial, "block", from, to, row_functions::columns,
                [&](value block) {
                    const value block_end = name("block_end", to_.least(block + row_functions::columns, to));
                    of_rows_.make(block, block_end);
                    const row_elements elements = of_rows_.elements(elements_, block);
                    std::vector<value> positions(static_cast<std::size_t>(of_.rank));
                    operands_.first_positions(row, 0, inner() - 1, positions);
                    to_.loop(
                        runner::serial, "each", row, rows_end, 1,
                        [&](value each) {
                            const value from_first = name("from_first", begin_of(each, block));
                            const value begin = name("begin", to_.select(from_first > block, from_first, block));
                            const value end = name("end", to_.least(block_end, end_of(each, block_end)));
                            to_.when(begin < end, [&] {
                                add_row(to_, operands_, inner(), elements, {begin, end, each * columns, positions},
                                        nontemporal_);
                            });
                            operands_.next_positions(positions, 0, inner() - 1);
                        },
                        /*written_out=*/0, types::index);
                },
                /*written_out=*/0, types::index);
            to_.assign(row, rows_end);
        });
    }

    /// Squares of the innermost axis and the tile's. Operands whose neighbours are along the tile's axis pass through a
    /// square of their own in the first cache, so that memory is read in whole lines, and rows are plain.
    void tiles() {
        const int across = of_.tile_axis;
        const int side = of_.tile_side;
        to_.loop(
            runner::serial, "tile", range_.begin, range_.end, 1,
            [&](value tile) {
                const value along_count = to_.word(of_.grid_word);
                const value across_count = to_.word(of_.grid_word + 2);
                const auto end_of = [&](const char* name, int axis, value begin) {
                    return to_.let(name, types::index, to_.least(begin + side, operands_.extent(axis)));
                };
                const value row_begin = to_.let("row_begin", types::index, tile % along_count * side);
                const value row_end = end_of("row_end", inner(), row_begin);
                const value rest = to_.variable("rest", types::index, tile / along_count);
                const value tile_begin = to_.let("tile_begin", types::index, rest % across_count * side);
                const value tile_end = end_of("tile_end", across, tile_begin);
                to_.assign(rest, rest / across_count);
                std::vector<value> positions(static_cast<std::size_t>(of_.rank));
                for (int axis = inner() - 1; axis >= 0; --axis) {
                    if (axis == across) continue;
                    positions[static_cast<std::size_t>(axis)] =
                        to_.let(name_of(axis), types::index, rest % operands_.extent(axis));
                    to_.assign(rest, rest / operands_.extent(axis));
                }
                std::vector<nest::id> squares(of_.inputs.size(), nest::none);
                for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
                    const operand& each = of_.inputs[i];
                    if (!of_.tiled(each) || each.is_position) continue;
                    squares[i] =
                        to_.own("tile_" + operands_.input_name(i), types::element(each.type), side * side, line_bytes);
                    std::vector<value> first = positions;
                    first[static_cast<std::size_t>(inner())] = row_begin;
                    first[static_cast<std::size_t>(across)] = tile_begin;
                    to_.move(nest::movement::turn,
                             {to_.place(squares[i], 0),
                              to_.place(operands_.memory_of_input(i), operands_.linear(each.address, first, {})),
                              operands_.stride(each, inner()), row_end - row_begin, tile_end - tile_begin},
                             side);
                }
                to_.loop(
                    runner::serial, name_of(across), tile_begin, tile_end, 1,
                    [&](value p) { row_of_tile(p, row_begin, row_end, tile_begin, positions, squares); },
                    /*written_out=*/0, types::index);
            },
            /*written_out=*/0, types::index);
    }

    void row_of_tile(value p, value begin, value end, value tile_begin, std::vector<value> positions,
                     const std::vector<nest::id>& squares) {
        positions[static_cast<std::size_t>(of_.tile_axis)] = p;
        value number = positions[0];
        for (int axis = 1; axis < of_.rank; ++axis) {
            number = number * operands_.extent(axis);
            if (axis < inner()) number = number + positions[static_cast<std::size_t>(axis)];
        }
        const value row = to_.let("row", types::index, number);
        const value line = to_.let("line", types::index, (p - tile_begin) * of_.tile_side - begin);
        row_elements elements = elements_;
        for (std::size_t i = 0; i < squares.size(); ++i) {
            if (squares[i] == nest::none) continue;
            elements.inputs[i].is_elsewhere = true;
            elements.inputs[i].element = [this, square = squares[i], line](value at) {
                return to_.at(square, line + at);
            };
        }
        add_row(to_, operands_, inner(), elements, {begin, end, row, positions}, nontemporal_);
    }

    const operand anywhere_ = {};  // what is found where the code around a row says
    const kernel& of_;
    builder to_;
    nest::operands operands_;
    row_functions of_rows_;
    const strip_bodies in_strips_;
    row_elements elements_;
    const builder::range range_;
    value nontemporal_;
};

}  // namespace

strip_bodies strips_of_kernel(builder& to, const lower::program& program, const kernel& of, unsigned along) {
    nest::body whole{"body", {}, {}, {}};
    for (const operand& each : of.inputs) whole.inputs.push_back(each.value);
    whole.inputs.insert(whole.inputs.end(), of.scalars.begin(), of.scalars.end());
    for (const operand& each : of.outputs) whole.outputs.push_back(each.value);
    for (int step = of.first_step; step < of.last_step; ++step) whole.steps.push_back(step);
    strips cut = strips_of(program, whole, values_all_along(of, along));
    if (cut.phases.empty()) return {};
    to.body(whole);
    return {to, program, std::move(cut)};
}

row_elements elements_in_memory(nest::operands& operands, const kernel& of, bool calls_library,
                                const strip_bodies& in_strips) {
    row_elements out;
    for (std::size_t i = 0; i < of.inputs.size(); ++i)
        out.inputs.push_back({&of.inputs[i], operands.input_name(i),
                              [&operands, i, is_array = of.inputs[i].gathered](value place) {
                                  return is_array ? operands.array(i) : operands.element(i, place);
                              },
                              false, nest::none, of.inputs[i].value});
    for (std::size_t i = 0; i < of.outputs.size(); ++i)
        out.outputs.push_back({&of.outputs[i], operands.output_name(i),
                               [&operands, i](value place) { return operands.output(i, place); }, false,
                               operands.memory_of_output(i), -1, types::element(of.outputs[i].type)});
    out.compute = [&operands](const std::vector<value>& inputs, const std::vector<value>& outputs,
                              const std::vector<value>& positions) {
        operands.compute([&](std::size_t i) { return inputs[i]; }, [&](std::size_t i) { return outputs[i]; },
                         positions);
    };
    out.gathers = of.gathers();
    if (in_strips.are_there()) {
        out.in_strips = &in_strips;
        out.all_along = [&operands, &of](lower::value_id scalar) {
            const auto found = std::find(of.scalars.begin(), of.scalars.end(), scalar);
            return operands.scalar(static_cast<std::size_t>(found - of.scalars.begin()));
        };
    }
    // What a reduction takes stays in the caches for it.
    out.line = of.reduces() ? 0 : elements_per_line(of, calls_library);
    return out;
}

namespace {

/// Whether functions of floats are called for strips: they read the widest vectors, and what was just stored in halves of those has to reach
/// the cache first. Not where bytes are read or written, whose conversions take longer in the widest. A softmax of rows takes 0.91 of the time, of attention's scores 0.89, a cross-entropy 0.92 (EPYC, Zen 5); GELU 0.85
/// (Xeon, Emerald Rapids; 2026-11).
bool fills_buffers(const lower::program& program, const kernel& of) {
    const auto is_byte = [](const operand& each) { return bytes_of(each.type) == 1; };
    if (std::any_of(of.inputs.begin(), of.inputs.end(), is_byte) ||
        std::any_of(of.outputs.begin(), of.outputs.end(), is_byte))
        return false;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        if (is_strip_function(each) && each.operands != element_type::float64) return true;
    }
    return false;
}

}  // namespace

loop_vectors vectors_of(const lower::program& program, const kernel& of) {
    // Their accumulators are a few vectors beside one another (host_persistent_columns.cpp): of the widest, half as many.
    if (of.has_persistent_columns()) return loop_vectors::widest_scheduled;
    if (of.in_tiles) return loop_vectors::widest;
    if ((is_elementwise(of) || of.persistent_rows) && fills_buffers(program, of)) return loop_vectors::widest;
    // By vectors of 512 bits in place of 256 a core of an EPYC (Zen 4, 2026-11) takes of 20 steps of Mandelbrot's set 0.70 of the time, of
    // Runge and Kutta's step 0.79, of the pull of bodies 0.79, of a blend of bytes 0.91. Of few steps more is read from two cache lines at
    // once than is gained: a product that is summed by rows takes 1.5 times as long. Functions of doubles that are called for strips have
    // vectors of their own.
    constexpr int least_steps = 8;
    if (!is_elementwise(of) || of.last_step - of.first_step < least_steps) return loop_vectors::usual;
    if (loops_of(program, of) == loop_kind::dividing) return loop_vectors::usual;  // of none
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        const bool is_complex =
            kind_of(each.operands) == element_kind::complex || kind_of(each.result) == element_kind::complex;
        if (is_complex || is_strip_function(each)) return loop_vectors::usual;
    }
    return loop_vectors::widest_scheduled;
}

bool weaves_chains(const lower::program& program, const kernel& of, bool calls_library) {
    return lines_woven(program, of, calls_library) > 1;
}

nest::tree host_elementwise_nest(const lower::program& program, const kernel& of, bool calls_library) {
    return host_policy(program, of, calls_library).run();
}

}  // namespace kiln::plan
