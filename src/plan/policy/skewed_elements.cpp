// Narrow elements whose vectors begin anywhere: rows of odd length, views a few elements into a memory. A thread makes a vector of the
// output that is aligned, and takes what it reads from across the two aligned vectors that it lies in, of each operand. Element by element a
// warp asks for 32 bytes at a time: the largest of seven rows of 49M bytes took an H100 214 us, and takes 87 so.
// Nothing is read outside of a row. What lies near its ends is made one by one: of several rows by threads of their own, whole warps, so
// that nobody waits for them.
#include <plan/policy/elementwise.hpp>

#include <plan/nest/operands.hpp>
#include <plan/skewed_elements.hpp>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

class skewed_elements_policy {
public:
    skewed_elements_policy(const lower::program& program, const kernel& of)
        : of_(of), to_({}, of.threads_per_block, of.wide_index), operands_(to_, program, of) {}

    nest::tree run() {
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
        operands_.begin_block(thread);
        const value number = to_.let("number", types::number, block * of_.threads_per_block + thread);
        if (of_.has_layout()) row_of_several(number);
        else only_row(number);
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int width() const { return of_.elements_per_thread; }
    [[nodiscard]] nest::type vector_of(element_type type) const { return types::vector(type, width()); }

    /// Elements from the row's first to the first aligned vector of the output.
    value before_vectors(value first_of_row) {
        const int bytes = bytes_of(of_.outputs.front().type) * width();
        const value skew =
            to_.let("skew_y", types::index, to_.skew(operands_.memory_of_output(0), first_of_row, bytes));
        return to_.let("before", types::index, (to_.constant(width()) - skew) & (width() - 1));
    }

    /// The thread that has the first elements, and those that have the last, take them one by one.
    void only_row(value number) {
        const value count = operands_.count();
        begins_.assign(of_.inputs.size(), to_.constant(0));
        out_begin_ = to_.constant(0);
        const value first = to_.let("first", types::number, number * width() + before_vectors(to_.constant(0)));
        to_.when(
            number > 0 && first + 2 * width() <= count, [&] { vector(first); },
            [&] {
                const value from = to_.let("from", types::number, to_.select(number == 0, 0, first));
                to_.loop(
                    runner::serial, "i", from, to_.least(count, first + width()), 1, [&](value i) { one(i); }, 1,
                    types::number);
            });
    }

    void row_of_several(value number) {
        const int grid = of_.grid_word;
        const value row = to_.let("row", types::number, to_.quotient(number, grid, grid + 1));
        const value in_row = to_.let("in_row", types::index, number - row * to_.word(grid));
        to_.when(row >= to_.let("rows", types::number, to_.word(grid + 2, types::word)), [&] { to_.end(); });
        const value extent = to_.let("extent", types::index, operands_.extent(inner()));
        out_begin_ = to_.let("begin_y", types::number, row * extent);
        std::vector<value> positions = operands_.positions(row, inner() - 1);
        positions[static_cast<std::size_t>(inner())] = to_.constant(0, types::index);
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            begins_.push_back(of_.inputs[i].how == access::contiguous
                                  ? out_begin_
                                  : operands_.address(of_.inputs[i], operands_.input_name(i), positions));
        // A vector that begins so many elements in has all that is read for it in its row, if as many follow it.
        const value head = to_.let("head", types::index, before_vectors(out_begin_) + width());
        const value vectors = to_.let("vectors", types::index, (extent - width() - head) / width());
        const int ends = threads_at_ends(width());
        to_.when(
            in_row >= ends,
            [&] {
                const value which = to_.let("which", types::index, in_row - ends);
                to_.when(which < vectors, [&] { vector(to_.let("first", types::index, head + which * width())); });
            },
            [&] {
                const value is_head = to_.let("is_head", in_row < ends / 2);
                const value beyond = to_.let("beyond", types::index, head + vectors * width() - ends / 2);
                const value i = to_.let("i", types::index, to_.select(is_head, in_row, in_row + beyond));
                to_.when(i < to_.select(is_head, head, extent), [&] { one(i); });
            });
    }

    /// Element i of the row.
    void one(value i) {
        operands_.compute([&](std::size_t input) { return operands_.element(input, place(input, i)); },
                          [&](std::size_t output) { return operands_.output(output, out_begin_ + i); }, {});
    }

    /// Those from `first` on.
    void vector(value first) {
        std::vector<value> across(of_.inputs.size());
        std::vector<value> low(of_.inputs.size());
        std::vector<value> high(of_.inputs.size());
        std::vector<value> skew(of_.inputs.size());
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            const std::string& name = operands_.input_name(i);
            if (each.is_position) continue;
            if (each.how == access::uniform) {
                across[i] = to_.let("v_" + name, operands_.element(i, begins_[i]));
                continue;
            }
            const nest::id memory = operands_.memory_of_input(i);
            const value from = to_.let("from_" + name, types::index, begins_[i] + first);
            skew[i] = to_.let("skew_" + name, to_.skew(memory, from, bytes_of(each.type) * width()));
            low[i] = to_.let("low_" + name, to_.at(memory, from - skew[i], vector_of(each.type)));
            high[i] = to_.let("high_" + name, to_.at(memory, from - skew[i] + width(), vector_of(each.type)));
        }
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            if (low[i].is_there())
                across[i] = to_.let("v_" + operands_.input_name(i), to_.across(low[i], high[i], skew[i]));
        const value made = to_.variable("v_y", vector_of(of_.outputs.front().type));
        to_.unrolled("k", width(), [&](value k) {
            operands_.compute(
                [&](std::size_t i) {
                    if (of_.inputs[i].is_position) return operands_.element(i, place(i, first + k));
                    return of_.inputs[i].how == access::uniform ? across[i] : to_.lane(across[i], k);
                },
                [&](std::size_t) { return to_.lane(made, k); }, {});
        });
        to_.assign(to_.at(operands_.memory_of_output(0), out_begin_ + first, made.is()), made);
    }

    value place(std::size_t input, value i) {
        return of_.inputs[input].how == access::uniform ? begins_[input] : begins_[input] + i;
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    std::vector<value> begins_;  // of inputs: where the row begins
    value out_begin_;            // of the output
};

}  // namespace

nest::tree skewed_elements_nest(const lower::program& program, const kernel& of) {
    return skewed_elements_policy(program, of).run();
}

}  // namespace kiln::plan
