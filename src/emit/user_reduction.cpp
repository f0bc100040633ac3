#include <emit/user_reduction.hpp>

#include <capture/reduction_table.hpp>
#include <emit/host_runs.hpp>
#include <plan/host_order.hpp>
#include <text/format.hpp>

namespace kiln::emit {

std::string combination_text(const value_names& names, const plan::reduced_output& of, const std::string& left,
                             const std::string& right) {
    return function_call(names, detail::reduction_at(of.definition).function, {left, right});
}

std::string identity_text(const plan::reduced_output& of) {
    const element_type type = of.accumulated;
    const std::uint64_t* const bits = detail::reduction_at(of.definition).identity;
    if (is_small_float(type)) return text::format("static_cast<{}>(0x{:x})", spelling(type), bits[0] & 0xffff);
    if (kind_of(type) != element_kind::complex) return literal({type, bits[0]});
    const bool single = type == element_type::complex64;
    const element_type part = component_of(type);
    const std::uint64_t imaginary = single ? bits[0] >> 32 : bits[1];
    const std::uint64_t real = single ? bits[0] & 0xffffffff : bits[0];
    return text::format("complex_of({}, {})", literal({part, real}), literal({part, imaginary}));
}

std::string clear_symbol(const std::string& kernel, std::size_t output) {
    return text::format("{}_clear{}", kernel, output);
}
std::string run_symbol(const std::string& kernel, std::size_t output) {
    return text::format("{}_run{}", kernel, output);
}
std::string each_symbol(const std::string& kernel, std::size_t output) {
    return text::format("{}_each{}", kernel, output);
}

namespace {

/// What a reducer's text is made of, by these names.
struct reducer_text {
    std::string type, identity, function;
    std::size_t output = 0;
    std::string clear, run, each;
};

/// A run in lanes, and accumulators side by side. The rest of a run is appended by the function that takes accumulators side by side, so that a
/// compiler has the user's function once less: no loop of its own is a fifth of what it takes.
std::string elements_text(const reducer_text& of, const std::string& combination) {
    const std::string combine = text::format("combine{}", of.output);
    const run_text run{
        .accumulator = of.type,
        .identity = "identity",
        .element = [](const char* at) { return text::format("values[{}]", at); },
        .append = combine,
        .combine = combine,
        .append_rest = text::format("append_each{}(lane, values + i, count - i);", of.output),
    };
    return text::format(
        "static inline {0} combine{1}({0} x0, {0} x1) {{ return {2}; }}\n"
        "static __attribute__((noinline)) void append_each{1}({0}* accumulators, const {0}* others, long long "
        "count)\n{{\n"
        "    #pragma GCC ivdep\n"
        "    for (long long i = 0; i < count; ++i) accumulators[i] = combine{1}(accumulators[i], others[i]);\n}}\n"
        "extern \"C\" void {3}({0}* accumulator, const {0}* values, long long count)\n{{\n"
        "    const {0} identity = {4};\n{5}"
        "    *accumulator = combine{1}(*accumulator, lane[0]);\n}}\n"
        "extern \"C\" void {6}({0}* accumulators, long long count)\n{{\n"
        "    for (long long i = 0; i < count; ++i) accumulators[i] = {4};\n}}\n",
        of.type, of.output, combination, of.run, of.identity, lanes_of(run), of.clear);
}

/// The same of float16: lanes are floats that are rounded, and converted in vectors that the text names (helpers/vectors_host.inc), which takes
/// a compiler half as long as conversions that it vectorises. Whatever is in lanes that have nothing is a number of the run, or its identity.
/// Where lanes are put to those further on, each is read before it is stored, in vectors of any width.
std::string halves_text(const reducer_text& of) {
    std::string nothing;
    for (int j = 0; j < plan::host_order::lanes; ++j) nothing += (j ? ", " : "") + of.identity;
    return text::format(
        "static const {0} nothing{1}[{2}] = {{{4}}};\n"
        "static inline void widen{1}(float* to, const {0}* from)\n{{\n"
        "    for (int j = 0; j < {2}; j += VECTOR_ELEMENTS) store_f32(to + j, load_{0}(from + j));\n}}\n"
        "static inline void narrow{1}({0}* to, const float* from)\n{{\n"
        "    for (int j = 0; j < {2}; j += VECTOR_ELEMENTS) store_{0}(to + j, load_f32(from + j));\n}}\n"
        "static __attribute__((noinline)) void append{1}(float* lanes, const float* next)\n{{\n"
        "    #pragma GCC ivdep\n"
        "    #pragma GCC unroll 1\n"
        "    for (int j = 0; j < {2}; ++j) lanes[j] = {3}(lanes[j], next[j]);\n"
        "    for (int j = 0; j < {2}; j += VECTOR_ELEMENTS) store_f32(lanes + j, rounded_to_f16(load_f32(lanes + "
        "j)));\n}}\n"
        "static void append_each{1}({0}* accumulators, const {0}* others, long long count)\n{{\n"
        "    alignas(64) float lanes[{2}], next[{2}];\n"
        "    long long i = 0;\n"
        "    for (; i + {2} <= count; i += {2}) {{\n"
        "        widen{1}(lanes, accumulators + i);\n"
        "        widen{1}(next, others + i);\n"
        "        append{1}(lanes, next);\n"
        "        narrow{1}(accumulators + i, lanes);\n"
        "    }}\n"
        "    if (i == count) return;\n"
        "    {0} here[{2}], there[{2}];\n"
        "    __builtin_memcpy(here, nothing{1}, sizeof here);\n"
        "    __builtin_memcpy(there, nothing{1}, sizeof there);\n"
        "    __builtin_memcpy(here, accumulators + i, (count - i) * sizeof({0}));\n"
        "    __builtin_memcpy(there, others + i, (count - i) * sizeof({0}));\n"
        "    widen{1}(lanes, here);\n"
        "    widen{1}(next, there);\n"
        "    append{1}(lanes, next);\n"
        "    narrow{1}(here, lanes);\n"
        "    __builtin_memcpy(accumulators + i, here, (count - i) * sizeof({0}));\n}}\n"
        "extern \"C\" void {5}({0}* accumulator, const {0}* values, long long count)\n{{\n"
        "    alignas(64) float lanes[2 * {2}], next[{2}];\n"
        "    {0} rest[{2}];\n"
        "    __builtin_memcpy(rest, nothing{1}, sizeof rest);\n"
        "    widen{1}(lanes, rest);\n"
        "    widen{1}(lanes + {2}, rest);\n"
        "    long long i = 0;\n"
        "    for (; i + {2} <= count; i += {2}) {{\n"
        "        widen{1}(next, values + i);\n"
        "        append{1}(lanes, next);\n"
        "    }}\n"
        "    if (i < count) {{\n"
        "        alignas(64) float some[{2}];\n"
        "        __builtin_memcpy(some, lanes, sizeof some);\n"
        "        __builtin_memcpy(rest, values + i, (count - i) * sizeof({0}));\n"
        "        widen{1}(next, rest);\n"
        "        append{1}(some, next);\n"
        "        __builtin_memcpy(lanes, some, (count - i) * sizeof(float));\n"
        "    }}\n"
        "    #pragma GCC unroll 1\n"
        "    for (int apart = {2} / 2; apart > 0; apart /= 2) append{1}(lanes, lanes + apart);\n"
        "    __builtin_memcpy(next, lanes, sizeof next);\n"
        "    rest[0] = *accumulator;\n"
        "    widen{1}(lanes, rest);\n"
        "    append{1}(lanes, next);\n"
        "    narrow{1}(rest, lanes);\n"
        "    *accumulator = rest[0];\n}}\n"
        "extern \"C\" void {6}({0}* accumulators, long long count)\n{{\n"
        "    for (long long i = 0; i < count; i += {2})\n"
        "        __builtin_memcpy(accumulators + i, nothing{1}, (count - i < {2} ? count - i : {2}) * "
        "sizeof({0}));\n}}\n",
        of.type, of.output, plan::host_order::lanes, of.function, nothing, of.run, of.clear);
}

}  // namespace

std::string host_reducers(const value_names& names, const lower::program& program, const plan::kernel& of) {
    std::string out;
    for (std::size_t i = 0; i < of.reduced.size(); ++i) {
        const plan::reduced_output& each = of.reduced[i];
        if (!each.definition) continue;
        const std::string kernel = kernel_name(program, of);
        const reducer_text made{spelling(each.accumulated),
                                identity_text(each),
                                names.function(detail::reduction_at(each.definition).function),
                                i,
                                clear_symbol(kernel, i),
                                run_symbol(kernel, i),
                                each_symbol(kernel, i)};
        out += each.accumulated == element_type::float16
                   ? halves_text(made)
                   : elements_text(made, combination_text(names, each, "x0", "x1"));
        out += text::format(
            "extern \"C\" void {2}({0}* accumulators, const {0}* others, long long count)\n{{\n"
            "    append_each{1}(accumulators, others, count);\n}}\n",
            made.type, i, made.each);
    }
    return out;
}

}  // namespace kiln::emit
