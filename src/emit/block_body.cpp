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

/// Whether a value goes to outputs alone, and as what it is: a sum's elements may be stored as floats.
bool is_only_stored(const lower::program& program, const plan::kernel& kernel, lower::value_id value) {
    for (const plan::operand& each : kernel.outputs)
        if (each.value == value && each.type != program.type_of(value)) return false;
    for (int i = kernel.first_step; i < kernel.last_step; ++i) {
        const step& each = program.steps[static_cast<std::size_t>(i)];
        for (int a = 0; a < each.arity; ++a)
            if (each.args[a] == value) return false;
    }
    return true;
}

/// A float, made a byte: where that is of a whole number, and it is stored, its store rounds what the number is of.
std::string byte_text(const lower::program& program, const plan::kernel& kernel, const value_names& names,
                      lower::value_id of, lower::value_id made) {
    const step* const before = of >= program.step_value(kernel.first_step) ? program.step_of(of) : nullptr;
    const bool is_rounded = before && before->code == operation::rint;
    const bool only_stored = is_only_stored(program, kernel, made);
    const char* const in_byte = only_stored ? "in_stored_byte" : "in_byte";
    if (is_rounded && only_stored) return text::format("{}({})", in_byte, names(before->args[0]));
    const std::string inside = text::format("{}({})", in_byte, names(of));
    return is_rounded ? inside : text::format("trunc_vector({})", inside);
}

std::string vector_text(const lower::program& program, const plan::kernel& kernel, const value_names& names,
                        lower::value_id made) {
    const step& of = *program.step_of(made);
    const bool only_stored = is_only_stored(program, kernel, made);  // its upper half has to be right
    if (of.code == operation::cast) {
        const std::string from = names(of.args[0]);
        if (of.result == element_type::uint8) return byte_text(program, kernel, names, of.args[0], made);
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

void add(std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; }

/// "vector_body".
std::string vector_body(const lower::program& program, const plan::kernel& kernel, const value_names& names) {
    std::string parameters, steps;
    for (const plan::operand& each : kernel.inputs)
        add(parameters, text::format("const f32_vector& {}", names(each.value)));
    for (const lower::value_id scalar : kernel.scalars)
        add(parameters, text::format("const f32_vector& {}", names(scalar)));
    for (int i = kernel.first_step; i < kernel.last_step; ++i) {
        const lower::value_id made = program.step_value(i);
        steps += text::format("    const auto {} = {};\n", names(made), vector_text(program, kernel, names, made));
    }
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        add(parameters, text::format("f32_vector& y{}", i));
        steps += text::format("    y{} = {};\n", i, names(kernel.outputs[i].value));
    }
    return text::format("static inline __attribute__((always_inline)) void vector_body({})\n{{\n{}}}\n\n", parameters,
                        steps);
}

/// Of bytes: "words_body", of as many words as there are, and "block_body", by which it is called for whole words and for a copy of the rest.
/// The steps stand in the text once: g++ takes as long for a rest's as for all the others.
std::string byte_block_body(const plan::kernel& kernel, const value_names& names) {
    const int elements = plan::block_elements(kernel);
    std::string parameters, arguments, scalars, loads, stores, block_parameters, block, whole, rest, rest_arguments,
        after_rest, after_block;
    for (const plan::operand& each : kernel.inputs) {
        const std::string name = names(each.value);
        add(parameters, text::format("const u8* const {}", name));
        add(block_parameters, text::format("const u8* const {0}, const i64 {0}_apart", name));
        loads += text::format("        const u32_vector words_{0} = load_words({0} + first);\n", name);
        add(arguments, text::format("byte_of(words_{}, k)", name));
        add(whole, name);
        rest += text::format(
            "        u8 rest_{0}[WORD_BYTES] = {{}};\n"
            "        copy_rest(rest_{0}, {0} + whole, count - whole);\n",
            name);
        add(rest_arguments, "rest_" + name);
    }
    for (const lower::value_id scalar : kernel.scalars) {
        const std::string name = names(scalar);
        for (std::string* const list : {&parameters, &block_parameters})
            add(*list, text::format("const float {}", name));
        scalars += text::format("    const f32_vector all_{0} = vector_of({0});\n", name);
        add(arguments, "all_" + name);
        for (std::string* const list : {&whole, &rest_arguments}) add(*list, name);
    }
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        for (std::string* const list : {&parameters, &block_parameters}) add(*list, text::format("u8* const y{}", i));
        loads += text::format("        f32_vector made_y{}[4];\n", i);
        add(arguments, text::format("made_y{}[k]", i));
        stores += text::format("        store_bytes(y{0} + first, made_y{0});\n", i);
        block += text::format(
            "    alignas(64) u8 own_y{0}[{1}];\n"
            "    u8* const to_y{0} = block_to<{1}>(y{0}, count, past_caches, own_y{0});\n",
            i, elements);
        add(whole, text::format("to_y{}", i));
        rest += text::format("        u8 rest_y{}[WORD_BYTES];\n", i);
        add(rest_arguments, text::format("rest_y{}", i));
        after_rest += text::format("        copy_rest(to_y{0} + whole, rest_y{0}, count - whole);\n", i);
        after_block += text::format("    finish_block<{0}>(y{1}, to_y{1});\n", elements, i);
    }
    return text::format(
        "[[gnu::noinline]] static void words_body({}, const i64 count)\n{{\n"
        "{}"
        "    for (i64 first = 0; first < count; first += WORD_BYTES) {{\n"
        "{}"
        "        #pragma GCC unroll 4\n"
        "        for (int k = 0; k < 4; ++k) vector_body({});\n"
        "{}"
        "    }}\n}}\n\n"
        "static inline __attribute__((always_inline)) void block_body({}, const i64 count, const bool "
        "past_caches)\n{{\n"
        "{}"
        "    const i64 whole = count / WORD_BYTES * WORD_BYTES;\n"
        "    words_body({}, whole);\n"
        "    if (whole < count) {{\n"
        "{}"
        "        words_body({}, WORD_BYTES);\n"
        "{}"
        "    }}\n"
        "{}}}\n\n",
        parameters, scalars, loads, arguments, stores, block_parameters, block, whole, rest, rest_arguments, after_rest,
        after_block);
}

}  // namespace

