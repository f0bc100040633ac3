// A line's elements are apart, and neighbouring lines' are neighbours. A thread adds up a part of a line in order; either it reads the
// part again once all parts before are known, or the part stays in shared memory until then.
#include <plan/policy/scan_column_parts.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;

/// Elements whose loads go out before the first is needed.
constexpr int in_flight = 8;
/// Of registers, for what is read beside some rows of a panel, while those before them are stored. Of warps that go together there are more.
constexpr int bytes_ahead_of_warp = 128;
constexpr int bytes_ahead_of_warps = 64;

class column_scan : column_parts {
public:
    explicit column_scan(const scan_step& of) : column_parts(of, scan_threads) {}

    /// A thread for each part of each line.
    nest::tree run() {
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", scan_threads);
        const value number = to_.let("number", block * scan_threads + thread);
        to_.when(number >= outer_ * parts_ * inner_, [&] { to_.end(); });
        const value i = to_.let("i", number % inner_);
        const value p = to_.let("p", number / inner_ % parts_);
        const value o = to_.let("o", number / inner_ / parts_);
        const value length = length_of(p);
        const value read = first_of(of_.reads, o, p, i);
        const value written =
            of_.totals_only || of_.writes.backward == of_.reads.backward ? read : first_of(of_.writes, o, p, i);
        const value sum = nothing("sum");
        if (!of_.totals_only)
            to_.when(!to_.is_null(offsets_) && p > 0, [&] {
                // What comes before the part, or what the part before it comes to with all before that.
                to_.assign(s(sum), to_.at(offsets_, of_.narrow_level ? number : number - inner_));
            });
        if (finisher_->is_there()) finisher_->begin_line(o, i);
        const value before_part = finisher_->is_there() ? to_.let("before_part", p * part_) : value();
        walk(
            length, sum, !of_.totals_only,
            [&](value x) { return as_read(to_.at(operand_, further(of_.reads, read, x))); },
            [&](value x) { return further(of_.writes, written, x); }, before_part);
        if (of_.totals_only) to_.assign(to_.at(result_, number), s(sum));
        return to_.finish();
    }

private:
    /// In order: each element to the sum, and the sum, where it is stored, to its place. `before_part`: elements of the line, where what
    /// is stored is made with what is beside.
    template <class From, class To>
    void walk(value length, value sum, bool stores, From from, To to, value before_part) {
        const scan_finisher::elements beside = finisher_->room(in_flight);
        const auto load_next = [&](value x, value u) {
            if (finisher_->reads_along()) finisher_->load(beside, u, in_line(before_part + x));
        };
        const auto add_next = [&](value x, value element, value u) {
            if (stores && of_.is_exclusive()) store_element(to(x), s(sum));
            add(sum, element);
            if (stores && !of_.is_exclusive()) store_element(to(x), s(sum), beside, u);
        };
        const value whole = to_.let("whole", length / in_flight * in_flight);
        const nest::id next = to_.own("next", nest::types::accumulators(), in_flight);
        to_.loop(
            runner::serial, "x", 0, whole, in_flight,
            [&](value x) {
                to_.unrolled("u", in_flight, [&](value u) {
                    to_.assign(s(to_.at(next, u)), from(x + u));
                    load_next(x + u, u);
                });
                to_.unrolled("u", in_flight, [&](value u) { add_next(x + u, to_.at(next, u), u); });
            },
            /*written_out=*/0, nest::types::word);
        to_.loop(
            runner::serial, "x", whole, length, 1,
            [&](value x) {
                to_.assign(s(to_.at(next, 0)), from(x));
                load_next(x, to_.constant(0));
                add_next(x, to_.at(next, 0), to_.constant(0));
            },
            /*written_out=*/0, nest::types::word);
    }
};

/// A warp has a panel: neighbouring columns of a part, a lane each. Panels beside each other come first, so that those above have
/// come to an end, or nearly, when one waits for them.
class panel_scan : column_parts {
public:
    explicit panel_scan(const scan_step& of) : column_parts(of, threads_per_block(of)), panel_(panel_of(of)) {}

