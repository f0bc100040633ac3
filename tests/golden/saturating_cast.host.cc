// uint8(min(max(x0, s0), s1))
typedef unsigned char u8;
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
static inline void body(const float x0, const float s0, const float s1, u8& y0)
{
    const float t0 = (x0 == x0) & !(s0 <= x0) ? s0 : x0;
    const float t1 = (t0 == t0) & !(s1 >= t0) ? s1 : t0;
    const u8 t2 = t1 != t1 ? u8(0) : t1 >= 256.0f ? u8(255) : t1 <= 0.0f ? u8(0) : u8(t1);
    y0 = t2;
}

extern "C" void kiln_max_min_cast_u8(void* const* parameters, long long begin, long long end, const void* const* library)
{
    u8* const y0 = *static_cast<u8* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);
    const float s1 = *static_cast<const float*>(parameters[3]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 63) / 64 * 64) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, s1, y0[i]);
        for (next = stop; end - next >= 64; next += 64) {
            alignas(64) u8 line_y0[64];
            for (int j = 0; j < 64; ++j) { const i64 i = next + j; body(x0[i], s0, s1, line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