std::string block_body(const lower::program& program, const plan::kernel& kernel, const value_names& names) {
    const std::string of_vector = vector_body(program, kernel, names);
    if (plan::is_of_bytes(kernel)) return of_vector + byte_block_body(kernel, names);
    const int elements = plan::block_elements(kernel);
    std::string parameters, block, woven, woven_arguments, rest, rest_arguments, after_rest, after_block;
    for (const plan::operand& each : kernel.inputs) {
        const std::string name = names(each.value);
        const char* const type = spelling(each.type);
        add(parameters, text::format("const {0}* const {1}, const i64 {1}_apart", type, name));
        block += text::format(
            "    {0} own_{1}[{2}];\n"
            "    const {0}* const from_{1} = block_from<{2}>({1}, {1}_apart, count, own_{1});\n",
            type, name, elements);
        add(woven_arguments, text::format("load_{}(from_{} + first + k * VECTOR_ELEMENTS)", suffix(each.type), name));
        rest += text::format("        {} rest_{}[VECTOR_ELEMENTS] = {{}};\n", type, name);
        add(rest_arguments,
            text::format("load_{0}(rest_from(from_{1} + first, left, rest_{1}))", suffix(each.type), name));
    }
    for (const lower::value_id scalar : kernel.scalars) {
        const std::string name = names(scalar);
        const element_type type = program.type_of(scalar);
        add(parameters, text::format("const {} {}", spelling(type), name));
        block += text::format("    const f32_vector all_{0} = vector_of({1});\n", name,
                              is_small_float(type) ? text::format("f32_from_{}({})", suffix(type), name) : name);
        for (std::string* const arguments : {&woven_arguments, &rest_arguments}) add(*arguments, "all_" + name);
    }
    std::string stores;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
        const element_type type = kernel.outputs[i].type;
        add(parameters, text::format("{}* const y{}", spelling(type), i));
        block += text::format(
            "    alignas(64) {0} own_y{1}[{2}];\n"
            "    {0}* const to_y{1} = block_to<{2}>(y{1}, count, past_caches, own_y{1});\n",
            spelling(type), i, elements);
        woven += text::format("        f32_vector made_y{}[vectors];\n", i);
        add(woven_arguments, text::format("made_y{}[k]", i));
        const bool in_twos = type == element_type::bfloat16;
        stores += text::format(
            "        #pragma GCC unroll {}\n"
            "        for (int k = 0; k < vectors; {}) store_{}(to_y{} + first + k * VECTOR_ELEMENTS, {});\n",
            elements, in_twos ? "k += 2" : "++k", in_twos ? "two_bf16" : suffix(type), i,
            in_twos ? text::format("made_y{0}[k], made_y{0}[k + 1]", i) : text::format("made_y{}[k]", i));
        rest +=
            text::format("        f32_vector made_y{0};\n        {1} rest_y{0}[VECTOR_ELEMENTS];\n", i, spelling(type));
        add(rest_arguments, text::format("made_y{}", i));
        after_rest += text::format(
            "        {0}* const end_y{1} = rest_to(to_y{1} + first, left, rest_y{1});\n"
            "        store_{2}(end_y{1}, made_y{1});\n"
            "        finish_rest(to_y{1} + first, left, end_y{1});\n",
            spelling(type), i, suffix(type));
        after_block += text::format("    finish_block<{}>(y{}, to_y{});\n", elements, i, i);
    }
    return of_vector +
           text::format(
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
               parameters, block, has_room(kernel) ? "WOVEN_VECTORS" : "WOVEN_VECTORS / 2", woven, elements,
               woven_arguments, stores, rest, rest_arguments, after_rest, after_block);
}

}  // namespace kiln::emit
