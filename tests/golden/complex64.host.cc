// (x0 * s0) + x0
typedef long long i64;

static inline float EXACT_copysign(float a, float b) { return __builtin_copysignf(a, b); }
static inline double EXACT_copysign(double a, double b) { return __builtin_copysign(a, b); }
static inline float float_of(unsigned int bits) { float a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
static inline double double_of(unsigned long long bits) { double a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
template <class R>
struct complex { R re; R im; };
typedef complex<float> c64;
template <class R>
static inline complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }
template <class R>
static inline complex<R> complex_add(complex<R> a, complex<R> b) { return complex_of(a.re + b.re, a.im + b.im); }
static inline float infinity_like(float) { return float_of(0x7f800000u); }
static inline double infinity_like(double) { return double_of(0x7ff0000000000000ull); }
static inline float nan_like(float) { return float_of(0x7fc00000u); }
static inline double nan_like(double) { return double_of(0x7ff8000000000000ull); }
template <class R>
static inline bool is_finite(R a) { return a - a == R(0); }
template <class R>
static inline bool is_infinite(R a) { return a == a && !is_finite(a); }
template <class R>
static inline R boxed(R a) { return EXACT_copysign(is_infinite(a) ? R(1) : R(0), a); }
template <class R>
static inline R zero_for_nan(R a) { return a != a ? EXACT_copysign(R(0), a) : a; }
template <class R>
static inline complex<R> complex_mul_recovered(complex<R> a, complex<R> b)
{
    const R nan = nan_like(R(0));
    const bool infinite_a = is_infinite(a.re) || is_infinite(a.im);
    const bool infinite_b = is_infinite(b.re) || is_infinite(b.im);
    const bool overflowed = is_infinite(a.re * b.re) || is_infinite(a.im * b.im) || is_infinite(a.re * b.im) ||
                            is_infinite(a.im * b.re);
    if (!infinite_a && !infinite_b && !overflowed) return complex_of(nan, nan);
    if (infinite_a) a = complex_of(boxed(a.re), boxed(a.im));
    if (infinite_b) b = complex_of(boxed(b.re), boxed(b.im));
    a = complex_of(zero_for_nan(a.re), zero_for_nan(a.im));
    b = complex_of(zero_for_nan(b.re), zero_for_nan(b.im));
    const R infinity = infinity_like(R(0));
    return complex_of(infinity * (a.re * b.re - a.im * b.im), infinity * (a.re * b.im + a.im * b.re));
}
template <class R>
static inline complex<R> complex_mul(complex<R> a, complex<R> b)
{
    const R re = a.re * b.re - a.im * b.im;
    const R im = a.re * b.im + a.im * b.re;
    return re != re && im != im ? complex_mul_recovered(a, b) : complex_of(re, im);
}
typedef long long part_of_line __attribute__((vector_size(16), may_alias));
static inline void store_past_caches(void* to, const void* from, int bytes)
{
    for (int i = 0; i < bytes / 16; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}
static inline i64 least_index(i64 a, i64 b) { return a < b ? a : b; }
static inline void body(const c64 x0, const c64 s0, c64& y0)
{
    const c64 t0 = complex_mul(x0, s0);
    const c64 t1 = complex_add(t0, x0);
    y0 = t1;
}

extern "C" void kiln_mul_add_c64(void* const* parameters, long long begin, long long end, const void* const* library)
{
    c64* const y0 = *static_cast<c64* const*>(parameters[0]);
    const c64* const x0 = *static_cast<const c64* const*>(parameters[1]);
    const c64 s0 = *static_cast<const c64*>(parameters[2]);
    const bool past_caches = library[58] && ((i64)y0) % 64 == 0;
    i64 next = begin, stop = past_caches ? least_index(end, (begin + 7) / 8 * 8) : end;
    do {
        #pragma GCC ivdep
        for (i64 i = next; i < stop; ++i) body(x0[i], s0, y0[i]);
        for (next = stop; end - next >= 8; next += 8) {
            alignas(64) c64 line_y0[8];
            for (int j = 0; j < 8; ++j) { const i64 i = next + j; body(x0[i], s0, line_y0[j]); }
            store_past_caches(y0 + next, line_y0, 64);
        }
        stop = end;
    } while (next < stop);
}
