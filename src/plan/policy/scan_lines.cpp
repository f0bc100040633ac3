// Lines beside each other, of which there are enough to keep a GPU's memory busy: a thread walks down a whole one, part by part, and asks
// for its next elements before it adds up those at hand. Nothing is published, and no block waits for another. The warps of a block go
// down together: where rows begin anywhere, neighbouring warps write parts of one sector, which the second cache puts together while it
// has it. Of (1013, 65537) floats an H100 takes 192 us so, 267 where each warp goes by itself.
#include <plan/policy/scan_nest.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;

class line_scan : scan_nest_builder {
public:
    explicit line_scan(const scan_step& of) : scan_nest_builder(of, line_threads(of)), ahead_(elements_ahead()) {}

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
        if (finisher_->is_there()) {
            const value i = to_.let("i", line % inner_);
            finisher_->begin_line(to_.let("o", line / inner_), i);
        }
        const nest::id next = to_.own("next", nest::types::accumulators(), ahead_);
        const scan_finisher::elements next_beside = finisher_->room(ahead_);
        load(next, next_beside, to_.constant(0), count);
        to_.loop(
            runner::serial, "x", 0, count, ahead_,
            [&](value x) {
                const nest::id now = to_.own("now", nest::types::accumulators(), ahead_);
                to_.unrolled("u", ahead_, [&](value u) { to_.assign(to_.at(now, u), to_.at(next, u)); });
                const scan_finisher::elements beside = finisher_->room(ahead_);
                finisher_->take(beside, next_beside, ahead_);
                load(next, next_beside, x + ahead_, count);
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
                        to_.when(is_there,
                                 [&] { store_element(place(of_.writes, written_, x + u), s(sum), beside, u); });
                    });
                });
            },
            /*written_out=*/1);
        return to_.finish();
    }

private:
    /// Fewer, where what is read beside takes registers, too.
    [[nodiscard]] int elements_ahead() const {
        constexpr int bytes_of_thread = 64;
        const int alone = line_elements_ahead(of_.operand_type());
        return std::min(alone, bytes_of_thread / std::max(1, finisher_->bytes_along()));
    }
    [[nodiscard]] value first_of(const scan_access& how, value line) {
        if (!how.backward) return to_.let("first", line / inner_ * count_ * inner_ + line % inner_);
        return to_.let("last", (line / inner_ * count_ + count_ - 1) * inner_ + line % inner_);
    }
    [[nodiscard]] value place(const scan_access& how, value first, value row) {
        return further(how, first, to_.convert(row, nest::types::word));
    }

    void load(nest::id to, const scan_finisher::elements& beside, value row, value count) {
        to_.unrolled("u", ahead_, [&](value u) {
            to_.when(row + u < count, [&] {
                to_.assign(s(to_.at(to, u)), as_read(to_.at(operand_, place(of_.reads, read_, row + u))));
                finisher_->load(beside, u, in_line(to_.convert(row + u, nest::types::word)));
            });
        });
    }

    const int ahead_;
    value read_, written_;  // where the line begins
};

}  // namespace

nest::tree line_scan_nest(const scan_step& of) { return line_scan(of).run(); }

}  // namespace kiln::plan
