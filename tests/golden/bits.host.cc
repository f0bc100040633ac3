// (x0 >> x0) / clz(x0), (x1 << s0) / popcount(x1)
typedef unsigned char u8;
typedef unsigned long long u64;
typedef long long i64;

typedef long long part_of_line __attribute__((vector_size(16), may_alias));
static inline void store_past_caches(void* to, const void* from, int bytes)
{
    for (int i = 0; i < bytes / 16; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
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
    const bool past_caches = library[58] && ((i64)y0 | (i64)y1) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 63) / 64 * 64) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], s0, y0[i], y1[i]);
        for (next = stop; end - next >= 64; next += 64) {
            alignas(64) u8 line_y0[64];
            alignas(64) i64 line_y1[64];
            for (int j = 0; j < 64; ++j) { const i64 i = next + j; body(x0[i], x1[i], s0, line_y0[j], line_y1[j]); }
            store_past_caches(y0 + next, line_y0, 64);
            store_past_caches(y1 + next, line_y1, 512);
        }
        stop = end;
    } while (next < stop);
}
