// where(i0 >= i1, x0, s0)
typedef long long i64;

static inline void body(const i64 i0, const i64 i1, const float x0, const float s0, float& y0)
{
    const bool t0 = i0 >= i1;
    const float t1 = t0 ? x0 : s0;
    y0 = t1;
}

extern "C" void kiln_ge_where_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 i0 = *static_cast<const i64*>(parameters[1]);
    const i64 i1 = *static_cast<const i64*>(parameters[2]);
    const float* const x0 = *static_cast<const float* const*>(parameters[3]);
    const float s0 = *static_cast<const float*>(parameters[4]);
    const i64* const at = static_cast<const i64*>(parameters[5]);
    (void)library;
    i64 p1 = begin % at[2];
    const i64 rest0 = begin / at[2];
    i64 p0 = rest0;
    for (i64 first = begin; first < end;) {
        const i64 row_begin = p1;
        const i64 row_end = at[2] - p1 < end - first ? at[2] : p1 + (end - first);
        const i64 row = first - row_begin;
        const i64 at_i0 = p0;
        const i64 at_i1 = 0;
        #pragma GCC ivdep
        for (i64 i = row_begin; i < row_end; ++i) body(i0 + at_i0, i1 + at_i1 + i, x0[row + i], s0, y0[row + i]);
        first += row_end - row_begin;
        p1 = 0;
        ++p0;
    }
}
