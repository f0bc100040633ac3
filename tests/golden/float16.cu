// (x0 * x0) + exp(x0)

struct f16 { unsigned short bits; };
__device__ __forceinline__ float f32_from_f16(f16 a) { float to; asm("cvt.f32.f16 %0, %1;" : "=f"(to) : "h"(a.bits)); return to; }
__device__ __forceinline__ f16 f16_from_f32(float a) { f16 to; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to.bits) : "f"(a)); return to; }
__device__ __forceinline__ f16 f16_add(f16 a, f16 b)
{
#if __CUDA_ARCH__ >= 530
    f16 to;
    asm("add.rn.f16 %0, %1, %2;" : "=h"(to.bits) : "h"(a.bits), "h"(b.bits));
    return to;
#else
    return f16_from_f32(f32_from_f16(a) + f32_from_f16(b));
#endif
}
__device__ __forceinline__ f16 f16_mul(f16 a, f16 b)
{
#if __CUDA_ARCH__ >= 530
    f16 to;
    asm("mul.rn.f16 %0, %1, %2;" : "=h"(to.bits) : "h"(a.bits), "h"(b.bits));
    return to;
#else
    return f16_from_f32(f32_from_f16(a) * f32_from_f16(b));
#endif
}
struct __align__(16) f16x8 { f16 v[8]; };
__device__ __forceinline__ f16x8 load_f16x8(const f16* from)
{
    const uint4 bits = __ldcs(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const f16x8&>(bits);
}
__device__ __forceinline__ void store(f16* to, const f16x8& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const f16 x0, f16& y0)
{
    const f16 t0 = f16_mul(x0, x0);
    const f16 t1 = f16_from_f32(expf(f32_from_f16(x0)));
    const f16 t2 = f16_add(t0, t1);
    y0 = t2;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_exp_add_f16_v8(f16* __restrict__ y0, const f16* __restrict__ x0, const unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 8;
    if (first + 8 <= count) {
        const f16x8 v_x0 = load_f16x8(x0 + first);
        f16x8 v_y0;
        #pragma unroll
        for (int k = 0; k < 8; ++k) body(v_x0.v[k], v_y0.v[k]);
        store(y0 + first, v_y0);
    } else {
        for (unsigned int i = first; i < count; ++i) body(x0[i], y0[i]);
    }
}
