static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }

static inline i64 clamp_index(i64 i, i64 extent)
{
    const i64 from_first = i < 0 ? 0 : i;
    const i64 last = extent - 1;
    return from_first < last ? from_first : last;
}

static inline i64 mirror_index(i64 i, i64 extent)
{
    const i64 from_first = i < 0 ? -i : i;
    return from_first < extent ? from_first : 2 * (extent - 1) - from_first;
}

static inline i64 inside_run(i64 i, i64 extent) { return i < 0 || i >= extent ? 0 : extent - i; }

static inline i64 wrap_index(i64 i, i64 extent) { return i < extent ? i : i - extent; }

static inline i64 outside_index(i64 i, i64 extent) { return i < 0 || i >= extent; }

static inline i64 wrap_run(i64 i, i64 extent) { return (i < extent ? extent : 2 * extent) - i; }

static inline i64 outside_run(i64 i, i64 extent) { return i < 0 ? -i : i < extent ? extent - i : 0x7fffffffffffffff; }

static inline i64 lookup_index(i64 i, i64 extent)
{
    const i64 from_first = i + (extent & i >> 63);
    const i64 last = extent - 1;
    const i64 least = from_first < last ? from_first : last;
    return least < 0 ? 0 : (i64)least;
}

static inline i64 divide_run(i64 i, i64 extent) { return extent - i % extent; }
