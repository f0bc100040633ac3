// Few columns, whose rows are a piece of memory together. What a panel waits for is the last of all before it to be loaded, which takes some
// three times as long as others, and so a block has several on their way, in slots, by stages that are threads of their own: one loads
// panels; one adds up their parts and publishes what a panel comes to; one looks at what all panels came to that other blocks had since its
// last; one puts what comes before on top of the parts; one stores them.
// Its threads, but for those that are left over, are a row of them after the other: what they load and store together are neighbours, and
// each has one column.
#include <plan/policy/scan_column_parts.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::runner;

constexpr int vector_bytes = 16;
/// Rows whose loads go out before the first is needed.
constexpr int loaded_at_once = 8;
/// Panels that are on their way at once: of more, each takes longer.
constexpr int panels_ahead = 3;
/// Of what other panels come to, a thread's own: as many as it has registers for.
constexpr int looked_at_once(element_type type) { return bytes_of(type) <= 4 ? 8 : bytes_of(type) == 8 ? 6 : 4; }
/// Of registers, for what is read beside some rows.
constexpr int bytes_ahead = 80;

class narrow_panel_scan : column_parts {
public:
    explicit narrow_panel_scan(const scan_step& of)
        : column_parts(of, threads_per_block(of)), is_copied_(is_copied(of)) {}

    nest::tree run() {
        to_.loop_of(runner::grid, "block");
        to_.loop_of(runner::thread, "thread", threads_per_block(of_));
        to_.resident(1);
        columns_ = to_.let("columns", small(inner_));
        const value at_once =
            to_.let("parts_at_once", to_.constant(narrow_threads) / columns_ / narrow_parts_step * narrow_parts_step);
        together_ = to_.let("parts_together", at_most(at_once, most_narrow_parts));
        panels_ = to_.let("panels", small((parts_ + word(together_) - 1) / word(together_)));
        gap_ = to_.let("gap", ceiling(columns_, vector()) * vector());
        const int slot = narrow_slot_elements(of_);
        panel_memory_ = to_.dynamic_shared("panel", element_type_, of_.slots * slot, /*aligned=*/16);
        looked_ = to_.dynamic_shared("looked_at", element_type_, narrow_looked_elements(of_));
        groups_ = to_.shared("of_groups", element_type_, narrow_looked_elements(of_) / narrow_group + warp);
        totals_ = to_.shared("totals", element_type_, of_.slots * narrow_threads);
        befores_ = to_.shared("before_panel", element_type_, of_.slots * warp);
        line_ = to_.variable("line", nest::types::small, -1);
        last_ = to_.variable("last", nest::types::small, 0);
        before_group_ = nothing("before_group");
        group_ = nothing("group");
        before_ = nothing("before");
        const value items = to_.let("items", outer_ * word(panels_));
        to_.stages(states_, items, of_.slots, [&](value item, value slot_number) {
            slot_ = slot_number;
            const auto stage = [&](std::string_view thread, int threads, std::initializer_list<int> after, int ahead,
                                   auto inside) {
                to_.stage(thread, threads, after, ahead, [&](value of_stage) {
                    open_panel(item, of_stage, threads);
                    inside();
                });
            };
            stage("loader", narrow_loading_threads, {}, is_copied_ ? std::min(panels_ahead, of_.slots) : 0,
                  [&] { load(); });
            stage("looker", narrow_looking_threads, {}, 0, [&] { look(); });
            stage("adder", narrow_adding_threads, {0}, 0, [&] { add_up(); });
            stage("scanner", narrow_adding_threads, {1, 2}, 0, [&] { put_together(); });
            stage("storer", narrow_storing_threads(of_), {3}, 0, [&] { store(); });
        });
        return to_.finish();
    }

private:
    /// Of the thread, in this stage.
    void open_panel(value item, value thread, int threads) {
        thread_ = thread;
        threads_ = threads;
        const value number = to_.let("panel_number", small(item));
        o_ = to_.let("o", number / panels_);
        panel_ = to_.let("panel_of_line", number % panels_);
        p_ = to_.let("p", panel_ * together_);
        row_ = to_.let("row", thread / columns_);
        column_ = to_.let("column", thread % columns_);
        rows_at_once_ = to_.let("rows_at_once", to_.constant(threads) / columns_);
        is_there_ = to_.let("is_there", row_ < rows_at_once_);
        const value left = to_.let("left", count_ - word(p_) * part_);
        const value most = word(together_ * static_cast<int>(of_.part));
        length_ = to_.let("rows", small(to_.select(left < most, left, most)));
        first_in_memory_ = slot_ * narrow_slot_elements(of_);
    }
    [[nodiscard]] value first_row(const scan_access& how) { return first_of(how, word(o_), word(p_), word(column_)); }

