// where(x0 > s0, sqrt(x0), float32(int32(i0)) * s1)
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
static inline void body(const float x0, const i64 i0, const float s0, const float s1, float& y0)
{
    const bool t0 = x0 > s0;
    const float t1 = __builtin_sqrtf(x0);
    const int t2 = int(i0);
    const float t3 = float(t2);
    const float t4 = t3 * s1;
    const float t5 = t0 ? t1 : t4;
    y0 = t5;
}

extern "C" void kiln_gt_sqrt_cast2_mul_where_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64 i0 = *static_cast<const i64*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const float s1 = *static_cast<const float*>(parameters[4]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 15) / 16 * 16) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], i0 + i, s0, s1, y0[i]);
        for (next = stop; end - next >= 16; next += 16) {
            alignas(64) float line_y0[16];
            for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[i], i0 + i, s0, s1, line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
