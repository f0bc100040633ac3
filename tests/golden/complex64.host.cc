// (x0 * s0) + x0
typedef long long i64;

template <class R>
static inline R rounded(R a)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    return __builtin_assoc_barrier(a);
#else
    return a;
#endif
}
template <class R>
struct complex { R re; R im; };
typedef complex<float> c64;
template <class R>
static inline complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }
template <class R>
static inline complex<R> complex_add(complex<R> a, complex<R> b) { return complex_of(a.re + b.re, a.im + b.im); }
template <class R>
static inline complex<R> complex_mul(complex<R> a, complex<R> b)
{
    return complex_of(rounded(a.re * b.re) - rounded(a.im * b.im), rounded(a.re * b.im) + rounded(a.im * b.re));
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