    nest::tree run() {
        to_.loop_of(runner::grid, "block");
        lane_ = to_.loop_of(runner::thread, "lane", threads_per_block(of_));
        // A launch has fewer blocks than 32 bits have numbers.
        const value number = to_.let("panel_number", small(number_of_block(lane_)));
        const value panels = to_.let("panels", small(ceiling(inner_, panel_.columns)));
        const value parts = to_.let("parts_of_line", small(parts_));
        const value above = to_.let("above", number / panels);
        left_column_ = to_.let("left_column", word(number % panels) * panel_.columns);
        p_ = to_.let("p", above % parts);
        o_ = to_.let("o", above / parts);
        column_ = to_.let("column", left_column_ + lane_);
        is_there_ = to_.let("is_there", lane_ < panel_.columns && column_ < inner_);
        length_ = to_.let("rows", small(length_of(p_)));
        read_ = first_of(of_.reads, o_, p_, left_column_);
        written_ = of_.writes.backward == of_.reads.backward ? read_ : first_of(of_.writes, o_, p_, left_column_);
        const nest::type element = nest::types::element(of_.operand_type());
        const int elements = panel_.rows * panel_.columns;
        constexpr int most_static_bytes = 32 * 1024;
        panel_memory_ = elements * bytes_of(of_.operand_type()) > most_static_bytes
                            ? to_.dynamic_shared("panel", element, elements)
                            : to_.shared("panel", element, elements, 16);
        if (finisher_->is_there()) {
            before_part_ = to_.let("before_part", word(p_) * part_);
            finisher_->begin_line(word(o_), to_.let("beside_column", to_.select(is_there_, column_, 0)));
        }
        load();
        to_.commit_copies();
        to_.wait_copies(0);
        to_.barrier();
        if (finisher_->reads_along() || panel_.goes_together()) {
            const value sum = nothing("sum");
            const scan_finisher::elements next = finisher_->room(rows_together());
            load_beside(next, to_.constant(0));
            to_.when(is_there_, [&] { find_before(sum); });
            store_rows(sum, next);
        } else {
            to_.when(is_there_, [&] {
                const value sum = nothing("sum");
                find_before(sum);
                add_column(sum, [&](value x) { store(x, sum); });
            });
        }
        return to_.finish();
    }

private:
    /// In order, and what is done after each.
    template <class Then>
    void add_column(value sum, Then then) {
        to_.loop(
            runner::serial, "x", 0, length_, 1,
            [&](value x) {
                add_element(sum, as_read(in_panel(x)));
                then(x);
            },
            written_out);
    }

    /// What comes before the part, once what it comes to is published.
    void find_before(value sum) {
        to_.when(p_ + 1 < parts_, [&] {
            add_column(sum, [](value) {});
            to_.publish(state(0, p_), s(sum));
        });
        to_.assign(sum, to_.identity());
        add_all_before(sum);
    }

    void store(value x, value sum, const scan_finisher::elements& beside = {}, value number = {}) {
        store_element(further(of_.writes, written_ + lane_, x), s(sum), beside, number);
    }

    /// Warps beside each other store some rows, and wait for each other: the second cache puts together what they store of one sector. What
    /// is read beside the next rows is asked for before these are stored.
    void store_rows(value sum, const scan_finisher::elements& next) {
        const int rows = rows_together();
        to_.loop(
            runner::serial, "row", 0, length_, rows,
            [&](value row) {
                if (panel_.goes_together()) to_.barrier();
                const scan_finisher::elements beside = finisher_->room(rows);
                finisher_->take(beside, next, rows);
                load_beside(next, row + rows);
                to_.when(is_there_, [&] {
                    to_.unrolled("u", rows, [&](value u) {
                        const value x = to_.let("x", row + u);
                        to_.when(x < length_, [&] {
                            add_element(sum, as_read(in_panel(x)));
                            store(x, sum, beside, u);
                        });
                    });
                });
            },
            /*written_out=*/1);
    }

