#include <plan/work.hpp>

#include <plan/byte_tables.hpp>

#include <algorithm>
#include <string_view>

namespace kiln::plan {

namespace {

constexpr std::string_view floating_bodies[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) #floating,
#include <kiln/operation_table.def>
};

struct amount {
    enum class kind : std::uint8_t { plain, quotient, function } of = kind::plain;
    double count = 1;
};

amount plain(double count) { return {amount::kind::plain, count}; }
amount functions(double count) { return {amount::kind::function, count}; }
amount quotients(double count) { return {amount::kind::quotient, count}; }

struct function_cost {
    double gpu = 3;
    double gpu_64 = 3;
    double cpu = 3;
    double cpu_64 = 3;
};

function_cost cost_of(operation code) {
    switch (code) {
#define KILN_FUNCTION_COST(name, on_gpu, on_gpu_64, on_cpu, on_cpu_64) \
    case operation::name: return {on_gpu, on_gpu_64, on_cpu, on_cpu_64};
#include <plan/function_costs.def>
        default: return {};
    }
}

/// What rounds to 16 bits, and what rounds a float to a whole number, runs in the units of conversions: an eighth of those
/// that a GPU has for additions.
constexpr double rounding = 8;

/// Conversions between integers and floats have units of their own, fewer than additions have.
double cost_of_cast(element_type from, element_type to, frame on) {
    const auto is_float = [](element_type type) {
        return kind_of(type) == element_kind::floating || kind_of(type) == element_kind::complex;
    };
    if (is_float(from) == is_float(to)) return bytes_of(component_of(from)) == bytes_of(component_of(to)) ? 1 : 2;
    const element_type whole = is_float(from) ? to : from;
    if (whole == element_type::boolean) return 1;
    const int bytes = bytes_of(whole);
    if (bytes < 4) return on == frame::host ? 4 : 7.5;
    return bytes == 8 ? 5 : is_float(from) ? 3 : 1;
}

/// In additions of the type.
double cost_of_floats(operation code, frame on) {
    if (on == frame::host) return 1;
    switch (code) {
        case operation::min:
        case operation::max: return 3;  // NaN is looked for
        case operation::clamp: return 7;
        case operation::floor:
        case operation::ceil:
        case operation::trunc:
        case operation::round:
        case operation::rint: return rounding;
        default: return 1;
    }
}

amount amount_of(const lower::step& what, element_type of_argument, frame on) {
    const element_kind kind = kind_of(what.operands);
    const bool is_complex = kind == element_kind::complex;
    switch (what.code) {
        case operation::call:  // a user's function, of which nothing is known
        case operation::gather:
        case operation::reduce: return {};
        case operation::cast: return plain(cost_of_cast(of_argument, what.result, on));
        case operation::div:
        case operation::reciprocal:
        case operation::trunc_divide: return quotients(is_complex ? 3 : kind == element_kind::integer ? 2 : 1);
        case operation::floor_divide:
        case operation::floor_mod:
        case operation::rem: return quotients(kind == element_kind::integer ? 3 : 4);
        case operation::sqrt: return is_complex ? functions(1) : quotients(0.75);
        case operation::rsqrt: return on == frame::cuda && bytes_of(what.operands) <= 4 ? plain(6) : quotients(1.4);
        case operation::mul:
        case operation::square: return plain(is_complex ? 6 : 1);
        default: break;
    }
    // Ten rounds of two products, one of four numbers each (Philox).
    if (detail::is_draw(what.code)) return plain(20);
    const std::string_view body = floating_bodies[static_cast<std::size_t>(what.code)];
    const bool calls = body.find("LIBRARY") != body.npos || body.find("LONG") != body.npos;
    if (calls && (kind == element_kind::floating || is_complex)) {
        const function_cost takes = cost_of(what.code);
        const bool is_wide = bytes_of(component_of(what.operands)) == 8;
        const double one = on == frame::host ? (is_wide ? takes.cpu_64 : takes.cpu)
                           : is_wide         ? takes.gpu_64
                                             : takes.gpu;
        return functions(is_complex ? 2 * one : one);
    }
    if (is_complex) return plain(2);
    return plain(kind == element_kind::floating ? cost_of_floats(what.code, on) : 1);
}

/// A block computes what a byte may be, and looks up what its elements are. A thread of the host has many more elements.
kernel_work by_table(kernel_work body, const kernel& of, frame on) {
    const double share =
        on == frame::host ? 0 : double{values_of_a_byte} / (of.threads_per_block * of.elements_per_thread);
#define KILN_WORK(name, what) body.name *= share;
#include <kiln/work_table.def>
    constexpr double look_up = 8;
    body.plain += look_up * static_cast<double>(of.outputs.size());
    return body;
}

}  // namespace

kernel_work work_of(const lower::program& program, const kernel& of, frame on) {
    kernel_work out;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        const element_type of_argument = each.arity > 0 ? program.type_of(each.args[0]) : each.operands;
        const amount takes = amount_of(each, of_argument, on);
        const bool is_wide = bytes_of(component_of(each.operands)) == 8;
        // Of 16 bits, what is computed in 32.
        if (takes.of != amount::kind::plain && is_small_float(each.operands)) out.plain += rounding;
        switch (takes.of) {
            case amount::kind::plain: (is_wide ? out.plain_64 : out.plain) += takes.count; break;
            case amount::kind::quotient: (is_wide ? out.quotient_64 : out.quotient) += takes.count; break;
            case amount::kind::function: (is_wide ? out.function_64 : out.function) += takes.count; break;
        }
    }
    // Elements that are brought together, each with the one before.
    for (const reduced_output& each : of.reduced)
        if (each.sums_exponentials()) {
            const bool is_wide = bytes_of(each.accumulated) == 8;
            (is_wide ? out.plain_64 : out.plain) += 4;
            const function_cost takes = cost_of(operation::exp);
            (is_wide ? out.function_64 : out.function) += on == frame::host ? takes.cpu
                                                          : is_wide         ? takes.gpu_64
                                                                            : takes.gpu;
        } else if (each.keeps_state()) out.plain_64 += 5;
        else if (each.what != detail::reduction_kind::none)
            (bytes_of(each.accumulated) == 8 ? out.plain_64 : out.plain) += 1;
    return of.has_byte_table ? by_table(out, of, on) : out;
}

}  // namespace kiln::plan
