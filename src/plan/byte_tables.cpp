#include <plan/byte_tables.hpp>

#include <plan/float_vectors.hpp>
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

/// Whether an element takes longer than 1 ns for the roundings of its 16-bit floats: one core of an EPYC (Zen 4, AVX2) looks it up in 0.6 to
/// 0.8 where the table is in its second cache.
bool do_roundings_take_longer(const lower::program& program, const kernel& of) {
    const bool in_vectors = computes_float_vectors(program, of);
    const double of_float16 = in_vectors ? 0.12 : 0.45;
    const double of_bfloat16 = in_vectors ? 0.08 : 0.22;
    double takes = 0;  // ns
    for (int i = of.first_step; i < of.last_step; ++i) {
        const element_type computed = program.steps[static_cast<std::size_t>(i)].operands;
        if (computed == element_type::float16) takes += of_float16;
        if (computed == element_type::bfloat16) takes += of_bfloat16;
    }
    return takes > 1;
}

/// Whether elements are made of one array's alone, which have so many bytes.
bool is_of_one_array(const kernel& of, int bytes) {
    if (of.inputs.size() != 1 || of.reduces() || of.gathers()) return false;
    const operand& only = of.inputs[0];
    return bytes_of(only.type) == bytes && !only.is_position && !only.is_partial;
}

}  // namespace

bool gains_from_table(const lower::program& program, const kernel& of, frame on) {
    if (!is_of_one_array(of, 1)) return false;
    const operand& only = of.inputs[0];
    if (on == frame::host) return !of.persistent_rows && takes_vectors_longer(work_of(program, of, on));
    int bytes = bytes_of(only.type);
    for (const operand& each : of.outputs) bytes += bytes_of(each.type);
    return additions(work_of(program, of, frame::cuda)) >= additions_of_a_byte * bytes;
}

bool gains_from_large_table(const lower::program& program, const kernel& of) {
    // layout_words: elements are found by their numbers alone.
    return is_of_one_array(of, 2) && of.outputs.size() == 1 && of.layout_words == 0 &&
           of.mapping == thread_mapping::linear &&
           (takes_vectors_longer(work_of(program, of, frame::host)) || do_roundings_take_longer(program, of));
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
