// (floor_divide(x0, x1) * sigmoid(x0)) + floor_mod(x0, x1)
typedef long long i64;

static inline float exp_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[0]))(a); }
static inline float floor_mod_f32(float a, float b)
{
    const float rest = __builtin_fmodf(a, b);
    if (rest == float(0)) return __builtin_copysignf(float(0), b);
    return (rest < float(0)) != (b < float(0)) ? rest + b : rest;
}
static inline float floor_divide_f32(float a, float b)
{
    if (b == float(0)) return a / b;
    const float rest = __builtin_fmodf(a, b);
    float quotient = (a - rest) / b;
    if (rest != float(0) && (rest < float(0)) != (b < float(0))) quotient = quotient - float(1);
    if (quotient == float(0)) return __builtin_copysignf(float(0), a / b);
    const float whole = __builtin_floorf(quotient);
    return quotient - whole > float(0.5) ? whole + float(1) : whole;
}
static inline float sigmoid_f32(const void* const* library, float a)
{
    const float e = exp_f32(library, -__builtin_fabsf(a));
    return (a < float(0) ? e : float(1)) / (float(1) + e);
}
static inline void body(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = floor_divide_f32(x0, x1);
    const float t1 = sigmoid_f32(library, x0);
    const float t2 = t0 * t1;
    const float t3 = floor_mod_f32(x0, x1);
    const float t4 = t2 + t3;
    y0 = t4;
}

extern "C" void kiln_floor_divide_sigmoid_mul_floor_mod_add_f32(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y0 = *static_cast<float* const*>(parameters[0]);
    const float* const x0 = *static_cast<const float* const*>(parameters[1]);
    const float* const x1 = *static_cast<const float* const*>(parameters[2]);
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], x1[i], y0[i], library);
}
