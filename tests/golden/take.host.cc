// take(x1, int64(x0)) * s0
typedef long long i64;

static inline i64 lookup_index(i64 i, i64 extent)
{
    const i64 from_first = i < 0 ? i + extent : i;
    return from_first < 0 ? 0 : from_first < extent ? (i64)from_first : extent - 1;
}
static inline void body(const int x0, const float* x1, const float s0, const i64* at, const i64 p0, float& y0)
{
    const i64 t0 = i64(x0);
    const i64 t1_0 = lookup_index(t0, at[3]);
    const float t1 = x1[t1_0];
    const float t2 = t1 * s0;
    y0 = t2;
}

extern "C" void kiln_cast_take_mul_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const int* const x0 = *static_cast<const int* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    const float s0 = *static_cast<const float*>(parameters[3]);
    const i64* const at = static_cast<const i64*>(parameters[4]);
    (void)library;
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) {
        const i64 p0 = i;
        body(x0[i], x1, s0, at, p0, y0[i]);
    }
}