    /// Those of the thread.
    template <class Inside>
    void each_part(Inside inside) {
        const auto part = static_cast<int>(of_.part);
        to_.when(is_there_, [&] {
            to_.loop(
                runner::serial, "part_of_panel", row_, parts_here_, rows_at_once_,
                [&](value q) {
                    rows_of_part_ = to_.let("rows_of_part", at_most(length_ - q * part, part));
                    first_of_part_ =
                        to_.let("first_of_part", first_in_memory_ + q * (columns_ * part + gap_) + column_);
                    inside(q);
                },
                /*written_out=*/1);
        });
    }

    // --- Stages ---

    /// What a panel comes to, of its parts one after the other.
    void add_up() {
        parts_here_ = to_.let("parts_here", ceiling(length_, of_.part));
        each_part([&](value part) {
            const value sum = nothing("sum");
            to_.loop(
                runner::serial, "x", 0, rows_of_part_, 1, [&](value x) { add_element(sum, in_part(x)); }, written_out);
            to_.assign(total(part), s(sum));
        });
        to_.stage_barrier();
        to_.when(thread_ < columns_ && panel_ + 1 < panels_, [&] {
            const value sum = nothing("of_panel");
            to_.loop(
                runner::serial, "q", 0, parts_here_, 1, [&](value q) { add_element(sum, total(q)); }, written_out);
            to_.publish(state(panel_), s(sum));
        });
    }

    /// What comes before the panel: all panels of the line since the block's last, one after the other, those of a group on top of the groups
    /// before it.
    void look() {
        to_.when(!(line_ == o_), [&] {
            to_.assign(line_, o_);
            to_.assign(last_, 0);
            for (const value each : {before_group_, group_, before_}) to_.assign(each, to_.identity());
        });
        const value most = to_.let("most", to_.constant(narrow_looked_elements(of_)) / columns_);
        to_.loop_while_below(
            "from", last_, panel_,
            [&](value from) {
                const value end = to_.let("end", from + to_.select(panel_ - from < most, panel_ - from, most));
                await_panels(from, end);
                to_.stage_barrier();
                const value first_group = to_.let("first_group", ceiling(from, narrow_group));
                const value end_group = to_.let("end_group", end / narrow_group);
                to_.when(is_there_, [&] { add_up_groups(from, first_group, end_group); });
                to_.stage_barrier();
                to_.when(thread_ < columns_, [&] { add_panels(from, end, first_group, end_group); });
                to_.stage_barrier();
                to_.assign(from, end);
            },
            nest::types::small);
        to_.assign(last_, panel_);
        to_.when(thread_ < columns_, [&] { to_.assign(before_panel(), s(before_)); });
    }

