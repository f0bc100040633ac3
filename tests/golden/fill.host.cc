// s0
typedef long long i64;

static inline void body(const i64 s0, i64& y0)
{
    y0 = s0;
}

extern "C" void kiln_fill_i64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    i64* const y0 = *static_cast<i64* const*>(parameters[0]);
    const i64 s0 = *static_cast<const i64*>(parameters[1]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(s0, y0[i]);
}
