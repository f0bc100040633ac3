// x0 + x0 + x0 + x0 + x0
typedef long long i64;

static inline void body(const float x0, float& y0)
{
    const float t0 = x0 + x0;
    const float t1 = t0 + x0;
    const float t2 = t1 + x0;
    const float t3 = t2 + x0;
    y0 = t3;
}

extern "C" void kiln_add4_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i]);
}
