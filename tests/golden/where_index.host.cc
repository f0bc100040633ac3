// where(x0 > s0, sqrt(x0), float32(int32(i0)) * s1)
typedef long long i64;

static inline void body(const float x0, const i64 i0, const float s0, const float s1, float& y0)
{
    const bool t0 = x0 > s0;
    const float t1 = __builtin_sqrtf(x0);
    const int t2 = int(i0);
    const float t3 = float(t2);
    const float t4 = t3 * s1;
    const float t5 = t0 ? t1 : t4;
    y0 = t5;
}

extern "C" void kiln_gt_sqrt_cast2_mul_where_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64 i0 = *static_cast<const i64*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const float s1 = *static_cast<const float*>(parameters[4]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], i0 + i, s0, s1, y0[i]);
}
