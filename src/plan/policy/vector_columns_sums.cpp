// What the reductions come to: in turns where their order shows, and back to every thread of a column.
#include <plan/policy/vector_columns.hpp>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

vector_columns_policy::exchange vector_columns_policy::exchange_of(int phase) {
    const std::string& suffix = set(phase).suffix;
    const int rows = in_any_order(phase) ? lanes() * width() : lanes();
    return {to_.shared("shared" + suffix, types::accumulators(phase), rows * columns()),
            to_.shared("totals" + suffix, types::accumulators(phase), columns())};
}

/// The threads of a column's parts, one after the other.
void vector_columns_policy::take_in_turns(int phase, const work& of) {
    wait();
    to_.loop(nest::runner::serial, "turn", 0, width(), 1, [&](value turn) {
        to_.when(part_ == turn, [&] {
            to_.when(
                turn == 0,
                [&] { each_sum(phase, lane_, [&](value sum, value) { to_.assign(sum, to_.identity(phase)); }); },
                [&] { each_sum(phase, lane_, [&](value sum, value left) { to_.assign(sum, left); }); });
            take_all(phase, of);
            leave_sums(phase, lane_);
        });
        to_.barrier();
    });
}

void vector_columns_policy::leave_sums(int phase, value row) {
    each_sum(phase, row, [&](value sum, value left) { to_.assign(left, sum); });
}

/// Of a column that `lanes` neighbouring threads have now, the sums of its lanes.
void vector_columns_policy::finish(int phase) {
    const exchange& with = exchanges_[at(phase)];
    const value column = to_.let("column", types::small, threads_.thread / lanes());
    const value lane = to_.let("lane_of_sum", types::small, threads_.thread % lanes());
    const value sum = to_.variable("total" + set(phase).suffix, types::accumulators(phase),
                                   to_.at(with.of_threads, lane * columns() + column));
    if (in_any_order(phase))
        for (int part = 1; part < width(); ++part)
            to_.assign(sum, to_.combine(sum, to_.at(with.of_threads, (lane + part * lanes()) * columns() + column)));
    combine_lanes(sum);
    to_.when(lane == 0, [&] { to_.assign(to_.at(with.totals, column), sum); });
    to_.barrier();
    give_to_columns(phase, with);
}

void vector_columns_policy::combine_lanes(value sum) {
    if (lanes() == 1) return;
    to_.halving("apart", lanes() / 2,
                [&](value apart) { to_.assign(sum, to_.combine(sum, to_.shuffle_down(sum, apart))); });
}

/// For every thread, of its own columns.
void vector_columns_policy::give_to_columns(int phase, const exchange& with) {
    const auto room_for = [&](value_id of) {
        of_columns_[at(of)] = to_.own("of_column_" + name_of(of), type_of(of), width());
    };
    each_reduction(phase, [&](const step&, value_id result, std::size_t) { room_for(result); });
    const std::vector<value_id> made = made_of_row(phase + 1);
    for (const value_id each : made) room_for(each);
    to_.unrolled("k", width(), [&](value k) {
        const value sum = to_.variable("of_all" + set(phase).suffix, types::accumulators(phase),
                                       to_.at(with.totals, first_column_ + k));
        of_column(k);
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            to_.assign(row_value(result), to_.finish(to_.member(sum, number), number, threads_.reduced));
        });
        compute_row(phase + 1);
        for (const value_id each : made) to_.assign(to_.at(of_columns_[at(each)], k), row_value(each));
    });
}

/// What is stored once for each column.
void vector_columns_policy::store_columns() {
    std::vector<std::size_t> stored;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (!of_.stores_elements(i)) stored.push_back(i);
    if (stored.empty()) return;
    to_.when(threads_.lane == 0 && threads_.is_there, [&] {
        for (const std::size_t i : stored) {
            const nest::type is = types::vector(of_.outputs[i].type, width());
            const value results = to_.variable("v_" + operands_.output_name(i), is);
            to_.unrolled("k", width(), [&](value k) {
                of_column(k);
                to_.assign(to_.lane(results, k), row_value(of_.outputs[i].value));
            });
            to_.assign(to_.at(operands_.memory_of_output(i), threads_.which, is), results);
        }
    });
}

}  // namespace kiln::plan
