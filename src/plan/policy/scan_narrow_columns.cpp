// Few columns, whose rows are a piece of memory together: a block has several parts of all of them, one after the other, in shared memory.
// Its threads, but for those that are left over, are a row of them after the other: what they load and store together are neighbours, and
// each has one column.
#include <plan/policy/scan_column_parts.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::runner;

/// That a multiprocessor has registers for, too.
constexpr int blocks_at_once = 3;
constexpr int vector_bytes = 16;
/// Rows whose loads go out before the first is needed.
constexpr int loaded_at_once = 8;
/// Of registers, for what is read beside some rows.
constexpr int bytes_ahead = 64;

class narrow_panel_scan : column_parts {
public:
    explicit narrow_panel_scan(const scan_step& of)
        : column_parts(of, narrow_threads, /*published_at_once=*/8),
          together_(parts_together(of)),
          is_copied_(is_copied(of)) {}

    nest::tree run() {
        to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", narrow_threads);
        // A launch has fewer blocks than 32 bits have numbers.
        const value number = to_.let("panel_number", small(number_of_block(thread)));
        const value panels = to_.let("panels", small(ceiling(parts_, together_)));
        p_ = to_.let("p", number % panels * together_);
        o_ = to_.let("o", number / panels);
        columns_ = to_.let("columns", small(inner_));
        row_ = to_.let("row", thread / columns_);
        column_ = to_.let("column", thread % columns_);
        rows_at_once_ = to_.let("rows_at_once", to_.constant(narrow_threads) / columns_);
        is_there_ = to_.let("is_there", row_ < rows_at_once_);
        const value left = to_.let("left", count_ - p_ * part_);
        const std::int64_t most = together_ * of_.part;
        length_ = to_.let("rows", small(to_.select(left < most, left, most)));
        read_ = first_of(of_.reads, o_, p_, column_);
        written_ = of_.writes.backward == of_.reads.backward ? read_ : first_of(of_.writes, o_, p_, column_);
        gap_ = to_.let("gap", ceiling(columns_, vector()) * vector());
        to_.resident(blocks_at_once);
        panel_memory_ = to_.dynamic_shared("panel", element_type_, narrow_panel_elements(of_.type), /*aligned=*/16);
        totals_ = to_.shared("totals", element_type_, narrow_threads);
        if (finisher_->is_there()) {
            before_part_ = to_.let("before_part", word(p_) * part_);
            finisher_->begin_line(word(o_), word(column_));
        }
        load(thread);
        if (is_copied_) {
            to_.commit_copies();
            to_.wait_copies(0);
        }
        to_.barrier();
        const value begin = to_.let("begin", row_ * static_cast<int>(of_.part));
        const value part_end = begin + static_cast<int>(of_.part);
        const value end = to_.let("end", to_.select(part_end < length_, part_end, length_));
        const value has_part = to_.let("has_part", row_ < together_);
        const value sum = nothing("sum");
        to_.when(has_part, [&] {
            to_.loop(
                runner::serial, "x", begin, end, 1, [&](value x) { add_element(sum, in_panel(x)); }, written_out);
            to_.assign(total(row_), s(sum));
            to_.when(p_ + row_ + 1 < parts_, [&] { to_.publish(state(0, p_ + row_), s(sum)); });
        });
        to_.barrier();
        to_.when(row_ == 0, [&] { put_before(); });
        to_.barrier();
        to_.when(has_part, [&] {
            to_.assign(s(sum), total(row_));
            scan_rows(begin, end, sum);
        });
        to_.barrier();
        store(thread);
        return to_.finish();
    }

private:
    /// What is neither cast nor too narrow for a copy in the background.
    static bool is_copied(const scan_step& of) { return !of.reads.type && bytes_of(of.type) >= 4; }

    void load(value thread) {
        if (!is_copied_) {
            to_.when(is_there_, [&] { load_converted(); });
            return;
        }
        const auto by_rows = [&] {
            to_.when(is_there_, [&] { each_row([&](value x) { to_.copy_async(in_panel(x), in_operand(x)); }); });
        };
        if (of_.reads.backward || !has_vectors()) return by_rows();
        in_vectors(thread, operand_, read_, by_rows, [&](value here, value there) { to_.copy_async(here, there); });
    }

    /// Of rows that are a piece of memory, which begins where a vector may: vector by vector, and what is left over; else `by_rows`.
    template <class ByRows, class Move>
    void in_vectors(value thread, nest::id memory, value first, ByRows by_rows, Move move) {
        const value begin = to_.let("piece", first - column_);
        to_.when(
            to_.is_aligned(memory, begin, vector_bytes),
            [&] {
                const nest::type moved = nest::types::vector(of_.type, vector());
                const value elements = to_.let("elements", length_ * columns_);
                const value vectors = to_.let("vectors", elements / vector());
                const value of_part = to_.let("vectors_of_part", columns_ * (static_cast<int>(of_.part) / vector()));
                to_.loop(
                    runner::serial, "v", thread, vectors, narrow_threads,
                    [&](value v) {
                        move(to_.at(panel_memory_, v * vector() + v / of_part * gap_, moved),
                             to_.at(memory, begin + v * vector(), moved));
                    },
                    /*written_out=*/4);
                to_.loop(runner::serial, "e", vectors * vector() + thread, elements, narrow_threads, [&](value e) {
                    move(to_.at(panel_memory_, e + e / (of_part * vector()) * gap_), to_.at(memory, begin + e));
                });
            },
            by_rows);
    }

