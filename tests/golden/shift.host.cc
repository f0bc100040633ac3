// where(i0 == s0, x0, s1) - x1
typedef long long i64;

static inline i64 clamp_index(i64 i, i64 extent)
{
    const i64 from_first = i < 0 ? 0 : i;
    const i64 last = extent - 1;
    return from_first < last ? from_first : last;
}
static inline i64 outside_index(i64 i, i64 extent) { return i < 0 || i >= extent; }
static inline void body(const i64 i0, const float x0, const float x1, const i64 s0, const float s1, float& y0)
{
    const bool t0 = i0 == s0;
    const float t1 = t0 ? x0 : s1;
    const float t2 = t1 - x1;
    y0 = t2;
}

extern "C" void kiln_eq_where_sub_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const i64 i0 = *static_cast<const i64*>(parameters[1]);
    const float* const x0 = *static_cast<const float* const*>(parameters[2]);
    const float* const x1 = *static_cast<const float* const*>(parameters[3]);
    const i64 s0 = *static_cast<const i64*>(parameters[4]);
    const float s1 = *static_cast<const float*>(parameters[5]);
    const i64* const at = static_cast<const i64*>(parameters[6]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) {
        const i64 i0_0 = outside_index(at[4] + i, at[3]);
        const i64 at_i0 = i0_0;
        const i64 x0_0 = clamp_index(at[6] + i, at[5]);
        const i64 at_x0 = x0_0;
        body(i0 + at_i0, x0[at_x0], x1[i], s0, s1, y0[i]);
    }
}
