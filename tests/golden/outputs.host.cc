// x0 + x1, x0 - x1, x0 < x1
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
    const bool past_caches = library[58] && ((i64)y0 | (i64)y1 | (i64)y2) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 63) / 64 * 64) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], x1[i], y0[i], y1[i], y2[i]);
        for (next = stop; end - next >= 64; next += 64) {
            alignas(64) float line_y0[64];
            alignas(64) float line_y1[64];
            alignas(64) bool line_y2[64];
            for (int j = 0; j < 64; ++j) { const i64 i = next + j; body(x0[i], x1[i], line_y0[j], line_y1[j], line_y2[j]); }
            store_past_caches(y0 + next, line_y0, 256);
            store_past_caches(y1 + next, line_y1, 256);
            store_past_caches(y2 + next, line_y2, 64);
        }
        stop = end;
    } while (next < stop);
}
