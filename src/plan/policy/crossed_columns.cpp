// Columns of what is made of a row and of what the row comes to: the gradient of a logistic regression, whose factors are made of the
// products of rows that they multiply. Each row is read once, and kept in registers: neighbouring threads have neighbouring elements,
// several each, and the accumulators of their columns. What the row comes to is made in the order that short rows have by themselves
// (rows.cpp), where fewer threads take its vectors in turn: accumulators go from thread to thread, so that each appends its own.
#include <plan/policy/reduction.hpp>
#include <plan/policy/row_bodies.hpp>
#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::value_id;
using nest::runner;
using nest::value;
namespace types = nest::types;

class crossed_columns_policy : public reduction_policy {
public:
    crossed_columns_policy(const lower::program& program, const kernel& of)
        : reduction_policy(program, of),
          rows_(to_, program, of, [&](std::size_t i) { return !(of.inputs[i].axes_read() >> (of.rank - 1) & 1); }),
          inputs_(of.inputs.size()) {
        constexpr std::int64_t many_rows = 32768;  // as there are at least (row_limits.cpp)
        const std::int64_t extents[] = {many_rows, std::int64_t{side_by_side()} * width()};
        turns_ = side_by_side() / sizes_of_reduction(shape(extents, 2), 0b10).threads_per_output;
    }

private:
    using known_values = row_bodies::known_values;

    struct input {
        bool of_column = false;         // another element along the row
        bool of_rows = false;           // another one for each row
        bool moves_in_vectors = false;  // a thread's elements of a row
        nest::id held = nest::none;     // of each row that a thread has at once
    };

    /// A thread's neighbouring elements.
    [[nodiscard]] int width() const { return threads_.width(); }
    /// Threads of a row, a power of two; the last of them may have none of its elements.
    [[nodiscard]] int side_by_side() const { return threads_.outputs_per_block(); }
    /// Of these threads, those that the row has by itself.
    [[nodiscard]] int lanes() const { return side_by_side() / turns_; }
    /// The lane of the first of them.
    [[nodiscard]] value first_of_row() const { return threads_.thread & (warp - side_by_side()); }
    [[nodiscard]] std::size_t column_axis() const { return static_cast<std::size_t>(of_.rank - 1); }

    value mine(nest::value_or_number k) override { return part(k); }
    value is_whole(value first) override { return first < threads_.end; }

    void take_elements() override {
        // All blocks have room at once (plan/reduction.cpp): of rows shorter than a warp they are twice as many.
        to_.resident(side_by_side() * width() < warp ? 8 : 4);
        const int in_flight = loads_in_flight();
        place_ = to_.let("place", types::small, threads_.thread % side_by_side());
        for (std::size_t i = 0; i < inputs_.size(); ++i) look(i);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (!inputs_[i].of_rows) make_room(i, 1), load(i, to_.constant(0), threads_.first);
        // All lanes of a warp take as many turns, since they give to each other what they have.
        to_.loop(
            runner::serial, "next", threads_.first, threads_.end, in_flight * threads_.round(),
            [&](value next) {
                const value mine = to_.let("mine", types::number, next + threads_.lane);
                for (std::size_t i = 0; i < inputs_.size(); ++i)
                    if (inputs_[i].of_rows) make_room(i, in_flight);
                to_.unrolled("u", in_flight, [&](value u) {
                    const value row =
                        to_.let("row", types::number, to_.least(mine + u * threads_.round(), threads_.end - 1));
                    for (std::size_t i = 0; i < inputs_.size(); ++i)
                        if (inputs_[i].of_rows) load(i, u, row);
                });
                take_rows(in_flight, mine);
            },
            /*written_out=*/1, types::number);
    }

    // --- What is read ---

    void look(std::size_t i) {
        const operand& of = of_.inputs[i];
        const std::uint8_t axes = of.axes_read();
        inputs_[i].of_column = axes >> column_axis() & 1;
        inputs_[i].of_rows = axes & of_.reduced_axes;
        inputs_[i].moves_in_vectors = of_.vectorised && inputs_[i].of_column && !of.is_position &&
                                      (of.how == access::contiguous || of.how == access::row);
    }

