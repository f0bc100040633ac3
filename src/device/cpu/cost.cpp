// kiln/device/cpu/cost: nanoseconds per element, guessed.
#include <device/cpu/cost.hpp>

#include <plan/strips.hpp>

#include <algorithm>
#include <string_view>

namespace kiln::backend {

namespace {

constexpr std::string_view floating_bodies[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) #floating,
#include <kiln/operation_table.def>
};

bool calls_something(const lower::step& what) {
    if (what.code == operation::call) return true;
    // Casts and takes stand behind the table's rows.
    if (what.code >= operation::cast || kind_of(what.operands) != element_kind::floating) return false;
    const std::string_view body = floating_bodies[static_cast<std::size_t>(what.code)];
    return body.find("LIBRARY") != body.npos || body.find("LONG") != body.npos;
}

// In quarters of 0.1 ns, from the functions' own times on an EPYC (Zen 4), operands in the second cache: an interpreted
// addition 0.07 ns an element, a compiled one 0.02, division 0.1 to 1.9, exp 3, pow 4 to 10; in blocks, of float32 0.6 to 2 (Xeon, AVX-512), of float64 2 to 10.
int cost_of(const lower::step& what, gear how) {
    if (plan::is_strip_function(what)) return what.operands == element_type::float64 ? 100 : 40;
    if (calls_something(what) || what.code == operation::rem) return 160;
    if (kiln::detail::is_draw(what.code)) return how == gear::compiled ? 80 : 160;
    if (what.code == operation::div) return kind_of(what.operands) == element_kind::integer ? 64 : 8;
    return how == gear::compiled ? 1 : 3;
}

// Passing through the caches; strided ones use a part of each line, or are turned on their way.
int operand_cost(const plan::operand& of) { return of.how == plan::access::strided ? 12 : 4; }

constexpr auto waking_cost = static_cast<std::int64_t>(least_ns_of_thread * 40);  // in the same quarters

}  // namespace

std::int64_t grain_for(const lower::program& program, const plan::kernel& kernel, gear how) {
    std::int64_t cost = 0;
    for (const auto* operands : {&kernel.outputs, &kernel.inputs})
        for (const plan::operand& each : *operands) cost += operand_cost(each);
    for (int i = kernel.first_step; i < kernel.last_step; ++i)
        cost += cost_of(program.steps[static_cast<std::size_t>(i)], how);
    return std::max(least_elements_of_thread, waking_cost / std::max<std::int64_t>(1, cost));
}

}  // namespace kiln::backend
