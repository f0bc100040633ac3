#include <emit/user_reduction.hpp>

#include <capture/reduction_table.hpp>
#include <emit/host_runs.hpp>
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

std::string host_reducers(const value_names& names, const lower::program& program, const plan::kernel& of) {
    std::string out;
    for (std::size_t i = 0; i < of.reduced.size(); ++i) {
        const plan::reduced_output& each = of.reduced[i];
        if (!each.definition) continue;
        const std::string kernel = kernel_name(program, of);
        const run_text run{
            .accumulator = spelling(each.accumulated),
            .identity = "identity",
            .element = [](const char* at) { return text::format("values[{}]", at); },
            .append = text::format("combine{}", i),
            .combine = text::format("combine{}", i),
            .append_rest = text::format("append_each{}(lane, values + i, count - i);", i),
        };
        // The rest of a run is appended by the function that takes accumulators side by side, so that a compiler has the user's function
        // once less: no loop of its own is a fifth of what it takes.
        out += text::format(
            "static inline {0} combine{1}({0} x0, {0} x1) {{ return {2}; }}\n"
            "static __attribute__((noinline)) void append_each{1}({0}* accumulators, const {0}* others, long long "
            "count)\n{{\n"
            "    #pragma GCC ivdep\n"
            "    for (long long i = 0; i < count; ++i) accumulators[i] = combine{1}(accumulators[i], others[i]);\n}}\n"
            "extern \"C\" void {5}({0}* accumulators, long long count)\n{{\n"
            "    for (long long i = 0; i < count; ++i) accumulators[i] = {6};\n}}\n"
            "extern \"C\" void {3}({0}* accumulator, const {0}* values, long long count)\n{{\n"
            "    const {0} identity = {6};\n{7}"
            "    *accumulator = combine{1}(*accumulator, lane[0]);\n}}\n"
            "extern \"C\" void {4}({0}* accumulators, const {0}* others, long long count)\n{{\n"
            "    append_each{1}(accumulators, others, count);\n}}\n",
            run.accumulator, i, combination_text(names, each, "x0", "x1"), run_symbol(kernel, i),
            each_symbol(kernel, i), clear_symbol(kernel, i), identity_text(each), lanes_of(run));
    }
    return out;
}

}  // namespace kiln::emit