    void make_room(std::size_t i, int rows) {
        const input& of = inputs_[i];
        inputs_[i].held = to_.own(
            "v_" + operands_.input_name(i),
            of.moves_in_vectors ? types::vector(of_.inputs[i].type, width()) : types::element(of_.inputs[i].type),
            of.of_column && !of.moves_in_vectors ? rows * width() : rows);
    }

    void load(std::size_t i, value u, value row) {
        const input& to = inputs_[i];
        value_threads::place at = threads_.place_of(row);
        if (to.moves_in_vectors) return operands_.load_vector(to_.at(to.held, u), i, threads_.address(i, at));
        if (!to.of_column) return to_.assign(to_.at(to.held, u), operands_.element(i, threads_.address(i, at)));
        to_.unrolled("k", width(), [&](value k) {
            value_threads::place here{at.positions};
            here.positions[column_axis()] = to_.let("column", types::index, here.positions[column_axis()] + k);
            to_.assign(to_.at(to.held, u * width() + k), operands_.element(i, threads_.address(i, here)));
        });
    }

    /// What is known of element k of row u.
    known_values known(value u, value k) {
        known_values out;
        for (std::size_t i = 0; i < of_.scalars.size(); ++i) out[of_.scalars[i]] = operands_.scalar(i);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const input& of = inputs_[i];
            const value row = of.of_rows ? u : to_.constant(0);
            out[of_.inputs[i].value] = of.moves_in_vectors ? to_.lane(to_.at(of.held, row), k)
                                       : of.of_column      ? to_.at(of.held, row * width() + k)
                                                           : to_.at(of.held, row);
        }
        return out;
    }

    // --- What is made of it ---

    void take_rows(int count, value first) {
        const int span = std::min(count, side_by_side());
        if (rows_.of_row().empty() || span == 1) {
            to_.unrolled("u", count, [&](value u) {
                known_values results;
                rows_.finish(results, reduced_row(u), threads_.kept);
                if (!rows_.of_row().empty()) {
                    known_values here = known(u, to_.constant(0));
                    here.insert(results.begin(), results.end());
                    rows_.make_of_row(here);
                    for (const value_id each : rows_.of_row()) results[each] = here.at(each);
                }
                take_elements_of(u, first, results);
            });
            return;
        }
        to_.unrolled("group", count / span, [&](value group) { take_group(group * span, span, first); });
    }

    /// What is made of a row's results is one for all of its threads: each makes it of another row, and gives it to the others. A sigmoid of
    /// doubles takes longer than all else.
    void take_group(value before, int span, value first) {
        const value own = to_.let("own_row", types::small, place_ & (span - 1));
        const nest::type is = types::accumulators(rows_.set());
        const value all = to_.variable("all_of_own", is, to_.identity(rows_.set()));
        known_values here;
        for (std::size_t i = 0; i < of_.scalars.size(); ++i) here[of_.scalars[i]] = operands_.scalar(i);
        std::vector<std::size_t> by_row;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (!rows_.needs_of_row(of_.inputs[i].value)) continue;
            value& known = here[of_.inputs[i].value];
            known = to_.at(inputs_[i].held, inputs_[i].of_rows ? before : to_.constant(0));
            if (!inputs_[i].of_rows) continue;
            by_row.push_back(i);
            known = to_.variable("own_" + operands_.input_name(i), types::element(of_.inputs[i].type), known);
        }
        to_.unrolled("u", span, [&](value u) {
            const value row = reduced_row(before + u);
            const value is_own = to_.let("is_own", own == u);
            each_member([&](std::size_t member) {
                const value mine = to_.member(all, member);
                to_.assign(mine, to_.select(is_own, to_.member(row, member), mine));
            });
            for (const std::size_t i : by_row) {
                const value& mine = here.at(of_.inputs[i].value);
                to_.assign(mine, to_.select(is_own, to_.at(inputs_[i].held, before + u), mine));
            }
        });
        rows_.finish(here, all, threads_.kept);
        rows_.make_of_row(here);
        to_.unrolled("u", span, [&](value u) {
            known_values results;
            const auto give = [&](value_id of) {
                results[of] = to_.let("given", to_.shuffle(here.at(of), first_of_row() + u));
            };
            for (const value_id each : rows_.of_row()) give(each);
            for (const value_id each : rows_.reductions())
                if (rows_.needs_result(each)) give(each);
            take_elements_of(before + u, first, results);
        });
    }

    /// Of a row whose results are known, what each element comes to, to the accumulators of its column.
    void take_elements_of(value u, value first_row, const known_values& results) {
        const value first = to_.let("first", types::number, first_row + u * threads_.round());
        to_.when(first < threads_.end, [&] {
            to_.unrolled("k", width(), [&](value k) {
                known_values here = known(u, k);
                here.insert(results.begin(), results.end());
                rows_.make_results(here);
                const value one = to_.variable("one", types::accumulators());
                for (std::size_t i = 0; i < of_.outputs.size(); ++i)
                    to_.assign_one(to_.member(one, i), here.at(of_.outputs[i].value), first);
                append(part(k), one);
            });
        });
    }

    /// Of a row's accumulators: chosen one by one, they are no branches, between which the rows of a thread would wait for each other (a
    /// logistic regression's gradient took an H200 288 us so).
    template <class Each>
    void each_member(Each each) {
        for (std::size_t i = 0; i < rows_.reductions().size(); ++i) each(rows_.number_of(i));
    }

    /// What the row's accumulators are in the end, in each of its threads.
    value reduced_row(value u) {
        const nest::type is = types::accumulators(rows_.set());
        const nest::id own = to_.own("own", is, width());
        const nest::id sum = to_.own("sum", is, width());
        to_.unrolled("k", width(), [&](value k) {
            to_.assign(to_.at(own, k), rows_.element(known(u, k), place_ * width() + k));
            to_.assign(to_.at(sum, k), to_.append(to_.identity(rows_.set()), to_.at(own, k)));
        });
        // Each thread's vector is appended in its turn, to what the vectors before it came to. Who has none passes on what it is given.
        const value giver = to_.let("giver", types::small, (threads_.thread + (warp - lanes())) & (warp - 1));
        for (int turn = 1; turn < turns_; ++turn) {
            const value is_turn = to_.let("is_turn", place_ / lanes() == turn);
            to_.unrolled("k", width(), [&](value k) {
                const value before = to_.let("before", is, to_.shuffle(to_.at(sum, k), giver));
                const value after = to_.let("after", is, to_.append(before, to_.at(own, k)));
                each_member([&](std::size_t member) {
                    const value mine = to_.member(to_.at(sum, k), member);
                    const value taken =
                        to_.select(threads_.is_there, to_.member(after, member), to_.member(before, member));
                    to_.assign(mine, to_.select(is_turn, taken, mine));
                });
            });
        }
        const value all = to_.variable("all", is, combined_places(to_, [&](int k) { return to_.at(sum, k); }));
        if (lanes() > 1)
            to_.halving("apart", lanes() / 2,
                        [&](value apart) { to_.assign(all, to_.combine(all, to_.shuffle_down(all, apart))); });
        if (side_by_side() > 1) to_.assign(all, to_.shuffle(all, first_of_row() + (turns_ - 1) * lanes()));
        return all;
    }

    row_bodies rows_;
    std::vector<input> inputs_;
    int turns_ = 1;  // in which a row's threads append their vectors
    value place_;    // among the row's threads
};

}  // namespace

nest::tree crossed_columns_nest(const lower::program& program, const kernel& of) {
    return crossed_columns_policy(program, of).run();
}

}  // namespace kiln::plan
