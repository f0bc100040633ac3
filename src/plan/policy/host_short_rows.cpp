// Rows too short for a loop each: colours of an image, points of three coordinates. Chunks of many rows: operands that are not
// contiguous are first brought into the chunk's order, into buffers in the first cache; then one loop goes over all its elements as
// if every operand were contiguous. Where rows are as the elements are, but further along, they are read in place; and where an
// operand is an element for each row, of an extent that the kernel knows, it goes to registers, a block of rows at a time.
#include <plan/policy/host_elementwise.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::block_rows;
using nest::builder;
using nest::movement;
using nest::runner;
using nest::value;
namespace types = nest::types;

// Elements of a chunk, at most. Each chunk but the last is a multiple of a row and of 16 elements: it begins as many
// elements past a row's first as the range does, and where lines of its outputs begin if the range does.
constexpr int chunk_elements = 2048;
static_assert(chunk_elements >= 16 * longest_short_row);
// A chunk, the rest of its first and last row, and what a vector has too much.
constexpr int buffer_elements = chunk_elements + 2 * longest_short_row + 16;
constexpr int widest_lanes = 32;  // bytes
constexpr unsigned all_axes = ~0u;

/// An operand that is brought into the chunk's order.
struct staged_operand {
    std::size_t input;
    const operand* of;
    std::string name;
    bool once;                   // the same in every chunk: it moves along the row alone
    bool passes;                 // may be read where it is, if rows lie there one after the other
    bool spread;                 // in blocks of rows, without a buffer of the chunk's
    nest::id many = nest::none;  // the buffer
    nest::id in = nest::none;    // where it is read, of what passes
    nest::id rows = nest::none;  // of what is spread: the element of the next row
};

class short_rows_policy {
public:
    short_rows_policy(const lower::program& program, const kernel& of, bool calls_library)
        : of_(of),
          to_({}, 1, /*wide=*/true),
          operands_(to_, program, of),
          in_strips_(strips_of_kernel(to_, program, of, all_axes)),
          elements_(elements_in_memory(operands_, of, calls_library, in_strips_)),
          range_(to_.call_range()) {
        for (std::size_t i = 0; i < of.inputs.size(); ++i)
            if (of.staged(of.inputs[i])) add(i);
        if (elements_.line)
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean));
    }

    nest::tree run() {
        extent_ = blocks() ? to_.constant(of_.row_extent, types::index) : operands_.extent(inner());
        extent_ = to_.let("extent", types::index, extent_);
        skipped_ = to_.let("skipped", types::index, range_.begin % extent_);  // of a chunk's first row
        chunk_ = to_.let("chunk", types::index, to_.constant(chunk_elements) / (extent_ * 16) * (extent_ * 16));
        for (staged_operand& each : staged_)
            each.many = to_.own("many_" + each.name, types::element(each.of->type), buffer_elements, line_bytes);
        before_chunks();
        to_.loop(
            runner::serial, "first", range_.begin, range_.end, chunk_, [&](value first) { take_chunk(first); },
            /*written_out=*/0, types::index);
        return to_.finish();
    }

