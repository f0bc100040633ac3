#include <plan/work.hpp>

#include <string_view>

namespace kiln::plan {

namespace {

constexpr std::string_view floating_bodies[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) #floating,
#include <kiln/operation_table.def>
};

/// Of its kind, at least: pow takes as long as exp on a CPU whose compiler vectorises both, and three times as long on a GPU.
struct amount {
    enum class kind : std::uint8_t { plain, quotient, function } of = kind::plain;
    double count = 1;
};

amount functions(double count) { return {amount::kind::function, count}; }
amount quotients(double count) { return {amount::kind::quotient, count}; }

amount amount_of(const lower::step& what) {
    const element_kind kind = kind_of(what.operands);
    const bool is_complex = kind == element_kind::complex;
    switch (what.code) {
        case operation::call:  // a user's function, of which nothing is known
        case operation::gather:
        case operation::reduce:
        case operation::cast: return {};
        case operation::div:
        case operation::reciprocal:
        case operation::trunc_divide: return quotients(is_complex ? 3 : kind == element_kind::integer ? 2 : 1);
        case operation::floor_divide:
        case operation::floor_mod:
        case operation::rem: return quotients(kind == element_kind::integer ? 3 : 4);
        case operation::sqrt: return is_complex ? functions(1) : quotients(1);
        case operation::rsqrt: return quotients(2);
        case operation::mul:
        case operation::square: return {amount::kind::plain, is_complex ? 6.0 : 1.0};
        default: break;
    }
    // Ten rounds of two products, one of four numbers each (Philox).
    if (detail::is_draw(what.code)) return {amount::kind::plain, 20};
    const std::string_view body = floating_bodies[static_cast<std::size_t>(what.code)];
    const bool calls = body.find("LIBRARY") != body.npos || body.find("LONG") != body.npos;
    if (calls && (kind == element_kind::floating || is_complex)) return functions(1);
    return {amount::kind::plain, is_complex ? 2.0 : 1.0};
}

}  // namespace

kernel_work work_of(const lower::program& program, const kernel& of) {
    kernel_work out;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        const amount takes = amount_of(each);
        const bool is_wide = bytes_of(component_of(each.operands)) == 8;
        switch (takes.of) {
            case amount::kind::plain: (is_wide ? out.plain_64 : out.plain) += takes.count; break;
            case amount::kind::quotient: (is_wide ? out.quotient_64 : out.quotient) += takes.count; break;
            case amount::kind::function: (is_wide ? out.function_64 : out.function) += takes.count; break;
        }
    }
    // Elements that are brought together, each with the one before.
    for (const reduced_output& each : of.reduced)
        if (each.what != detail::reduction_kind::none)
            (bytes_of(each.accumulated) == 8 ? out.plain_64 : out.plain) += 1;
    return out;
}

}  // namespace kiln::plan
