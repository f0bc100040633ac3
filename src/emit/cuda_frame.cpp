// The CUDA frame. Contiguous: one vector access per operand and thread, a one-shot grid, streaming hints, the tail
// element by element in the thread that meets it. Strided: one element per thread, positions by multiplication.
#include <emit/frames.hpp>
#include <plan/layout.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::emit {

namespace {

using plan::kernel;
using plan::operand;

std::string vector_type(element_type type, int elements) { return fmt::format("{}x{}", info(type).suffix, elements); }

/// The built-in type that moves `bytes` at once. Wider vectors move as several uint4.
const char* raw_type(int bytes) {
    switch (bytes) {
        case 1: return "unsigned char";
        case 2: return "unsigned short";
        case 4: return "unsigned int";
        case 8: return "uint2";
        default: return "uint4";
    }
}

/// A vector type and, where they are used, its streaming load and store: a fused chain reads each byte once and writes it
/// once, so neither is worth keeping in the caches.
std::string vector_definition(element_type type, int elements, bool loaded, bool stored) {
    const int bytes = bytes_of(type) * elements;
    const int access = std::min(bytes, 16);
    const bool several = bytes > access;
    std::string text = "struct __align__({access}) {name} {{ {t} v[{n}]; }};\n";
    if (loaded) text += "__device__ __forceinline__ {name} load_{name}(const {t}* from)\n{{\n";
    if (loaded && several)
        text +=
            "    {name} to;\n"
            "    #pragma unroll\n"
            "    for (int k = 0; k < {parts}; ++k)\n"
            "        reinterpret_cast<{raw}*>(&to)[k] = __ldcs(reinterpret_cast<const {raw}*>(from) + k);\n"
            "    return to;\n}}\n";
    if (loaded && !several)
        text +=
            "    const {raw} bits = __ldcs(reinterpret_cast<const {raw}*>(from));\n"
            "    return reinterpret_cast<const {name}&>(bits);\n}}\n";
    if (stored) text += "__device__ __forceinline__ void store({t}* to, const {name}& from)\n{{\n";
    if (stored && several)
        text +=
            "    #pragma unroll\n"
            "    for (int k = 0; k < {parts}; ++k)\n"
            "        __stcs(reinterpret_cast<{raw}*>(to) + k, reinterpret_cast<const {raw}*>(&from)[k]);\n}}\n";
    if (stored && !several)
        text += "    __stcs(reinterpret_cast<{raw}*>(to), reinterpret_cast<const {raw}&>(from));\n}}\n";
    return fmt::format(fmt::runtime(text), fmt::arg("access", access), fmt::arg("name", vector_type(type, elements)),
                       fmt::arg("t", spelling(type)), fmt::arg("n", elements), fmt::arg("raw", raw_type(access)),
                       fmt::arg("parts", bytes / access));
}

std::string vector_definitions(const kernel& of) {
    std::string out;
    for (int type = 0; type < element_type_count; ++type) {
        const auto is_type = [type](const operand& each) { return static_cast<int>(each.type) == type; };
        const bool loaded = std::any_of(of.inputs.begin(), of.inputs.end(), is_type);
        const bool stored = std::any_of(of.outputs.begin(), of.outputs.end(), is_type);
        if (loaded || stored)
            out += vector_definition(static_cast<element_type>(type), of.elements_per_thread, loaded, stored);
    }
    return out;
}

class cuda_writer {
public:
    cuda_writer(const lower::program& program, const kernel& of, const body& inside, const std::string& name)
        : program_(program), kernel_(of), inside_(inside), name_(name), names_(program, of), strided_(of) {}

    std::string run() {
        std::string out;
        if (vectorised()) out += vector_definitions(kernel_) + "\n";
        if (kernel_.strided())
            out += fmt::format("struct layout {{ long long word[{}]; }};\n\n",
                               plan::layout_words(kernel_.rank, strided_.count));
        out += inside_.functions;
        out += fmt::format("__device__ __forceinline__ void body({})\n{{\n{}}}\n\n", inside_.parameters, inside_.steps);
        out += fmt::format("extern \"C\" __global__ void __launch_bounds__({})\n{}({})\n{{\n",
                           kernel_.threads_per_block, name_, parameters());
        out += kernel_.strided() ? strided_loop() : contiguous_loop();
        return heading(program_, kernel_) + typedefs_for(out) + "\n" + out + "}\n";
    }

private:
    bool vectorised() const { return kernel_.elements_per_thread > 1; }
    const char* position() const { return kernel_.wide_index ? "long long" : "unsigned int"; }

    std::string parameters() const {
        const char* restrict_ = kernel_.aliased ? "" : " __restrict__";
        std::string out;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("{}*{} y{}, ", spelling(kernel_.outputs[i].type), restrict_, i);
        for (const operand& input : kernel_.inputs)
            out += fmt::format("const {}*{} {}, ", spelling(input.type), restrict_, names_(input.value));
        for (const lower::value_id scalar : kernel_.scalars)
            out += fmt::format("const {} {}, ", spelling(program_.type_of(scalar)), names_(scalar));
        return out + (kernel_.strided() ? "const layout at" : fmt::format("const {} count", position()));
    }

