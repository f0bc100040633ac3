#include <emit/body.hpp>
#include <emit/cuda_vectors.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::emit {

namespace {

using plan::access;
using plan::kernel;
using plan::operand;

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

struct uses {
    bool streamed = false;
    bool kept = false;
    bool stored = false;
};

std::string definition(element_type type, int elements, const uses& used) {
    const int bytes = bytes_of(type) * elements;
    const int access = std::min(bytes, 16);
    const bool several = bytes > access;
    std::string text = "struct __align__({access}) {name} {{ {t} v[{n}]; }};\n";
    const auto add_load = [&](const char* function, const char* instruction) {
        text += fmt::format("__device__ __forceinline__ {{name}} {}_{{name}}(const {{t}}* from)\n{{{{\n", function);
        if (several)
            text +=
                "    {name} to;\n"
                "    #pragma unroll\n"
                "    for (int k = 0; k < {parts}; ++k)\n" +
                fmt::format(
                    "        reinterpret_cast<{{raw}}*>(&to)[k] = {}(reinterpret_cast<const {{raw}}*>(from) + k);\n",
                    instruction) +
                "    return to;\n}}\n";
        else
            text += fmt::format("    const {{raw}} bits = {}(reinterpret_cast<const {{raw}}*>(from));\n", instruction) +
                    "    return reinterpret_cast<const {name}&>(bits);\n}}\n";
    };
    if (used.streamed) add_load("load", "__ldcs");
    if (used.kept) add_load("keep", "__ldg");
    if (used.stored) {
        text += "__device__ __forceinline__ void store({t}* to, const {name}& from)\n{{\n";
        if (several)
            text +=
                "    #pragma unroll\n"
                "    for (int k = 0; k < {parts}; ++k)\n"
                "        __stcs(reinterpret_cast<{raw}*>(to) + k, reinterpret_cast<const {raw}*>(&from)[k]);\n}}\n";
        else text += "    __stcs(reinterpret_cast<{raw}*>(to), reinterpret_cast<const {raw}&>(from));\n}}\n";
    }
    return fmt::format(fmt::runtime(text), fmt::arg("access", access), fmt::arg("name", vector_type(type, elements)),
                       fmt::arg("t", spelling(type)), fmt::arg("n", elements), fmt::arg("raw", raw_type(access)),
                       fmt::arg("parts", bytes / access));
}

}  // namespace

std::string vector_type(element_type type, int elements) { return fmt::format("{}x{}", info(type).suffix, elements); }

bool is_streamed(const operand& of, const kernel& in) {
    if (of.how == access::contiguous) return true;
    const int all_axes = (1 << in.rank) - 1;
    return of.how == access::row && of.address.axes == all_axes && of.steps.empty();
}

std::string vector_definitions(const kernel& of) {
    uses of_type[element_type_count];
    for (const operand& each : of.inputs) {
        if (each.is_position || each.how == access::uniform) continue;
        uses& used = of_type[static_cast<int>(each.type)];
        // Memory that is also written must not be read through the read-only cache.
        (is_streamed(each, of) || of.aliased ? used.streamed : used.kept) = true;
    }
    for (const operand& each : of.outputs) of_type[static_cast<int>(each.type)].stored = true;
    std::string out;
    for (int type = 0; type < element_type_count; ++type)
        if (const uses& used = of_type[type]; used.streamed || used.kept || used.stored)
            out += definition(static_cast<element_type>(type), of.elements_per_thread, used);
    return out;
}

}  // namespace kiln::emit
