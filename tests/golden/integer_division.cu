// (x0 / x1) + (x0 % x1)
typedef unsigned int u32;

struct __align__(16) i32x4 { int v[4]; };
__device__ __forceinline__ i32x4 load_i32x4(const int* from)
{
    const uint4 bits = __ldcs(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const i32x4&>(bits);
}
__device__ __forceinline__ void store(int* to, const i32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const int x0, const int x1, int& y0)
{
    const int t0 = x1 == int(0) ? int(0) : x1 == int(-1) ? int(u32(0) - u32(x0)) : int(x0 / x1);
    const int t1 = x1 == int(0) || x1 == int(-1) ? int(0) : int(x0 % x1);
    const int t2 = int(u32(t0) + u32(t1));
    y0 = t2;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_div_rem_add_i32_v4(int* __restrict__ y0, const int* __restrict__ x0, const int* __restrict__ x1, const unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first >= count) return;
    i32x4 v_x0 = {};
    i32x4 v_x1 = {};
    const bool whole = first + 4 <= count;
    if (whole) {
        v_x0 = load_i32x4(x0 + first);
        v_x1 = load_i32x4(x1 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 4; ++k) if (first + k < count) { v_x0.v[k] = x0[first + k]; v_x1.v[k] = x1[first + k]; }
    }
    i32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_x1.v[k], v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 4; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
