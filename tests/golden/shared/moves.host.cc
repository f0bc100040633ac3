static inline void turn_rows_of_4(const void* const* library, void* to, const void* from, i64 apart, i64 rows, i64 extent, i64 side)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 apart, i64 rows, i64 extent, i64 side)>(const_cast<void*>(library[598]))(to, from, apart, rows, extent, side);
}

static inline void turn_rows_of_16(const void* const* library, void* to, const void* from, i64 apart, i64 rows, i64 extent, i64 side)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 apart, i64 rows, i64 extent, i64 side)>(const_cast<void*>(library[600]))(to, from, apart, rows, extent, side);
}

static inline void gather_rows_of_4(const void* const* library, void* to, const void* from, i64 rows, i64 extent, i64 apart, i64 stride)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 rows, i64 extent, i64 apart, i64 stride)>(const_cast<void*>(library[583]))(to, from, rows, extent, apart, stride);
}

static inline void copy_rows_of_4(const void* const* library, void* to, const void* from, i64 rows, i64 extent, i64 apart)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 rows, i64 extent, i64 apart)>(const_cast<void*>(library[578]))(to, from, rows, extent, apart);
}

static inline void spread_rows_of_4(const void* const* library, void* to, const void* from, i64 rows, i64 extent, i64 apart)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 rows, i64 extent, i64 apart)>(const_cast<void*>(library[588]))(to, from, rows, extent, apart);
}

static inline void repeat_rows_of_4(const void* const* library, void* to, i64 period, i64 count)
{
    reinterpret_cast<void (*)(void* to, i64 period, i64 count)>(const_cast<void*>(library[593]))(to, period, count);
}

static inline void copy_rows_of_2(const void* const* library, void* to, const void* from, i64 rows, i64 extent, i64 apart)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 rows, i64 extent, i64 apart)>(const_cast<void*>(library[577]))(to, from, rows, extent, apart);
}

static inline void spread_rows_of_8(const void* const* library, void* to, const void* from, i64 rows, i64 extent, i64 apart)
{
    reinterpret_cast<void (*)(void* to, const void* from, i64 rows, i64 extent, i64 apart)>(const_cast<void*>(library[589]))(to, from, rows, extent, apart);
}
