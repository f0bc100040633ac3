#include <plan/row_slots.hpp>

#include <plan/narrow_elements.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/reduction.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace kiln::plan {

namespace {

using lower::program;
using lower::step;
using lower::value_id;

std::size_t slot_number(value_id value) { return static_cast<std::size_t>(value); }

int in_registers(element_type type) { return std::max(4, bytes_of(type)); }

/// The last phase that reads each of the elements' values.
std::vector<int> last_uses(const program& of, const kernel& stores, const row_phases& phases) {
    std::vector<int> out(phases.phase.size(), -1);
    for (int phase = 0; phase < phases.count; ++phase) {
        const std::vector<bool> needed = needed_in(phase, of, stores, phases);
        for (std::size_t value = 0; value < out.size(); ++value)
            if (needed[value]) out[value] = phase;
    }
    return out;
}

/// Each kept value has an array of slots from the phase that makes it to the last that reads it. A phase reads what it needs of an element
/// before it leaves what it makes of it, in the same place if need be; copies come before both.
void keep_values(row_slots& out, const program& of, const kernel& stores, const row_phases& phases) {
    const std::vector<int> last_use = last_uses(of, stores, phases);
    std::vector<value_id> kept;
    for (value_id value = 0; slot_number(value) < phases.phase.size(); ++value)
        if (phases.kept[slot_number(value)] && !phases.made_again[slot_number(value)] &&
            !phases.of_row[slot_number(value)] && !of.is_constant(value))
            kept.push_back(value);
    std::stable_sort(kept.begin(), kept.end(), [&](value_id a, value_id b) {
        return phases.phase[slot_number(a)] < phases.phase[slot_number(b)];
    });
    std::vector<int> free_after;  // of each array, the phase
    std::vector<int> held;        // of each array, bytes of registers
    for (const value_id value : kept) {
        const bool is_made = value >= of.first_step_value();
        if (!is_made) {
            const auto input = std::find_if(stores.inputs.begin(), stores.inputs.end(),
                                            [&](const operand& each) { return each.value == value; });
            if (input == stores.inputs.end() || read_in_place(stores, *input)) continue;
            out.copied_in[slot_number(value)] = phases.phase[slot_number(value)];
        }
        std::size_t array = 0;
        while (array < out.arrays.size() && (out.arrays[array] != of.type_of(value) ||
                                             free_after[array] >= phases.phase[slot_number(value)] + is_made))
            ++array;
        if (array == out.arrays.size()) {
            out.arrays.push_back(of.type_of(value));
            free_after.push_back(0);
            held.push_back(0);
        }
        out.array[slot_number(value)] = static_cast<int>(array);
        // Of narrow ones as they were read there are two in a register.
        const bool is_packed = makes_again(phases) && !is_made && is_narrow(of.type_of(value));
        held[array] = std::max(held[array], is_packed ? bytes_of(of.type_of(value)) : in_registers(of.type_of(value)));
        free_after[array] = last_use[slot_number(value)];
    }
    out.register_bytes = std::accumulate(held.begin(), held.end(), 0);
    for (const operand& each : stores.inputs)
        if (!read_in_place(stores, each) && !out.holds(each.value)) out.register_bytes += in_registers(each.type);
}

/// Inputs that several phases begin with.
void keep_inputs(row_slots& out, const program& of, const kernel& stores, const row_phases& phases) {
    std::vector<std::vector<bool>> needed;
    for (int phase = 0; phase < phases.count; ++phase) needed.push_back(needed_from(phase, of, stores, phases));
    for (const operand& each : stores.inputs) {
        if (read_in_place(stores, each)) continue;
        out.register_bytes += in_registers(each.type);
        int uses = 0;
        for (int phase = phases.count; phase-- > 0;) {
            if (!needed[static_cast<std::size_t>(phase)][slot_number(each.value)]) continue;
            ++uses;
            out.copied_in[slot_number(each.value)] = phase;
        }
        if (uses < 2 && !stores.shares_slots) continue;
        out.array[slot_number(each.value)] = static_cast<int>(out.arrays.size());
        out.arrays.push_back(each.type);
    }
}

constexpr int threads_at_once = 1024;  // of a multiprocessor

/// Registers that are held at most, of those that each thread has.
int held_of(int threads, int resident, bool of_longest) {
    constexpr int registers = 64 * 1024;  // of a multiprocessor
    const int of_thread = std::min(255, registers / (threads * resident) / 8 * 8);
    return of_longest ? of_thread * 11 / 16 : of_thread / 2;
}

}  // namespace

