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

template <int wide, class T>
static inline void spread_wide_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    for (i64 row = 0; row < rows; ++row) {
        const T value = from[row * apart];
        for (i64 i = 0; i < extent; i += wide)
            for (int j = 0; j < wide; ++j) to[row * extent + i + j] = value;
    }
}

template <int extent, class T>
static inline void spread_known_rows(T* __restrict__ to, const T* __restrict__ from, i64 rows, i64 apart)
{
    for (i64 row = 0; row < rows; ++row)
        for (int i = 0; i < extent; ++i) to[row * extent + i] = from[row * apart];
}

template <class T>
static inline void spread_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    if (extent == 3) spread_known_rows<3>(to, from, rows, apart);
    else if (extent <= 8) spread_wide_rows<8>(to, from, rows, extent, apart);
    else spread_wide_rows<16>(to, from, rows, extent, apart);
}
