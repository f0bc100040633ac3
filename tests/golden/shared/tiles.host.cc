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

template <int side, class T>
static inline void turn_wide(T* to, const T* from, i64 apart, i64 i_end, i64 p_end)
{
    for (i64 i = 0; i < i_end; ++i)
        for (i64 p = 0; p < p_end; ++p) to[p * side + i] = from[p + i * apart];
}
