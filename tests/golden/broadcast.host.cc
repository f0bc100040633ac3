// x0 + x1 + x2
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
static inline void body(const float x0, const float x1, const float x2, float& y0)
{
    const float t0 = x0 + x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

extern "C" void kiln_add2_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 p1 = begin % at[2];
    const i64 rest0 = begin / at[2];
    i64 p0 = rest0;
    for (i64 first = begin; first < end;) {
        const i64 row_begin = p1;
        const i64 row_end = at[2] - p1 < end - first ? at[2] : p1 + (end - first);
        const i64 row = first - row_begin;
        const i64 at_x1 = 0;
        const i64 at_x2 = p0;
        i64 next = row_begin, stop = past_caches ? least_index(row_end, (row + row_begin + 15) / 16 * 16 - row) : row_end;
        do {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) body(x0[row + i], x1[at_x1 + i], x2[at_x2], y0[row + i]);
            for (next = stop; row_end - next >= 16; next += 16) {
                alignas(64) float line_y0[16];
                for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[row + i], x1[at_x1 + i], x2[at_x2], line_y0[j]); }
                store_past_caches(y0 + row + next, line_y0, 64);
            }
            stop = row_end;
        } while (next < stop);
        first += row_end - row_begin;
        p1 = 0;
        ++p0;
    }
}
