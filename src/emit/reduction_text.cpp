#include <emit/reduction_text.hpp>

#include <capture/reduction_table.hpp>
#include <emit/host_runs.hpp>
#include <emit/library.hpp>
#include <emit/user_reduction.hpp>
#include <text/format.hpp>

#include <bit>

namespace kiln::emit {

namespace {

using detail::reduction_kind;
using plan::reduced_output;

std::string floating_text(element_type type, double value) {
    if (type == element_type::float32) return literal({type, std::bit_cast<std::uint32_t>(static_cast<float>(value))});
    return literal({type, std::bit_cast<std::uint64_t>(value)});
}

std::string infinity_text(element_type type, bool negative) {
    if (type == element_type::float16) return negative ? "static_cast<f16>(0xfc00)" : "static_cast<f16>(0x7c00)";
    if (type == element_type::bfloat16) return negative ? "static_cast<bf16>(0xff80)" : "static_cast<bf16>(0x7f80)";
    return floating_text(type, negative ? -HUGE_VAL : HUGE_VAL);
}

std::string largest_text(element_type type, bool smallest) {
    const int bits = 8 * bytes_of(type);
    const bool sign = detail::is_signed_integer(type);
    if (!sign && smallest) return text::format("{}(0)", spelling(type));
    const std::uint64_t top = ~std::uint64_t{0} >> (64 - bits + sign);
    if (smallest) return text::format("{}(-{}ll - 1)", spelling(type), top);
    return text::format("{}({}ull)", spelling(type), top);
}

/// The conditions, as text.
namespace conditions {
#define KILN_REDUCTION_BODY(name, body) constexpr const char* name = #body;
#include <capture/reduction_bodies.def>
}  // namespace conditions

/// Positions have 32 bits where all elements' numbers do: of 1M points the nearest of 64 centres takes an H100 73 us so, and 78 with 64.
const char* position_type(bool wide) { return wide ? "long long" : "int"; }
const char* no_position(bool wide) { return wide ? "0x7fffffffffffffffll" : "0x7fffffff"; }

}  // namespace

std::string identity_text(reduction_kind what, element_type type) {
    const element_kind kind = kind_of(type);
    const auto number = [&](double real) {
        if (kind == element_kind::complex) {
            const element_type part = component_of(type);
            const std::string imaginary = floating_text(part, real == 1.0 ? 0.0 : real);
            return text::format("complex_of({}, {})", floating_text(part, real), imaginary);
        }
        if (kind == element_kind::floating) return floating_text(type, real);
        return text::format("{}({})", spelling(type), real == 1.0 ? 1 : 0);
    };
    const detail::reduction_info& by = detail::info(what);
    switch (by.identity) {
        case detail::reduction_identity::zero: return kind == element_kind::logical ? "false" : number(-0.0);
        case detail::reduction_identity::one: return kind == element_kind::logical ? "true" : number(1.0);
        case detail::reduction_identity::worst: {
            const bool least = by.combine == operation::min || by.combine == operation::lt;
            if (kind == element_kind::logical) return least ? "true" : "false";
            return kind == element_kind::floating ? infinity_text(type, !least) : largest_text(type, !least);
        }
        case detail::reduction_identity::own: break;  // identity_text
    }
    return {};
}

namespace {

constexpr const char* library_parameter = ", const void* const* library";

/// A state's type and helpers (emit/helpers/moments.inc, exponentials.inc).
struct state_helpers {
    std::string type, none, combine, next;
    bool calls_library;  // on the host, where what it holds is passed on
};

state_helpers helpers_of(const reduced_output& of) {
    if (!of.sums_exponentials()) return {"moments", "moments_of_none()", "moments_of_two", "moments_next", false};
    const std::string type = text::format("exponentials<{}>", spelling(of.accumulated));
    return {type, text::format("exponentials_of_none<{}>()", spelling(of.accumulated)), "exponentials_of_two",
            "exponentials_next", true};
}

std::string identity_of(const reduced_output& of) {
    if (of.keeps_state()) return helpers_of(of).none;
    return of.definition ? identity_text(of) : identity_text(of.what, of.accumulated);
}

/// The table's operation on x0 and x1, of one type.
std::string operation_text(operation code, element_type type, plan::frame on) {
    lower::program program;
    program.arrays = {type, type};
    program.is_position = {false, false};
    lower::step step{.code = code, .operands = type, .result = type, .arity = 2, .args = {0, 1}};
    program.steps.push_back(step);
    plan::kernel kernel;
    kernel.last_step = 1;
    for (const lower::value_id value : {0, 1}) {
        plan::operand input;
        input.value = value;
        input.type = type;
        kernel.inputs.push_back(input);
    }
    return step_text(value_names(program, kernel), step, on);
}

std::string combine_name(const value_names& names, const reduced_output& of) {
    if (of.definition) return names.function(detail::reduction_at(of.definition).function) + "_of";
    if (of.keeps_state()) return helpers_of(of).combine;
    return text::format("{}_of", detail::info(of.what).name);
}

/// Whether a step's bits tell that the element is better: min and max of CUDA have a NaN of one pattern.
bool compares_bits(const reduced_output& of) { return of.of_unsigned_zeros && of.accumulated == element_type::float32; }

std::string next_position_name(const reduction_set& set, const reduced_output& of) {
    const char* const how = set.appends_until_nan(of) ? "_until_nan" : compares_bits(of) ? "_by_bits" : "";
    return text::format("{}_next{}", detail::info(of.what).name, how);
}

/// What takes an element after those before it.
std::string next_name(const value_names& names, const reduction_set& set, const reduced_output& of) {
    if (of.keeps_state()) return helpers_of(of).next;
    if (!of.finds_position()) return combine_name(names, of);
    return next_position_name(set, of);
}

/// As what a thread holds a value beside its position: a register has room for one, and of bytes in it each comparison would take them
/// out again.
std::string held_value(element_type value, plan::frame on) {
    const bool is_narrow = kind_of(value) == element_kind::integer && bytes_of(value) < 4;
    return on == plan::frame::cuda && is_narrow ? "int" : spelling(value);
}

/// The values of accumulators x0 and x1 as a and b.
std::string compared_values(element_type value, plan::frame on) {
    const auto number = [&](const char* accumulator) {
        const std::string member = text::format("{}.value", accumulator);
        return is_small_float(value) ? text::format("f32_from_{}({})", info(value).suffix, member) : member;
    };
    return text::format("    const {0} a = {1};\n    const {0} b = {2};\n", held_value(computed_in(value), on),
                        number("x0"), number("x1"));
}

/// Of 16-bit floats on CUDA: whether the next is better, without a way through float.
std::string next_is_better(const reduced_output& of, const char* before, const char* next) {
    const operation combine = detail::info(of.what).combine;
    const bool least = combine == operation::lt || combine == operation::min;
    return text::format("{}_is_next_{}({}, {})", info(of.accumulated).suffix, least ? "less" : "greater", before, next);
}

/// The same where x1 comes after x0, which is a third of the comparisons.
std::string next_function(const reduction_set& set, const reduced_output& of, plan::frame on) {
    const bool least = detail::info(of.what).combine == operation::lt;
    const std::string type = accumulator_type(of);
    const std::string by_comparing = text::format("{}    return {} ? x1 : x0;\n", compared_values(of.accumulated, on),
                                                  least ? conditions::is_next_less : conditions::is_next_greater);
    const std::string head =
        text::format("{0}{1} {2}({1} x0, {1} x1)\n{{\n", function_head(on), type, next_position_name(set, of));
    if (on == plan::frame::cuda && is_small_float(of.accumulated))
        return head + text::format("    return {} ? x1 : x0;\n}}\n", next_is_better(of, "x0.value", "x1.value"));
    const bool until_nan = set.appends_until_nan(of);
    if (on == plan::frame::host || (!until_nan && !compares_bits(of))) return head + by_comparing + "}\n";
    // One comparison less: of 1M points the nearest of 64 centres takes an H100 70 us so for 73. Up to the first NaN neither of the
    // two waits for the other.
    const std::string is_better = until_nan ? text::format("x1.value {} x0.value", least ? "<" : ">")
                                            : "__float_as_int(out.value) != __float_as_int(x0.value)";
    return head + text::format(
                      "#if __CUDA_ARCH__ >= 800\n"
                      "    {0} out = x0;\n"
                      "    asm(\"{1}.NaN.f32 %0, %1, %2;\" : \"=f\"(out.value) : \"f\"(x0.value), \"f\"(x1.value));\n"
                      "    if ({3}) out.at = x1.at;\n"
                      "    return out;\n"
                      "#else\n{2}#endif\n}}\n",
                      type, least ? "min" : "max", by_comparing, is_better);
}

/// The least or greatest of 16-bit floats on CUDA: what is known of elements keeps the NaN that it met, until it is finished.
bool is_small_extreme(const reduced_output& of, plan::frame on) {
    return on == plan::frame::cuda && is_small_float(of.accumulated) &&
           (of.what == reduction_kind::min || of.what == reduction_kind::max);
}

std::string combine_function(const value_names& names, const reduced_output& of, plan::frame on, bool finishes) {
    if (of.keeps_state()) return {};
    const std::string type = accumulator_type(of);
    const element_type value = of.accumulated;
    const detail::reduction_info& info = detail::info(of.what);
    std::string out =
        text::format("{0}{1} {2}({1} x0, {1} x1)\n{{\n", function_head(on), type, combine_name(names, of));
    if (of.definition) return out + text::format("    return {};\n}}\n", combination_text(names, of, "x0", "x1"));
    if (of.finds_position()) {
        return out + compared_values(value, on) +
               text::format(
                   "    const bool earlier = {};\n"
                   "    const bool better = earlier | ({});\n"
                   "    return better ? x1 : x0;\n}}\n",
                   conditions::is_earlier,
                   info.combine == operation::lt ? conditions::is_less : conditions::is_greater);
    }
    if (of.what == reduction_kind::prod && kind_of(value) == element_kind::complex)
        out += text::format("    if ({}) return x1;\n    if ({}) return x0;\n", conditions::first_is_one,
                            conditions::second_is_one);
    if (finishes && is_small_extreme(of, on))
        return out + text::format("    return {} ? x1 : x0;\n}}\n", next_is_better(of, "x0", "x1"));
    const bool is_extreme = of.what == reduction_kind::min || of.what == reduction_kind::max;
    const std::string by_comparing = text::format("    return {};\n", operation_text(info.combine, value, on));
    if (on == plan::frame::host || !is_extreme || value != element_type::float32) return out + by_comparing + "}\n";
    // One instruction in place of three. Of 0 and -0, which are equal, it takes the one that its sign says.
    return out + text::format(
                     "#if __CUDA_ARCH__ >= 800\n"
                     "    float one;\n"
                     "    asm(\"{}.NaN.f32 %0, %1, %2;\" : \"=f\"(one) : \"f\"(x0), \"f\"(x1));\n"
                     "    return one;\n"
                     "#else\n{}#endif\n}}\n",
                     info.name, by_comparing);
}

std::string finished_exponentials(const reduced_output& of, plan::frame on) {
    const std::string value =
        text::format("log_of_exponentials({}accumulator)", on == plan::frame::host ? "library, " : "");
    return of.result == of.accumulated ? value : text::format("{}_from_f32({})", info(of.result).suffix, value);
}

/// What the moments come to, of which 16-bit floats are one rounding.
std::string finished_moments(const reduced_output& of) {
    const char* const by = of.what == reduction_kind::variance    ? "variance_of_moments"
                           : of.what == reduction_kind::deviation ? "deviation_of_moments"
                                                                  : "squares_of_moments";
    if (is_small_float(of.result)) return text::format("{}_from_f64({}(accumulator))", info(of.result).suffix, by);
    return text::format("{}({}(accumulator))", spelling(of.result), by);
}

std::string finish_function(const reduced_output& of, std::size_t number, plan::frame on, bool wide) {
    std::string value = "accumulator";
    if (of.keeps_state()) {
        value = of.sums_exponentials() ? finished_exponentials(of, on) : finished_moments(of);
    } else if (of.finds_position()) {
        value = text::format("accumulator.at == {} ? 0 : accumulator.at", no_position(wide));
    } else if (of.what == reduction_kind::mean) {
        const element_type type = of.accumulated;
        value = kind_of(type) == element_kind::complex
                    ? text::format("complex_of(accumulator.re / {0}(count), accumulator.im / {0}(count))",
                                   spelling(component_of(type)))
                    : text::format("accumulator / {}(count)", spelling(type));
    }
    // One NaN for all, as operations leave it.
    if (is_small_extreme(of, on)) {
        const std::string_view type = info(of.accumulated).suffix;
        value = text::format("{0}_from_f32(f32_from_{0}({1}))", type, value);
    }
    if (!of.appends_apart() && of.result != of.accumulated && !is_small_float(of.result))
        value = text::format("static_cast<{}>({})", spelling(of.result), value);
    else if (!of.appends_apart() && of.result != of.accumulated)
        value = text::format("{}_from_f32({})", info(of.result).suffix, value);
    return text::format("{}{} finish_{}({} accumulator, long long count{}) {{ return {}; }}\n", function_head(on),
                        spelling(of.result), number, accumulator_type(of),
                        on == plan::frame::host && takes_library(of) ? library_parameter : "", value);
}

}  // namespace

bool takes_library(const reduced_output& of) { return of.keeps_state() && helpers_of(of).calls_library; }

// Their accumulators are the library's to the byte: a value, one and an index, or a state.
bool runs_in_library(const plan::reduced_output& of, bool calls_runs) {
    return of.what != reduction_kind::user && (calls_runs || of.finds_position() || of.keeps_state());
}

std::string library_calls(const plan::kernel& of, const lower::program& program) {
    std::string out;
    for (const reduction_set& set : plan::reductions_of_rows(program))
        for (const reduction_set::member& each : set.members)
            if (of.persistent_rows && takes_library(each.of)) out.append("log_of_exponentials(");
    return out;
}

std::string accumulator_type(const reduced_output& of) {
    if (of.keeps_state()) return helpers_of(of).type;
    return of.finds_position() ? text::format("found_{}", info(of.accumulated).suffix) : spelling(of.accumulated);
}

namespace {

/// The type of what is known of some elements, identity(), and combine(a, b).
std::string accumulator_functions(const value_names& names, const reduction_set& of) {
    std::string members;
    std::string identity;
    std::string combined;
    std::string appended;
    for (const reduction_set::member& each : of.members) {
        const std::string none = identity_of(each.of);
        members += text::format(" {} s{};", accumulator_type(each.of), each.number);
        identity += each.of.finds_position() ? text::format(" out.s{0}.value = {1}; out.s{0}.at = {2};", each.number,
                                                            none, no_position(of.wide))
                                             : text::format(" out.s{} = {};", each.number, none);
        const auto of_two = [&](const std::string& function) {
            return text::format(" out.s{0} = {1}(a.s{0}, b.s{0});", each.number, function);
        };
        const std::string combine = combine_name(names, each.of);
        combined += of_two(combine);
        appended += of_two(next_name(names, of, each.of));
    }
    const char* const head = function_head(plan::frame::cuda);
    const auto function = [&](const char* name, const std::string& steps) {
        return text::format(
            "{0}accumulators{1} {2}(const accumulators{1}& a, const accumulators{1}& b) {{ accumulators{1} out;{3} "
            "return out; }}\n",
            head, of.suffix, name, steps);
    };
    return text::format(
               "struct accumulators{1} {{{2} }};\n"
               "{0}accumulators{1} identity{1}() {{ accumulators{1} out;{3} return out; }}\n",
               head, of.suffix, members, identity) +
           function("combine", combined) + (appended != combined ? function(append_name(of), appended) : "");
}

}  // namespace

const char* append_name(const reduction_set& of) { return of.appends_apart() ? "append" : "combine"; }

namespace {

/// What a run comes to, by a function of the library.
std::string library_run(const reduction_set::member& of, const std::string& accumulator) {
    return text::format(
        "static inline {0} run_{1}({0} before, const {2}* values, long long count, long long first{3})\n{{\n"
        "    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(\n"
        "        const_cast<void*>(library[{4}]))(&before, values, count, first);\n"
        "    return before;\n}}\n",
        accumulator, of.number, spelling(of.of.accumulated), library_parameter,
        run_slot(of.of.what, of.of.accumulated));
}

/// The same of rows that follow each other.
std::string library_rows(const reduction_set::member& of, const std::string& accumulator) {
    return text::format(
        "static inline void rows_{1}({0}* to, const {2}* values, long long rows, long long extent{3})\n{{\n"
        "    for (long long row = 0; row < rows; ++row) to[row] = identity_{1}();\n"
        "    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(\n"
        "        const_cast<void*>(library[{4}]))(to, values, rows, extent);\n}}\n",
        accumulator, of.number, spelling(of.of.accumulated), library_parameter,
        rows_slot(of.of.what, of.of.accumulated));
}

/// On the host every reduction by itself: loops over one vectorise.
std::string run_functions(const value_names& names, const reduction_set& of, bool called) {
    std::string out;
    for (const reduction_set::member& each : of.members) {
        const std::string accumulator = accumulator_type(each.of);
        const bool finds = each.of.finds_position();
        const std::string none = identity_of(each.of);
        out += text::format("static inline {0} identity_{1}() {{ return {0}{2}; }}\n", accumulator, each.number,
                            finds ? text::format("{{{}, {}}}", none, no_position(true)) : "(" + none + ")");
        if (of.side_by_side) {
            out += text::format("static inline {0} combine_{1}({0} x0, {0} x1) {{ return {2}(x0, x1); }}\n",
                                accumulator, each.number, combine_name(names, each.of));
            continue;
        }
        if (runs_in_library(each.of, called)) {
            out += of.of_rows ? library_rows(each, accumulator) : library_run(each, accumulator);
            continue;
        }
        const run_text run{
            .accumulator = accumulator,
            .identity = text::format("identity_{}()", each.number),
            .element = [](const char* i) { return text::format("values[{}]", i); },
            .append = next_name(names, of, each.of),
            .combine = combine_name(names, each.of),
        };
        out += text::format(
            "static inline {0} run_{1}({0} before, const {2}* values, long long count, long long)\n{{\n"
            "{3}    return {4}(before, lane[0]);\n}}\n",
            accumulator, each.number, spelling(each.of.accumulated), lanes_of(run), run.combine);
    }
    return out;
}

}  // namespace

std::string reduction_functions(const value_names& names, const std::vector<reduction_set>& sets, plan::frame on,
                                bool calls_runs) {
    std::string types;
    std::string combines;
    std::string finishes;
    std::string accumulators;
    for (const reduction_set& set : sets) {
        const bool wide = set.wide || on == plan::frame::host;
        for (const reduction_set::member& each : set.members) {
            const std::string type = accumulator_type(each.of);
            if (each.of.finds_position() && types.find("struct " + type + " ") == types.npos)
                types += text::format("struct {} {{ {} value; {} at; }};\n", type, held_value(each.of.accumulated, on),
                                      position_type(wide));
            std::string functions = combine_function(names, each.of, on, set.finishes);
            if (each.of.finds_position()) functions += next_function(set, each.of, on);
            if (combines.find(functions) == combines.npos) combines += functions;
            if (set.finishes) finishes += finish_function(each.of, each.number, on, wide);
        }
        if (set.members.empty()) continue;
        accumulators +=
            on == plan::frame::cuda ? accumulator_functions(names, set) : run_functions(names, set, calls_runs);
    }
    return types + combines + finishes + accumulators;
}

}  // namespace kiln::emit
