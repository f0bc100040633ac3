// (exp((-x0) * x0) * sin(x1)) + pow(x0, x1)
typedef long long i64;

static inline float exp_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[0]))(a); }
static inline float sin_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[14]))(a); }
static inline float pow_f32(const void* const* library, float a, float b) { return reinterpret_cast<float (*)(float, float)>(const_cast<void*>(library[40]))(a, b); }
static inline void body(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = -x0;
    const float t1 = t0 * x0;
    const float t2 = exp_f32(library, t1);
    const float t3 = sin_f32(library, x1);
    const float t4 = t2 * t3;
    const float t5 = pow_f32(library, x0, x1);
    const float t6 = t4 + t5;
    y0 = t6;
}

extern "C" void kiln_neg_mul2_exp_sin_pow_add_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], y0[i], library);
}
