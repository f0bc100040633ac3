// (x0 * x1) + x2
typedef unsigned int u32;
typedef long long i64;

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLES
#endif
#endif
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
template <class T>
static inline void spread_block_of_4(T* to, const T* from)
{
#ifndef HAS_SHUFFLES
    for (int i = 0; i < 24; ++i) to[i] = from[i / 3];
#elif __BIGGEST_ALIGNMENT__ >= 32
    typedef u32 lanes __attribute__((vector_size(32)));
    lanes rows, part;
    __builtin_memcpy(&rows, from + 0, sizeof rows);
    part = __builtin_shufflevector(rows, rows, 0, 0, 0, 1, 1, 1, 2, 2);
    __builtin_memcpy(to + 0, &part, sizeof part);
    part = __builtin_shufflevector(rows, rows, 2, 3, 3, 3, 4, 4, 4, 5);
    __builtin_memcpy(to + 8, &part, sizeof part);
    part = __builtin_shufflevector(rows, rows, 5, 5, 6, 6, 6, 7, 7, 7);
    __builtin_memcpy(to + 16, &part, sizeof part);
#else
    typedef u32 lanes __attribute__((vector_size(16)));
    lanes rows, part;
    __builtin_memcpy(&rows, from + 0, sizeof rows);
    part = __builtin_shufflevector(rows, rows, 0, 0, 0, 1);
    __builtin_memcpy(to + 0, &part, sizeof part);
    part = __builtin_shufflevector(rows, rows, 1, 1, 2, 2);
    __builtin_memcpy(to + 4, &part, sizeof part);
    part = __builtin_shufflevector(rows, rows, 2, 3, 3, 3);
    __builtin_memcpy(to + 8, &part, sizeof part);
    __builtin_memcpy(&rows, from + 4, sizeof rows);
    part = __builtin_shufflevector(rows, rows, 0, 0, 0, 1);
    __builtin_memcpy(to + 12, &part, sizeof part);
    part = __builtin_shufflevector(rows, rows, 1, 1, 2, 2);
    __builtin_memcpy(to + 16, &part, sizeof part);
    part = __builtin_shufflevector(rows, rows, 2, 3, 3, 3);
    __builtin_memcpy(to + 20, &part, sizeof part);
#endif
}
template <class T>
static inline void spread_rows_of_4(T* to, const T* from, i64 rows)
{
    i64 row = 0;
    for (; rows - row >= 8; row += 8) spread_block_of_4(to + row * 3, from + row);
    for (; row < rows; ++row)
        for (int i = 0; i < 8; ++i) to[row * 3 + i] = from[row];
}
template <class T>
static inline void repeat_rows(T* to, i64 period, i64 count)
{
    for (i64 done = period; done < count; done *= 2)
        __builtin_memcpy(to + done, to, (done < count - done ? done : count - done) * sizeof(T));
}
template <class T>
static inline void gather_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart, i64 stride)
{
    for (i64 i = 0; i < extent; ++i)
        for (i64 row = 0; row < rows; ++row) to[row * extent + i] = from[row * apart + i * stride];
}
template <int wide, class T>
static inline void copy_wide_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    for (i64 row = 0; row < rows; ++row)
        __builtin_memcpy(to + row * extent, from + row * apart, wide * sizeof(T));
}
template <class T>
static inline void copy_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    if (apart == extent) {
        __builtin_memcpy(to, from, rows * extent * sizeof(T));
        return;
    }
    // Nothing is read past the last row.
    i64 wide = 0;
    if (extent <= 4 && apart >= 4) copy_wide_rows<4>(to, from, wide = rows - 1, extent, apart);
    else if (extent <= 8 && apart >= 8) copy_wide_rows<8>(to, from, wide = rows - 1, extent, apart);
    gather_rows(to + wide * extent, from + wide * apart, rows - wide, extent, apart, 1);
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
    const float t0 = x0 * x1;
    const float t1 = t0 + x2;
    y0 = t1;
}

extern "C" void kiln_mul_add_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float* const x2 = *static_cast<const float* const*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    const i64 extent = 3;
    const i64 skipped = begin % extent;  // of a chunk's first row
    const i64 chunk = 2048 / (16 * extent) * (16 * extent);
    alignas(64) float many_x0[2128];
    alignas(64) float many_x1[2128];
    alignas(64) float many_x2[2128];
    {
        const i64 rows = (skipped + least_index(chunk, end - begin) + extent - 1) / extent;
        for (i64 i = 0; i < extent; ++i) {
            many_x0[i] = x0[i];
        }
        repeat_rows(many_x0, extent, rows * extent);
    }
    for (i64 first = begin; first < end; first += chunk) {
        const i64 count = least_index(chunk, end - first);
        const float* rows_x1 = many_x1;
        const float* in_x2 = many_x2;
        bool by_blocks = false;
        const i64 rows = (skipped + count + extent - 1) / extent;
        i64 p0 = first / extent;
        for (i64 row = 0, run; row < rows; row += run) {
            run = least_index(rows - row, at[1] - p0);
            run = least_index(run, inside_run(at[6] + p0, at[5]));
            if (run < 1) run = 1;
            by_blocks = run == rows && skipped == 0 && !past_caches;
            if (by_blocks) rows_x1 = x1 + (p0);
            else spread_rows_of_4(many_x1 + row * extent, x1 + (p0), run);
            const i64 x2_0 = clamp_index(at[6] + p0, at[5]);
            if (run == rows && at[7] == extent) in_x2 = x2 + (x2_0 * at[7]);
            else copy_rows(many_x2 + row * extent, x2 + (x2_0 * at[7]), run, extent, at[7]);
            p0 += run;
        }
        i64 done = 0;
        if (by_blocks) {
            for (; count - done >= 24; done += 24) {
                alignas(32) float block_x1[24];
                spread_block_of_4(block_x1, rows_x1);
                rows_x1 += 8;
                #pragma GCC ivdep
                for (i64 i = 0; i < 24; ++i) body(many_x0[i], block_x1[i], in_x2[done + i], y0[first + done + i]);
            }
            spread_rows_of_4(many_x1 + done, rows_x1, rows - done / extent);
        }
        i64 next = done, stop = past_caches ? least_index(count, (first + done + 15) / 16 * 16 - first) : count;
        do {
            #pragma GCC ivdep
            for (i64 i = next; i < stop; ++i) body(many_x0[skipped + i], many_x1[skipped + i], in_x2[skipped + i], y0[first + i]);
            for (next = stop; count - next >= 16; next += 16) {
                alignas(64) float line_y0[16];
                for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(many_x0[skipped + i], many_x1[skipped + i], in_x2[skipped + i], line_y0[j]); }
                store_past_caches(y0 + first + next, line_y0, 64);
            }
            stop = count;
        } while (next < stop);
    }
}
