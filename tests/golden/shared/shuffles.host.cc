#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLES
#endif
#endif

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
