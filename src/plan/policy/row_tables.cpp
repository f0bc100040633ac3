// A body of one element of a byte and of what is the same for its row, as a picture's colours are normalised: a block has a part of one
// row, makes what each byte becomes there, and looks up its elements, of which a thread has several, a block's threads apart. Rows of one
// element out of three, with a quotient of each by a number of its row's, took an H100 75 us of 38M, and take 50 so.
#include <plan/policy/elementwise.hpp>

#include <plan/byte_tables.hpp>
#include <plan/nest/operands.hpp>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;
namespace types = nest::types;

constexpr int loaded_at_once = 8;  // loads of a thread before it looks up

class row_tables_policy {
public:
    row_tables_policy(const lower::program& program, const kernel& of)
        : of_(of),
          to_({}, of.threads_per_block, of.wide_index),
          operands_(to_, program, of),
          looked_up_(looked_up_in_table(of)) {}

    nest::tree run() {
        const int grid = of_.grid_word;
        const int threads = of_.threads_per_block;
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads);
        const value row = to_.let("row", types::number, to_.quotient(block, grid, grid + 1));
        std::vector<value> positions = operands_.positions(row, inner() - 1);
        positions[static_cast<std::size_t>(inner())] = to_.constant(0, types::index);
        begin_ = to_.let("begin", types::index, begin_of(looked_up_, row, positions));
        stride_ = of_.inputs[looked_up_].how == access::contiguous ? to_.constant(1)
                                                                   : operands_.stride(of_.inputs[looked_up_], inner());
        const value extent = to_.let("extent", types::index, operands_.extent(inner()));
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            out_begins_.push_back(to_.let("begin_" + operands_.output_name(i), types::number, row * extent));
        const value first_of_part =
            to_.let("first", types::index, (block - row * to_.word(grid)) * (threads * of_.elements_per_thread));
        const value end =
            to_.let("end", types::index, to_.least(extent, first_of_part + threads * of_.elements_per_thread));

        const value i = to_.variable("i", types::index, first_of_part + thread);
        const nest::id loaded = to_.own("loaded", types::element(of_.inputs[looked_up_].type), loaded_at_once);
        const auto at = [&](value k) { return i + k * threads; };
        const auto has_round = [&] { return i - thread + loaded_at_once * threads <= end; };
        const auto load = [&] {
            to_.unrolled("k", loaded_at_once, [&](value k) { to_.assign(to_.at(loaded, k), element_at(at(k))); });
        };
        const auto look_up_loaded = [&] {
            to_.unrolled("k", loaded_at_once, [&](value k) { look_up(to_.at(loaded, k), at(k)); });
            to_.assign(i, i + loaded_at_once * threads);
        };
        // The first elements are on their way while the table is made.
        const value is_first = to_.let("has_round", has_round());
        to_.when(is_first, load);
        operands_.begin_block(thread, [&](std::size_t input) {
            const value place = begin_of(input, row, positions);
            return to_.let("of_row_" + operands_.input_name(input), operands_.element(input, place));
        });
        to_.when(is_first, look_up_loaded);
        for (int round = 1; round < of_.elements_per_thread / loaded_at_once; ++round)
            to_.when(has_round(), [&] {
                load();
                look_up_loaded();
            });
        to_.loop(
            runner::serial, "j", i, end, threads, [&](value j) { look_up(element_at(j), j); }, 1, types::index);
        return to_.finish();
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }

    value begin_of(std::size_t input, value row, const std::vector<value>& positions) {
        const operand& of = of_.inputs[input];
        return of.how == access::contiguous ? row * operands_.extent(inner())
                                            : operands_.address(of, operands_.input_name(input), positions);
    }

    value element_at(value i) { return operands_.element(looked_up_, begin_ + i * stride_); }

    void look_up(value byte, value i) {
        operands_.compute([&](std::size_t) { return byte; },
                          [&](std::size_t output) { return operands_.output(output, out_begins_[output] + i); }, {});
    }

    const kernel& of_;
    builder to_;
    nest::operands operands_;
    const std::size_t looked_up_;  // which input
    value begin_, stride_;         // of the row's elements of it
    std::vector<value> out_begins_;
};

}  // namespace

nest::tree row_tables_nest(const lower::program& program, const kernel& of) {
    return row_tables_policy(program, of).run();
}

}  // namespace kiln::plan
