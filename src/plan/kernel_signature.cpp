#include <plan/kernel_signature.hpp>

#include <plan/schedule.hpp>

namespace kiln::plan {

kernel_signature signature_of(const lower::program& program, const kernel& of) {
    kernel_signature out;
    for (int i = 0; i < static_cast<int>(of.outputs.size()); ++i) out.push_back({role::output, i});
    for (int i = 0; const operand& each : of.inputs)
        out.push_back({each.is_position ? role::position : role::input, i++});
    for (int i = 0; const lower::value_id each : of.scalars)
        out.push_back({role::scalar, i++, bytes_of(program.type_of(each)) > 8 ? 16 : 8});
    for (int i = 0; i < static_cast<int>(of.divisors.size()); ++i) out.push_back({role::divisor, i});
    if (of.last_block_finalizes()) {
        out.push_back({role::workspace});
        out.push_back({role::counters});
    }
    if (of.has_layout()) out.push_back({role::layout, 0, of.layout_words * 8});
    else out.push_back({role::element_count});
    // Last, behind the count: a warm call of elements puts it there without a look (run/launch_call.hpp).
    if (of.goes_both_ways) out.push_back({role::turned});
    return out;
}

}  // namespace kiln::plan
