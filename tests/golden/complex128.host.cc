// complex128(abs(x0)) * x0
typedef long long i64;

static inline float hypot_f32(const void* const* library, float a, float b) { return reinterpret_cast<float (*)(float, float)>(const_cast<void*>(library[42]))(a, b); }
static inline double hypot_f64(const void* const* library, double a, double b) { return reinterpret_cast<double (*)(double, double)>(const_cast<void*>(library[43]))(a, b); }
static inline float LIBRARY_hypot(const void* const* library, float a, float b) { return hypot_f32(library, a, b); }
static inline double LIBRARY_hypot(const void* const* library, double a, double b) { return hypot_f64(library, a, b); }
static inline float EXACT_fabs(float a) { return __builtin_fabsf(a); }
static inline double EXACT_fabs(double a) { return __builtin_fabs(a); }
static inline float EXACT_copysign(float a, float b) { return __builtin_copysignf(a, b); }
static inline double EXACT_copysign(double a, double b) { return __builtin_copysign(a, b); }
static inline float float_of(unsigned int bits) { float a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
static inline double double_of(unsigned long long bits) { double a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
template <class R>
struct complex { R re; R im; };
typedef complex<double> c128;
template <class R>
static inline complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }
static inline float infinity_like(float) { return float_of(0x7f800000u); }
static inline double infinity_like(double) { return double_of(0x7ff0000000000000ull); }
static inline float nan_like(float) { return float_of(0x7fc00000u); }
static inline double nan_like(double) { return double_of(0x7ff8000000000000ull); }
template <class R>
static inline bool is_infinite(R a) { return EXACT_fabs(a) == infinity_like(a); }
template <class R>
static inline R finite_part(R a, bool boxes)
{
    const R size = EXACT_fabs(a);
    const R box = is_infinite(a) ? R(1) : R(0);
    const R number = a == a ? size : R(0);
    return EXACT_copysign(boxes ? box : number, a);
}
template <class R>
static inline complex<R> complex_mul_recovered(complex<R> a, complex<R> b)
{
    const bool infinite_a = is_infinite(a.re) | is_infinite(a.im);
    const bool infinite_b = is_infinite(b.re) | is_infinite(b.im);
    const bool overflowed = is_infinite(a.re * b.re) | is_infinite(a.im * b.im) | is_infinite(a.re * b.im) |
                            is_infinite(a.im * b.re);
    const complex<R> c = complex_of(finite_part(a.re, infinite_a), finite_part(a.im, infinite_a));
    const complex<R> d = complex_of(finite_part(b.re, infinite_b), finite_part(b.im, infinite_b));
    const R factor = infinite_a | infinite_b | overflowed ? infinity_like(R(0)) : nan_like(R(0));
    return complex_of(factor * (c.re * d.re - c.im * d.im), factor * (c.re * d.im + c.im * d.re));
}
template <class R>
static inline complex<R> complex_mul(complex<R> a, complex<R> b)
{
    const R re = a.re * b.re - a.im * b.im;
    const R im = a.re * b.im + a.im * b.re;
    complex<R> product = complex_of(re, im);
    if ((re != re) & (im != im)) product = complex_mul_recovered(a, b);
    return product;
}
static inline void body(const c128 x0, c128& y0, const void* const* library)
{
    const double t0 = LIBRARY_hypot(library, x0.re, x0.im);
    const c128 t1 = complex_of(double(t0), double(0));
    const c128 t2 = complex_mul(t1, x0);
    y0 = t2;
}

extern "C" void kiln_abs_mul_c128(void* const* parameters, long long begin, long long end, const void* const* library)
{
    c128* const y0 = *static_cast<c128* const*>(parameters[0]);
    const c128* const x0 = *static_cast<const c128* const*>(parameters[1]);
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i], library);
}
