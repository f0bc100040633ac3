// bfloat16(float64(x0) * s0)

__device__ __forceinline__ unsigned int bits_of(float a) { return __float_as_uint(a); }
__device__ __forceinline__ unsigned long long bits_of(double a) { return static_cast<unsigned long long>(__double_as_longlong(a)); }
__device__ __forceinline__ float float_of(unsigned int bits) { return __uint_as_float(bits); }
template <class R>
__device__ __forceinline__ R rounded(R a) { return a; }
enum class bf16 : unsigned short {};
__device__ __forceinline__ float f32_from_bf16(bf16 a) { return float_of(static_cast<unsigned int>(a) << 16); }
__device__ __forceinline__ bf16 bf16_from_f32(float a)
{
#if __CUDA_ARCH__ >= 800
    unsigned short to;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(to) : "f"(a));
    return static_cast<bf16>(to);
#else
    const unsigned int bits = bits_of(a);
    const unsigned int rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const unsigned int value = (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16 | 0x7fc0u) : rounded;
    return static_cast<bf16>(value);
#endif
}
__device__ __forceinline__ float f32_odd(double a)
{
    const float near = static_cast<float>(a);
    const double back = near;
    const unsigned int bits = bits_of(near);
    const bool outside = a < 0 ? back < a : back > a;
    return back == a || a != a ? near : float_of((outside ? bits - 1u : bits) | 1u);
}
__device__ __forceinline__ bf16 bf16_from_f64(double a) { return bf16_from_f32(f32_odd(a)); }
struct __align__(16) bf16x8 { bf16 v[8]; };
__device__ __forceinline__ uint4 load_bf16x8(const bf16* from)
{
    return __ldg(reinterpret_cast<const uint4*>(from));
}
__device__ __forceinline__ void store(bf16* to, const bf16x8& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const bf16 x0, const double s0, bf16& y0)
{
    const double t0 = double(f32_from_bf16(x0));
    const double t1 = t0 * s0;
    const bf16 t2 = bf16_from_f64(t1);
    y0 = t2;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_cast2_mul_bf16_v8(bf16* __restrict__ y0, const bf16* __restrict__ x0, const double s0, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 8;
    if (first >= count) return;
    uint4 bits_x0;
    const bool whole = first + 8 <= count;
    if (whole) {
        bits_x0 = load_bf16x8(x0 + first);
    } else {
        bf16x8 part_x0 = {};
        #pragma unroll 1
        for (int k = 0; first + k < count; ++k) { part_x0.v[k] = x0[first + k]; }
        bits_x0 = reinterpret_cast<const uint4&>(part_x0);
    }
    const bf16x8 v_x0 = reinterpret_cast<const bf16x8&>(bits_x0);
    bf16x8 v_y0;
    #pragma unroll
    for (int k = 0; k < 8; ++k) body(v_x0.v[k], s0, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 7; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
