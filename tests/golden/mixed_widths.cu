// float64(x0 + x0) * x1
typedef unsigned char u8;

struct __align__(4) u8x4 { u8 v[4]; };
__device__ __forceinline__ u8x4 load_u8x4(const u8* from)
{
    const unsigned int bits = __ldcs(reinterpret_cast<const unsigned int*>(from));
    return reinterpret_cast<const u8x4&>(bits);
}
struct __align__(16) f64x4 { double v[4]; };
__device__ __forceinline__ f64x4 load_f64x4(const double* from)
{
    f64x4 to;
    #pragma unroll
    for (int k = 0; k < 2; ++k)
        reinterpret_cast<uint4*>(&to)[k] = __ldcs(reinterpret_cast<const uint4*>(from) + k);
    return to;
}
__device__ __forceinline__ void store(double* to, const f64x4& from)
{
    #pragma unroll
    for (int k = 0; k < 2; ++k)
        __stcs(reinterpret_cast<uint4*>(to) + k, reinterpret_cast<const uint4*>(&from)[k]);
}

__device__ __forceinline__ void body(const u8 x0, const double x1, double& y0)
{
    const u8 t0 = u8(u8(x0) + u8(x0));
    const double t1 = double(t0);
    const double t2 = t1 * x1;
    y0 = t2;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_add_mul_f64_v4(double* __restrict__ y0, const u8* __restrict__ x0, const double* __restrict__ x1, const unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    u8x4 v_x0 = {};
    f64x4 v_x1 = {};
    const bool whole = first + 4 <= count;
    if (whole) {
        v_x0 = load_u8x4(x0 + first);
        v_x1 = load_f64x4(x1 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 4; ++k) if (first + k < count) { v_x0.v[k] = x0[first + k]; v_x1.v[k] = x1[first + k]; }
    }
    f64x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_x1.v[k], v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 4; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