    void load_converted() {
        several_rows(loaded_at_once, [&](value first) {
            const nest::id next = to_.own("next", nest::types::element(of_.operand_type()), loaded_at_once);
            to_.unrolled("u", loaded_at_once,
                         [&](value u) { to_.assign(to_.at(next, u), in_operand(there(first, u))); });
            to_.unrolled("u", loaded_at_once, [&](value u) {
                const value x = to_.let("x", first + u * rows_at_once_);
                to_.when(x < length_, [&] { to_.assign(in_panel(x), as_read(to_.at(next, u))); });
            });
        });
    }

    /// In order, and each becomes the sum: several are read before the first is written, which might be one of them for all that a compiler
    /// knows.
    void scan_rows(value begin, value end, value sum) {
        const nest::id next = to_.own("next", element_type_, written_out);
        const value whole = to_.let("whole", begin + (end - begin) / written_out * written_out);
        const auto add_next = [&](value x, value element) {
            add_element(sum, element);
            to_.assign(in_panel(x), s(sum));
        };
        to_.loop(
            runner::serial, "x", begin, whole, written_out,
            [&](value x) {
                to_.unrolled("u", written_out, [&](value u) { to_.assign(to_.at(next, u), in_panel(x + u)); });
                to_.unrolled("u", written_out, [&](value u) { add_next(x + u, to_.at(next, u)); });
            },
            /*written_out=*/1);
        to_.loop(
            runner::serial, "x", whole, end, 1, [&](value x) { add_next(x, in_panel(x)); }, /*written_out=*/1);
    }

    /// In place of what each of the block's parts comes to, what comes before it.
    void put_before() {
        const value before = nothing("before");
        const value next = nothing("next");
        const value one = to_.variable("one", nest::types::accumulators());
        add_all_before(before);
        to_.assign(next, before);
        // The others of a group are on top of the groups before it.
        to_.when(p_ > 0 && p_ % static_cast<int>(least_of_column) == 0, [&] {
            to_.assign(next, to_.identity());
            add_groups_before(p_ + 1, 1, next);
        });
        to_.loop(
            runner::serial, "q", 0, together_, 1,
            [&](value q) {
                to_.assign(s(one), total(q));
                to_.assign(total(q), s(before));
                add(next, one);
                to_.assign(before, next);
            },
            /*written_out=*/1);
    }

    void store(value thread) {
        const auto by_rows = [&] { to_.when(is_there_, [&] { store_rows(); }); };
        if (finisher_->is_there() || !of_.writes.is_plain() || !has_vectors()) return by_rows();
        in_vectors(thread, result_, written_, by_rows, [&](value here, value there) { to_.assign(there, here); });
    }

    void store_rows() {
        if (!finisher_->reads_along()) {
            each_row([&](value x) { store_element(further(of_.writes, written_, x), in_panel(x)); });
            return;
        }
        const int rows = std::max(1, bytes_ahead / finisher_->bytes_along());
        several_rows(rows, [&](value first) {
            const scan_finisher::elements beside = finisher_->room(rows);
            to_.unrolled("u", rows,
                         [&](value u) { finisher_->load(beside, u, in_line(before_part_ + word(there(first, u)))); });
            to_.unrolled("u", rows, [&](value u) {
                const value x = to_.let("x", first + u * rows_at_once_);
                to_.when(x < length_, [&] { store_element(further(of_.writes, written_, x), in_panel(x), beside, u); });
            });
        });
    }

    /// Those of the thread.
    template <class Inside>
    void each_row(Inside inside) {
        to_.loop(runner::serial, "x", row_, length_, rows_at_once_, inside, /*written_out=*/4);
    }
    /// The first of several.
    template <class Inside>
    void several_rows(int count, Inside inside) {
        to_.loop(runner::serial, "first_row", row_, length_, rows_at_once_ * count, inside, /*written_out=*/1);
    }
    /// The `u`th of several; past the last the first: no load waits for a condition.
    [[nodiscard]] value there(value first, value u) {
        const value x = to_.let("x", first + u * rows_at_once_);
        return to_.let("there", to_.select(x < length_, x, first));
    }

    [[nodiscard]] value in_panel(value x) {
        return to_.at(panel_memory_, x * columns_ + x / static_cast<int>(of_.part) * gap_ + column_);
    }
    [[nodiscard]] int vector() const { return scan_vector(of_.type); }
    /// Whether parts are whole ones.
    [[nodiscard]] bool has_vectors() const { return of_.part % vector() == 0; }
    [[nodiscard]] value in_operand(value x) { return to_.at(operand_, further(of_.reads, read_, x)); }
    [[nodiscard]] value total(value part) { return to_.at(totals_, part * columns_ + column_); }

    const int together_;
    const bool is_copied_;
    nest::id panel_memory_ = nest::none, totals_ = nest::none;
    value row_, columns_, gap_, rows_at_once_, is_there_, length_;
    value read_, written_;  // where its first row is
    value before_part_;     // rows of the line
};

}  // namespace

nest::tree narrow_column_scan_nest(const scan_step& of) { return narrow_panel_scan(of).run(); }

}  // namespace kiln::plan
