#include <plan/compile_weight.hpp>

#include <plan/divisors.hpp>

#include <numeric>

namespace kiln::plan {

namespace {

// An addition takes about 0.04 ms; weights are what a step more in a kernel of 32 took, in that unit (NVRTC 13.0, sm_90).
int quotient_weight(element_type type) {
    switch (kind_of(type)) {
        case element_kind::complex: return 40;
        case element_kind::integer: return bytes_of(type) == 8 ? 30 : bytes_of(type) == 4 ? 20 : 7;
        default: return is_small_float(type) ? 7 : type == element_type::float64 ? 18 : 14;
    }
}

int weight_of(const lower::step& each, const kernel& in) {
    if (!divides_by_scalar(each, in)) return compile_weight(each);
    const bool is_quotient = each.code == operation::div || each.code == operation::trunc_divide;
    return (is_quotient ? 4 : 8) * bytes_of(each.operands) / 4;
}

/// What a round of the loop does beside the body, in instructions: every register of every vector moves, and the loop has a
/// count, a test for the rest and a jump.
int cost_of_a_round(const kernel& kernel) {
    int cost = 8;
    const auto add = [&](const operand& each) { cost += (bytes_of(each.type) * kernel.elements_per_thread + 3) / 4; };
    for (const operand& each : kernel.inputs)
        if (kernel.is_vector(each)) add(each);
    for (const operand& each : kernel.outputs) add(each);
    return cost;
}

}  // namespace

int compile_weight(const lower::step& of) {
    const bool is_complex = kind_of(of.operands) == element_kind::complex;
    switch (of.code) {
        case operation::div:
        case operation::trunc_divide:
        case operation::reciprocal: return quotient_weight(of.operands);
        case operation::rsqrt: return of.operands == element_type::float32 ? 4 : 2 * quotient_weight(of.operands);
        case operation::rem:
        case operation::floor_divide:
        case operation::floor_mod:  // of floating numbers: fmod, which has loops
            return kind_of(of.operands) == element_kind::integer ? 2 * quotient_weight(of.operands) : 80;
        case operation::sqrt: return is_complex ? 1 : quotient_weight(of.operands);
        case operation::mul:
        case operation::square: return is_complex ? 4 : 1;
        default: return is_complex || is_small_float(of.operands) ? 2 : 1;
    }
}

bool is_function(operation of) {
    switch (of) {
#define KILN_FUNCTION_COST(name, gpu_32, gpu_64, cpu, cpu_64) case operation::name:
#include <plan/function_costs.def>
        return true;
        default: return false;
    }
}

int weight_once(const lower::program& program, const kernel& of) {
    std::vector<int> steps(static_cast<std::size_t>(of.last_step - of.first_step));
    std::iota(steps.begin(), steps.end(), of.first_step);
    return weight_once(program, of, steps);
}

int weight_once(const lower::program& program, const kernel& of, const std::vector<int>& steps) {
    constexpr int of_function = 16;
    int out = 0;
    for (const int i : steps) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        out += is_function(each.code) ? of_function : weight_of(each, of);
    }
    return out;
}

bool rolls_lanes(const lower::program& program, const kernel& kernel) {
    // About 8 ms: with it, a kernel takes half as long again as a bare one. 32 plain steps of four elements are less.
    constexpr int most_unrolled = 200;
    if (!kernel.vectorised || kernel.elements_per_thread == 1 || kernel.reduces() || kernel.has_byte_table)
        return false;
    for (const operand& each : kernel.inputs)
        if (kernel.by_lane(each) || each.gathered || each.block >= row_block::pairs) return false;
    int weight = 0;
    for (int step = kernel.first_step; step < kernel.last_step; ++step) {
        const lower::step& each = program.steps[static_cast<std::size_t>(step)];
        // Neighbours share a block of random numbers, which only unrolled lanes can.
        if (detail::is_draw(each.code)) return false;
        weight += weight_of(each, kernel);
    }
    // Where the loop would show in the time that the kernel runs, it is not worth what it saves once.
    const bool hides_the_loop = weight >= 3 * cost_of_a_round(kernel);
    // Plain steps, however many, are a matter of elements per thread.
    const bool has_heavy = weight > 2 * (kernel.last_step - kernel.first_step);
    return has_heavy && hides_the_loop && weight * kernel.elements_per_thread > most_unrolled;
}

}  // namespace kiln::plan