    void await_panels(value from, value end) {
        const int at_once = looked_at_once(of_.type);
        const value elements = to_.let("elements", (end - from) * columns_);
        to_.loop(
            runner::serial, "e", thread_, elements, threads_ * at_once,
            [&](value e) {
                const nest::id next = to_.own("next", element_type_, at_once);
                const value left = to_.let("left", (elements - e + (threads_ - 1)) / threads_);
                const value here = to_.let("here", at_most(left, at_once));
                to_.await(to_.at(next, 0), at_once,
                          to_.at(states_, (word(o_) * word(panels_) + word(from)) * inner_ + word(e) + 1), threads_,
                          here);
                to_.unrolled("u", at_once, [&](value u) {
                    to_.when(u < here, [&] { to_.assign(to_.at(looked_, e + u * threads_), to_.at(next, u)); });
                });
            },
            /*written_out=*/1);
    }

    /// Those of which all panels are looked at.
    void add_up_groups(value from, value first_group, value end_group) {
        to_.loop(
            runner::serial, "g", first_group + row_, end_group, rows_at_once_,
            [&](value g) {
                const value sum = nothing("of_group");
                to_.unrolled("u", narrow_group,
                             [&](value u) { add_element(sum, looked_at(g * narrow_group - from + u, column_)); });
                to_.assign(of_group(g - first_group, column_), s(sum));
            },
            /*written_out=*/1);
    }

    /// The rest of a group that has begun, groups, what is there of the last.
    void add_panels(value from, value end, value first_group, value end_group) {
        const value head = to_.let("head", first_group * narrow_group);
        const value head_end = to_.let("head_end", to_.select(head < end, head, end));
        const auto add_some = [&](value begin, value stop) {
            to_.loop(
                runner::serial, "q", begin, stop, 1,
                [&](value q) {
                    const value one = to_.let("panel_total", looked_at(q - from, thread_));
                    add_element(group_, one);
                    add_element(before_, one);
                },
                /*written_out=*/4);
        };
        add_some(from, head_end);
        to_.when(from < head && head <= end, [&] {
            add(before_group_, group_);
            to_.assign(group_, to_.identity());
            to_.assign(before_, before_group_);
        });
        to_.loop(
            runner::serial, "g", first_group, end_group, 1,
            [&](value g) {
                add_element(before_group_, of_group(g - first_group, thread_));
                to_.assign(before_, before_group_);
            },
            /*written_out=*/4);
        const value tail = to_.let("tail", end_group * narrow_group);
        add_some(to_.let("tail_begin", to_.select(tail < head_end, head_end, tail)), end);
    }

    /// Each part on top of those before it.
    void put_together() {
        parts_here_ = to_.let("parts_here", ceiling(length_, of_.part));
        to_.when(thread_ < columns_, [&] {
            const value before = nothing("before_part");
            to_.assign(s(before), before_panel());
            each_of(
                parts_here_, [&](value q) { return total(q); },
                [&](value q, value one) {
                    to_.assign(total(q), s(before));
                    add_element(before, one);
                });
        });
        to_.stage_barrier();
        each_part([&](value part) {
            const value sum = nothing("sum");
            to_.assign(s(sum), total(part));
            each_of(
                rows_of_part_, [&](value x) { return in_part(x); },
                [&](value x, value element) {
                    add_element(sum, element);
                    to_.assign(in_part(x), s(sum));
                });
        });
    }

    /// What is neither cast nor too narrow for a copy in the background.
    static bool is_copied(const scan_step& of) { return !of.reads.type && bytes_of(of.type) >= 4; }

    void load() {
        read_ = first_row(of_.reads);
        if (!is_copied_) {
            to_.when(is_there_, [&] { load_converted(); });
            return;
        }
        const auto by_rows = [&] {
            to_.when(is_there_, [&] { each_row([&](value x) { to_.copy_async(in_panel(x), in_operand(x)); }); });
        };
        if (of_.reads.backward || !has_vectors()) return by_rows();
        in_vectors(operand_, read_, by_rows, [&](value here, value there) { to_.copy_async(here, there); });
    }

