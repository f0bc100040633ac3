#include <emit/block_body.hpp>

#include <plan/float_vectors.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using lower::step;

/// Of more steps as many woven vectors take ever longer to compile, and more arrays than these have no registers beside them. Of 60 steps of
/// float16 one takes 0.073 ns with eight vectors, 0.090 with four; of bfloat16 0.061 and 0.072 (one core of an EPYC, Zen 4, AVX-512, g++ 12).
constexpr int most_steps_woven = 64;
constexpr std::size_t most_arrays_woven = 3;

bool has_room(const plan::kernel& kernel) {
    return kernel.last_step - kernel.first_step <= most_steps_woven && kernel.inputs.size() <= most_arrays_woven;
}

/// Of "f32_from_f16(x0) * f32_from_f16(x1)", what stands in the parentheses: in vectors, both are floats.
void take_off(std::string& text, std::string_view function) {
    for (std::size_t at = text.find(function); at != text.npos; at = text.find(function, at)) {
        const std::size_t end = text.find(')', at);
        text.erase(end, 1);
        text.erase(at, function.size());
    }
}

/// "__builtin_sqrtf(" is "sqrt_vector(".
void name_vectors(std::string& text) {
    constexpr std::string_view builtin = "__builtin_";
    for (std::size_t at = text.find(builtin); at != text.npos; at = text.find(builtin, at)) {
        const std::size_t end = text.find("f(", at);
        text.replace(end, 1, "_vector");
        text.erase(at, builtin.size());
    }
}

/// Whether what a step makes of 16-bit floats is one, without a rounding.
bool is_exact(operation of) {
    switch (of) {
        case operation::neg:
        case operation::abs:
        case operation::sign:
        case operation::relu:
        case operation::floor:
        case operation::ceil:
        case operation::trunc:
        case operation::rint:
        case operation::min:
        case operation::max: return true;
        default: return false;
    }
}

/// Whether no step takes it, and it is stored as a bfloat16: a sum's elements may be stored as floats.
bool is_only_stored(const lower::program& program, const plan::kernel& kernel, lower::value_id value) {
    for (const plan::operand& each : kernel.outputs)
        if (each.value == value && each.type != element_type::bfloat16) return false;
    for (int i = kernel.first_step; i < kernel.last_step; ++i) {
        const step& each = program.steps[static_cast<std::size_t>(i)];
        for (int a = 0; a < each.arity; ++a)
            if (each.args[a] == value) return false;
    }
    return true;
}

/// only_stored: of a bfloat16 what is stored has to be right, the upper half.
std::string vector_text(const lower::program& program, const value_names& names, const step& of, bool only_stored) {
    if (of.code == operation::cast) {
        const std::string from = names(of.args[0]);
        if (of.result == element_type::float16) return text::format("rounded_to_f16({})", from);
        if (of.result == element_type::bfloat16)
            return text::format("{}({})", only_stored ? "cast_above" : "cast_to_bf16", from);
        return from;
    }
    const auto vector = [&](lower::value_id each) {
        return program.is_constant(each) ? text::format("vector_of({})", names(each)) : names(each);
    };
    if (of.code == operation::fma)
        return text::format("rounded_to_f16(odd_fma_vector({}, {}, {}))", vector(of.args[0]), vector(of.args[1]),
                            vector(of.args[2]));
    if (of.code == operation::clamp) {
        // One of its operands: it needs no rounding.
        return text::format("clamped({}, {}, {})", vector(of.args[0]), vector(of.args[1]), vector(of.args[2]));
    }
    std::string out = step_text(names, of, plan::frame::host);
    take_off(out, "f32_from_f16(");
    take_off(out, "f32_from_bf16(");
    name_vectors(out);
    for (const std::string_view type : {"bf16", "f16"}) {
        const std::string its_rounding = text::format("{}_from_f32(", type);
        if (!out.starts_with(its_rounding)) continue;
        if (is_exact(of.code)) return out.substr(its_rounding.size(), out.size() - its_rounding.size() - 1);
        const std::string rounding = only_stored && type == "bf16" ? "bf16_above" : text::format("rounded_to_{}", type);
        return text::format("{}({}", rounding, out.substr(its_rounding.size()));
    }
    return out;
}

const char* suffix(element_type of) { return info(of).suffix; }

}  // namespace