    [[nodiscard]] int rows_together() const {
        const int bytes = finisher_->bytes_along();
        if (bytes == 0) return written_out;
        return std::max(1, (panel_.goes_together() ? bytes_ahead_of_warps : bytes_ahead_of_warp) / bytes);
    }
    /// Past the last row the first: no load waits for a condition.
    void load_beside(const scan_finisher::elements& to, value row) {
        if (finisher_->reads_along())
            to_.unrolled("u", rows_together(), [&](value u) {
                const value x = to_.let("x", to_.select(row + u < length_, row + u, 0));
                finisher_->load(to, u, in_line(before_part_ + word(x)));
            });
    }

    void load() {
        // As the aligned vectors that cover them, each row as far in as it begins in memory, such rows come no faster: cumsum of (8191, 4099)
        // floats takes an H100 118 us, 119 so (by hand, with what is cleared before), of (4099, 4093) doubles 137 and 119.
        if (panel_.goes_together()) return load_elements();
        constexpr int vector_bytes = 16;
        const element_type type = of_.operand_type();
        const int vector = std::min(vector_bytes / bytes_of(type), panel_.columns);
        const int vectors = panel_.columns / vector;  // of a row
        const value is_whole = left_column_ + panel_.columns <= inner_ && inner_ % vector == 0 &&
                               to_.is_aligned(operand_, read_, vector_bytes);
        const nest::type moved = nest::types::vector(type, vector);
        to_.when(
            is_whole,
            [&] {
                const value place = to_.let("place", lane_ % vectors * vector);
                to_.loop(
                    runner::serial, "x", lane_ / vectors, length_, warp / vectors,
                    [&](value x) {
                        to_.copy_async(to_.at(panel_memory_, x * panel_.columns + place, moved),
                                       to_.at(operand_, further(of_.reads, read_, x) + place, moved));
                    },
                    /*written_out=*/4);
            },
            [&] { load_elements(); });
    }

    void load_elements() {
        to_.when(is_there_, [&] {
            if (bytes_of(of_.operand_type()) < 4) return load_narrow();
            to_.loop(runner::serial, "x", 0, length_, 1, [&](value x) { to_.copy_async(in_panel(x), in_operand(x)); });
        });
    }

    /// What is too narrow for a copy in the background, by way of registers: as many loads as are bytes enough.
    void load_narrow() {
        constexpr int at_once = 32;
        const value whole = to_.let("whole", length_ / at_once * at_once);
        to_.loop(
            runner::serial, "x", 0, whole, at_once,
            [&](value x) {
                const nest::id next = to_.own("next", nest::types::element(of_.operand_type()), at_once);
                to_.unrolled("u", at_once, [&](value u) { to_.assign(to_.at(next, u), in_operand(x + u)); });
                to_.unrolled("u", at_once, [&](value u) { to_.assign(in_panel(x + u), to_.at(next, u)); });
            },
            /*written_out=*/1);
        to_.loop(
            runner::serial, "x", whole, length_, 1, [&](value x) { to_.assign(in_panel(x), in_operand(x)); },
            written_out);
    }

    [[nodiscard]] value in_panel(value x) { return to_.at(panel_memory_, x * panel_.columns + lane_); }
    [[nodiscard]] value in_operand(value x) { return to_.at(operand_, further(of_.reads, read_, x) + lane_); }

    const scan_panel panel_;
    nest::id panel_memory_ = nest::none;
    value lane_, length_, left_column_, is_there_;
    value read_, written_;  // where its first row is
    value before_part_;     // rows of the line
};

}  // namespace

nest::tree column_scan_nest(const scan_step& of) {
    return of.mapping == scan_mapping::panels ? panel_scan(of).run() : column_scan(of).run();
}

}  // namespace kiln::plan