private:
    void add(std::size_t input) {
        const operand& of = of_.inputs[input];
        const bool once = moves_along_row_alone(of);
        bool passes = false;
        if (!once && !by_element(of) && nest::is_constant(operands_.stride(of, inner()), 1) &&
            motion_of(of, beside()).regular) {
            const value by = apart(of);
            passes = !nest::is_constant(by, 0) && !nest::is_constant(by, 1);
        }
        staged_.push_back(
            {input, &of, operands_.input_name(input), once, passes, of_.row_extent > 0 && of_.spread(of)});
    }

    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int beside() const { return inner() - 1; }
    [[nodiscard]] bool blocks() const { return of_.row_extent > 0; }
    value name(const char* as, value of) { return to_.let(as, types::index, of); }

    /// By how much the address goes up from row to row.
    value apart(const operand& of) { return slope(to_, operands_, motion_of(of, beside()), of, beside()); }

    /// Not a multiple of the position along a row, or no memory.
    [[nodiscard]] bool by_element(const operand& of) const { return of.is_position || !motion_of(of, inner()).still; }

    [[nodiscard]] bool moves_along_row_alone(const operand& of) const {
        for (int axis = 0; axis < inner(); ++axis)
            if (of.address.axes >> axis & 1 || !motion_of(of, axis).still) return false;
        return true;
    }

    /// The kernel's elements, what is staged as `element` says.
    template <class Element>
    [[nodiscard]] row_elements with_staged(Element element) const {
        row_elements out = elements_;
        for (const staged_operand& each : staged_) {
            out.inputs[each.input].is_elsewhere = true;
            out.inputs[each.input].element = [&each, element](value i) { return element(each, i); };
        }
        return out;
    }

    /// Steps and address at these positions.
    value address(const staged_operand& each, const std::vector<value>& positions) {
        return operands_.address(*each.of, each.name, positions);
    }

    value rows_of(value elements) { return name("rows", (skipped_ + elements + extent_ - 1) / extent_); }

    /// What is the same in every chunk: its first row, and that one over and over.
    void before_chunks() {
        if (std::none_of(staged_.begin(), staged_.end(), [](const staged_operand& each) { return each.once; })) return;
        const value rows = rows_of(to_.least(chunk_, range_.end - range_.begin));
        for (const staged_operand& each : staged_) {
            if (!each.once) continue;
            to_.loop(
                runner::serial, "i", 0, extent_, 1,
                [&](value i) {
                    std::vector<value> positions(static_cast<std::size_t>(of_.rank), to_.constant(0));
                    positions[static_cast<std::size_t>(inner())] = i;
                    to_.assign(to_.at(each.many, i), operands_.element(each.input, address(each, positions)));
                },
                /*written_out=*/0, types::index);
            to_.move(movement::repeat_rows, {to_.place(each.many, 0), extent_, rows * extent_});
        }
    }

    void take_chunk(value first) {
        const value count = name("count", to_.least(chunk_, range_.end - first));
        for (staged_operand& each : staged_) {
            const nest::type type = types::element(each.of->type);
            if (each.passes) each.in = to_.pointer("in_" + each.name, type, to_.place(each.many, 0));
            else if (each.spread) each.rows = to_.pointer("rows_" + each.name, type, to_.place(each.many, 0));
        }
        if (blocks()) by_blocks_ = to_.variable("by_blocks", types::boolean, to_.constant(0, types::boolean));
        stage_chunk(first, count);
        value done = to_.constant(0);
        if (blocks()) done = take_blocks(first, count);
        const row_elements elements = with_staged(
            [this](const staged_operand& of, value i) { return to_.at(of.passes ? of.in : of.many, skipped_ + i); });
        add_row(to_, operands_, inner(), elements, {done, count, first, positions_}, nontemporal_);
    }

    /// Whole rows, as many as the chunk has a part of: in runs along the axis beside the innermost.
    void stage_chunk(value first, value count) {
        positions_.assign(static_cast<std::size_t>(of_.rank), to_.constant(0));
        if (std::all_of(staged_.begin(), staged_.end(), [](const staged_operand& each) { return each.once; })) return;
        rows_ = rows_of(count);
        operands_.first_positions(name("first_row", first / extent_), 0, beside(), positions_);
        const value position = positions_[static_cast<std::size_t>(beside())];
        to_.loop_while_below("row", 0, rows_, [&](value row) {
            run_ = to_.variable("run", types::index, to_.least(rows_ - row, operands_.extent(beside()) - position));
            for (const staged_operand& each : staged_)
                if (!each.once) shorten_run(*each.of);
            if (blocks()) {
                const value whole = run_ == rows_ && skipped_ == 0;
                to_.assign(by_blocks_, nontemporal_.is_there() ? whole && !nontemporal_ : whole);
            }
            for (const staged_operand& each : staged_)
                if (!each.once) stage(each, row);
            to_.assign(position, position + run_);
            for (int axis = beside(); axis > 0; --axis) carry(axis);
            to_.assign(row, row + run_);
        });
    }

    void carry(int axis) {
        const value here = positions_[static_cast<std::size_t>(axis)];
        const value around = positions_[static_cast<std::size_t>(axis - 1)];
        to_.when(here == operands_.extent(axis), [&] {
            to_.assign(here, 0);
            to_.assign(around, around + 1);
        });
    }

    /// A block of rows at a time, from a row's first element on: operands that are an element for each row go from their
    /// memory to registers and by shuffles to as many as there are elements, through no buffer. What is left is less than
    /// a block. How many elements are done.
    value take_blocks(value first, value count) {
        const int elements = block_rows * of_.row_extent;
        const value done = to_.variable("done", types::index, 0);
        to_.when(by_blocks_, [&] {
            const value whole = name("whole_blocks", count / elements * elements);
            to_.loop_while_below("block", 0, whole, [&](value block) {
                std::vector<nest::id> spread(staged_.size(), nest::none);
                for (std::size_t i = 0; i < staged_.size(); ++i) {
                    const staged_operand& each = staged_[i];
                    if (!each.spread) continue;
                    spread[i] = to_.own("block_" + each.name, types::element(each.of->type), elements, widest_lanes);
                    to_.move(movement::spread_block, {to_.place(spread[i], 0), to_.place(each.rows, 0)},
                             of_.row_extent);
                    to_.point(each.rows, to_.place(each.rows, block_rows));
                }
                const row_elements of = with_staged([&](const staged_operand& each, value i) {
                    if (each.spread) return to_.at(spread[static_cast<std::size_t>(&each - staged_.data())], i);
                    if (each.once) return to_.at(each.many, i);
                    return to_.at(each.passes ? each.in : each.many, block + i);
                });
                add_row(to_, operands_, inner(), of,
                        {to_.constant(0), to_.constant(elements), name("linear", first + block), positions_,
                         /*in_caches=*/true},
                        nontemporal_);
                to_.assign(block, block + elements);
            });
            to_.assign(done, whole);
            for (const staged_operand& each : staged_)
                if (each.spread)
                    to_.move(movement::spread_rows, {to_.place(each.many, done), to_.place(each.rows, 0),
                                                     rows_ - done / extent_, extent_, to_.constant(1, types::index)});
        });
        return done;
    }

    /// How far rows are evenly apart: not past a place where a step goes on differently.
    void shorten_run(const operand& of) {
        if (by_element(of)) return;
        const along_row along = motion_of(of, beside());
        if (along.still) return;
        if (!along.regular) return to_.assign(run_, 1);
        for (std::size_t i = 0; i < of.steps.size(); ++i) {
            if (!along.input_moves[i]) continue;
            // Of inputs that are step values, those at the run's first row.
            if (!of.steps[i].input.steps.empty()) return to_.assign(run_, 1);
            std::vector<value> positions = positions_;
            positions[static_cast<std::size_t>(inner())] = to_.constant(0);
            to_.assign(run_,
                       to_.least(run_, run_of(to_, of.steps[i], operands_.linear(of.steps[i].input, positions, {}))));
        }
        to_.when(run_ < 1, [&] { to_.assign(run_, 1); });
    }

    /// Rows [row, row + run) of the chunk, from the row at the positions on.
    void stage(const staged_operand& each, value row) {
        const operand& of = *each.of;
        if (by_element(of)) return stage_by_element(each, row);
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(inner())] = to_.constant(0);
        const value from = to_.place(operands_.memory_of_input(each.input), address(each, positions));
        const value to = to_.place(each.many, row * extent_);
        if (each.spread) {
            to_.when(
                by_blocks_, [&] { to_.point(each.rows, from); },
                [&] {
                    to_.move(movement::spread_rows, {to, from, run_, extent_, to_.constant(1, types::index)});
                });
            return;
        }
        const value by = motion_of(of, beside()).regular ? apart(of) : to_.constant(0);
        const value stride = operands_.stride(of, inner());
        const auto move = [&] {
            if (nest::is_constant(stride, 0)) to_.move(movement::spread_rows, {to, from, run_, extent_, by});
            else if (nest::is_constant(stride, 1)) to_.move(movement::copy_rows, {to, from, run_, extent_, by});
            else to_.move(movement::gather_rows, {to, from, run_, extent_, by, stride});
        };
        // Rows that lie one after the other as the elements do are read where they are.
        if (each.passes)
            to_.when(
                run_ == rows_ && by == extent_, [&] { to_.point(each.in, from); }, move);
        else move();
    }

    void stage_by_element(const staged_operand& each, value row) {
        to_.loop(
            runner::serial, "i", 0, extent_, 1,
            [&](value i) {
                to_.loop(
                    runner::serial, "j", 0, run_, 1,
                    [&](value j) {
                        std::vector<value> positions = positions_;
                        positions[static_cast<std::size_t>(inner())] = i;
                        value& next = positions[static_cast<std::size_t>(beside())];
                        next = next + j;
                        to_.assign(to_.at(each.many, (row + j) * extent_ + i),
                                   operands_.element(each.input, address(each, positions)));
                    },
                    /*written_out=*/0, types::index);
            },
            /*written_out=*/0, types::index);
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const strip_bodies in_strips_;
    const row_elements elements_;
    const builder::range range_;
    value nontemporal_;
    std::vector<staged_operand> staged_;
    value extent_, skipped_, chunk_;
    value rows_, run_, by_blocks_;  // of the chunk at hand
    std::vector<value> positions_;  // of the next row to be staged
};

}  // namespace

nest::tree host_short_rows_nest(const lower::program& program, const kernel& of, bool calls_library) {
    return short_rows_policy(program, of, calls_library).run();
}

}  // namespace kiln::plan
