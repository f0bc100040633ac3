// In slots of shared memory. Each thread copies there what it will read itself: it waits for its own copies, and for no other thread.
#include <plan/policy/persistent_rows.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

void persistent_rows_policy::make_slots() {
    slots_ = slots_of(program_, of_, phases_, of_.recomputes);
    const int elements = slots_of_block(of_);
    for (const element_type each : slots_.arrays)
        slot_arrays_.push_back(
            to_.dynamic_shared("slots" + std::to_string(slot_arrays_.size()), types::element(each), elements));
}

int persistent_rows_policy::slots_written_out() const {
    if (!of_.vectorised && !of_.has_neighbour_lanes) return 1;
    // Of elements that are asked for, and computed once more, one by one: log-softmax of rows of 50257 bfloat16 107 us, of four 115.
    if (of_.shares_slots) return 2;
    constexpr int most = 16;
    const int slots = of_.items_per_thread - of_.items_in_registers;
    return static_cast<int>(ceil_div(slots, ceil_div(slots, most)));
}

/// Neighbouring threads' vectors are neighbours; so are their elements, where those are no vectors: no two banks meet.
nest::value persistent_rows_policy::slot_of(value u) {
    return ((u - of_.items_in_registers) * of_.threads_per_block + threads_.thread) * width();
}
nest::value persistent_rows_policy::slot_of(value_id of, value u, value k) {
    if (of_.shares_slots) return first_slots_[at(of)] + (u * round() + behind_first(k));
    return ((u - of_.items_in_registers) * width() + k) * of_.threads_per_block + threads_.thread;
}

std::vector<std::size_t> persistent_rows_policy::copied_in(int phase) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
        if (slots_.holds(of_.inputs[i].value) && slots_.copied_in[at(of_.inputs[i].value)] == phase) out.push_back(i);
    return out;
}

void persistent_rows_policy::copy_to_slots(const std::vector<std::size_t>& inputs) {
    if (inputs.empty()) return;
    if (of_.vectorised) {
        each_vector(in_slots(), [&](value u, value first) {
            value_threads::place at = threads_.place_of(first);
            for (const std::size_t i : inputs) copy_vector(i, u, at);
        });
    } else {
        each_element(in_slots(), [&](value u, value k, value first) {
            value_threads::place at = place_of(u, k, first);
            for (const std::size_t i : inputs) {
                const operand& each = of_.inputs[i];
                const value to = slot(each.value, slot_of(each.value, u, k));
                const value from = operands_.element(i, threads_.address(i, at));
                // Copies in the background are of four bytes at least.
                if (bytes_of(each.type) < 4) to_.assign(to, from);
                else to_.copy_async(to, from);
            }
        });
    }
    to_.commit_copies();
}

void persistent_rows_policy::copy_vector(std::size_t input, value u, value_threads::place& at) {
    const operand& each = of_.inputs[input];
    const int lanes = std::min(width(), 16 / bytes_of(each.type));
    const value from = threads_.address(input, at);
    const auto is = lanes == 1 ? types::element(each.type) : types::vector(each.type, lanes);
    for (int lane = 0; lane < width(); lane += lanes)
        to_.copy_async(to_.at(slot_memory(each.value), lane ? slot_of(u) + lane : slot_of(u), is),
                       to_.at(operands_.memory_of_input(input), lane ? from + lane : from, is));
}

persistent_rows_policy::work persistent_rows_policy::of_slots(const work& of_registers) {
    work out = of_registers;
    out.in_slots = true;
    if (!of_.recomputes) return out;
    out.needed = needed_from(out.phase, program_, of_, phases_);
    out.body = body_from_inputs(out.phase, out.needed);
    out.tests = tests_quotients(out.phase, out.body);
    return out;
}

bool persistent_rows_policy::leaves(const work& of, value_id made) const {
    return is_step(made) && slots_.holds(made) && !of_row(made) && phase_of(made) == of.phase;
}

void persistent_rows_policy::read_slots(const work& of, value u, value k, at_hand& read) {
    for (value_id each = 0; at(each) < read.size(); ++each) {
        if (!slots_.holds(each) || !of.needed[at(each)] || leaves(of, each)) continue;
        read[at(each)] = of_.vectorised
                             ? to_.let("v_" + name_of(each), to_.at(slot_memory(each), slot_of(u),
                                                                    types::vector(program_.type_of(each), width())))
                             : to_.let("v_" + name_of(each), slot(each, slot_of(each, u, k)));
    }
}

}  // namespace kiln::plan
