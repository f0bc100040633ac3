#include <plan/policy/staged_rows.hpp>

namespace kiln::plan {

using nest::movement;
using nest::runner;
using nest::value;
namespace types = nest::types;

staged_rows::staged_rows(nest::builder& to, nest::operands& operands, const kernel& of)
    : to_(to), operands_(operands), of_(of) {
    for (std::size_t i = 0; i < of.inputs.size(); ++i)
        if (of.staged(of.inputs[i])) add(i);
}

void staged_rows::add(std::size_t input) {
    const operand& of = of_.inputs[input];
    const bool once = moves_along_row_alone(of);
    bool passes = false;
    if (!once && !by_element(of) && nest::is_constant(operands_.stride(of, inner()), 1) &&
        motion_of(of, beside()).regular) {
        const value by = apart(of);
        passes = !nest::is_constant(by, 0) && !nest::is_constant(by, 1);
    }
    staged_.push_back({input, &of, operands_.input_name(input), once, passes, of_.row_extent > 0 && of_.spread(of)});
}

/// By how much the address goes up from row to row.
value staged_rows::apart(const operand& of) { return slope(to_, operands_, motion_of(of, beside()), of, beside()); }

/// Not a multiple of the position along a row, or no memory.
bool staged_rows::by_element(const operand& of) const { return of.is_position || !motion_of(of, inner()).still; }

bool staged_rows::moves_along_row_alone(const operand& of) const {
    for (int axis = 0; axis < inner(); ++axis)
        if (of.address.axes >> axis & 1 || !motion_of(of, axis).still) return false;
    return true;
}

/// Steps and address at these positions.
value staged_rows::address(const staged_input& each, const std::vector<value>& positions) {
    return operands_.address(*each.of, each.name, positions);
}

void staged_rows::declare_buffers(value extent, int elements) {
    extent_ = extent;
    for (staged_input& each : staged_)
        each.many = to_.own("many_" + each.name, types::element(each.of->type), elements, line_bytes);
}

/// Its first row, and that one over and over.
void staged_rows::repeat(const std::function<value()>& rows_of_chunk) {
    if (std::none_of(staged_.begin(), staged_.end(), [](const staged_input& each) { return each.once; })) return;
    const value rows = rows_of_chunk();
    for (const staged_input& each : staged_) {
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

void staged_rows::begin_chunk() {
    for (staged_input& each : staged_) {
        const nest::type type = types::element(each.of->type);
        if (each.passes) each.in = to_.pointer("in_" + each.name, type, to_.place(each.many, 0));
        else if (each.spread) each.rows = to_.pointer("rows_" + each.name, type, to_.place(each.many, 0));
    }
    positions_.assign(static_cast<std::size_t>(of_.rank), to_.constant(0));
}

void staged_rows::stage(value rows, value first_row, value by_blocks,
                        const std::function<void(value is_all)>& when_run) {
    rows_ = rows;
    by_blocks_ = by_blocks;
    operands_.first_positions(first_row, 0, beside(), positions_);
    const value position = positions_[static_cast<std::size_t>(beside())];
    to_.loop_while_below("row", 0, rows_, [&](value row) {
        run_ = to_.variable("run", types::index, to_.least(rows_ - row, operands_.extent(beside()) - position));
        for (const staged_input& each : staged_)
            if (!each.once) shorten_run(*each.of);
        if (when_run) when_run(run_ == rows_);
        for (const staged_input& each : staged_)
            if (!each.once) stage(each, row);
        to_.assign(position, position + run_);
        for (int axis = beside(); axis > 0; --axis) carry(axis);
        to_.assign(row, row + run_);
    });
}

void staged_rows::carry(int axis) {
    const value here = positions_[static_cast<std::size_t>(axis)];
    const value around = positions_[static_cast<std::size_t>(axis - 1)];
    to_.when(here == operands_.extent(axis), [&] {
        to_.assign(here, 0);
        to_.assign(around, around + 1);
    });
}

/// How far rows are evenly apart: not past a place where a step goes on differently.
void staged_rows::shorten_run(const operand& of) {
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
        to_.assign(run_, to_.least(run_, run_of(to_, of.steps[i], operands_.linear(of.steps[i].input, positions, {}))));
    }
    to_.when(run_ < 1, [&] { to_.assign(run_, 1); });
}

/// Rows [row, row + run) of the chunk, from the row at the positions on.
void staged_rows::stage(const staged_input& each, value row) {
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

void staged_rows::stage_by_element(const staged_input& each, value row) {
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

}  // namespace kiln::plan
