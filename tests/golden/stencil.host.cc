// (x0 + x1) - x2
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
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 inside_run(i64 i, i64 extent) { return i < 0 || i >= extent ? 0 : extent - i; }
static inline void body(const float x0, const float x1, const float x2, float& y0)
{
    const float t0 = x0 + x1;
    const float t1 = t0 - x2;
    y0 = t1;
}

extern "C" void kiln_add_sub_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
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
        const i64 x0_0 = clamp_index(at[6] + p0, at[5]);
        const i64 at_x0 = x0_0 * at[7];
        for (i64 from = row_begin, to, few = 1; from < row_end; from = to) {
            i64 run = row_end - from;  // elements that go on as the first one does
            run = least_index(run, inside_run(at[9] + from, at[8]));
            const i64 x1_0 = clamp_index(at[9] + from, at[8]);
            const i64 at_x1 = p0 * at[10] + x1_0 - from;
            if (run >= 16) {
                to = from + run;
                few = 1;
                i64 next = from, stop = past_caches ? least_index(to, (row + from + 15) / 16 * 16 - row) : to;
                do {
                    #pragma GCC ivdep
                    for (i64 i = next; i < stop; ++i) body(x0[at_x0 + i], x1[at_x1 + i], x2[row + i], y0[row + i]);
                    for (next = stop; to - next >= 16; next += 16) {
                        alignas(64) float line_y0[16];
                        for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[at_x0 + i], x1[at_x1 + i], x2[row + i], line_y0[j]); }
                        store_past_caches(y0 + row + next, line_y0, 64);
                    }
                    stop = to;
                } while (next < stop);
            } else {
                to = row_end - from < 16 ? row_end : from + least_index(few, row_end - from);
                few *= 2;
                #pragma GCC ivdep
                for (i64 i = from; i < to; ++i) {
                    const i64 x1_0 = clamp_index(at[9] + i, at[8]);
                    const i64 at_x1 = p0 * at[10] + x1_0;
                    body(x0[at_x0 + i], x1[at_x1], x2[row + i], y0[row + i]);
                }
            }
        }
        first += row_end - row_begin;
        p1 = 0;
        ++p0;
    }
}
