// x0 * x0
typedef long long i64;

static inline void body(const float x0, float& y0)
{
    const float t0 = x0 * x0;
    y0 = t0;
}

extern "C" void kiln_mul_f32_strided1(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const i64* const at = static_cast<const i64*>(parameters[2]);
    (void)library;
    i64 position[1];
    i64 rest = begin;
    for (int axis = 0; axis > 0; --axis) { position[axis] = rest % at[1 + axis]; rest /= at[1 + axis]; }
    position[0] = rest;
    for (i64 i = begin; i < end;) {
        const i64 row = at[1] - position[0] < end - i ? at[1] - position[0] : end - i;
        i64 offset0 = 0;
        for (int axis = 0; axis < 1; ++axis) offset0 += position[axis] * at[3 + axis];
        const i64 row_end = i + row;
        const i64 row_begin = i;
        #pragma GCC ivdep
        for (; i < row_end; ++i) body(x0[i], y0[offset0 + (i - row_begin) * at[3]]);
        position[0] += row;
        for (int axis = 0; axis > 0 && position[axis] == at[1 + axis]; --axis) { position[axis] = 0; ++position[axis - 1]; }
    }
}
