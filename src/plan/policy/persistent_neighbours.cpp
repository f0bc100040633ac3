// Rows that begin anywhere, whose elements move one by one: by lanes that take neighbouring elements (neighbour_lanes.hpp), and, of long rows of
// narrow ones, from slots in which a row lies as it does in memory. It comes there in whole vectors, whoever needs what is in them.
#include <plan/policy/persistent_rows.hpp>

namespace kiln::plan {

namespace types = nest::types;

void persistent_rows_policy::find_neighbours() {
    first_neighbour_ = to_.let("first_neighbour", types::small, first_neighbour(threads_.lane));
    value_threads::place at_first = threads_.place_of(first_neighbour_);
    begin_ = to_.let("begin", types::index, threads_.number(at_first));
}

/// Of contiguous operands an element's place is a known distance behind the thread's first, which loads and stores have in themselves.
value_threads::place persistent_rows_policy::place_of(value u, value k, value first) {
    value_threads::place out = threads_.place_of(first);
    if (of_.has_neighbour_lanes) out.number = begin_ + (u * round() + behind_first(k));
    return out;
}

/// A block that has one row is there for it. What elements need besides is then read ahead, past the stores before: RMS norm of rows of 12289
/// float16 takes an H200 90 us in place of 107. Where a thread's registers are full of its row, log-softmax of rows of 24001 floats, ptxas
/// makes room for that: 155 us in place of 141.
void persistent_rows_policy::store_neighbours(const work& of, items which) {
    const bool is_one_row = threads_.outputs_per_block() == 1;
    const bool fills_registers = has_slots() && !of_.shares_slots;
    each_item(which, [&](value u) {
        const value vector = to_.let("vector", types::number, first_of(u));
        const std::vector<nest::id> made = make_item(of, which, u, vector, none_at_hand());
        const auto store = [&] {
            each_element_of(which, u, vector, [&](value k, value first) {
                value_threads::place place = place_of(u, k, first);
                for (const std::size_t i : of.stored)
                    to_.assign(operands_.output(i, threads_.number(place)), to_.at(made[i], k));
            });
        };
        if (is_one_row && !fills_registers) store();
        else to_.when(threads_.is_there, store);
    });
}

void persistent_rows_policy::copy_rows(const std::vector<std::size_t>& inputs) {
    if (inputs.empty()) return;
    first_slots_.resize(phases_.phase.size());
    value_threads::place first = threads_.place_of(to_.constant(0, types::number));
    const value row = to_.let("row", types::index, threads_.number(first));
    for (const std::size_t i : inputs) copy_row(i, row);
    to_.commit_copies();
}

/// Slots begin where the vector does that the row's first element is in. That vector, and the one that its last is in, are not the row's alone:
/// what it has of them comes element by element.
void persistent_rows_policy::copy_row(std::size_t input, value row) {
    constexpr int vector_bytes = 16;
    const operand& each = of_.inputs[input];
    const std::string& name = operands_.input_name(input);
    const nest::id from = operands_.memory_of_input(input);
    const nest::id to = slot_memory(each.value);
    const int elements = vector_bytes / bytes_of(each.type);
    const nest::type vector = types::vector(each.type, elements);
    const value skew = to_.let("skew_" + name, types::small, to_.skew(from, row, vector_bytes));
    const value count = to_.let("count_" + name, types::small, threads_.reduced);
    const value head = to_.let("head_" + name, types::small, (to_.constant(elements) - skew) & (elements - 1));
    const value tail = to_.let("tail_" + name, types::small, ((count + skew) & -elements) - skew);
    const auto copy_element = [&](value element) {
        to_.assign(to_.at(to, skew + element), to_.at(from, row + element));
    };
    to_.when(threads_.lane < head, [&] { copy_element(threads_.lane); });
    to_.when(threads_.lane < count - tail, [&] { copy_element(tail + threads_.lane); });
    const int threads = of_.threads_per_output;
    const auto rounds = static_cast<int>(ceil_div(slots_of_block(of_), threads * elements));
    to_.unrolled("u", rounds, [&](value u) {
        const value place = to_.let("place", types::small, (threads_.lane + u * threads) * elements);
        const value first = to_.let("first", types::small, place - skew);
        to_.when((first >= 0) & (first < tail),
                 [&] { to_.copy_async(to_.at(to, place, vector), to_.at(from, row + first, vector)); });
    });
    first_slots_[at(each.value)] = to_.let("first_slot_" + name, types::small, skew + first_neighbour_);
}

}  // namespace kiln::plan
