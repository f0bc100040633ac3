#include <plan/neighbour_rows.hpp>

#include <plan/compile_weight.hpp>
#include <plan/narrow_elements.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/row_slots.hpp>

#include <algorithm>
#include <utility>

namespace kiln::plan {

namespace {

using lower::program;
using lower::step;

/// What a row's threads hold of it, or read of all rows.
struct row_operands {
    int held = 0;
    int widest = 0;  // bytes, of those
    bool all_contiguous = true;
    bool shares = false;
};
row_operands operands_of_row(const kernel& of) {
    row_operands out;
    for (const operand& each : of.inputs) {
        if (each.is_position || each.how == access::uniform) continue;
        if (read_in_place(of, each)) {
            out.shares = true;
            continue;
        }
        ++out.held;
        out.widest = std::max(out.widest, bytes_of(each.type));
        out.all_contiguous = out.all_contiguous && each.how == access::contiguous && each.steps.empty();
    }
    return out;
}

bool moves_one_by_one(const kernel& of, const program& program) {
    const bool scans =
        std::any_of(program.steps.begin(), program.steps.end(), [](const step& each) { return each.scans; });
    const bool is_partial =
        std::any_of(of.inputs.begin(), of.inputs.end(), [](const operand& each) { return each.is_partial; });
    return !of.vectorised && !scans && !is_partial && !of.gathers() && of.threads_per_output >= warp &&
           of.reduced_axes == 1U << (of.rank - 1);
}

bool stores_elements(const kernel& of) {
    for (std::size_t i = 0; i < of.outputs.size(); ++i)
        if (of.stores_elements(i)) return true;
    return false;
}

bool calls_functions(const program& of) {
    return std::any_of(of.steps.begin(), of.steps.end(), [](const step& each) { return is_function(each.code); });
}

/// As many blocks as leave each thread 32 registers, or 64 for states.
bool choose_shared_slots(kernel& into, const program& of, const target& on) {
    constexpr int room_beside = 512;  // of a block, for what its threads exchange
    constexpr int lost = 1024;
    constexpr int least_threads = 1024;
    constexpr int most_threads = 2048;
    if (!on.async_copies || into.threads_per_output != into.threads_per_block) return false;
    kernel made = into;
    made.shares_slots = true;
    made.recomputes = true;
    made.items_in_registers = 0;
    made.dynamic_shared_bytes = 0;
    for (const element_type each : slots_of(of, made, narrow_phases_of(of, made), made.recomputes).arrays)
        made.dynamic_shared_bytes =
            nest::dynamic_shared_end(made.dynamic_shared_bytes, nest::types::element(each), slots_of_block(made));
    const int bytes = made.dynamic_shared_bytes + room_beside;
    const int threads = keeps_state(of) ? least_threads : most_threads;
    made.resident = std::min(threads / made.threads_per_block, on.shared_bytes_at_once / (bytes + lost));
    if (bytes > on.most_shared_bytes || made.resident * made.threads_per_block < least_threads) return false;
    into = std::move(made);
    return true;
}

}  // namespace

int slots_of_block(const kernel& of) {
    constexpr int most_of_vector = 16;  // elements that a row's first vector has before it
    const int items = of.items_per_thread - of.items_in_registers;
    const int elements = items * of.threads_per_block * of.vector_width;
    return of.shares_slots ? elements + most_of_vector : elements;
}

void choose_neighbour_lanes(kernel& into, const program& of, const target& on) {
    if (!moves_one_by_one(into, of)) return;
    const row_operands row = operands_of_row(into);
    if (row.held == 0) return;
    const bool has_slots = into.items_in_registers < into.items_per_thread;
    const bool are_narrow = row.widest <= 2;
    if (!stores_elements(into)) {
        // What is done beside reading decides: of float16, logsumexp of rows of 4097 takes an H200 65 us so for 76, the variance of 2047 54
        // for 46. Of 25001 doubles 67 for 78; of 24001 floats 88 for 80.
        into.has_neighbour_lanes = are_narrow ? calls_functions(of) && !has_slots : has_slots && row.widest == 8;
    } else if (!are_narrow) {
        // One array of four bytes' elements comes together in the first cache, and is stored by neighbouring lanes in any case (RMS norm of
        // rows of 12289 floats 136 us; 156 so). Of two, x + y normed, 186 us for 310; where slots are filled element by element, softmax of
        // rows of 24001 floats 150 for 185, of 25001 doubles 150 for 302.
        into.has_neighbour_lanes = has_slots || row.held > 1;
    } else if (into.items_per_thread <= most_short_items && !has_slots) {
        // Of float16, softmax of rows of 4097 takes 97 us so and 125 in vectors that are taken apart (policy/skewed_rows.hpp), of 1021 80
        // and 103; layer norm of x + y of 4097 140 and 197.
        into.has_neighbour_lanes = true;
    } else if (row.all_contiguous && (has_slots || !row.shares || into.resident == 1)) {
        // What all rows share has no cache beside slots: RMS norm of rows of 24001 float16, of which a multiprocessor has two in registers, takes
        // 81 us so, 102 in slots; of 50257, of which it has one there, 126 and 106.
        into.has_neighbour_lanes = choose_shared_slots(into, of, on);
    }
}

}  // namespace kiln::plan
