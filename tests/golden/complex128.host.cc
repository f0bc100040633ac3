// x0 * abs(x0)
typedef long long i64;

static inline float hypot_f32(const void* const* library, float a, float b) { return reinterpret_cast<float (*)(float, float)>(const_cast<void*>(library[42]))(a, b); }
static inline double hypot_f64(const void* const* library, double a, double b) { return reinterpret_cast<double (*)(double, double)>(const_cast<void*>(library[43]))(a, b); }
static inline float LIBRARY_hypot(const void* const* library, float a, float b) { return hypot_f32(library, a, b); }
static inline double LIBRARY_hypot(const void* const* library, double a, double b) { return hypot_f64(library, a, b); }
template <class R>
struct complex { R re; R im; };
typedef complex<double> c128;
template <class R>
static inline complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }
static inline void body(const c128 x0, c128& y0, const void* const* library)
{
    const double t0 = LIBRARY_hypot(library, x0.re, x0.im);
    const c128 t1 = complex_of(x0.re * t0, x0.im * t0);
    y0 = t1;
}

extern "C" void kiln_abs_scale_c128(void* const* parameters, long long begin, long long end, const void* const* library)
{
    c128* const y0 = *static_cast<c128* const*>(parameters[0]);
    const c128* const x0 = *static_cast<const c128* const*>(parameters[1]);
    #pragma GCC ivdep
    for (i64 i = begin; i < end; ++i) body(x0[i], y0[i], library);
}
