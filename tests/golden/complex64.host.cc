// (x0 * s0) + x0
typedef long long i64;

static inline float EXACT_fabs(float a) { return __builtin_fabsf(a); }
static inline double EXACT_fabs(double a) { return __builtin_fabs(a); }
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
