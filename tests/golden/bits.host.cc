// (x0 >> x0) / clz(x0), (x1 << s0) / popcount(x1)
typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

static inline void body(const u8 x0, const i64 x1, const i64 s0, u8& y0, i64& y1)
{
    const u8 t0 = u8(x0) < u8(sizeof(u8) * 8) ? u8(x0 >> x0) : u8(0);
    const u8 t1 = x0 == u8(0) ? u8(sizeof(u8) * 8) : u8(__builtin_clzll(u8(x0)) - (64 - int(sizeof(u8)) * 8));
    const u8 t2 = t1 == u8(0) ? u8(0) : u8(t0 / t1);
    const i64 t3 = u64(s0) < u64(sizeof(i64) * 8) ? i64(1u * u64(x1) << u64(s0)) : i64(0);
    const i64 t4 = i64(__builtin_popcountll(u64(x1)));
    const i64 t5 = t4 == i64(0) ? i64(0) : t4 == i64(-1) ? i64(u64(0) - u64(t3)) : i64(t3 / t4);
    y0 = t2;
    y1 = t5;
}

extern "C" void kiln_shift_right_clz_div2_shift_left_popcount_u8(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    i64* const y1 = *static_cast<i64* const*>(parameters[1]);
    const u8* const x0 = *static_cast<const u8* const*>(parameters[2]);
    const i64* const x1 = *static_cast<const i64* const*>(parameters[3]);
    const i64 s0 = *static_cast<const i64*>(parameters[4]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], s0, y0[i], y1[i]);
}
