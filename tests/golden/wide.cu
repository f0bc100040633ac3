// s0 + float32(i0)
typedef long long i64;

struct __align__(16) f32x4 { float v[4]; };
__device__ __forceinline__ void store(float* to, const f32x4& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const i64 i0, const float s0, float& y0)
{
    const float t0 = float(i0);
    const float t1 = s0 + t0;
    y0 = t1;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_add_f32_v4_wide(float* __restrict__ y0, const i64 i0, const float s0, const long long count)
{
    wait_for_earlier_kernels();
    const long long first = (static_cast<long long>(blockIdx.x) * 256 + threadIdx.x) * 4;
    if (first >= count) return;
    const bool whole = first + 4 <= count;
    f32x4 v_y0;
    #pragma unroll
    for (int k = 0; k < 4; ++k) body(i0 + first + k, s0, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
