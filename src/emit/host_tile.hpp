// kiln/emit/host_tile: a square of an operand whose neighbours are along another axis than the rows', turned on its way
// from memory into the first cache.
#pragma once

namespace kiln::emit {

/// to[p * side + i] = from[p + i * apart]. Sixteen elements at once, by shuffles: one at a time takes two to three times
/// as long. `word`: an unsigned integer of T's size.
inline constexpr const char* turn_words_text =
    R"(template <class word, int side, class T>
static inline void turn(T* to, const T* from, i64 apart, i64 i_end, i64 p_end)
{
    for (i64 i = 0; i < i_end; i += 4)
        for (i64 p = 0; p < p_end; p += 4) {
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
            if (i + 4 <= i_end && p + 4 <= p_end) {
                typedef word four __attribute__((vector_size(4 * sizeof(word))));
                const T* const first = from + p + i * apart;
                four a, b, c, d;
                __builtin_memcpy(&a, first, sizeof a);
                __builtin_memcpy(&b, first + apart, sizeof b);
                __builtin_memcpy(&c, first + 2 * apart, sizeof c);
                __builtin_memcpy(&d, first + 3 * apart, sizeof d);
                const four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), more_ab = __builtin_shufflevector(a, b, 2, 6, 3, 7);
                const four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), more_cd = __builtin_shufflevector(c, d, 2, 6, 3, 7);
                a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
                b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
                c = __builtin_shufflevector(more_ab, more_cd, 0, 1, 4, 5);
                d = __builtin_shufflevector(more_ab, more_cd, 2, 3, 6, 7);
                T* const line = to + p * side + i;
                __builtin_memcpy(line, &a, sizeof a);
                __builtin_memcpy(line + side, &b, sizeof b);
                __builtin_memcpy(line + 2 * side, &c, sizeof c);
                __builtin_memcpy(line + 3 * side, &d, sizeof d);
                continue;
            }
#endif
#endif
            for (i64 j = i; j < i + 4 && j < i_end; ++j)
                for (i64 q = p; q < p + 4 && q < p_end; ++q) to[q * side + j] = from[q + j * apart];
        }
}
)";

/// The same of elements that are as wide as a vector register.
inline constexpr const char* turn_wide_text =
    R"(template <int side, class T>
static inline void turn_wide(T* to, const T* from, i64 apart, i64 i_end, i64 p_end)
{
    for (i64 i = 0; i < i_end; ++i)
        for (i64 p = 0; p < p_end; ++p) to[p * side + i] = from[p + i * apart];
}
)";

}  // namespace kiln::emit
