#include <emit/body.hpp>
#include <emit/cuda_vectors.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

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

struct store_function {
    bool vector_uses::*used;
    const char* name;
    const char* moves;  // one piece
};
constexpr store_function store_functions[] = {{&vector_uses::stored, "store", "__stcs({}, {})"},
                                              {&vector_uses::written, "write", "*({}) = {}"}};

std::string definition(const vector_uses& of) {
    const int bytes = bytes_of(of.type) * of.elements;
    const int access = std::min(bytes, 16);
    const int pieces = bytes / access;
    const std::string name = vector_type(of.type, of.elements);
    const char* const t = spelling(of.type);
    const char* const raw = raw_type(access);
    std::string out = text::format("struct __align__({}) {} {{ {} v[{}]; }};\n", access, name, t, of.elements);
    if (of.loaded) {
        const char* const load = of.aliased ? "*" : "__ldg";
        out += text::format("__device__ __forceinline__ {} load_{}(const {}* from)\n{{\n",
                            of.as_bits ? raw : name.c_str(), name, t);
        if (pieces > 1)
            out += text::format(
                "    {0} to;\n"
                "    #pragma unroll\n"
                "    for (int k = 0; k < {1}; ++k)\n"
                "        reinterpret_cast<{2}*>(&to)[k] = {3}(reinterpret_cast<const {2}*>(from) + k);\n"
                "    return to;\n}}\n",
                name, pieces, raw, load);
        else if (of.as_bits) out += text::format("    return {}(reinterpret_cast<const {}*>(from));\n}}\n", load, raw);
        else
            out += text::format(
                "    const {0} bits = {1}(reinterpret_cast<const {0}*>(from));\n"
                "    return reinterpret_cast<const {2}&>(bits);\n}}\n",
                raw, load, name);
    }
    for (const store_function& each : store_functions) {
        if (!(of.*each.used)) continue;
        out += text::format("__device__ __forceinline__ void {}({}* to, const {}& from)\n{{\n", each.name, t, name);
        const std::string to = text::format("reinterpret_cast<{}*>(to)", raw);
        if (pieces > 1)
            out += text::format("    #pragma unroll\n    for (int k = 0; k < {}; ++k)\n        {};\n}}\n", pieces,
                                text::format(fmt::runtime(each.moves), to + " + k",
                                             text::format("reinterpret_cast<const {}*>(&from)[k]", raw)));
        else
            out += text::format("    {};\n}}\n", text::format(fmt::runtime(each.moves), to,
                                                              text::format("reinterpret_cast<const {}&>(from)", raw)));
    }
    return out;
}

}  // namespace

std::string vector_type(element_type type, int elements) { return text::format("{}x{}", info(type).suffix, elements); }

const char* vector_bits(element_type type, int elements) { return raw_type(std::min(bytes_of(type) * elements, 16)); }

vector_uses& vector_accesses::use(plan::nest::type of) {
    for (vector_uses& each : used_)
        if (each.type == of.of && each.elements == of.lanes) return each;
    return used_.emplace_back(vector_uses{of.of, of.lanes, false, aliased_});
}

std::string vector_accesses::load(plan::nest::type of) {
    vector_uses& used = use(of);
    used.loaded = true;
    used.as_bits = used.as_bits || of.what == plan::nest::type::kind::bits;
    return "load_" + vector_type(of.of, of.lanes);
}

const char* vector_accesses::store(plan::nest::type of, bool past_caches) {
    const store_function& by = store_functions[past_caches ? 0 : 1];
    use(of).*by.used = true;
    return by.name;
}

std::string vector_accesses::definitions() const {
    std::string out;
    for (const vector_uses& each : used_) out += definition(each);
    return out;
}

}  // namespace kiln::emit
