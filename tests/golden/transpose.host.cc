// x0 + x1
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
#ifdef HAS_SHUFFLES
template <class word, int side, class T>
static inline void turn_four_lines(T* to, const T* from, i64 apart)
{
    typedef word four __attribute__((vector_size(4 * sizeof(word))));
    four a, b, c, d;
    __builtin_memcpy(&a, from, sizeof a);
    __builtin_memcpy(&b, from + apart, sizeof b);
    __builtin_memcpy(&c, from + 2 * apart, sizeof c);
    __builtin_memcpy(&d, from + 3 * apart, sizeof d);
    const four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), more_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), more_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    c = __builtin_shufflevector(more_ab, more_cd, 0, 1, 4, 5);
    d = __builtin_shufflevector(more_ab, more_cd, 2, 3, 6, 7);
    __builtin_memcpy(to, &a, sizeof a);
    __builtin_memcpy(to + side, &b, sizeof b);
    __builtin_memcpy(to + 2 * side, &c, sizeof c);
    __builtin_memcpy(to + 3 * side, &d, sizeof d);
}
// Lines i and i + 4 in one register, whose halves go the same way.
template <class word, int side, class T>
static inline void turn_eight_lines(T* to, const T* from, i64 apart)
{
    typedef word four __attribute__((vector_size(4 * sizeof(word))));
    typedef word eight __attribute__((vector_size(8 * sizeof(word))));
    eight lines[4];
    for (int i = 0; i < 4; ++i) {
        four low, high;
        __builtin_memcpy(&low, from + i * apart, sizeof low);
        __builtin_memcpy(&high, from + (i + 4) * apart, sizeof high);
        lines[i] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    const eight ab = __builtin_shufflevector(lines[0], lines[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const eight more_ab = __builtin_shufflevector(lines[0], lines[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const eight cd = __builtin_shufflevector(lines[2], lines[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const eight more_cd = __builtin_shufflevector(lines[2], lines[3], 2, 10, 3, 11, 6, 14, 7, 15);
    lines[0] = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
    lines[1] = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
    lines[2] = __builtin_shufflevector(more_ab, more_cd, 0, 1, 8, 9, 4, 5, 12, 13);
    lines[3] = __builtin_shufflevector(more_ab, more_cd, 2, 3, 10, 11, 6, 7, 14, 15);
    for (int i = 0; i < 4; ++i) __builtin_memcpy(to + i * side, &lines[i], sizeof(eight));
}
#endif
template <class word, int side, class T>
static inline void turn(T* to, const T* from, i64 apart, i64 i_end, i64 p_end)
{
    i64 i = 0;
#ifdef HAS_SHUFFLES
    constexpr bool in_eights = sizeof(word) <= 4 && 8 * sizeof(word) <= __BIGGEST_ALIGNMENT__;
    constexpr int lines = in_eights ? 8 : 4;
    for (; i + lines <= i_end; i += lines) {
        i64 p = 0;
        for (; p + 4 <= p_end; p += 4)
            if constexpr (in_eights) turn_eight_lines<word, side>(to + p * side + i, from + p + i * apart, apart);
            else turn_four_lines<word, side>(to + p * side + i, from + p + i * apart, apart);
        for (; p < p_end; ++p)
            for (i64 j = i; j < i + lines; ++j) to[p * side + j] = from[p + j * apart];
    }
#endif
    for (; i < i_end; ++i)
        for (i64 p = 0; p < p_end; ++p) to[p * side + i] = from[p + i * apart];
}
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 + x1;
    y0 = t0;
}

extern "C" void kiln_add_f32_axes2_tile64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    for (i64 tile = begin; tile < end; ++tile) {
        const i64 row_begin = tile % at[5] * 64;
        const i64 row_end = least_index(row_begin + 64, at[2]);
        i64 rest = tile / at[5];
        const i64 tile_begin = rest % at[7] * 64;
        const i64 tile_end = least_index(tile_begin + 64, at[1]);
        rest /= at[7];
        alignas(64) float tile_x1[64 * 64];
        turn<u32, 64>(tile_x1, x1 + (tile_begin + row_begin * at[9]), at[9], row_end - row_begin, tile_end - tile_begin);
        for (i64 p0 = tile_begin; p0 < tile_end; ++p0) {
            const i64 row = p0 * at[2];
            const i64 line = (p0 - tile_begin) * 64 - row_begin;
            i64 next = row_begin, stop = past_caches ? least_index(row_end, (row + row_begin + 15) / 16 * 16 - row) : row_end;
            do {
                #pragma GCC ivdep
                for (i64 i = next; i < stop; ++i) body(x0[row + i], tile_x1[line + i], y0[row + i]);
                for (next = stop; row_end - next >= 16; next += 16) {
                    alignas(64) float line_y0[16];
                    for (int j = 0; j < 16; ++j) { const i64 i = next + j; body(x0[row + i], tile_x1[line + i], line_y0[j]); }
                    store_past_caches(y0 + row + next, line_y0, 64);
                }
                stop = row_end;
            } while (next < stop);
        }
    }
}
