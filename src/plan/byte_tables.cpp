#include <plan/byte_tables.hpp>

#include <plan/work.hpp>

namespace kiln::plan {

namespace {

// As many as are hidden behind the way of a byte from or to memory (H100, H200).
constexpr double additions_of_a_byte = 13;

/// In a core's additions of eight numbers, or of so many as a vector has: an element is looked up in one step.
bool takes_vectors_longer(const kernel_work& of) {
    constexpr double of_quotient = 6;
    constexpr double look_up = 24;
    return of.function + of.function_64 > 0 ||
           of.plain + of_quotient * of.quotient + 2 * (of.plain_64 + of_quotient * of.quotient_64) >= look_up;
}

/// In additions.
double additions(const kernel_work& of) {
    constexpr double of_quotient = 12;
    constexpr double of_function = 16;
    constexpr double of_wide = 2;
    return of.plain + of_quotient * of.quotient + of_function * of.function +
           of_wide * (of.plain_64 + of_quotient * of.quotient_64 + of_function * of.function_64);
}

}  // namespace

bool gains_from_table(const lower::program& program, const kernel& of, frame on) {
    if (of.inputs.size() != 1 || of.reduces() || of.gathers()) return false;
    const operand& only = of.inputs[0];
    if (bytes_of(only.type) != 1 || only.is_position || only.is_partial) return false;
    if (on == frame::host) return !of.persistent_rows && takes_vectors_longer(work_of(program, of, on));
    int bytes = bytes_of(only.type);
    for (const operand& each : of.outputs) bytes += bytes_of(each.type);
    return additions(work_of(program, of, frame::cuda)) >= additions_of_a_byte * bytes;
}

bool gains_from_row_tables(const lower::program& program, const kernel& of) {
    constexpr double least_additions = 20;  // what looking up takes is a third
    if (of.inputs.size() < 2 || of.reduces() || of.gathers()) return false;
    int looked_up = 0;
    for (const operand& each : of.inputs) {
        if (each.how == access::uniform) continue;
        if (bytes_of(each.type) != 1 || each.is_position || !each.steps.empty()) return false;
        ++looked_up;
    }
    for (const operand& each : of.outputs)
        if (each.how != access::contiguous || each.guarded_axes) return false;
    return looked_up == 1 && additions(work_of(program, of, frame::cuda)) >= least_additions;
}

std::size_t looked_up_in_table(const kernel& of) {
    for (std::size_t i = 0; i + 1 < of.inputs.size(); ++i)
        if (of.inputs[i].how != access::uniform) return i;
    return of.inputs.size() - 1;
}

bool has_enough_for_table(const kernel& of) {
    return of.threads_per_block <= values_of_a_byte &&
           of.threads_per_block * of.elements_per_thread >= 4 * values_of_a_byte;
}

}  // namespace kiln::plan
