// lennard_jones(x0)


#line 1 "powers.h"
#
__device__ __forceinline__ float sixth(float a) { return a * a * a * a * a * a; }

__device__ __forceinline__ float user0_lennard_jones(float r)
{
#line 1 "lennard_jones"
#
return 4 * (pow(1 / r, 12.0f) - sixth(1 / r));
}
#line 1 "the kernel"
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

__device__ __forceinline__ void body(const float x0, float& y0)
{
    const float t0 = user0_lennard_jones(x0);
    y0 = t0;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_lennard_jones_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const unsigned int count)
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
    for (int k = 0; k < 4; ++k) body(v_x0.v[k], v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 3; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
