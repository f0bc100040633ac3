#include <plan/float_vectors.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using lower::program;
using lower::step;

bool is_float(element_type type) { return type == element_type::float32 || is_small_float(type); }

bool has_vectors(const step& of) {
    switch (of.code) {
        case operation::logical_and:
        case operation::logical_or:
        case operation::logical_not: return true;
        case operation::cast: return is_float(of.operands) && is_float(of.result);
        case operation::fma: return of.operands == element_type::float16;
        case operation::add:
        case operation::sub:
        case operation::mul:
        case operation::div:
        case operation::neg:
        case operation::eq:
        case operation::ne:
        case operation::lt:
        case operation::le:
        case operation::gt:
        case operation::ge:
        case operation::isnan:
        case operation::isinf:
        case operation::isfinite:
        case operation::abs:
        case operation::sign:
        case operation::square:
        case operation::relu:
        case operation::min:
        case operation::max:
        case operation::clamp:
        case operation::where:
        case operation::floor:
        case operation::ceil:
        case operation::trunc:
        case operation::rint:
        case operation::sqrt:
        case operation::lerp:
        case operation::reciprocal:
        case operation::rsqrt: return is_float(of.operands);
        default: return false;
    }
}

/// What is chosen of numbers alone: no vector says how many they are.
bool are_constants(const program& all, const step& of) {
    if ((of.code == operation::min || of.code == operation::max) && all.is_constant(of.args[0])) return true;
    for (int a = of.code == operation::where ? 1 : 0; a < of.arity; ++a)
        if (!all.is_constant(of.args[a])) return false;
    return true;
}

bool is_byte_step(const step& of) {
    constexpr element_type byte = element_type::uint8, number = element_type::float32;
    if (of.code == operation::cast)
        return (of.operands == byte && of.result == number) || (of.operands == number && of.result == byte);
    return has_vectors(of) && !is_small_float(of.operands);
}

}  // namespace

bool is_of_bytes(const kernel& of) {
    const auto is_byte = [](const operand& each) { return each.type == element_type::uint8; };
    return std::all_of(of.inputs.begin(), of.inputs.end(), is_byte) &&
           std::all_of(of.outputs.begin(), of.outputs.end(), is_byte);
}

bool computes_float_vectors(const program& program, const kernel& of) {
    if (of.persistent_rows || of.side_by_side || of.crossed || of.short_rows || of.rows_in_lanes || of.parts_in_lanes ||
        of.has_byte_table || of.gathers() || of.inputs.empty() || of.last_step == of.first_step)
        return false;
    const bool has_bytes = is_of_bytes(of);
    if (has_bytes && of.reduces()) return false;
    bool has_small = false;
    const auto is_ours = [&](const operand& each) {
        has_small = has_small || is_small_float(each.type);
        // Of bytes that lie apart, a copy of them takes longer than their steps.
        return (has_bytes ? each.how == access::contiguous : is_float(each.type)) && !each.is_position &&
               !each.is_partial && !each.guarded_axes;
    };
    if (!std::all_of(of.inputs.begin(), of.inputs.end(), is_ours) ||
        !std::all_of(of.outputs.begin(), of.outputs.end(), is_ours))
        return false;
    for (const lower::value_id scalar : of.scalars)
        if (has_bytes ? program.type_of(scalar) != element_type::float32 : !is_float(program.type_of(scalar)))
            return false;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const step& each = program.steps[static_cast<std::size_t>(i)];
        if (!(has_bytes ? is_byte_step(each) : has_vectors(each)) || (each.arity > 0 && are_constants(program, each)))
            return false;
        for (int a = 0; a < each.arity; ++a)
            if (program.is_constant(each.args[a]) && program.type_of(each.args[a]) != element_type::float32)
                return false;
    }
    return has_small || has_bytes;
}

}  // namespace kiln::plan
