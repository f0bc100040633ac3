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

namespace {

constexpr const char* slopes_as_they_stand = R"(
__device__ complex times(complex a, complex b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ complex conj(complex a) { return make(a.x, -a.y); }
__device__ complex less(complex a, complex b) { return make(a.x - b.x, a.y - b.y); }
__device__ complex slope_f(complex f, complex g, complex d)
{
    const complex twice = make(2 * g.x - 1, 2 * g.y);
    return less(times(make(0, -2), f), times(times(make(0, 1), d), twice));
}
__device__ complex slope_g(complex f, complex d)
{
    return times(make(0, -1), less(times(conj(d), f), times(d, conj(f))));
}
)";

constexpr const char* slopes_simplified = R"(
__device__ complex slope_f(complex f, complex g, complex d)
{
    const float x = fmaf(2, g.x, -1);
    const float y = 2 * g.y;
    return make(fmaf(2, f.y, fmaf(d.y, x, d.x * y)), -fmaf(2, f.x, fmaf(d.x, x, -d.y * y)));
}
__device__ complex slope_g(complex f, complex d) { return make(2 * fmaf(d.x, f.y, -d.y * f.x), 0); }
)";

constexpr const char* ode_step = R"(
__device__ complex plus(complex a, complex b) { return make(a.x + b.x, a.y + b.y); }
__device__ complex further(complex a, float step, complex slope) { return make(a.x + step * slope.x, a.y + step * slope.y); }
__device__ complex mean_slope(complex a, complex b, complex c, complex e)
{
    return make(a.x + 2 * b.x + 2 * c.x + e.x, a.y + 2 * b.y + 2 * c.y + e.y);
}
__device__ complex of_block(complex mine, complex* of_warp)
{
    for (int apart = 16; apart > 0; apart /= 2) {
        mine.x += __shfl_down_sync(0xffffffffu, mine.x, apart);
        mine.y += __shfl_down_sync(0xffffffffu, mine.y, apart);
    }
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int warp = 1; warp < 8; ++warp) mine = plus(mine, of_warp[warp]);
    return mine;
}

extern "C" __global__ void __launch_bounds__(256)
coupled_odes(complex* __restrict__ next_f, complex* __restrict__ next_g, complex* next_d, const complex* __restrict__ f_in,
             const complex* __restrict__ g_in, const complex* d_in, complex* sums, unsigned int* counter)
{
    __shared__ complex of_warp[8];
    __shared__ bool is_last;
    const float dt = 1e-4f;
    const unsigned int first = (blockIdx.x * 256 + threadIdx.x) * 2;
    const float4 f_two = *reinterpret_cast<const float4*>(f_in + first);
    const float4 g_two = *reinterpret_cast<const float4*>(g_in + first);
    complex f[2] = {make(f_two.x, f_two.y), make(f_two.z, f_two.w)};
    complex g[2] = {make(g_two.x, g_two.y), make(g_two.z, g_two.w)};
    const complex d = *d_in;
    #pragma unroll
    for (int k = 0; k < 2; ++k) {
        const complex f1 = slope_f(f[k], g[k], d), g1 = slope_g(f[k], d);
        const complex fa = further(f[k], dt / 2, f1), ga = further(g[k], dt / 2, g1);
        const complex f2 = slope_f(fa, ga, d), g2 = slope_g(fa, d);
        const complex fb = further(f[k], dt / 2, f2), gb = further(g[k], dt / 2, g2);
        const complex f3 = slope_f(fb, gb, d), g3 = slope_g(fb, d);
        const complex fc = further(f[k], dt, f3), gc = further(g[k], dt, g3);
        f[k] = further(f[k], dt / 6, mean_slope(f1, f2, f3, slope_f(fc, gc, d)));
        g[k] = further(g[k], dt / 6, mean_slope(g1, g2, g3, slope_g(fc, d)));
    }
    *reinterpret_cast<float4*>(next_f + first) = make_float4(f[0].x, f[0].y, f[1].x, f[1].y);
    *reinterpret_cast<float4*>(next_g + first) = make_float4(g[0].x, g[0].y, g[1].x, g[1].y);
    const complex sum = of_block(plus(f[0], f[1]), of_warp);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(counter, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    complex all = make(0, 0);
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += 256) all = plus(all, __ldcg(sums + i));
    all = of_block(all, of_warp);
    if (threadIdx.x == 0) {
        *next_d = all;
        *counter = 0;
    }
}
)";

}  // namespace

std::string coupled_odes_source(bool simplified) {
    return std::string(
               "typedef float2 complex;\n"
               "__device__ complex make(float re, float im) { return make_float2(re, im); }\n") +
           (simplified ? slopes_simplified : slopes_as_they_stand) + ode_step;
}

}  // namespace kiln::bench