    /// Of rows that are a piece of memory, which begins where a vector may: vector by vector, and what is left over; else `by_rows`.
    template <class ByRows, class Move>
    void in_vectors(nest::id memory, value first, ByRows by_rows, Move move) {
        const value begin = to_.let("piece", first - word(column_));
        to_.when(
            to_.is_aligned(memory, begin, vector_bytes),
            [&] {
                const nest::type moved = nest::types::vector(of_.type, vector());
                const value elements = to_.let("elements", length_ * columns_);
                const value vectors = to_.let("vectors", elements / vector());
                const value of_part = to_.let("vectors_of_part", columns_ * (static_cast<int>(of_.part) / vector()));
                // The part that a vector is of, and which of it: from one to the next without a division.
                const value part = to_.variable("part_of_vector", nest::types::small, thread_ / of_part);
                const value of_vector = to_.variable("in_part", nest::types::small, thread_ % of_part);
                const value parts_further = to_.let("parts_further", to_.constant(threads_) / of_part);
                const value further_in_part = to_.let("further_in_part", to_.constant(threads_) % of_part);
                to_.loop(
                    runner::serial, "v", thread_, vectors, threads_,
                    [&](value v) {
                        move(to_.at(panel_memory_, first_in_memory_ + v * vector() + part * gap_, moved),
                             to_.at(memory, begin + word(v * vector()), moved));
                        to_.assign(part, part + parts_further);
                        to_.assign(of_vector, of_vector + further_in_part);
                        to_.when(of_vector >= of_part, [&] {
                            to_.assign(of_vector, of_vector - of_part);
                            to_.assign(part, part + 1);
                        });
                    },
                    /*written_out=*/4);
                to_.loop(runner::serial, "e", vectors * vector() + thread_, elements, threads_, [&](value e) {
                    move(to_.at(panel_memory_, first_in_memory_ + e + e / (of_part * vector()) * gap_),
                         to_.at(memory, begin + word(e)));
                });
            },
            by_rows);
    }

    void load_converted() {
        to_.loop(
            runner::serial, "first_row", row_, length_, rows_at_once_ * loaded_at_once,
            [&](value first) {
                const nest::id next = to_.own("next", nest::types::element(of_.operand_type()), loaded_at_once);
                const auto row = [&](value u) { return to_.let("x", first + u * rows_at_once_); };
                to_.unrolled("u", loaded_at_once, [&](value u) {
                    const value x = row(u);
                    to_.assign(to_.at(next, u), in_operand(to_.let("there", to_.select(x < length_, x, first))));
                });
                to_.unrolled("u", loaded_at_once, [&](value u) {
                    const value x = row(u);
                    to_.when(x < length_, [&] { to_.assign(in_panel(x), as_read(to_.at(next, u))); });
                });
            },
            /*written_out=*/1);
    }

    /// Elements that are replaced one after the other: several are read before the first is written, which might be one of them for all that a
    /// compiler knows.
    template <class At, class Then>
    void each_of(value count, At at, Then then) {
        const nest::id next = to_.own("next", element_type_, written_out);
        const value whole = to_.let("whole", count / written_out * written_out);
        to_.loop(
            runner::serial, "x", 0, whole, written_out,
            [&](value x) {
                to_.unrolled("u", written_out, [&](value u) { to_.assign(to_.at(next, u), at(x + u)); });
                to_.unrolled("u", written_out, [&](value u) { then(x + u, to_.at(next, u)); });
            },
            /*written_out=*/1);
        to_.loop(
            runner::serial, "x", whole, count, 1,
            [&](value x) {
                to_.assign(to_.at(next, 0), at(x));
                then(x, to_.at(next, 0));
            },
            /*written_out=*/1);
    }

