// x0 + s0
typedef long long i64;

static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline i64 divide_run(i64 i, i64 extent) { return extent - i % extent; }
static inline void body(const float x0, const float s0, float& y0)
{
    const float t0 = x0 + s0;
    y0 = t0;
}

extern "C" void kiln_add_f32_axes1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float s0 = *static_cast<const float*>(parameters[2]);
    const i64* const at = static_cast<const i64*>(parameters[3]);
    (void)library;
    for (i64 from = begin, to, few = 1; from < end; from = to) {
        i64 run = end - from;  // elements that go on as the first one does
        run = least_index(run, divide_run(at[5] + from, at[3]));
        const i64 x0_0 = (at[5] + from) / at[3];
        const i64 at_x0 = from * at[6] + x0_0 * at[7];
        if (run >= 16) {
            to = from + run;
            few = 1;
            #pragma GCC ivdep
            for (i64 i = from; i < to; ++i) body(x0[at_x0 + (i - from) * at[6]], s0, y0[i]);
        } else {
            to = end - from < 16 ? end : from + least_index(few, end - from);
            few *= 2;
            #pragma GCC ivdep
            for (i64 i = from; i < to; ++i) {
                const i64 x0_0 = (at[5] + i) / at[3];
                const i64 at_x0 = i * at[6] + x0_0 * at[7];
                body(x0[at_x0], s0, y0[i]);
            }
        }
    }
}
