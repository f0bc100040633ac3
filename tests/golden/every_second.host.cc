// x0 + s0
typedef long long i64;

static inline void body(const float x0, const float s0, float& y0)
{
    const float t0 = x0 + s0;
    y0 = t0;
}

extern "C" void kiln_add_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);
    (void)library;
    const i64 at_x0 = 0;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[at_x0 + i * at[3]], s0, y0[i]);
}
