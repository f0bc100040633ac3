// where(x0 > s0, sqrt(x0), float32(int32(i0)) * s1)
typedef long long i64;

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

__device__ __forceinline__ void body(const float x0, const i64 i0, const float s0, const float s1, float& y0)
{
    const bool t0 = x0 > s0;
    const float t1 = sqrtf(x0);
    const int t2 = int(i0);
    const float t3 = float(t2);
    const float t4 = t3 * s1;
    const float t5 = t0 ? t1 : t4;
    y0 = t5;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_gt_sqrt_cast2_mul_where_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const i64 i0, const float s0, const float s1, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first >= count) return;
    f32x4 v_x0 = {};
    const bool whole = first + 4 <= count;
    if (whole) {
        v_x0 = load_f32x4(x0 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) v_x0.v[k] = x0[first + k];
    }
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], i0 + first + k, s0, s1, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