int row_slots::bytes() const {
    return std::accumulate(arrays.begin(), arrays.end(), 0,
                           [](int sum, element_type each) { return sum + bytes_of(each); });
}

row_slots slots_of(const program& of, const kernel& stores, const row_phases& phases, bool recomputes) {
    row_slots out;
    out.array.assign(phases.phase.size(), -1);
    out.copied_in.assign(phases.phase.size(), -1);
    if (recomputes) keep_inputs(out, of, stores, phases);
    else keep_values(out, of, stores, phases);
    return out;
}

bool read_in_place(const kernel& of, const operand& input) {
    const bool of_all_rows =
        input.how != access::contiguous && input.steps.empty() && (input.address.axes & ~of.reduced_axes) == 0;
    return input.is_position || input.how == access::uniform || of_all_rows;
}

bool keeps_state(const program& of) {
    return std::any_of(of.steps.begin(), of.steps.end(), [](const step& each) {
        return each.code == operation::reduce && detail::keeps_state(each.reduces);
    });
}

std::optional<row_division> divide_row(int items, int threads, int register_bytes, int slot_bytes, const target& on) {
    constexpr int room_beside = 1024;       // of a block, for what its threads exchange, in common cases
    constexpr int most_room_beside = 3072;  // and at most
    constexpr int lost = 1024;
    for (int resident = std::max(1, threads_at_once / threads); resident >= 1; --resident) {
        // Half of them for what the thread does, but for the longest rows.
        for (const bool of_longest : {false, true}) {
            const int held = held_of(threads, resident, of_longest);
            const int in_registers = std::min(items, held / register_bytes);
            const int bytes = (items - in_registers) * threads * 4 * slot_bytes;
            if (bytes == 0) return row_division{in_registers, resident};
            if (on.async_copies && bytes + most_room_beside <= on.most_shared_bytes &&
                resident * (bytes + room_beside + lost) <= on.shared_bytes_at_once)
                return row_division{in_registers, resident};
        }
    }
    return {};
}

void choose_slots(kernel& into, const program& of, const target& on) {
    // Of blocks of so many threads two are at once on a multiprocessor if they are told so: a compiler that is not gave softmax of
    // rows of 12000 floats 71 registers a thread, and an H200 took 392 us in place of 260.
    constexpr int most_threads_untold = 256;
    const bool is_short = into.items_per_thread <= most_short_items;
    into.items_in_registers = into.items_per_thread;
    if (into.gathers() || (is_short && into.threads_per_block <= most_threads_untold)) return;
    const row_phases phases = narrow_phases_of(of, into);
    // Slots would take the first cache from what all rows share.
    const bool shares = std::any_of(into.inputs.begin(), into.inputs.end(), [&](const operand& each) {
        return read_in_place(into, each) && !each.is_position && each.how != access::uniform;
    });
    if (shares && is_short) return;
    if (shares) {
        const row_slots slots = slots_of(of, into, phases, false);
        for (int resident = std::max(1, threads_at_once / into.threads_per_block); resident >= 1; --resident) {
            if (into.items_per_thread * slots.register_bytes > held_of(into.threads_per_block, resident, false))
                continue;
            into.resident = resident;
            return;
        }
    }
    // What was computed is kept, unless fewer blocks are at once on a multiprocessor then.
    constexpr int least_held = 2;  // bytes of an element
    for (const bool recomputes : {false, true}) {
        const row_slots slots = slots_of(of, into, phases, recomputes);
        const auto divided = [&](int register_bytes) {
            return divide_row(into.items_per_thread, into.threads_per_block, register_bytes, slots.bytes(), on);
        };
        const int register_bytes = std::max(least_held, slots.register_bytes);
        // A state has as many registers as half of those elements, and where one block is alone ptxas spills some: layer norm of rows of 50256
        // floats takes an H200 160 us so, 139 with half as many elements in registers.
        auto found =
            keeps_state(of) && into.threads_per_block == threads_at_once ? divided(2 * register_bytes) : std::nullopt;
        if (!found) found = divided(register_bytes);
        if (!found || found->resident <= into.resident) continue;
        into.resident = found->resident;
        into.items_in_registers = found->in_registers;
        into.recomputes = recomputes;
        into.dynamic_shared_bytes = 0;
        const int elements = (into.items_per_thread - found->in_registers) * into.threads_per_block * into.vector_width;
        for (const element_type each : slots.arrays)
            into.dynamic_shared_bytes =
                nest::dynamic_shared_end(into.dynamic_shared_bytes, nest::types::element(each), elements);
    }
}

}  // namespace kiln::plan
