// Rows of a panel in shared memory move in vectors, each by whichever thread; what is stored last is computed where it is one.
#include <plan/fast_paths.hpp>
#include <plan/policy/persistent_columns.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

void persistent_columns_policy::begin_vectors() {
    if (of_.panel.slots == 0) return;
    const int in_row = columns() / moved();
    vectors_.first_column = to_.let("first_column", types::small, threads_.thread % in_row * moved());
    vectors_.first_row = to_.let("first_row", types::small, threads_.thread / in_row);
    const value wanted = to_.let("wanted_vector", types::number, threads_.group * columns() + vectors_.first_column);
    vectors_.is_there = to_.let("vector_is_there", wanted < threads_.kept);
    const value which =
        to_.let("vector_of_values", types::number, to_.select(vectors_.is_there, wanted, threads_.kept - moved()));
    vectors_.positions = threads_.place_of_value(which).positions;
    vectors_.rows = to_.constant(of_.panel.slots * lanes());
    if (of_.panel.whole) return;
    const value there = threads_.end - threads_.first;
    const value none = to_.constant(0, types::number);
    vectors_.rows = to_.let("rows_in_slots", types::small,
                            to_.least(to_.select(threads_.first < threads_.end, there, none),
                                      to_.constant(of_.panel.slots * lanes(), types::number)));
}

/// Those of the rows that are the thread's.
template <class Each>
void persistent_columns_policy::each_vector(int written_out, slot_group which, Each each) {
    const int at_once = of_.threads_per_block / (columns() / moved());
    const value first = which.begin > 0 ? vectors_.first_row + which.begin * lanes() : vectors_.first_row;
    const bool is_last = which.end == of_.panel.slots;
    const int rows = which.end * lanes();
    const value end = of_.panel.whole ? to_.constant(rows)
                      : is_last       ? vectors_.rows
                                      : to_.least(vectors_.rows, to_.constant(rows));
    to_.loop(
        nest::runner::serial, "row", first, end, at_once,
        [&](value row) {
            const value number = to_.let("number", types::number, threads_.first + row);
            each(vector_item{row * columns() + vectors_.first_column, number,
                             threads_.place_of(vectors_.positions, number)});
        },
        written_out);
}

void persistent_columns_policy::copy_vectors(const std::vector<std::size_t>& inputs) {
    constexpr int at_once = 8;
    for (const slot_group group : underway_) {
        each_vector(at_once, group, [&](vector_item each) {
            for (const std::size_t i : inputs) copy_vector(i, each);
        });
        to_.commit_copies();
    }
}

/// In pieces of 16 bytes at most.
void persistent_columns_policy::copy_vector(std::size_t input, vector_item& each) {
    const operand& of = of_.inputs[input];
    const int lanes_at_once = std::min(moved(), 16 / bytes_of(of.type));
    const value from = threads_.address(input, each.place);
    const auto is = lanes_at_once == 1 ? types::element(of.type) : types::vector(of.type, lanes_at_once);
    for (int lane = 0; lane < moved(); lane += lanes_at_once)
        to_.copy_async(to_.at(slots_of_value(of.value), lane ? each.slot + lane : each.slot, is),
                       to_.at(operands_.memory_of_input(input), lane ? from + lane : from, is));
}

// --- What is stored of elements once no reduction needs them ---

void persistent_columns_policy::store_vectors(int phase, std::optional<int> body) {
    if (of_.panel.slots == 0) return;
    const std::vector<nest::id> of_columns = give_to_vectors();
    const std::vector<value> of_own_column = of_columns_values();
    const bool tests = has_tests(body);
    each_vector(written_out(phase) >= 8 ? 4 : 1, all_slots(), [&](vector_item each) {
        const std::vector<value> read = read_vectors(phase, each);
        std::vector<value> results(of_.outputs.size());
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (is_stored(i, phase)) {
                threads_.number(each.place);
                results[i] = to_.variable("v_" + operands_.output_name(i), types::vector(of_.outputs[i].type, moved()));
            }
        const auto take_elements = [&](value is_right) {
            to_.unrolled("k", moved(), [&](value k) {
                for (value_id one = 0; at(one) < of_columns.size(); ++one)
                    if (of_columns[at(one)] != nest::none) row_value(one) = to_.at(of_columns[at(one)], k);
                take_element_of(phase, body, each, k, read, results, is_right);
            });
        };
        if (tests) {
            // By fast paths without a branch between them; all once more where a result was not right.
            const value is_right = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
            take_elements(is_right);
            to_.when(!is_right, [&] { take_elements({}); });
        } else {
            take_elements({});
        }
        for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i].is_there())
                to_.when(vectors_.is_there, [&] {
                    to_.assign(to_.at(operands_.memory_of_output(i), each.place.number, results[i].is()), results[i]);
                });
    });
    for (value_id one = 0; at(one) < of_columns.size(); ++one)
        if (of_columns[at(one)] != nest::none) row_value(one) = of_own_column[at(one)];
}

