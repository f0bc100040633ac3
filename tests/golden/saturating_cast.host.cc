// uint8(min(max(x0, s0), s1))
typedef unsigned char u8;
typedef long long i64;

static inline void body(const float x0, const float s0, const float s1, u8& y0)
{
    const float t0 = x0 != x0 ? x0 : s0 != s0 ? s0 : x0 < s0 ? s0 : x0;
    const float t1 = t0 != t0 ? t0 : s1 != s1 ? s1 : s1 < t0 ? s1 : t0;
    const u8 t2 = t1 != t1 ? u8(0) : t1 >= 256.0f ? u8(255) : t1 <= 0.0f ? u8(0) : u8(t1);
    y0 = t2;
}

extern "C" void kiln_max_min_cast_u8(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);
    const float s1 = *static_cast<const float*>(parameters[3]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], s0, s1, y0[i]);
}
