// Lines beside each other, of which there are enough to keep a GPU's memory busy: a thread walks down a whole one, part by part, and asks
// for its next elements before it adds up those at hand. Nothing is published, and no block waits for another. The warps of a block go
// down together: where rows begin anywhere, neighbouring warps write parts of one sector, which the second cache puts together while it
// has it. Of (1013, 65537) floats an H100 takes 192 us so, 267 where each warp goes by itself.
#include <plan/policy/scan_nest.hpp>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;

class line_scan : scan_nest_builder {
public:
    explicit line_scan(const scan_step& of)
        : scan_nest_builder(of, line_threads(of)), ahead_(line_elements_ahead(of.operand_type())) {}

    nest::tree run() {
        const int threads = line_threads(of_);
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads);
        const value number = to_.let("number", block * threads + thread);
        const value lines = to_.let("lines", outer_ * inner_);
        // Past the last, the last once more: all threads of a block meet.
        const value is_there = to_.let("is_there", number < lines);
        const value line = to_.let("line", to_.select(is_there, number, lines - 1));
        read_ = first_of(of_.reads, line);
        written_ = of_.writes.backward == of_.reads.backward ? read_ : first_of(of_.writes, line);
        const value count = to_.let("rows", small(count_));
        const value part = to_.let("rows_of_part", small(part_));
        const value sum = nothing("sum");
        const value before = nothing("before");  // of all parts before
        const value of_part = nothing("of_part");
        const value left = to_.variable("left", nest::types::small, part);
        const nest::id next = to_.own("next", nest::types::accumulators(), ahead_);
        load(next, to_.constant(0), count);
        to_.loop(
            runner::serial, "x", 0, count, ahead_,
            [&](value x) {
                const nest::id now = to_.own("now", nest::types::accumulators(), ahead_);
                to_.unrolled("u", ahead_, [&](value u) { to_.assign(to_.at(now, u), to_.at(next, u)); });
                load(next, x + ahead_, count);
                to_.barrier();
                to_.unrolled("u", ahead_, [&](value u) {
                    to_.when(x + u < count, [&] {
                        to_.when(left == 0, [&] {
                            add(before, of_part);
                            to_.assign(sum, before);
                            to_.assign(of_part, to_.identity());
                            to_.assign(left, part);
                        });
                        to_.assign(left, left - 1);
                        add(of_part, to_.at(now, u));
                        add(sum, to_.at(now, u));
                        to_.when(is_there, [&] {
                            to_.assign(to_.at(result_, place(of_.writes, written_, x + u)), as_written(s(sum)));
                        });
                    });
                });
            },
            /*written_out=*/1);
        return to_.finish();
    }

private:
    [[nodiscard]] value first_of(const scan_access& how, value line) {
        if (!how.backward) return to_.let("first", line / inner_ * count_ * inner_ + line % inner_);
        return to_.let("last", (line / inner_ * count_ + count_ - 1) * inner_ + line % inner_);
    }
    [[nodiscard]] value place(const scan_access& how, value first, value row) {
        return further(how, first, to_.convert(row, nest::types::word));
    }

    void load(nest::id to, value row, value count) {
        to_.unrolled("u", ahead_, [&](value u) {
            to_.when(row + u < count, [&] {
                to_.assign(s(to_.at(to, u)), as_read(to_.at(operand_, place(of_.reads, read_, row + u))));
            });
        });
    }

    const int ahead_;
    value read_, written_;  // where the line begins
};

}  // namespace

nest::tree line_scan_nest(const scan_step& of) { return line_scan(of).run(); }

}  // namespace kiln::plan
