// (floor_divide(x0, x1) * sigmoid(x0)) + floor_mod(x0, x1)
typedef long long i64;

static inline float exp_f32(const void* const* library, float a) { return reinterpret_cast<float (*)(float)>(const_cast<void*>(library[0]))(a); }
static inline double exp_f64(const void* const* library, double a) { return reinterpret_cast<double (*)(double)>(const_cast<void*>(library[1]))(a); }
static inline float LIBRARY_exp(const void* const* library, float a) { return exp_f32(library, a); }
static inline double LIBRARY_exp(const void* const* library, double a) { return exp_f64(library, a); }
static inline float EXACT_fabs(float a) { return __builtin_fabsf(a); }
static inline double EXACT_fabs(double a) { return __builtin_fabs(a); }
static inline float EXACT_floor(float a) { return __builtin_floorf(a); }
static inline double EXACT_floor(double a) { return __builtin_floor(a); }
static inline float EXACT_copysign(float a, float b) { return __builtin_copysignf(a, b); }
static inline double EXACT_copysign(double a, double b) { return __builtin_copysign(a, b); }
static inline float EXACT_fmod(float a, float b) { return __builtin_fmodf(a, b); }
static inline double EXACT_fmod(double a, double b) { return __builtin_fmod(a, b); }
template <class R>
static inline R rest_downwards(R a, R b) {
    const R rest = EXACT_fmod(a, b);
    if (rest == R(0)) return EXACT_copysign(R(0), b);
    return (rest < R(0)) != (b < R(0)) ? rest + b : rest;
}
template <class R>
static inline R quotient_downwards(R a, R b) {
    if (b == R(0)) return a / b;
    const R rest = EXACT_fmod(a, b);
    R quotient = (a - rest) / b;
    if (rest != R(0) && (rest < R(0)) != (b < R(0))) quotient = quotient - R(1);
    if (quotient == R(0)) return EXACT_copysign(R(0), a / b);
    const R whole = EXACT_floor(quotient);
    return quotient - whole > R(0.5) ? whole + R(1) : whole;
}
template <class R>
static inline R logistic(const void* const* library, R a) {
    const R e = LIBRARY_exp(library, -EXACT_fabs(a));
    return (a < R(0) ? e : R(1)) / (R(1) + e);
}
static inline void body(const float x0, const float x1, float& y0, const void* const* library)
{
    const float t0 = quotient_downwards(x0, x1);
    const float t1 = logistic(library, x0);
    const float t2 = t0 * t1;
    const float t3 = rest_downwards(x0, x1);
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