std::string block_body(const lower::program& program, const plan::kernel& kernel, const value_names& names) {
    std::string of_vector, parameters, block, woven, woven_arguments, rest, rest_arguments, after_rest, after_block;
    const auto add = [](std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
    for (const plan::operand& each : kernel.inputs) {
        const std::string name = names(each.value);
        const char* const type = spelling(each.type);
        add(of_vector, text::format("const f32_vector& {}", name));
        add(parameters, text::format("const {0}* const {1}, const i64 {1}_apart", type, name));
        block += text::format(
            "    {0} own_{1}[{2}];\n"
            "    const {0}* const from_{1} = block_from<{2}>({1}, {1}_apart, count, own_{1});\n",
            type, name, plan::block_elements);
        add(woven_arguments, text::format("load_{}(from_{} + first + k * VECTOR_ELEMENTS)", suffix(each.type), name));
        rest += text::format("        {} rest_{}[VECTOR_ELEMENTS] = {{}};\n", type, name);
        add(rest_arguments,
            text::format("load_{0}(rest_from(from_{1} + first, left, rest_{1}))", suffix(each.type), name));
    }
    for (const lower::value_id scalar : kernel.scalars) {
        const std::string name = names(scalar);
        const element_type type = program.type_of(scalar);
        add(of_vector, text::format("const f32_vector& {}", name));
        add(parameters, text::format("const {} {}", spelling(type), name));
        block += text::format("    const f32_vector all_{0} = vector_of({1});\n", name,
                              is_small_float(type) ? text::format("f32_from_{}({})", suffix(type), name) : name);
        for (std::string* const arguments : {&woven_arguments, &rest_arguments}) add(*arguments, "all_" + name);
    }
    std::string steps;
    for (int i = kernel.first_step; i < kernel.last_step; ++i) {
        const step& each = program.steps[static_cast<std::size_t>(i)];
        const lower::value_id value = program.step_value(i);
        steps += text::format("    const auto {} = {};\n", names(value),
                              vector_text(program, names, each, is_only_stored(program, kernel, value)));
    }
    std::string stores;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        const element_type type = kernel.outputs[i].type;
        add(of_vector, text::format("f32_vector& y{}", i));
        add(parameters, text::format("{}* const y{}", spelling(type), i));
        steps += text::format("    y{} = {};\n", i, names(kernel.outputs[i].value));
        block += text::format(
            "    alignas(64) {0} own_y{1}[{2}];\n"
            "    {0}* const to_y{1} = block_to<{2}>(y{1}, count, past_caches, own_y{1});\n",
            spelling(type), i, plan::block_elements);
        woven += text::format("        f32_vector made_y{}[vectors];\n", i);
        add(woven_arguments, text::format("made_y{}[k]", i));
        const bool in_twos = type == element_type::bfloat16;
        stores += text::format(
            "        #pragma GCC unroll {}\n"
            "        for (int k = 0; k < vectors; {}) store_{}(to_y{} + first + k * VECTOR_ELEMENTS, {});\n",
            plan::block_elements, in_twos ? "k += 2" : "++k", in_twos ? "two_bf16" : suffix(type), i,
            in_twos ? text::format("made_y{0}[k], made_y{0}[k + 1]", i) : text::format("made_y{}[k]", i));
        rest +=
            text::format("        f32_vector made_y{0};\n        {1} rest_y{0}[VECTOR_ELEMENTS];\n", i, spelling(type));
        add(rest_arguments, text::format("made_y{}", i));
        after_rest += text::format(
            "        {0}* const end_y{1} = rest_to(to_y{1} + first, left, rest_y{1});\n"
            "        store_{2}(end_y{1}, made_y{1});\n"
            "        finish_rest(to_y{1} + first, left, end_y{1});\n",
            spelling(type), i, suffix(type));
        after_block += text::format("    finish_block<{}>(y{}, to_y{});\n", plan::block_elements, i, i);
    }
    return text::format(
        "static inline __attribute__((always_inline)) void vector_body({})\n{{\n{}}}\n\n"
        "static inline __attribute__((always_inline)) void block_body({}, const i64 count, const bool "
        "past_caches)\n{{\n"
        "{}"
        "    constexpr int vectors = {};\n"
        "    i64 first = 0;\n"
        "    for (; first + vectors * VECTOR_ELEMENTS <= count; first += vectors * VECTOR_ELEMENTS) {{\n"
        "{}"
        "        #pragma GCC unroll {}\n"
        "        for (int k = 0; k < vectors; ++k) vector_body({});\n"
        "{}"
        "    }}\n"
        "    for (; first < count; first += VECTOR_ELEMENTS) {{\n"
        "        const i64 left = count - first;\n"
        "{}"
        "        vector_body({});\n"
        "{}"
        "    }}\n"
        "{}}}\n\n",
        of_vector, steps, parameters, block, has_room(kernel) ? "WOVEN_VECTORS" : "WOVEN_VECTORS / 2", woven,
        plan::block_elements, woven_arguments, stores, rest, rest_arguments, after_rest, after_block);
}

}  // namespace kiln::emit
