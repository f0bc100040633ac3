// complex128(abs(x0)) * x0

__device__ __forceinline__ float LIBRARY_hypot(float a, float b) { return hypotf(a, b); }
__device__ __forceinline__ double LIBRARY_hypot(double a, double b) { return hypot(a, b); }
__device__ __forceinline__ float EXACT_fabs(float a) { return fabsf(a); }
__device__ __forceinline__ double EXACT_fabs(double a) { return fabs(a); }
__device__ __forceinline__ float EXACT_copysign(float a, float b) { return copysignf(a, b); }
__device__ __forceinline__ double EXACT_copysign(double a, double b) { return copysign(a, b); }
__device__ __forceinline__ float float_of(unsigned int bits) { return __uint_as_float(bits); }
__device__ __forceinline__ double double_of(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }
template <class R>
struct complex { R re; R im; };
typedef complex<double> c128;
template <class R>
__device__ __forceinline__ complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }
__device__ __forceinline__ float infinity_like(float) { return float_of(0x7f800000u); }
__device__ __forceinline__ double infinity_like(double) { return double_of(0x7ff0000000000000ull); }
__device__ __forceinline__ float nan_like(float) { return float_of(0x7fc00000u); }
__device__ __forceinline__ double nan_like(double) { return double_of(0x7ff8000000000000ull); }
template <class R>
__device__ __forceinline__ bool is_infinite(R a) { return EXACT_fabs(a) == infinity_like(a); }
template <class R>
__device__ __forceinline__ R finite_part(R a, bool boxes)
{
    const R size = EXACT_fabs(a);
    const R box = is_infinite(a) ? R(1) : R(0);
    const R number = a == a ? size : R(0);
    return EXACT_copysign(boxes ? box : number, a);
}
template <class R>
__device__ __noinline__ complex<R> complex_mul_recovered(complex<R> a, complex<R> b)
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
__device__ __forceinline__ complex<R> complex_mul(complex<R> a, complex<R> b)
{
    const R re = a.re * b.re - a.im * b.im;
    const R im = a.re * b.im + a.im * b.re;
    complex<R> product = complex_of(re, im);
    if ((re != re) & (im != im)) product = complex_mul_recovered(a, b);
    return product;
}
struct __align__(16) c128x1 { c128 v[1]; };
__device__ __forceinline__ c128x1 load_c128x1(const c128* from)
{
    const uint4 bits = __ldg(reinterpret_cast<const uint4*>(from));
    return reinterpret_cast<const c128x1&>(bits);
}
__device__ __forceinline__ void store(c128* to, const c128x1& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const c128 x0, c128& y0)
{
    const double t0 = LIBRARY_hypot(x0.re, x0.im);
    const c128 t1 = complex_of(double(t0), double(0));
    const c128 t2 = complex_mul(t1, x0);
    y0 = t2;
}

extern "C" __global__ void __launch_bounds__(256)
kiln_abs_mul_c128_v1(c128* __restrict__ y0, const c128* __restrict__ x0, const unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 1;
    if (first >= count) return;
    c128x1 v_x0 = {};
    const bool whole = first + 1 <= count;
    if (whole) {
        v_x0 = load_c128x1(x0 + first);
    } else {
        #pragma unroll
        for (int k = 0; k < 1; ++k) if (first + k < count) v_x0.v[k] = x0[first + k];
    }
    c128x1 v_y0;
    #pragma unroll
    for (int k = 0; k < 1; ++k) body(v_x0.v[k], v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 1; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
