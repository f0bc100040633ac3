// where(i0 == s0, x0, s1) - x1
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
static inline i64 clamp_index(i64 i, i64 extent)
{
    const i64 from_first = i < 0 ? 0 : i;
    const i64 last = extent - 1;
    return from_first < last ? from_first : last;
}
static inline i64 outside_index(i64 i, i64 extent) { return i < 0 || i >= extent; }
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 inside_run(i64 i, i64 extent) { return i < 0 || i >= extent ? 0 : extent - i; }
static inline i64 outside_run(i64 i, i64 extent) { return i < 0 ? -i : i < extent ? extent - i : 0x7fffffffffffffff; }
static inline void body(const i64 i0, const float x0, const float x1, const i64 s0, const float s1, float& y0)
{
    const bool t0 = i0 == s0;
    const float t1 = t0 ? x0 : s1;
    const float t2 = t1 - x1;
    y0 = t2;
}

extern "C" void kiln_eq_where_sub_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 i0 = *static_cast<const i64*>(parameters[1]);
    const float* const x0 = *static_cast<const float* const*>(parameters[2]);
    const float* const x1 = *static_cast<const float* const*>(parameters[3]);
    const i64 s0 = *static_cast<const i64*>(parameters[4]);
    const float s1 = *static_cast<const float*>(parameters[5]);
    const i64* const at = static_cast<const i64*>(parameters[6]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    for (i64 from = begin, to, few = 1; from < end; from = to) {
        i64 run = end - from;  // elements that go on as the first one does
        run = least_index(run, outside_run(at[4] + from, at[3]));
        const i64 i0_0 = outside_index(at[4] + from, at[3]);
        const i64 at_i0 = i0_0;
        run = least_index(run, inside_run(at[6] + from, at[5]));
        const i64 x0_0 = clamp_index(at[6] + from, at[5]);
        const i64 at_x0 = x0_0 - from;
        if (run >= 16) {
            to = from + run;
            few = 1;
            i64 next = from, stop = past_caches ? least_index(to, (from + 15) / 16 * 16) : to;
            do {
                #pragma GCC ivdep
                for (i64 i = next; i < stop; ++i) body(i0 + at_i0, x0[at_x0 + i], x1[i], s0, s1, y0[i]);
                for (next = stop; to - next >= 16; next += 16) {
                    alignas(64) float line_y0[16];
                    for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(i0 + at_i0, x0[at_x0 + i], x1[i], s0, s1, line_y0[j]); }
                    store_past_caches(y0 + next, line_y0, 64);
                }
                stop = to;
            } while (next < stop);
        } else {
            to = end - from < 16 ? end : from + least_index(few, end - from);
            few *= 2;
            #pragma GCC ivdep
            for (i64 i = from; i < to; ++i) {
                const i64 i0_0 = outside_index(at[4] + i, at[3]);
                const i64 at_i0 = i0_0;
                const i64 x0_0 = clamp_index(at[6] + i, at[5]);
                const i64 at_x0 = x0_0;
                body(i0 + at_i0, x0[at_x0], x1[i], s0, s1, y0[i]);
            }
        }
    }
}
