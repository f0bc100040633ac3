__device__ __forceinline__ void finished(const f16 x2, const f16 s0, const f16 t3, f16& y0)
{
    const f16 t4 = f16_add(t3, x2);
    const f16 t5 = f16_from_f32((f32_from_f16(t4) == f32_from_f16(t4)) & !(f32_from_f16(s0) <= f32_from_f16(t4)) ? f32_from_f16(s0) : f32_from_f16(t4));
    y0 = t5;
}

__device__ __forceinline__ float user0_reduction(float a, float b)
{
#line 1 "reduction"
return fabsf(a) < fabsf(b) ? b : a;
}

#line 1 "the kernel"

__device__ __forceinline__ void lookups(const int x0, const int s0, i64& y0)
{
    const int t0 = int(u32(x0) - u32(s0));
    const i64 t1 = i64(t0);
    y0 = t1;
}

#line 1 "powers.h"

#

__device__ __forceinline__ float user_sixth(float a) { return a * a * a * a * a * a; }

__device__ __forceinline__ float user0_lennard_jones(float r)
{
#line 1 "lennard_jones"
#
return 4 * (pow(1 / r, 12.0f) - user_sixth(1 / r));
}
