// logaddexp(x0, x0 * 3.0f) - 0.25f
typedef long long i64;

#include <math.h>
static inline float user0_logaddexp(float a, float b)
{
#line 1 "logaddexp"
return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));
}
#line 1 "the kernel"
static inline void body(const float x0, float& y0)
{
    const float t0 = x0 * 3.0f;
    const float t1 = user0_logaddexp(x0, t0);
    const float t2 = t1 - 0.25f;
    y0 = t2;
}

extern "C" void kiln_mul_logaddexp_sub_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i]);
}