    template <class Input, class Output>
    std::string call(Input input, Output output, const std::string& index) const {
        std::string out = "body(";
        const auto add = [&out](const std::string& text) { out += (out.back() == '(' ? "" : ", ") + text; };
        for (std::size_t i = 0; i < kernel_.inputs.size(); ++i) add(input(i, names_(kernel_.inputs[i].value)));
        for (const lower::value_id scalar : kernel_.scalars) add(names_(scalar));
        if (kernel_.uses_index) add(index);
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) add(output(i, fmt::format("y{}", i)));
        return out + ");";
    }

    std::string element_call() const {
        const auto element = [](std::size_t, const std::string& name) { return name + "[i]"; };
        return call(element, element, "i");
    }

    std::string global_thread() const {
        return kernel_.wide_index
                   ? fmt::format("static_cast<long long>(blockIdx.x) * {} + threadIdx.x", kernel_.threads_per_block)
                   : fmt::format("blockIdx.x * {}u + threadIdx.x", kernel_.threads_per_block);
    }

    std::string contiguous_loop() const {
        const int elements = kernel_.elements_per_thread;
        if (!vectorised())
            return fmt::format("    const {} i = {};\n    if (i < count) {}\n", position(), global_thread(),
                               element_call());

        std::string out = fmt::format("    const {} first = ({}) * {};\n", position(), global_thread(), elements);
        out += fmt::format("    if (first + {} <= count) {{\n", elements);
        for (const operand& input : kernel_.inputs) {
            const std::string vector = vector_type(input.type, elements);
            out += fmt::format("        const {0} v_{1} = load_{0}({1} + first);\n", vector, names_(input.value));
        }
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("        {} v_y{};\n", vector_type(kernel_.outputs[i].type, elements), i);
        const auto lane = [](std::size_t, const std::string& name) { return "v_" + name + ".v[k]"; };
        out += fmt::format("        #pragma unroll\n        for (int k = 0; k < {}; ++k) {}\n", elements,
                           call(lane, lane, "first + k"));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("        store(y{0} + first, v_y{0});\n", i);
        out += fmt::format("    }} else {{\n        for ({} i = first; i < count; ++i) {}\n    }}\n", position(),
                           element_call());
        return out;
    }

    std::string strided_loop() const {
        const char* const offset = kernel_.wide_index ? "long long" : "int";
        std::string out = fmt::format("    const {0} i = {1};\n    if (i >= static_cast<{0}>(at.word[0])) return;\n",
                                      position(), global_thread());
        out += fmt::format("    const {} rest{} = i;\n", position(), kernel_.rank - 1);
        for (int axis = kernel_.rank - 1; axis > 0; --axis) out += split_axis(axis);
        out += fmt::format("    const {} p0 = rest0;\n", offset);
        const auto place = [&](int strided, const std::string& name) {
            if (strided < 0) return name + "[i]";
            std::string sum;
            for (int axis = 0; axis < kernel_.rank; ++axis)
                sum += fmt::format("{}p{} * static_cast<{}>(at.word[{}])", axis ? " + " : "", axis, offset,
                                   plan::layout_stride(kernel_.rank, strided, axis));
            return fmt::format("{}[{}]", name, sum);
        };
        return out + "    " +
               call([&](std::size_t i, const std::string& name) { return place(strided_.inputs[i], name); },
                    [&](std::size_t i, const std::string& name) { return place(strided_.outputs[i], name); }, "i") +
               "\n";
    }

    // Position on one axis and what is left for the axes outside it. Positions past 2^31 take the processor's division.
    std::string split_axis(int axis) const {
        const int extent = plan::layout_extent(axis);
        const int divisor = plan::layout_divisor(kernel_.rank, axis);
        const std::string quotient = kernel_.wide_index
                                         ? fmt::format("rest{} / at.word[{}]", axis, extent)
                                         : fmt::format(
                                               "(__umulhi(rest{0}, static_cast<unsigned int>(at.word[{1}])) + rest{0}) "
                                               ">> static_cast<int>(at.word[{1}] >> 32)",
                                               axis, divisor);
        return fmt::format(
            "    const {0} rest{1} = {2};\n    const {3} p{4} = rest{4} - rest{1} * static_cast<{0}>(at.word[{5}]);\n",
            position(), axis - 1, quotient, kernel_.wide_index ? "long long" : "int", axis, extent);
    }

    const lower::program& program_;
    const kernel& kernel_;
    const body& inside_;
    const std::string& name_;
    const value_names names_;
    strided_numbers strided_;
};

}  // namespace

std::string cuda_frame(const lower::program& program, const kernel& of, const body& inside, const std::string& name) {
    return cuda_writer(program, of, inside, name).run();
}

strided_numbers::strided_numbers(const kernel& of) {
    for (const operand& each : of.outputs) outputs.push_back(each.how == plan::access::strided ? count++ : -1);
    for (const operand& each : of.inputs) inputs.push_back(each.how == plan::access::strided ? count++ : -1);
}

std::string heading(const lower::program& program, const kernel& of) {
    return fmt::format("// {}\n", expression_text(program, of));
}

}  // namespace kiln::emit
