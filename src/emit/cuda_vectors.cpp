#include <emit/body.hpp>
#include <emit/cuda_vectors.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

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
    bool loaded = false;
    bool stored = false;
};

std::string definition(element_type type, const kernel& of, const uses& used) {
    const int elements = of.elements_per_thread;
    const int bytes = bytes_of(type) * elements;
    const int access = std::min(bytes, 16);
    const bool several = bytes > access;
    const bool as_bits = moves_as_bits(type, of);
    std::string text = "struct __align__({access}) {name} {{ {t} v[{n}]; }};\n";
    if (used.loaded) {
        text += "__device__ __forceinline__ {loaded} load_{name}(const {t}* from)\n{{\n";
        if (several)
            text +=
                "    {name} to;\n"
                "    #pragma unroll\n"
                "    for (int k = 0; k < {parts}; ++k)\n"
                "        reinterpret_cast<{raw}*>(&to)[k] = {load}(reinterpret_cast<const {raw}*>(from) + k);\n"
                "    return to;\n}}\n";
        else if (as_bits) text += "    return {load}(reinterpret_cast<const {raw}*>(from));\n}}\n";
        else
            text +=
                "    const {raw} bits = {load}(reinterpret_cast<const {raw}*>(from));\n"
                "    return reinterpret_cast<const {name}&>(bits);\n}}\n";
    }
    if (used.stored) {
        text += "__device__ __forceinline__ void store({t}* to, const {name}& from)\n{{\n";
        if (several)
            text +=
                "    #pragma unroll\n"
                "    for (int k = 0; k < {parts}; ++k)\n"
                "        __stcs(reinterpret_cast<{raw}*>(to) + k, reinterpret_cast<const {raw}*>(&from)[k]);\n}}\n";
        else text += "    __stcs(reinterpret_cast<{raw}*>(to), reinterpret_cast<const {raw}&>(from));\n}}\n";
    }
    const std::string name = vector_type(type, elements);
    const char* const raw = raw_type(access);
    return text::format(fmt::runtime(text), fmt::arg("access", access), fmt::arg("name", name),
                        fmt::arg("t", spelling(type)), fmt::arg("n", elements), fmt::arg("raw", raw),
                        fmt::arg("parts", bytes / access), fmt::arg("loaded", as_bits ? raw : name.c_str()),
                        // Memory that is also written must not be read through the read-only cache.
                        fmt::arg("load", of.aliased ? "*" : "__ldg"));
}

}  // namespace

std::string vector_type(element_type type, int elements) { return text::format("{}x{}", info(type).suffix, elements); }

const char* vector_bits(element_type type, int elements) { return raw_type(std::min(bytes_of(type) * elements, 16)); }

bool moves_as_bits(element_type type, const kernel& in) {
    return bytes_of(type) < 4 && in.rank == 1 && in.elements_per_thread > 1 &&
           bytes_of(type) * in.elements_per_thread <= 16;
}

std::string vector_definitions(const kernel& of) {
    uses of_type[element_type_count];
    for (const operand& each : of.inputs)
        if (of.is_vector(each)) of_type[static_cast<int>(each.type)].loaded = true;
    // Rows end in one value, which is stored by itself.
    for (std::size_t i = 0; i < of.outputs.size(); ++i)
        if (!of.reduces() || of.vector_width == 1 || of.stores_elements(i))
            of_type[static_cast<int>(of.outputs[i].type)].stored = true;
    std::string out;
    for (int type = 0; type < element_type_count; ++type)
        if (const uses& used = of_type[type]; used.loaded || used.stored)
            out += definition(static_cast<element_type>(type), of, used);
    return out;
}

}  // namespace kiln::emit
