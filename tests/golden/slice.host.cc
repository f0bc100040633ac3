// x0 * x1
typedef long long i64;

static inline void body(const float x0, const float x1, float& y0)
{
    const float t0 = x0 * x1;
    y0 = t0;
}

extern "C" void kiln_mul_f32_axes2(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);
    (void)library;
    i64 p1 = begin % at[2];
    const i64 rest0 = begin / at[2];
    i64 p0 = rest0;
    for (i64 first = begin; first < end;) {
        const i64 row_begin = p1;
        const i64 row_end = at[2] - p1 < end - first ? at[2] : p1 + (end - first);
        const i64 row = first - row_begin;
        const i64 at_x0 = p0 * at[5];
        #pragma GCC ivdep
        for (i64 i = row_begin; i < row_end; ++i) body(x0[at_x0 + i * at[6]], x1[row + i], y0[row + i]);
        first += row_end - row_begin;
        p1 = 0;
        ++p0;
    }
}