    void store() {
        written_ = first_row(of_.writes);
        if (finisher_->is_there()) {
            before_rows_ = to_.let("before_rows", word(p_) * part_);
            finisher_->begin_line(word(o_), word(column_));
        }
        const auto by_rows = [&] { to_.when(is_there_, [&] { store_rows(); }); };
        if (finisher_->is_there() || !of_.writes.is_plain() || !has_vectors()) return by_rows();
        in_vectors(result_, written_, by_rows, [&](value here, value there) { to_.assign(there, here); });
    }

    void store_rows() {
        if (!finisher_->reads_along()) {
            each_row([&](value x) { store_element(further(of_.writes, written_, x), in_panel(x)); });
            return;
        }
        const int rows = std::max(1, bytes_ahead / finisher_->bytes_along());
        to_.loop(
            runner::serial, "first_row", row_, length_, rows_at_once_ * rows,
            [&](value first) {
                const scan_finisher::elements beside = finisher_->room(rows);
                to_.unrolled("u", rows, [&](value u) {
                    // Past the last row the first: no load waits for a condition.
                    const value x = to_.let("x", first + u * rows_at_once_);
                    const value there = to_.let("there", to_.select(x < length_, x, first));
                    finisher_->load(beside, u, in_line(before_rows_ + word(there)));
                });
                to_.unrolled("u", rows, [&](value u) {
                    const value x = to_.let("x", first + u * rows_at_once_);
                    to_.when(x < length_,
                             [&] { store_element(further(of_.writes, written_, x), in_panel(x), beside, u); });
                });
            },
            /*written_out=*/1);
    }

    /// Those of the thread.
    template <class Inside>
    void each_row(Inside inside) {
        to_.loop(runner::serial, "x", row_, length_, rows_at_once_, inside, /*written_out=*/2);
    }
    [[nodiscard]] value in_panel(value x) {
        return to_.at(panel_memory_, first_in_memory_ + x * columns_ + x / static_cast<int>(of_.part) * gap_ + column_);
    }
    [[nodiscard]] value in_part(value x) { return to_.at(panel_memory_, first_of_part_ + x * columns_); }
    [[nodiscard]] int vector() const { return scan_vector(of_.type); }
    /// Whether parts are whole ones.
    [[nodiscard]] bool has_vectors() const { return of_.part % vector() == 0; }
    [[nodiscard]] value in_operand(value x) { return to_.at(operand_, further(of_.reads, read_, x)); }
    /// Of the thread's column; of a thread that has no part, of the column of its number.
    [[nodiscard]] value total(value part) {
        return to_.at(totals_, slot_ * narrow_threads + part * columns_ + column_);
    }
    [[nodiscard]] value looked_at(value panel, value column) { return to_.at(looked_, panel * columns_ + column); }
    [[nodiscard]] value of_group(value group, value column) { return to_.at(groups_, group * columns_ + column); }
    [[nodiscard]] value before_panel() { return to_.at(befores_, slot_ * warp + thread_); }
    /// What a panel of the line comes to, of the thread's column. The first word is the counter that blocks take their panels from.
    [[nodiscard]] value state(value panel) {
        return to_.at(states_, (word(o_) * word(panels_) + word(panel)) * inner_ + word(thread_) + 1);
    }

    const bool is_copied_;
    nest::id panel_memory_ = nest::none, looked_ = nest::none, groups_ = nest::none, totals_ = nest::none,
             befores_ = nest::none;
    value columns_, together_, panels_, gap_;
    // What comes before, of the stage that looks: of the line, up to a panel, what comes before its group, what its group comes to so far.
    value line_, last_, before_group_, group_, before_;
    // Of a stage at a panel:
    int threads_ = 0;
    value thread_, slot_, panel_, row_, rows_at_once_, is_there_, length_, parts_here_, first_in_memory_;
    value rows_of_part_, first_of_part_;  // of one of its parts
    value read_, written_;                // where its first row is
    value before_rows_;                   // of the line
};

}  // namespace

nest::tree narrow_column_scan_nest(const scan_step& of) { return narrow_panel_scan(of).run(); }

}  // namespace kiln::plan
