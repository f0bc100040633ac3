#include "hand_written_gpu.hpp"

namespace kiln::bench {

std::string table_variant::text() const {
    std::string out = std::to_string(elements_per_thread) + " per thread, ";
    out += flat ? "flat" : std::to_string(layers_per_thread) + (layers_per_thread == 1 ? " layer" : " layers");
    return out + (streaming ? ", streaming" : "");
}

std::vector<table_variant> table_variants() {
    std::vector<table_variant> out;
    for (const bool streaming : {false, true}) {
        for (const int elements : {1, 2, 4}) {
            out.push_back({elements, 1, streaming, /*flat=*/true});
            for (const int layers : {1, 2, 4, 5}) out.push_back({elements, layers, streaming, /*flat=*/false});
        }
    }
    return out;
}

std::string table_product_source(const table_variant& how) {
    const std::string elements = std::to_string(how.elements_per_thread);
    const std::string layers = std::to_string(how.layers_per_thread);
    const bool pairs = how.elements_per_thread > 1;
    const std::string type = pairs ? "double2" : "double";
    const std::string accesses = std::to_string(pairs ? how.elements_per_thread / 2 : 1);
    std::string out = "typedef " + type + " access;\n";
    out += pairs ? "__device__ access times(access a, access b) { return make_double2(a.x * b.x, a.y * b.y); }\n"
                 : "__device__ access times(access a, access b) { return a * b; }\n";
    out += how.streaming ? "__device__ access load(const access* from) { return __ldg(from); }\n"
                           "__device__ void store(access* to, access v) { __stcs(to, v); }\n"
                         : "__device__ access load(const access* from) { return *from; }\n"
                           "__device__ void store(access* to, access v) { *to = v; }\n";
    out += "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(table_threads) +
           ")\n"
           "table_product(double* __restrict__ y, const double* __restrict__ x, const double* __restrict__ table,\n"
           "              unsigned int count)\n"
           "{\n"
           "    const unsigned int i = (blockIdx.x * " +
           std::to_string(table_threads) + "u + threadIdx.x) * " + elements +
           "u;\n"
           "    if (i >= count) return;\n";
    // The remainder by a constant: multiplications.
    out += how.flat ? "    const unsigned int in_table = i % 20000u;\n    const unsigned int first = i;\n"
                    : "    const unsigned int in_table = i;\n"
                      "    const unsigned int first = blockIdx.y * " +
                          layers + "u * count + i;\n";
    out += "    const unsigned int stride = " + std::string(how.flat ? "0" : "count") +
           ";\n"
           "    access t[" +
           accesses + "];\n    access v[" + layers + "][" + accesses +
           "];\n"
           "    #pragma unroll\n"
           "    for (int k = 0; k < " +
           accesses +
           "; ++k) t[k] = reinterpret_cast<const access*>(table + in_table)[k];\n"
           "    #pragma unroll\n"
           "    for (int l = 0; l < " +
           layers +
           "; ++l)\n"
           "        #pragma unroll\n"
           "        for (int k = 0; k < " +
           accesses +
           "; ++k)\n"
           "            v[l][k] = load(reinterpret_cast<const access*>(x + first + l * stride) + k);\n"
           "    #pragma unroll\n"
           "    for (int l = 0; l < " +
           layers +
           "; ++l)\n"
           "        #pragma unroll\n"
           "        for (int k = 0; k < " +
           accesses +
           "; ++k)\n"
           "            store(reinterpret_cast<access*>(y + first + l * stride) + k, times(v[l][k], t[k]));\n"
           "}\n";
    return out;
}

std::int64_t table_product_blocks(const table_variant& how, std::int64_t table_size, std::int64_t layers) {
    const std::int64_t per_block = std::int64_t{table_threads} * how.elements_per_thread;
    return ((how.flat ? table_size * layers : table_size) + per_block - 1) / per_block;
}

std::string black_scholes_source(int elements_per_thread) {
    const std::string body = R"(
__device__ __forceinline__ float price(float s, float k, float t, float r, float v)
{
    const float root = sqrtf(t);
    const float d1 = (logf(s / k) + (r + 0.5f * v * v) * t) / (v * root);
    const float d2 = d1 - v * root;
    return s * normcdff(d1) - k * expf(-r * t) * normcdff(d2);
}

extern "C" __global__ void __launch_bounds__(256)
black_scholes(float* __restrict__ call, const float* __restrict__ s, const float* __restrict__ k,
              const float* __restrict__ t, float r, float v, unsigned int count)
{
)";
    if (elements_per_thread == 1)
        return body + R"(    const unsigned int i = blockIdx.x * 256u + threadIdx.x;
    if (i >= count) return;
    __stcs(call + i, price(__ldg(s + i), __ldg(k + i), __ldg(t + i), r, v));
}
)";
    return body + R"(    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first + 4 <= count) {
        const float4 vs = __ldg(reinterpret_cast<const float4*>(s + first));
        const float4 vk = __ldg(reinterpret_cast<const float4*>(k + first));
        const float4 vt = __ldg(reinterpret_cast<const float4*>(t + first));
        __stcs(reinterpret_cast<float4*>(call + first),
               make_float4(price(vs.x, vk.x, vt.x, r, v), price(vs.y, vk.y, vt.y, r, v),
                           price(vs.z, vk.z, vt.z, r, v), price(vs.w, vk.w, vt.w, r, v)));
    } else {
        for (unsigned int i = first; i < count; ++i) call[i] = price(s[i], k[i], t[i], r, v);
    }
}
)";
}

}  // namespace kiln::bench
