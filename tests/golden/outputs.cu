// x0 + x1, x0 - x1, x0 < x1

struct __align__(4) b8x4 { bool v[4]; };
__device__ __forceinline__ void store(bool* to, const b8x4& from)
{
    __stcs(reinterpret_cast<unsigned int*>(to), reinterpret_cast<const unsigned int&>(from));
}
struct __align__(16) f32x4 { float v[4]; };
__device__ __forceinline__ f32x4 load_f32x4(const float* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f32x4&>(bits);
}
__device__ __forceinline__ void store(float* to, const f32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const float x0, const float x1, float& y0, float& y1, bool& y2)
{
    const float t0 = x0 + x1;
    const float t1 = x0 - x1;
    const bool t2 = x0 < x1;
    y0 = t0;
    y1 = t1;
    y2 = t2;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_add_sub_lt_f32_v4(float* __restrict__ y0, float* __restrict__ y1, bool* __restrict__ y2, const float* __restrict__ x0, const float* __restrict__ x1, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first >= count) return;
    f32x4 v_x0 = {};
    f32x4 v_x1 = {};
    const bool whole = first + 4 <= count;
    if (whole) {
        v_x0 = load_f32x4(x0 + first);
        v_x1 = load_f32x4(x1 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) { v_x0.v[k] = x0[first + k]; v_x1.v[k] = x1[first + k]; }
    }
    f32x4 v_y0;
    f32x4 v_y1;
    b8x4 v_y2;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_x1.v[k], v_y0.v[k], v_y1.v[k], v_y2.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
        store(y1 + first, v_y1);
        store(y2 + first, v_y2);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) { y0[first + k] = v_y0.v[k]; y1[first + k] = v_y1.v[k]; y2[first + k] = v_y2.v[k]; }
    }
}