std::vector<persistent_columns_policy::value> persistent_columns_policy::of_columns_values() {
    std::vector<value> out;
    for (value_id each = 0; at(each) < needed_.size(); ++each) out.push_back(row_value(each));
    return out;
}

/// What is one for each column and the phase needs, of the columns of each thread's vectors.
std::vector<nest::id> persistent_columns_policy::give_to_vectors() {
    std::vector<value_id> given;
    for (value_id each = 0; at(each) < needed_.size(); ++each)
        if (needed_[at(each)] && of_row(each) && is_step(each)) given.push_back(each);
    std::vector<nest::id> shared;
    for (const value_id each : given)
        shared.push_back(to_.shared("columns_" + name_of(each), type_of(each), columns()));
    to_.when(threads_.thread < columns(), [&] {
        for (std::size_t i = 0; i < given.size(); ++i)
            to_.assign(to_.at(shared[i], threads_.thread), row_value(given[i]));
    });
    to_.barrier();
    std::vector<nest::id> out(needed_.size(), nest::none);
    for (const value_id each : given) out[at(each)] = to_.own("of_column_" + name_of(each), type_of(each), moved());
    to_.unrolled("k", moved(), [&](value k) {
        for (std::size_t i = 0; i < given.size(); ++i)
            to_.assign(to_.at(out[at(given[i])], k), to_.at(shared[i], vectors_.first_column + k));
    });
    return out;
}

/// Vectors, and what is the same for all of their elements.
std::vector<persistent_columns_policy::value> persistent_columns_policy::read_vectors(int phase, vector_item& each) {
    std::vector<value> out(phases_.phase.size());
    const auto vector_of = [&](value_id of) { return types::vector(program_.type_of(of), moved()); };
    for (value_id one = 0; at(one) < out.size(); ++one) {
        if (!needed_[at(one)] || of_row(one) || program_.is_constant(one)) continue;
        if (is_step(one) && phase_of(one) == phase) continue;
        if (is_kept(one)) {
            out[at(one)] = to_.let("v_" + name_of(one), to_.at(slots_of_value(one), each.slot, vector_of(one)));
        } else if (const operand* const from = input(one)) {
            const auto i = static_cast<std::size_t>(from - of_.inputs.data());
            if (from->is_partial) out[at(one)] = operands_.element(i, value());
            else if (from->how == access::uniform)
                out[at(one)] = to_.let("v_" + name_of(one), operands_.element(i, threads_.address(i, each.place)));
            else if (!from->is_position && (from->how == access::contiguous || from->how == access::row))
                out[at(one)] = to_.let("v_" + name_of(one), to_.at(operands_.memory_of_input(i),
                                                                   threads_.address(i, each.place), vector_of(one)));
        }
    }
    return out;
}

void persistent_columns_policy::take_element_of(int phase, std::optional<int> body, const vector_item& each, value k,
                                                const std::vector<value>& read, const std::vector<value>& results,
                                                value is_right) {
    value_threads::place here{each.place.positions};
    here.positions.back() = here.positions.back() + k;
    std::vector<value> alone(phases_.phase.size());  // elements that are in no vector
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const value_id one = of_.inputs[i].value;
        if (!needed_[at(one)] || is_kept(one) || read[at(one)].is_there()) continue;
        alone[at(one)] = to_.let("v_" + operands_.input_name(i), operands_.element(i, threads_.address(i, here)));
    }
    element_places places;
    places.is_right = is_right;
    places.held = [&](value_id which) {
        if (alone[at(which)].is_there()) return alone[at(which)];
        const value vector = read[at(which)];
        return vector.is().what == nest::type::kind::vector ? to_.lane(vector, k) : vector;
    };
    places.keep = [](value_id) { return value(); };
    places.store = [&](std::size_t output, value element) { to_.assign(to_.lane(results[output], k), element); };
    take_element(phase, body, each.number, places);
}

bool persistent_columns_policy::has_tests(const std::optional<int>& body) {
    if (!body) return false;
    const nest::body& of = to_.made().bodies[static_cast<std::size_t>(*body)];
    return choose_fast_paths(program_, of.steps, of.outputs).has_tests();
}

}  // namespace kiln::plan
