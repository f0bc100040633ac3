// x0 + x1, x0 - x1, x0 < x1
typedef long long i64;

static inline void body(const float x0, const float x1, float& y0, float& y1, bool& y2)
{
    const float t0 = x0 + x1;
    const float t1 = x0 - x1;
    const bool t2 = x0 < x1;
    y0 = t0;
    y1 = t1;
    y2 = t2;
}

extern "C" void kiln_add_sub_lt_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    float* const y1 = *static_cast<float* const*>(parameters[1]);
    bool* const y2 = *static_cast<bool* const*>(parameters[2]);
    const float* const x0 = *static_cast<const float* const*>(parameters[3]);
    const float* const x1 = *static_cast<const float* const*>(parameters[4]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], y0[i], y1[i], y2[i]);
}
