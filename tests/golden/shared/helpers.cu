__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class R>
struct complex { R re; R im; };

typedef complex<double> c128;

template <class R>
__device__ __forceinline__ complex<R> complex_of(R re, R im) { complex<R> made; made.re = re; made.im = im; return made; }

template <class R>
__device__ __forceinline__ complex<R> complex_add(complex<R> a, complex<R> b) { return complex_of(a.re + b.re, a.im + b.im); }

enum class f16 : unsigned short {};

__device__ __forceinline__ unsigned short bits16_of(f16 a) { return static_cast<unsigned short>(a); }

__device__ __forceinline__ float f32_from_f16(f16 a) { float to; asm("cvt.f32.f16 %0, %1;" : "=f"(to) : "h"(bits16_of(a))); return to; }

__device__ __forceinline__ f16 f16_from_f32(float a)
{
    unsigned short to;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to) : "f"(a));
    return static_cast<f16>(to);
}

__device__ __forceinline__ f16 f16_add(f16 a, f16 b)
{
#if __CUDA_ARCH__ >= 530
    unsigned short to;
    asm("add.rn.f16 %0, %1, %2;" : "=h"(to) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return static_cast<f16>(to);
#else
    return f16_from_f32(f32_from_f16(a) + f32_from_f16(b));
#endif
}

__device__ __forceinline__ f16 f16_mul(f16 a, f16 b)
{
#if __CUDA_ARCH__ >= 530
    unsigned short to;
    asm("mul.rn.f16 %0, %1, %2;" : "=h"(to) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return static_cast<f16>(to);
#else
    return f16_from_f32(f32_from_f16(a) * f32_from_f16(b));
#endif
}

#define CONVERTED(how, a) ([](float from) { int to; asm("cvt." how ".f32 %0, %1;" : "=r"(to) : "f"(from)); return to; }(a))

__device__ __forceinline__ float quotient_by_positive_in_range(float a, float b)
{
#if __USE_FAST_MATH__ + 0
    return a / b;
#else
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(b));
    near = fmaf(fmaf(-b, near, 1.0f), near, near);
    const float first = __fmul_rn(a, near);
    return fmaf(-fmaf(first, b, -a), near, first);
#endif
}

static __device__ __noinline__ float usual_quotient(float a, float b) { return a / b; }

__device__ __forceinline__ float quotient_by_scalar(float a, float b)
{
#if __USE_FAST_MATH__ + 0
    return a / b;
#else
    float out = quotient_by_positive_in_range(a, b);
    int in_range;
    asm("{ .reg .pred p; setp.ge.f32 p, %1, 0f21800000; setp.le.and.f32 p, %1, 0f5d800000, p; selp.s32 %0, 1, 0, p; }"
        : "=r"(in_range) : "f"(b), "f"(out));
    if (!in_range) out = usual_quotient(a, b);
    return out;
#endif
}

template <class R>
__device__ __forceinline__ R power_of(R a, R b, R usual(R, R))
{
    if (b == R(2)) return a * a;
    if (b == R(3)) return a * a * a;
    if (b == R(4)) return a * a * (a * a);
    if (b == R(-1)) return R(1) / a;
    if (b == R(-2)) return R(1) / a * (R(1) / a);
    return usual(a, b);
}

__device__ __forceinline__ float f32_pow(float a, float b) { return power_of(a, b, powf); }

__device__ __forceinline__ float root_in_range(float a)
{
#if __USE_FAST_MATH__ + 0
    return sqrtf(a);
#else
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
    const float root = __fmul_rn(a, inverse);
    return fmaf(fmaf(-root, root, a), __fmul_rn(0.5f, inverse), root);
#endif
}

__device__ __forceinline__ float reciprocal_in_range(float a)
{
#if __USE_FAST_MATH__ + 0
    return 1.0f / a;
#else
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(a));
    return fmaf(near, fmaf(-a, near, 1.0f), near);
#endif
}

__device__ __forceinline__ float rsqrt_of_normal(float a)
{
    float out;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(a));
    return out;
}

__device__ __forceinline__ float EXACT_copysign(float a, float b) { return copysignf(a, b); }

__device__ __forceinline__ double EXACT_copysign(double a, double b) { return copysign(a, b); }

__device__ __forceinline__ float EXACT_fmod(float a, float b) { return fmodf(a, b); }

__device__ __forceinline__ double EXACT_fmod(double a, double b) { return fmod(a, b); }

template <class R>
__device__ __forceinline__ R rest_downwards(R a, R b) {
    const R rest = EXACT_fmod(a, b);
    if (rest == R(0)) return EXACT_copysign(R(0), b);
    return (rest < R(0)) != (b < R(0)) ? rest + b : rest;
}

__device__ __forceinline__ unsigned long long wide_product(unsigned int a, unsigned int b)
{
    return static_cast<unsigned long long>(__umulhi(a, b)) << 32 | a * b;
}

struct philox_words { unsigned int a; unsigned int b; unsigned int c; unsigned int d; };

__device__ __forceinline__ philox_words philox_round(philox_words x, unsigned int key_low, unsigned int key_high)
{
    const unsigned long long left = wide_product(0xd2511f53u, x.a);
    const unsigned long long right = wide_product(0xcd9e8d57u, x.c);
    const philox_words out = {static_cast<unsigned int>(right >> 32) ^ x.b ^ key_low, static_cast<unsigned int>(right),
                              static_cast<unsigned int>(left >> 32) ^ x.d ^ key_high, static_cast<unsigned int>(left)};
    return out;
}

__device__ __forceinline__ philox_words philox(unsigned long long block, unsigned long long seed)
{
    const unsigned int low = static_cast<unsigned int>(seed);
    const unsigned int high = static_cast<unsigned int>(seed >> 32);
    philox_words x = {static_cast<unsigned int>(block), static_cast<unsigned int>(block >> 32), 0u, 0u};
    x = philox_round(x, low, high);
    x = philox_round(x, low + 1u * 0x9e3779b9u, high + 1u * 0xbb67ae85u);
    x = philox_round(x, low + 2u * 0x9e3779b9u, high + 2u * 0xbb67ae85u);
    x = philox_round(x, low + 3u * 0x9e3779b9u, high + 3u * 0xbb67ae85u);
    x = philox_round(x, low + 4u * 0x9e3779b9u, high + 4u * 0xbb67ae85u);
    x = philox_round(x, low + 5u * 0x9e3779b9u, high + 5u * 0xbb67ae85u);
    x = philox_round(x, low + 6u * 0x9e3779b9u, high + 6u * 0xbb67ae85u);
    x = philox_round(x, low + 7u * 0x9e3779b9u, high + 7u * 0xbb67ae85u);
    x = philox_round(x, low + 8u * 0x9e3779b9u, high + 8u * 0xbb67ae85u);
    return philox_round(x, low + 9u * 0x9e3779b9u, high + 9u * 0xbb67ae85u);
}

__device__ __forceinline__ unsigned int draw_32(unsigned long long position, unsigned long long seed)
{
    const philox_words x = philox(position >> 2, seed);
    const unsigned int of_first_pair = position & 1u ? x.b : x.a;
    const unsigned int of_second_pair = position & 1u ? x.d : x.c;
    return position & 2u ? of_second_pair : of_first_pair;
}

__device__ __forceinline__ float draw_f32(unsigned long long position, unsigned long long seed)
{
    return static_cast<float>(static_cast<int>(draw_32(position, seed) >> 8)) * 5.9604644775390625e-8f;
}

__device__ __forceinline__ float LIBRARY_hypot(float a, float b) { return hypotf(a, b); }

__device__ __forceinline__ double LIBRARY_hypot(double a, double b) { return hypot(a, b); }

template <class R>
__device__ __forceinline__ R rounded(R a) { return a; }

typedef complex<float> c64;

template <class R>
__device__ __forceinline__ complex<R> complex_mul(complex<R> a, complex<R> b)
{
    return complex_of(rounded(a.re * b.re) - rounded(a.im * b.im), rounded(a.re * b.im) + rounded(a.im * b.re));
}

__device__ __forceinline__ int signed_quotient(int a, int b)
{
    const bool simple = static_cast<unsigned int>(b) + 1u < 2u;
    const int quotient = a / (simple ? 1 : b);
    return simple ? static_cast<int>(0u - static_cast<unsigned int>(a & b)) : quotient;
}

__device__ __forceinline__ int signed_rest(int a, int b) { return a % ((b == 0) | (b == -1) ? 1 : b); }

static __device__ __noinline__ long long signed_quotient(long long a, long long b)
{
    const bool simple = static_cast<unsigned long long>(b) + 1ull < 2ull;
    const long long quotient = a / (simple ? 1ll : b);
    return simple ? static_cast<long long>(0ull - static_cast<unsigned long long>(a & b)) : quotient;
}

static __device__ __noinline__ long long signed_rest(long long a, long long b) { return a % ((b == 0ll) | (b == -1ll) ? 1ll : b); }

__device__ __forceinline__ int quotient_by_i32(int a, int b, long long by)
{
    const unsigned int product = static_cast<unsigned int>(__mulhi(a, static_cast<int>(by))) + static_cast<unsigned int>(a);
    const int shifted = static_cast<int>(product) >> static_cast<int>(by >> 32);
    return static_cast<int>((static_cast<unsigned int>(shifted) + (static_cast<unsigned int>(a) >> 31)) *
                            static_cast<unsigned int>((b > 0) - (b < 0)));
}

__device__ __forceinline__ unsigned int quotient_by_u32(unsigned int a, unsigned int b, long long by)
{
    const unsigned int product = __umulhi(a, static_cast<unsigned int>(by));
    const unsigned int quotient = (product + ((a - product) >> 1)) >> static_cast<int>(by >> 32);
    return b > 1u ? quotient : a & (0u - b);
}

__device__ __forceinline__ int shift_of_divisor(unsigned long long b) { return b > 2ull ? 63 - __clzll(static_cast<long long>(b - 1ull)) : 0; }

__device__ __forceinline__ long long quotient_by_i64(long long a, long long b, long long by)
{
    const unsigned long long magnitude = b < 0 ? 0ull - static_cast<unsigned long long>(b) : static_cast<unsigned long long>(b);
    const unsigned long long product =
        static_cast<unsigned long long>(__mul64hi(a, by)) + static_cast<unsigned long long>(a);
    const unsigned long long quotient =
        static_cast<unsigned long long>(static_cast<long long>(product) >> shift_of_divisor(magnitude)) +
        (static_cast<unsigned long long>(a) >> 63);
    const unsigned long long negated = 0ull - quotient;
    return b == 0 ? 0ll : static_cast<long long>(b < 0 ? negated : quotient);
}

template <class U, class T>
__device__ __forceinline__ T whole_rest(T a, T b, T quotient)
{
    const T rest = static_cast<T>(static_cast<U>(a) - static_cast<U>(quotient) * static_cast<U>(b));
    return b == 0 ? T(0) : rest;
}

template <class U, class T>
__device__ __forceinline__ T whole_quotient_downwards(T a, T b, T quotient)
{
    const T rest = whole_rest<U>(a, b, quotient);
    return quotient - T((rest != 0) & ((rest ^ b) < 0));
}

template <class U, class T>
__device__ __forceinline__ T whole_rest_downwards(T a, T b, T quotient)
{
    const T rest = whole_rest<U>(a, b, quotient);
    return rest + ((rest != 0) & ((rest ^ b) < 0) ? b : T(0));
}

__device__ __forceinline__ float LIBRARY_exp(float a) { return expf(a); }

__device__ __forceinline__ double LIBRARY_exp(double a) { return exp(a); }

__device__ __forceinline__ float EXACT_fabs(float a) { return fabsf(a); }

__device__ __forceinline__ double EXACT_fabs(double a) { return fabs(a); }

__device__ __forceinline__ float EXACT_floor(float a) { return floorf(a); }

__device__ __forceinline__ double EXACT_floor(double a) { return floor(a); }

template <class R>
__device__ __forceinline__ R logistic(R a) {
    const R e = LIBRARY_exp(-EXACT_fabs(a));
    return (a < R(0) ? e : R(1)) / (R(1) + e);
}

__device__ __forceinline__ float logistic(float a) {
    const float e = LIBRARY_exp(-EXACT_fabs(a));
    return quotient_by_positive_in_range(a < 0.0f ? e : 1.0f, 1.0f + e);
}

template <class R>
__device__ __forceinline__ R quotient_downwards(R a, R b) {
    if (b == R(0)) return a / b;
    const R rest = EXACT_fmod(a, b);
    R quotient = (a - rest) / b;
    if (rest != R(0) && (rest < R(0)) != (b < R(0))) quotient = quotient - R(1);
    if (quotient == R(0)) return EXACT_copysign(R(0), a / b);
    const R whole = EXACT_floor(quotient);
    return quotient - whole > R(0.5) ? whole + R(1) : whole;
}

__device__ __forceinline__ float EXACT_sqrt(float a) { return sqrtf(a); }

__device__ __forceinline__ double EXACT_sqrt(double a) { return sqrt(a); }

__device__ __forceinline__ unsigned int bits_of(float a) { return __float_as_uint(a); }

__device__ __forceinline__ unsigned long long bits_of(double a) { return static_cast<unsigned long long>(__double_as_longlong(a)); }

__device__ __forceinline__ double double_of(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }

__device__ __forceinline__ unsigned long long draw_64(unsigned long long position, unsigned long long seed)
{
    const philox_words x = philox(position >> 1, seed);
    const unsigned long long low = position & 1u ? x.c : x.a;
    const unsigned long long high = position & 1u ? x.d : x.b;
    return high << 32 | low;
}

__device__ __forceinline__ double own_log(double a)
{
    const unsigned long long bits = bits_of(a);
    const unsigned long long above = bits - 0x3fe6a09e667f3bcdull;
    const double m = double_of(bits - (above & 0xfff0000000000000ull));
    const double e = static_cast<double>(static_cast<int>(static_cast<unsigned int>(above >> 32)) >> 20);
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double sum = z * (1.0 / 21.0) + 1.0 / 19.0;
    sum = z * sum + 1.0 / 17.0;
    sum = z * sum + 1.0 / 15.0;
    sum = z * sum + 1.0 / 13.0;
    sum = z * sum + 1.0 / 11.0;
    sum = z * sum + 1.0 / 9.0;
    sum = z * sum + 1.0 / 7.0;
    sum = z * sum + 1.0 / 5.0;
    sum = z * sum + 1.0 / 3.0;
    return e * 0.6931471803691238165 + (2.0 * s + (2.0 * s * z * sum + e * 1.9082149292705877e-10));
}

__device__ __forceinline__ double quantile_centre(double x)
{
    const double above =
        ((((((2509.0809287301226727 * x + 33430.575583588128105) * x + 67265.770927008700853) * x + 45921.953931549871457) * x +
           13731.693765509461125) * x + 1971.5909503065514427) * x + 133.14166789178437745) * x + 3.387132872796366608;
    const double below =
        ((((((5226.495278852854561 * x + 28729.085735721942674) * x + 39307.89580009271061) * x + 21213.794301586595867) * x +
           5394.1960214247511077) * x + 687.1870074920579083) * x + 42.313330701600911252) * x + 1.0;
    return above / below;
}

__device__ __forceinline__ double quantile_shoulder(double x)
{
    const double above =
        ((((((7.7454501427834140764e-4 * x + 0.0227238449892691845833) * x + 0.24178072517745061177) * x + 1.27045825245236838258) * x +
           3.64784832476320460504) * x + 5.7694972214606914055) * x + 4.6303378461565452959) * x + 1.42343711074968357734;
    const double below =
        ((((((1.05075007164441684324e-9 * x + 5.475938084995344946e-4) * x + 0.0151986665636164571966) * x + 0.14810397642748007459) * x +
           0.68976733498510000455) * x + 1.6763848301838038494) * x + 2.05319162663775882187) * x + 1.0;
    return above / below;
}

__device__ __forceinline__ double quantile_tail(double x)
{
    const double above =
        ((((((2.01033439929228813265e-7 * x + 2.71155556874348757815e-5) * x + 0.0012426609473880784386) * x + 0.026532189526576123093) * x +
           0.29656057182850489123) * x + 1.7848265399172913358) * x + 5.4637849111641143699) * x + 6.6579046435011037772;
    const double below =
        ((((((2.04426310338993978564e-15 * x + 1.4215117583164458887e-7) * x + 1.8463183175100546818e-5) * x + 7.868691311456132591e-4) * x +
           0.0148753612908506148525) * x + 0.13692988092273580531) * x + 0.59983220655588793769) * x + 1.0;
    return above / below;
}

__device__ __forceinline__ double normal_quantile(unsigned long long draw)
{
    const bool below = draw >> 63;
    const unsigned long long distance = below ? ~draw : draw;
    const double q = (static_cast<double>(static_cast<long long>(distance)) + 0.5) * 5.421010862427522170e-20;
    double z;
    if (q <= 0.425) {
        z = q * quantile_centre(0.180625 - q * q);
    } else {
        const unsigned long long left = 0x7fffffffffffffffull - distance;
        const double p = (static_cast<double>(static_cast<long long>(left)) + 0.5) * 5.421010862427522170e-20;
        const double r = EXACT_sqrt(-own_log(p));
        z = r <= 5.0 ? quantile_shoulder(r - 1.6) : quantile_tail(r - 5.0);
    }
    return below ? -z : z;
}

__device__ __forceinline__ double draw_normal(unsigned long long position, unsigned long long seed)
{
    return normal_quantile(draw_64(position, seed));
}

template <class T>
__device__ __forceinline__ T shuffle_down(T mine, int apart)
{
    union { T all; unsigned int word[(sizeof(T) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_down_sync(0xffffffffu, bits.word[i], apart);
    return bits.all;
}

__device__ __forceinline__ bool f16_is_next_less(f16 a, f16 b)
{
#if __CUDA_ARCH__ >= 530
    unsigned short yes;
    asm("{.reg .pred p; setp.num.f16 p, %1, %1; setp.ltu.and.f16 p, %2, %1, p; selp.u16 %0, 1, 0, p;}" : "=h"(yes) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return yes != 0;
#else
    return (f32_from_f16(a) == f32_from_f16(a)) & !(f32_from_f16(b) >= f32_from_f16(a));
#endif
}

__device__ __forceinline__ float float_of(unsigned int bits) { return __uint_as_float(bits); }

enum class bf16 : unsigned short {};

__device__ __forceinline__ unsigned short bits16_of(bf16 a) { return static_cast<unsigned short>(a); }

__device__ __forceinline__ float f32_from_bf16(bf16 a) { return float_of(static_cast<unsigned int>(a) << 16); }

__device__ __forceinline__ bf16 bf16_from_f32(float a)
{
#if __CUDA_ARCH__ >= 800
    unsigned short to;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(to) : "f"(a));
    return static_cast<bf16>(to);
#else
    const unsigned int bits = bits_of(a);
    const unsigned int rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const unsigned int value = (bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16 | 0x7fc0u) : rounded;
    return static_cast<bf16>(value);
#endif
}

__device__ __forceinline__ bool bf16_is_next_greater(bf16 a, bf16 b)
{
#if __CUDA_ARCH__ >= 900
    unsigned short yes;
    asm("{.reg .pred p; setp.num.bf16 p, %1, %1; setp.gtu.and.bf16 p, %2, %1, p; selp.u16 %0, 1, 0, p;}" : "=h"(yes) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return yes != 0;
#else
    return (f32_from_bf16(a) == f32_from_bf16(a)) & !(f32_from_bf16(b) <= f32_from_bf16(a));
#endif
}

template <class T>
__device__ __forceinline__ T shuffle(T mine, int lane)
{
    union { T all; unsigned int word[(sizeof(T) + 3) / 4]; } bits;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = __shfl_sync(0xffffffffu, bits.word[i], lane);
    return bits.all;
}

__device__ __forceinline__ bool is_last_of(unsigned int count, unsigned int* counter)
{
    unsigned int before;
    asm volatile("atom.release.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
    if (before + 1 == count) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    return before + 1 == count;
}

__device__ __forceinline__ bool f16_is_next_greater(f16 a, f16 b)
{
#if __CUDA_ARCH__ >= 530
    unsigned short yes;
    asm("{.reg .pred p; setp.num.f16 p, %1, %1; setp.gtu.and.f16 p, %2, %1, p; selp.u16 %0, 1, 0, p;}" : "=h"(yes) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return yes != 0;
#else
    return (f32_from_f16(a) == f32_from_f16(a)) & !(f32_from_f16(b) <= f32_from_f16(a));
#endif
}

__device__ __forceinline__ bool bf16_is_next_less(bf16 a, bf16 b)
{
#if __CUDA_ARCH__ >= 900
    unsigned short yes;
    asm("{.reg .pred p; setp.num.bf16 p, %1, %1; setp.ltu.and.bf16 p, %2, %1, p; selp.u16 %0, 1, 0, p;}" : "=h"(yes) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return yes != 0;
#else
    return (f32_from_bf16(a) == f32_from_bf16(a)) & !(f32_from_bf16(b) >= f32_from_bf16(a));
#endif
}

__device__ __forceinline__ bool is_root_in_range(float root)
{
#if __USE_FAST_MATH__ + 0
    return true;
#else
    return (root >= 8.8817842e-16f) & (root <= 3.4028235e38f);
#endif
}

template <int bytes, class T>
__device__ __forceinline__ void copy_async(T* to, const T* from)
{
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    if (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(bytes == 16 ? 8 : bytes) : "memory");
}

__device__ __forceinline__ void commit_copies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int underway>
__device__ __forceinline__ void wait_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(underway) : "memory");
}

template <int bytes, class T>
__device__ __forceinline__ void copy_async_part(T* to, const T* from, int there)
{
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    const int read = there * static_cast<int>(sizeof(T));
    if (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(read) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at), "l"(from), "n"(bytes == 16 ? 8 : bytes), "r"(read) : "memory");
}

template <int squares, bool turned, class Register, class T>
__device__ __forceinline__ void load_tile(Register* to, const T* row)
{
    static_assert(sizeof(Register) == 4);
    auto* r = reinterpret_cast<unsigned int*>(to);
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(row));
    if constexpr (squares == 4 && !turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
    else if constexpr (squares == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
    else if constexpr (!turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");
}

template <class Register>
__device__ __forceinline__ void multiply_tile_f16(float* sums, const Register* a, const Register* b)
{
    const auto* x = reinterpret_cast<const unsigned int*>(a);
    const auto* y = reinterpret_cast<const unsigned int*>(b);
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

template <class Register>
__device__ __forceinline__ void multiply_tile_bf16(float* sums, const Register* a, const Register* b)
{
    const auto* x = reinterpret_cast<const unsigned int*>(a);
    const auto* y = reinterpret_cast<const unsigned int*>(b);
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

__device__ __forceinline__ void publish_copies()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

template <bool turned, class T>
__device__ __forceinline__ unsigned long long lines_of_group(const T* first, int k)
{
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(first)) + k * (turned ? 2048 : 32);
    return (at >> 4 & 0x3fff) | (turned ? 512ull : 1ull) << 16 | 64ull << 32 | 1ull << 62;
}

template <bool turned_a, bool turned_b>
__device__ __forceinline__ void multiply_lines_bf16(float* s, unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, 1, 1, 1, %130, %131;"
        :
        "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]), "+f"(s[7]),
        "+f"(s[8]), "+f"(s[9]), "+f"(s[10]), "+f"(s[11]), "+f"(s[12]), "+f"(s[13]), "+f"(s[14]), "+f"(s[15]),
        "+f"(s[16]), "+f"(s[17]), "+f"(s[18]), "+f"(s[19]), "+f"(s[20]), "+f"(s[21]), "+f"(s[22]), "+f"(s[23]),
        "+f"(s[24]), "+f"(s[25]), "+f"(s[26]), "+f"(s[27]), "+f"(s[28]), "+f"(s[29]), "+f"(s[30]), "+f"(s[31]),
        "+f"(s[32]), "+f"(s[33]), "+f"(s[34]), "+f"(s[35]), "+f"(s[36]), "+f"(s[37]), "+f"(s[38]), "+f"(s[39]),
        "+f"(s[40]), "+f"(s[41]), "+f"(s[42]), "+f"(s[43]), "+f"(s[44]), "+f"(s[45]), "+f"(s[46]), "+f"(s[47]),
        "+f"(s[48]), "+f"(s[49]), "+f"(s[50]), "+f"(s[51]), "+f"(s[52]), "+f"(s[53]), "+f"(s[54]), "+f"(s[55]),
        "+f"(s[56]), "+f"(s[57]), "+f"(s[58]), "+f"(s[59]), "+f"(s[60]), "+f"(s[61]), "+f"(s[62]), "+f"(s[63]),
        "+f"(s[64]), "+f"(s[65]), "+f"(s[66]), "+f"(s[67]), "+f"(s[68]), "+f"(s[69]), "+f"(s[70]), "+f"(s[71]),
        "+f"(s[72]), "+f"(s[73]), "+f"(s[74]), "+f"(s[75]), "+f"(s[76]), "+f"(s[77]), "+f"(s[78]), "+f"(s[79]),
        "+f"(s[80]), "+f"(s[81]), "+f"(s[82]), "+f"(s[83]), "+f"(s[84]), "+f"(s[85]), "+f"(s[86]), "+f"(s[87]),
        "+f"(s[88]), "+f"(s[89]), "+f"(s[90]), "+f"(s[91]), "+f"(s[92]), "+f"(s[93]), "+f"(s[94]), "+f"(s[95]),
        "+f"(s[96]), "+f"(s[97]), "+f"(s[98]), "+f"(s[99]), "+f"(s[100]), "+f"(s[101]), "+f"(s[102]), "+f"(s[103]),
        "+f"(s[104]), "+f"(s[105]), "+f"(s[106]), "+f"(s[107]), "+f"(s[108]), "+f"(s[109]), "+f"(s[110]), "+f"(s[111]),
        "+f"(s[112]), "+f"(s[113]), "+f"(s[114]), "+f"(s[115]), "+f"(s[116]), "+f"(s[117]), "+f"(s[118]), "+f"(s[119]),
        "+f"(s[120]), "+f"(s[121]), "+f"(s[122]), "+f"(s[123]), "+f"(s[124]), "+f"(s[125]), "+f"(s[126]), "+f"(s[127])
        : "l"(a), "l"(b), "n"(int(turned_a)), "n"(int(turned_b)));
}

template <bool turned_a, bool turned_b, class T>
__device__ __forceinline__ void multiply_group_bf16(float* sums, const T* a, const T* b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    #pragma unroll
    for (int k = 0; k < 4; ++k)
        multiply_lines_bf16<turned_a, turned_b>(sums, lines_of_group<turned_a>(a, k), lines_of_group<turned_b>(b, k));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int underway>
__device__ __forceinline__ void wait_products()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(underway) : "memory");
}

__device__ __forceinline__ bf16 bf16_add(bf16 a, bf16 b)
{
#if __CUDA_ARCH__ >= 900
    unsigned short to;
    asm("add.rn.bf16 %0, %1, %2;" : "=h"(to) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return static_cast<bf16>(to);
#else
    return bf16_from_f32(f32_from_bf16(a) + f32_from_bf16(b));
#endif
}

__device__ __forceinline__ bf16 bf16_mul(bf16 a, bf16 b)
{
#if __CUDA_ARCH__ >= 900
    unsigned short to;
    asm("mul.rn.bf16 %0, %1, %2;" : "=h"(to) : "h"(bits16_of(a)), "h"(bits16_of(b)));
    return static_cast<bf16>(to);
#else
    return bf16_from_f32(f32_from_bf16(a) * f32_from_bf16(b));
#endif
}

template <class Register>
__device__ __forceinline__ void multiply_tile_b1(int* sums, const Register* a, const Register* b)
{
    const auto* x = reinterpret_cast<const unsigned int*>(a);
    const auto* y = reinterpret_cast<const unsigned int*>(b);
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

template <class T>
__device__ __forceinline__ void copy_async_by_first_cache(T* to, const T* from)
{
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}

template <class T>
__device__ __forceinline__ void copy_async_part_by_first_cache(T* to, const T* from, int there)
{
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    const int read = there * static_cast<int>(sizeof(T));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(read) : "memory");
}

__device__ __forceinline__ float quotient_in_range(float a, float b)
{
#if __USE_FAST_MATH__ + 0
    return a / b;
#else
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(b));
    near = fmaf(fmaf(-b, near, 1.0f), near, near);
    const float first = __fmul_rn(a, near);
    return a == 0.0f ? first : fmaf(-fmaf(first, b, -a), near, first);
#endif
}

__device__ __forceinline__ bool is_quotient_in_range(float a, float quotient)
{
#if __USE_FAST_MATH__ + 0
    return true;
#else
    const bool zero = a == 0.0f;
    return (zero | (fabsf(a) >= 7.8886091e-31f)) & (fabsf(quotient) >= (zero ? 0.0f : 2.3509887e-38f));
#endif
}

__device__ __forceinline__ bool is_scalar_in_range(float a)
{
#if __USE_FAST_MATH__ + 0
    return true;
#else
    return (fabsf(a) >= 8.6736174e-19f) & (fabsf(a) <= 1.1529215e18f);
#endif
}

__device__ __forceinline__ bool is_quotient_by_root_in_range(float a, float quotient)
{
#if __USE_FAST_MATH__ + 0
    return true;
#else
    return is_scalar_in_range(a) & (fabsf(quotient) <= fabsf(a) * 1.1258999e15f);
#endif
}

__device__ __forceinline__ bool is_rsqrt_of_normal(float rsqrt)
{
#if __USE_FAST_MATH__ + 0
    return true;
#else
    return !(fabsf(rsqrt) > 3.4028235e38f);
#endif
}

__device__ __forceinline__ float root_of_any(float a)
{
#if __USE_FAST_MATH__ + 0
    return sqrtf(a);
#else
    const bool is_small = a < 7.8886091e-31f;
    const float larger = a * 1.8446744e19f;
    const float root = root_in_range(is_small ? larger : a);
    const float smaller = root * 2.3283064e-10f;
    const float out = is_small ? smaller : root;
    return (a == 0.0f) | (a > 3.4028235e38f) ? a : out;
#endif
}

__device__ __forceinline__ float reciprocal_of_root(float a)
{
#if __USE_FAST_MATH__ + 0
    return 1.0f / a;
#else
    float near;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(a));
    const float out = fmaf(near, fmaf(-a, near, 1.0f), near);
    return (a == 0.0f) | (near == 0.0f) ? near : out;
#endif
}

__device__ __forceinline__ float f32_odd(double a)
{
    const float near = static_cast<float>(a);
    const double back = near;
    const unsigned int bits = bits_of(near);
    const bool outside = (back > a) == (a > 0);
    const bool kept = (back == a) | (a != a);
    const unsigned int odd = (bits - (outside ? 1u : 0u)) | 1u;
    return float_of(kept ? bits : odd);
}

__device__ __forceinline__ f16 f16_from_f64(double a) { return f16_from_f32(f32_odd(a)); }

struct moments { double value; double sum; double squares; unsigned int count; unsigned int counts; };

__device__ __forceinline__ moments moments_of_none()
{
    const moments none = {0.0, 0.0, 0.0, 0u, 0u};
    return none;
}

__device__ __forceinline__ moments moments_next(const moments& before, const moments& one)
{
    moments out;
    out.value = before.count == 0 ? one.value : before.value;
    const double off = one.value - out.value;
    out.sum = before.sum + off;
    out.squares = before.squares + off * off;
    out.count = before.count + 1u;
    out.counts = before.counts;
    return out;
}

__device__ __forceinline__ long long count_of_moments(const moments& of)
{
    return static_cast<long long>(static_cast<unsigned long long>(of.counts) << 32 | of.count);
}

__device__ __forceinline__ moments with_count(double value, double sum, double squares, long long count)
{
    const unsigned long long bits = static_cast<unsigned long long>(count);
    const moments out = {value, sum, squares, static_cast<unsigned int>(bits), static_cast<unsigned int>(bits >> 32)};
    return out;
}

__device__ __forceinline__ moments moments_of_two(const moments& a, const moments& b)
{
    const double apart = b.value - a.value;
    const double moved = static_cast<double>(count_of_moments(b)) * apart;
    const double sum = a.sum + (b.sum + moved);
    const double squares = a.squares + (b.squares + apart * (2.0 * b.sum + moved));
    const bool none = count_of_moments(a) == 0;
    return with_count(none ? b.value : a.value, none ? b.sum : sum, none ? b.squares : squares,
                      count_of_moments(a) + count_of_moments(b));
}

__device__ __forceinline__ double product_lost(double a, double b, double product)
{
    const double wide_a = a * 134217729.0;
    const double wide_b = b * 134217729.0;
    const double high_a = wide_a - (wide_a - a);
    const double high_b = wide_b - (wide_b - b);
    const double low_a = a - high_a;
    const double low_b = b - high_b;
    return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
}

static __device__ __noinline__ double squares_about_mean(double sum, double squares, double n)
{
    const double square = sum * sum;
    const double quotient = square / n;
    const double back = quotient * n;
    const double rest = (square - back) - product_lost(quotient, n, back) + product_lost(sum, sum, square);
    const double out = (squares - quotient) - rest / n;
    return out < 0.0 ? 0.0 : out;
}

__device__ __forceinline__ double squares_of_moments(const moments& of)
{
    return squares_about_mean(of.sum, of.squares, static_cast<double>(count_of_moments(of)));
}

__device__ __forceinline__ double variance_of_moments(const moments& of)
{
    return squares_of_moments(of) / static_cast<double>(count_of_moments(of));
}

__device__ __forceinline__ double deviation_of_moments(const moments& of) { return EXACT_sqrt(variance_of_moments(of)); }

__device__ __forceinline__ float LIBRARY_log(float a) { return logf(a); }

__device__ __forceinline__ double LIBRARY_log(double a) { return log(a); }

__device__ __forceinline__ float larger_of(float a, float b) { return fmaxf(a, b); }

__device__ __forceinline__ double larger_of(double a, double b) { return fmax(a, b); }

__device__ __forceinline__ float infinity_like(float) { return float_of(0x7f800000u); }

__device__ __forceinline__ double infinity_like(double) { return double_of(0x7ff0000000000000ull); }

template <class R>
struct exponentials { R value; R anchor; R sum; };

template <class R>
__device__ __forceinline__ exponentials<R> exponentials_of_none()
{
    const R none = -infinity_like(R(0));
    const exponentials<R> out = {none, none, R(0)};
    return out;
}

template <class R>
__device__ __forceinline__ R anchor_of(R a) { return R(4) * EXACT_floor(a * R(0.25) + R(0.5)); }

template <class R>
__device__ __forceinline__ R above_anchor(R a, R anchor) { return a == anchor ? R(0) : a - anchor; }

template <class R>
__device__ __forceinline__ exponentials<R> with_anchor_of(exponentials<R> before, R one)
{
    const bool stays = before.anchor != before.anchor;
    const R anchor = stays ? before.anchor : anchor_of(one);
    const exponentials<R> out = {before.value, anchor, before.sum * LIBRARY_exp(above_anchor(before.anchor, anchor))};
    return out;
}

template <class R>
__device__ __forceinline__ exponentials<R> exponentials_next(const exponentials<R>& before, const exponentials<R>& one)
{
    exponentials<R> out = before;
    R above = one.value - out.anchor;
    if (!(above <= R(4))) {
        out = with_anchor_of(out, one.value);
        above = above_anchor(one.value, out.anchor);
    }
    out.value = larger_of(out.value, one.value);
    out.sum = out.sum + LIBRARY_exp(above);
    return out;
}

template <class R>
__device__ __forceinline__ exponentials<R> exponentials_of_two(const exponentials<R>& a, const exponentials<R>& b)
{
    const bool second = (b.anchor > a.anchor) | (b.anchor != b.anchor);
    const R high = second ? b.anchor : a.anchor;
    const R low = second ? a.anchor : b.anchor;
    const R sum = second ? b.sum : a.sum;
    const R other = second ? a.sum : b.sum;
    const exponentials<R> out = {larger_of(a.value, b.value), high, sum + other * LIBRARY_exp(above_anchor(low, high))};
    return out;
}

template <class R>
__device__ __forceinline__ R log_of_exponentials(const exponentials<R>& of)
{
    const R largest = LIBRARY_exp(above_anchor(of.value, of.anchor));
    return of.value + LIBRARY_log(of.sum / largest);
}

__device__ __forceinline__ f16 anew(f16 a) { unsigned short bits = bits16_of(a); asm volatile("" : "+h"(bits)); return static_cast<f16>(bits); }

template <class V>
__device__ __forceinline__ V across(const V& a, const V& b, int first)
{
    union { V all; unsigned int word[sizeof(V) / 4]; } low, high;
    low.all = a;
    high.all = b;
    const int bits = first * static_cast<int>(sizeof(a.v[0])) * 8;
    if constexpr (sizeof(V) == 4) {
        low.word[0] = __funnelshift_rc(low.word[0], high.word[0], bits);
    } else if constexpr (sizeof(V) == 16) {
        if (bits >= 128) return b;
        unsigned int word[8];
        #pragma unroll
        for (int k = 0; k < 4; ++k) word[k] = low.word[k], word[k + 4] = high.word[k];
        #pragma unroll
        for (int k = 0; k < 6; ++k) word[k] = bits & 64 ? word[k + 2] : word[k];
        #pragma unroll
        for (int k = 0; k < 5; ++k) word[k] = bits & 32 ? word[k + 1] : word[k];
        #pragma unroll
        for (int k = 0; k < 4; ++k) low.word[k] = __funnelshift_r(word[k], word[k + 1], bits);
    } else {
        const bool further = bits >= 32, whole = bits >= 64;
        const unsigned int x = further ? low.word[1] : low.word[0];
        const unsigned int y = further ? high.word[0] : low.word[1];
        const unsigned int z = further ? high.word[1] : high.word[0];
        low.word[0] = __funnelshift_r(whole ? high.word[0] : x, whole ? z : y, bits);
        low.word[1] = __funnelshift_r(whole ? z : y, z, bits);
    }
    return low.all;
}

__device__ __forceinline__ bool is_reciprocal_in_range(float reciprocal)
{
#if __USE_FAST_MATH__ + 0
    return true;
#else
    return fabsf(reciprocal) >= 1.17549435e-38f;
#endif
}

__device__ __forceinline__ void reads_are_underway()
{
    if (blockDim.z != 1u) asm volatile("trap;");
}

__device__ __forceinline__ float quotient_by_positive_of_column_in_range(float a, float b)
{
#if __USE_FAST_MATH__ + 0
    return a / b;
#else
    float near = __fdividef(1.0f, b);
    near = fmaf(fmaf(-b, near, 1.0f), near, near);
    const float first = __fmul_rn(a, near);
    return fmaf(-fmaf(first, b, -a), near, first);
#endif
}

template <class T>
__device__ __forceinline__ T* of_block(T* mine, unsigned int block)
{
    T* other;
    asm("mapa.u64 %0, %1, %2;" : "=l"(other) : "l"(mine), "r"(block));
    return other;
}

__device__ __forceinline__ void say_begun()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void await_begun()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ __forceinline__ void init_mbarrier(unsigned long long* mbarrier, unsigned int threads)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(mbarrier))), "r"(threads) : "memory");
}

__device__ __forceinline__ void arrive(unsigned long long* mbarrier, unsigned int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(mbarrier))), "r"(bytes) : "memory");
}

__device__ __forceinline__ void wait_mbarrier(unsigned long long* mbarrier, unsigned int parity)
{
    unsigned int ended;
    do {
        asm volatile(
            "{\n\t.reg .pred ended;\n\t"
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 ended, [%1], %2;\n\t"
            "selp.u32 %0, 1, 0, ended;\n\t}"
            : "=r"(ended) : "r"(static_cast<unsigned int>(__cvta_generic_to_shared(mbarrier))), "r"(parity) : "memory");
    } while (!ended);
}

template <class T>
__device__ __forceinline__ void store_async(T* to, T value, unsigned long long* mbarrier)
{
    const auto at = static_cast<unsigned int>(__cvta_generic_to_shared(to));
    const auto counted_at = static_cast<unsigned int>(__cvta_generic_to_shared(mbarrier));
    if constexpr (sizeof(T) == 8)
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u64 [%0], %1, [%2];" ::"r"(at), "l"(reinterpret_cast<const unsigned long long&>(value)), "r"(counted_at) : "memory");
    else
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at), "r"(reinterpret_cast<const unsigned int&>(value)), "r"(counted_at) : "memory");
}

__device__ __forceinline__ void cluster_barrier()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <class Register>
__device__ __forceinline__ void multiply_tile_s8(int* sums, const Register* a, const Register* b)
{
    const auto* x = reinterpret_cast<const unsigned int*>(a);
    const auto* y = reinterpret_cast<const unsigned int*>(b);
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
}

template <int threads>
__device__ __forceinline__ void barrier_of()
{
    asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
}

template <class T>
struct published
{
    unsigned long long word[(sizeof(T) + 3) / 4];
};

template <class T>
__device__ __forceinline__ void publish(published<T>* to, T mine)
{
    union { T all; unsigned int word[(sizeof(T) + 3) / 4]; } bits;
    bits.word[0] = 0;
    bits.all = mine;
    #pragma unroll
    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to->word + i), "l"(1ull << 32 | bits.word[i]) : "memory");
}

template <int most, class T>
__device__ __forceinline__ void await(T* to, const published<T>* from, long long apart, int there)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    bool are_there;
    do {
        are_there = true;
        unsigned long long word[most][words];
        #pragma unroll
        for (int i = 0; i < most; ++i) {
            #pragma unroll
            for (int j = 0; j < words; ++j) {
                word[i][j] = 1ull << 32;
                if (i < there) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word[i][j]) : "l"(from[i * apart].word + j) : "memory");
            }
        }
        #pragma unroll
        for (int i = 0; i < most; ++i) {
            union { T all; unsigned int word[words]; } bits;
            #pragma unroll
            for (int j = 0; j < words; ++j) {
                bits.word[j] = static_cast<unsigned int>(word[i][j]);
                are_there &= word[i][j] >> 32 != 0;
            }
            to[i] = bits.all;
        }
    } while (!are_there);
}

template <class T>
__device__ __forceinline__ long long next_number(published<T>* counter)
{
    return atomicAdd(reinterpret_cast<unsigned int*>(counter), 1u);
}

template <int most, class T>
__device__ __forceinline__ int published_so_far(T* to, const published<T>* from, int there)
{
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned long long word[most][words];
    #pragma unroll
    for (int i = 0; i < most; ++i)
        if (i < there) {
            #pragma unroll
            for (int j = 0; j < words; ++j)
                asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word[i][j]) : "l"(from[i].word + j) : "memory");
        }
    int found = 0;
    bool are_there = true;
    #pragma unroll
    for (int i = 0; i < most; ++i)
        if (i < there) {
            union { T all; unsigned int word[words]; } bits;
            bits.word[0] = 0;
            #pragma unroll
            for (int j = 0; j < words; ++j) {
                bits.word[j] = static_cast<unsigned int>(word[i][j]);
                are_there &= word[i][j] >> 32 != 0;
            }
            to[i] = bits.all;
            found += are_there;
        }
    const unsigned int missing = __ballot_sync(0xffffffffu, !are_there);
    if (missing == 0) return 32 * most;
    const int lane = __ffs(missing) - 1;
    return lane * most + __shfl_sync(0xffffffffu, found, lane);
}

template <int stage, int threads>
__device__ __forceinline__ void barrier_of_stage()
{
    asm volatile("bar.sync %0, %1;" ::"n"(stage + 2), "n"(threads) : "memory");
}

struct stage_end
{
    unsigned long long mbarrier;
    __device__ __forceinline__ unsigned int at() const { return static_cast<unsigned int>(__cvta_generic_to_shared(&mbarrier)); }
    __device__ __forceinline__ void begin(unsigned int threads)
    {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at()), "r"(threads) : "memory");
    }
    __device__ __forceinline__ void say()
    {
        asm volatile("{\n\t.reg .b64 before;\n\tmbarrier.arrive.shared.b64 before, [%0];\n\t}" ::"r"(at()) : "memory");
    }
    // Once the thread's copies are there.
    __device__ __forceinline__ void say_with_copies()
    {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at()) : "memory");
    }
    __device__ __forceinline__ void wait(unsigned int parity)
    {
        unsigned int ended;
        do {
#if __CUDA_ARCH__ >= 900
            asm volatile("{\n\t.reg .pred ended;\n\tmbarrier.try_wait.parity.shared.b64 ended, [%1], %2;\n\tselp.u32 %0, 1, 0, ended;\n\t}" : "=r"(ended) : "r"(at()), "r"(parity) : "memory");
#else
            asm volatile("{\n\t.reg .pred ended;\n\tmbarrier.test_wait.parity.shared.b64 ended, [%1], %2;\n\tselp.u32 %0, 1, 0, ended;\n\t}" : "=r"(ended) : "r"(at()), "r"(parity) : "memory");
#endif
        } while (!ended);
    }
};

template <int stages, int slots>
struct stage_slots
{
    stage_end taken[slots];
    stage_end ended[stages][slots];
    long long item[slots];
    __device__ __forceinline__ void begin()
    {
        for (int i = 0; i < slots; ++i) taken[i].begin(1);
    }
    __device__ __forceinline__ void begin(int stage, unsigned int threads)
    {
        for (int i = 0; i < slots; ++i) ended[stage][i].begin(threads);
    }
    // Of one thread: an item for each slot that the last stage is done with, until there are no more; of stage `copies`, whose copies go on in
    // the background, no sooner than those of all but the last `ahead` items are there.
    template <int copies, int ahead, class T>
    __device__ __forceinline__ void take(T* counter, long long count)
    {
        long long next = 0;
        for (int turn = 0; next < count; ++turn) {
            const int slot = turn % slots;
            if (turn >= slots) ended[stages - 1][slot].wait((turn / slots - 1) & 1);
            if (ahead && turn >= ahead) ended[copies][(turn - ahead) % slots].wait((turn - ahead) / slots & 1);
            next = next_number(counter);
            item[slot] = next;
            taken[slot].say();
        }
    }
    __device__ __forceinline__ void wait(int slot, unsigned int parity) { taken[slot].wait(parity); }
    __device__ __forceinline__ void wait(int stage, int slot, unsigned int parity) { ended[stage][slot].wait(parity); }
    __device__ __forceinline__ void end(int stage, int slot) { ended[stage][slot].say(); }
    __device__ __forceinline__ void end_with_copies(int stage, int slot) { ended[stage][slot].say_with_copies(); }
};

__device__ __forceinline__ void atomic_sum(int* at, int value) { atomicAdd(at, value); }

__device__ __forceinline__ void atomic_sum(unsigned int* at, unsigned int value) { atomicAdd(at, value); }

__device__ __forceinline__ void atomic_sum(float* at, float value) { atomicAdd(at, value); }

__device__ __forceinline__ void atomic_sum(double* at, double value) { atomicAdd(at, value); }

__device__ __forceinline__ void atomic_sum(long long* at, long long value)
{
    if (__isShared(at)) {
        unsigned int* const halves = reinterpret_cast<unsigned int*>(at);
        const unsigned int low = static_cast<unsigned int>(value);
        const unsigned int before = atomicAdd(halves, low);
        const unsigned int high = static_cast<unsigned int>(static_cast<unsigned long long>(value) >> 32) + (before + low < low);
        if (high) atomicAdd(halves + 1, high);
    } else {
        atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
    }
}

__device__ __forceinline__ double segment_real(float a) { return a; }

__device__ __forceinline__ double segment_real(double a) { return a; }

__device__ __forceinline__ double bin_edge(long long bin, double low, double high, double width, long long bins)
{
    return bin == bins ? high : rounded(static_cast<double>(bin) * width) + low;
}

__device__ __forceinline__ double bin_rate(double low, double high, long long bins) { return static_cast<double>(bins) / (high - low); }

__device__ __forceinline__ float bin_clearance(double low, double high, double width, long long bins)
{
    const double lowest = low < 0 ? -low : low;
    const double highest = high < 0 ? -high : high;
    const double farthest = lowest < highest ? highest : lowest;
    return static_cast<float>(0.5 - (static_cast<double>(bins) + farthest / width) * 0x1p-21);
}

__device__ __forceinline__ unsigned int bin_of_float(float a, float low, float rate, float clearance, double first_edge, double last_edge, double width, unsigned int bins)
{
    // Added to 1.5 2^23 a number is rounded to an integer, whose bits are the sum's; of numbers far from 0 those of no bin.
    const float shift = 12582912.0f;
    const float place = (a - low) * rate - 0.5f;
    const float shifted = place + shift;
    const float beyond = place - rounded(shifted - shift);
    const unsigned int bin = bits_of(shifted) - bits_of(shift);
    if ((beyond < clearance) & (beyond > -clearance)) return bin;
    if (!(a >= first_edge && a <= last_edge)) return bins;
    const unsigned int edge = bin + (beyond > 0);
    return edge - (edge == bins || a < bin_edge(edge, first_edge, last_edge, width, bins));
}

static __device__ __noinline__ long long bin_at_edge(double a, double guess, double low, double high, double width, long long bins)
{
    long long bin = guess < static_cast<double>(bins) ? static_cast<long long>(guess) : bins - 1;
    while (bin > 0 && a < bin_edge(bin, low, high, width, bins)) --bin;
    while (bin < bins - 1 && a >= bin_edge(bin + 1, low, high, width, bins)) ++bin;
    return bin;
}

__device__ __forceinline__ double bin_margin(double low, double high, double width, long long bins)
{
    const double lowest = low < 0 ? -low : low;
    const double highest = high < 0 ? -high : high;
    const double farthest = lowest < highest ? highest : lowest;
    return static_cast<double>(bins) * 0x1p-48 + farthest * 0x1p-50 / width;
}

__device__ __forceinline__ long long bin_of(double a, double low, double high, double width, long long bins, double rate, double margin)
{
    if (!(a >= low && a <= high)) return -1;
    // Added to 1.5 2^52 a number is rounded to an integer, whose bits are the sum's.
    const double shift = 6755399441055744.0;
    const double guess = (a - low) * rate;
    const double shifted = rounded(rounded(guess - 0.5) + shift);
    const double beyond = guess - rounded(shifted - shift);
    const bool is_clear = (beyond > margin) & (beyond < 1 - margin) & (guess < 2251799813685248.0);
    if (is_clear) return static_cast<long long>(bits_of(shifted) - bits_of(shift));
    return bin_at_edge(a, guess, low, high, width, bins);
}

__device__ __forceinline__ void atomic_greatest(long long* at, long long value)
{
    if (value > *static_cast<volatile long long*>(at)) atomicMax(at, value);
}

__device__ __forceinline__ void atomic_greatest(int* at, int value)
{
    if (value > *static_cast<volatile int*>(at)) atomicMax(at, value);
}

__device__ __forceinline__ void atomic_greatest_of_wave(int* at, int value, bool is_in)
{
    if (is_in) atomic_greatest(at, value);
}

__device__ __forceinline__ void atomic_greatest_of_wave(long long* at, long long value, bool is_in)
{
    if (is_in) atomic_greatest(at, value);
}

__device__ __forceinline__ long long segment_magnitude(double a)
{
    const unsigned long long bits = bits_of(a);
    const long long exponent = static_cast<long long>(bits >> 52 & 2047);
    const bool is_zero = bits << 1 == 0;
    const long long finite = is_zero ? 0 : exponent == 0 ? 978 : exponent + 977;
    const long long infinite = a != a ? 6000 : a < 0 ? 5001 : 5000;
    return exponent == 2047 ? infinite : finite;
}

__device__ __forceinline__ bool is_one_place(const void* at, bool is_in)
{
    const unsigned int taking = __ballot_sync(0xffffffffu, is_in);
    const unsigned long long mine = reinterpret_cast<unsigned long long>(at);
    const unsigned long long first = __shfl_sync(0xffffffffu, mine, taking ? __ffs(static_cast<int>(taking)) - 1 : 0);
    return __all_sync(0xffffffffu, !is_in | (mine == first)) && taking;
}

__device__ __forceinline__ void atomic_sum_of_wave(long long* at, long long value, bool is_in)
{
    if (is_one_place(at, is_in)) {
        const unsigned int taking = __ballot_sync(0xffffffffu, is_in);
        long long sum = is_in ? value : 0;
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (threadIdx.x % 32 == __ffs(static_cast<int>(taking)) - 1) atomic_sum(at, sum);
    } else if (is_in) {
        atomic_sum(at, value);
    }
}

__device__ __forceinline__ void atomic_sum_of_wave(unsigned int* at, unsigned int value, bool is_in)
{
    if (is_one_place(at, is_in)) {
        const unsigned int taking = __ballot_sync(0xffffffffu, is_in);
        unsigned int sum = is_in ? value : 0;
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (threadIdx.x % 32 == __ffs(static_cast<int>(taking)) - 1) atomic_sum(at, sum);
    } else if (is_in) {
        atomic_sum(at, value);
    }
}

__device__ __forceinline__ void atomic_sum_of_wave(float* at, float value, bool is_in)
{
    if (is_one_place(at, is_in)) {
        const unsigned int taking = __ballot_sync(0xffffffffu, is_in);
        float sum = is_in ? value : 0.0f;
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (threadIdx.x % 32 == __ffs(static_cast<int>(taking)) - 1) atomic_sum(at, sum);
    } else if (is_in) {
        atomic_sum(at, value);
    }
}

__device__ __forceinline__ void atomic_sum_of_wave(double* at, double value, bool is_in)
{
    if (is_one_place(at, is_in)) {
        const unsigned int taking = __ballot_sync(0xffffffffu, is_in);
        double sum = is_in ? value : 0.0;
        #pragma unroll
        for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (threadIdx.x % 32 == __ffs(static_cast<int>(taking)) - 1) atomic_sum(at, sum);
    } else if (is_in) {
        atomic_sum(at, value);
    }
}

__device__ __forceinline__ double segment_power(long long exponent) { return double_of(static_cast<unsigned long long>(exponent + 1023) << 52); }

__device__ __forceinline__ double segment_scaled(double a, long long exponent)
{
    if ((exponent > -1000) & (exponent < 1000)) return a * segment_power(exponent);
    const long long half = exponent / 2;
    return a * segment_power(half) * segment_power(exponent - half);
}

__device__ __forceinline__ double segment_nearest(double a)
{
    const double shift = 4503599627370496.0;
    const unsigned long long sign = bits_of(a) & 1ull << 63;
    const double size = double_of(bits_of(a) ^ sign);
    const double whole = rounded(rounded(size + shift) - shift);
    const double near = size < shift ? whole : size;
    return double_of(bits_of(near) | sign);
}

__device__ __forceinline__ long long segment_part(double a, long long magnitude, long long digits)
{
    if (magnitude == 0) return 0;
    if (magnitude >= 5000) return magnitude < 6000 && a > 0 && a - a != 0 ? 1 : 0;
    return static_cast<long long>(segment_nearest(segment_scaled(a, digits - (magnitude - 2000))));
}

__device__ __forceinline__ double segment_total(long long magnitude, long long parts, long long rests, long long digits)
{
    if (magnitude >= 5000) {
        const bool is_nan = (magnitude == 6000) | ((magnitude == 5001) & (parts > 0));
        const unsigned long long sign = magnitude == 5001 ? 1ull << 63 : 0ull;
        return double_of(is_nan ? 0x7ff8000000000000ull : 0x7ff0000000000000ull | sign);
    }
    const double most = static_cast<double>(parts);
    const double less = static_cast<double>(parts - static_cast<long long>(most));
    const double least = rounded(static_cast<double>(rests) * segment_power(-digits));
    return magnitude == 0 ? 0.0 : segment_scaled(most + (less + least), magnitude - 2000 - digits);
}

__device__ __forceinline__ float segment_total_f32(long long magnitude, long long parts, long long rests, long long digits) { return static_cast<float>(segment_total(magnitude, parts, rests, digits)); }

__device__ __forceinline__ long long segment_rest(double a, long long magnitude, long long digits)
{
    if (magnitude == 0 || magnitude >= 5000) return 0;
    const double scaled = segment_scaled(a, digits - (magnitude - 2000));
    return static_cast<long long>(segment_nearest((scaled - segment_nearest(scaled)) * segment_power(digits)));
}

__device__ __forceinline__ double segment_total_f64(long long magnitude, long long parts, long long rests, long long digits) { return segment_total(magnitude, parts, rests, digits); }

__device__ __forceinline__ int segment_small_magnitude(float a)
{
    const unsigned int bits = bits_of(a) & 0x7fffffffu;
    if ((bits >= 0x00800000u) & (bits < 0x7f800000u)) return static_cast<int>(bits >> 23) + 1873;
    return static_cast<int>(segment_magnitude(static_cast<double>(a)));
}

__device__ __forceinline__ int segment_small_magnitude(double a) { return static_cast<int>(segment_magnitude(a)); }

__device__ __forceinline__ double segment_scale(long long magnitude, long long digits)
{
    return magnitude > 0 && magnitude < 5000 ? segment_power(digits - (magnitude - 2000)) : 0.0;
}

__device__ __forceinline__ long long segment_part_by(double a, double scale)
{
    return __double_as_longlong(__fma_rn(a, scale, 6755399441055744.0)) - 0x4338000000000000ll;
}

__device__ __forceinline__ long long segment_small_part(float a, int magnitude, long long digits)
{
    if (magnitude >= 5000) return segment_part(a, magnitude, digits);
    return segment_part_by(a, segment_scale(magnitude, digits));
}

__device__ __forceinline__ void atomic_least(long long* at, long long value)
{
    if (value < *static_cast<volatile long long*>(at)) atomicMin(at, value);
}

__device__ __forceinline__ void atomic_least(int* at, int value)
{
    if (value < *static_cast<volatile int*>(at)) atomicMin(at, value);
}

__device__ __forceinline__ double segment_real(f16 a) { return f32_from_f16(a); }

__device__ __forceinline__ long long segment_ordered(double a)
{
    const long long bits = static_cast<long long>(bits_of(a));
    return bits < 0 ? bits ^ 0x7fffffffffffffffll : bits;
}

__device__ __forceinline__ long long segment_ordered_least(double a) { return a != a ? -0x7fffffffffffffffll - 1 : segment_ordered(a); }

__device__ __forceinline__ double segment_extreme_f64(long long word) { return double_of(static_cast<unsigned long long>(word < 0 ? word ^ 0x7fffffffffffffffll : word)); }

__device__ __forceinline__ f16 segment_extreme_f16(long long word) { return f16_from_f64(segment_extreme_f64(word)); }

__device__ __forceinline__ void atomic_least_of_wave(long long* at, long long value, bool is_in)
{
    if (is_in) atomic_least(at, value);
}

__device__ __forceinline__ void atomic_least_of_wave(int* at, int value, bool is_in)
{
    if (is_in) atomic_least(at, value);
}

__device__ __forceinline__ double segment_real(bf16 a) { return f32_from_bf16(a); }

__device__ __forceinline__ bf16 bf16_from_f64(double a) { return bf16_from_f32(f32_odd(a)); }

__device__ __forceinline__ bf16 segment_extreme_bf16(long long word) { return bf16_from_f64(segment_extreme_f64(word)); }

__device__ __forceinline__ long long segment_signed(unsigned long long a) { return static_cast<long long>(a ^ 1ull << 63); }

__device__ __forceinline__ unsigned long long segment_extreme_u64(long long word) { return static_cast<unsigned long long>(word) ^ 1ull << 63; }

template <class bits>
__device__ __forceinline__ bits key_of_float(bits x, bits infinity)
{
    const bits sign = bits(bits(1) << (8 * sizeof(bits) - 1));
    const bits nans = bits(~bits(sign | infinity));
    const bits negative = bits(bits(0) - bits(x >> (8 * sizeof(bits) - 1)));
    const bits key = bits(bits(x ^ bits(negative | sign)) - bits(nans + 1) - negative);
    const bits first_nan = bits(infinity + sign - nans);
    return key < first_nan ? key : first_nan;
}

template <class bits>
__device__ __forceinline__ bits float_of_key(bits key, bits infinity)
{
    const bits sign = bits(bits(1) << (8 * sizeof(bits) - 1));
    const bits nans = bits(~bits(sign | infinity));
    return key < bits(sign - nans - 1) ? bits(~bits(key + nans)) : bits(bits(key + nans + 1) ^ sign);
}

struct placed_key {
    u64 key;
    unsigned int place;
};

__device__ __forceinline__ bool is_before(unsigned int a, unsigned int b) { return a < b; }

__device__ __forceinline__ bool is_before(u64 a, u64 b) { return a < b; }

__device__ __forceinline__ bool is_before(const placed_key& a, const placed_key& b)
{
    return a.key < b.key || (a.key == b.key && a.place < b.place);
}

__device__ __forceinline__ void put_key(unsigned int& word, unsigned int key, int place) { word = key << 16 | static_cast<unsigned int>(place); }

__device__ __forceinline__ void put_key(u64& word, unsigned int key, int place) { word = static_cast<u64>(key) << 32 | static_cast<unsigned int>(place); }

__device__ __forceinline__ void put_key(placed_key& word, u64 key, int place)
{
    word.key = key;
    word.place = static_cast<unsigned int>(place);
}

__device__ __forceinline__ void put_last(unsigned int& word) { word = ~0u; }

__device__ __forceinline__ void put_last(u64& word) { word = ~u64(0); }

__device__ __forceinline__ void put_last(placed_key& word)
{
    word.key = ~u64(0);
    word.place = ~0u;
}

__device__ __forceinline__ int place_of_key(unsigned int word) { return static_cast<int>(word & 0xffffu); }

__device__ __forceinline__ int place_of_key(u64 word) { return static_cast<int>(word); }

__device__ __forceinline__ int place_of_key(const placed_key& word) { return static_cast<int>(word.place); }

__device__ __forceinline__ unsigned int key_of_lane(unsigned int word, int apart) { return __shfl_xor_sync(0xffffffffu, word, apart); }

__device__ __forceinline__ u64 key_of_lane(u64 word, int apart) { return __shfl_xor_sync(0xffffffffu, word, apart); }

__device__ __forceinline__ placed_key key_of_lane(placed_key word, int apart)
{
    word.key = __shfl_xor_sync(0xffffffffu, word.key, apart);
    word.place = __shfl_xor_sync(0xffffffffu, word.place, apart);
    return word;
}

template <class word>
__device__ __forceinline__ void put_in_order(word& a, word& b)
{
    const word first = is_before(b, a) ? b : a;
    b = is_before(b, a) ? a : b;
    a = first;
}

template <class word>
__device__ __forceinline__ void keep_one(word& mine, const word& other, bool lesser)
{
    mine = is_before(other, mine) == lesser ? other : mine;
}

__device__ __forceinline__ void keep_one(unsigned int& mine, const unsigned int& other, bool lesser)
{
    mine = lesser ? min(mine, other) : max(mine, other);
}

template <int items, class word>
__device__ __forceinline__ void merge_in_lane(word (&x)[items], int apart)
{
    #pragma unroll
    for (; apart > 0; apart /= 2) {
        #pragma unroll
        for (int e = 0; e < items; ++e)
            if (e < (e ^ apart)) put_in_order(x[e], x[e ^ apart]);
    }
}

template <int lanes, int items, class word>
__device__ __forceinline__ void sort_in_lanes(word (&x)[items], int lane)
{
    #pragma unroll
    for (int run = 2; run <= items; run *= 2) {
        #pragma unroll
        for (int e = 0; e < items; ++e)
            if (e < (e ^ (run - 1))) put_in_order(x[e], x[e ^ (run - 1)]);
        merge_in_lane(x, run / 4);
    }
    #pragma unroll 1
    for (int run = 2; run <= lanes; run *= 2) {
        word other[items];
        #pragma unroll
        for (int e = 0; e < items; ++e) other[e] = key_of_lane(x[items - 1 - e], run - 1);
        #pragma unroll
        for (int e = 0; e < items; ++e) keep_one(x[e], other[e], (lane & run / 2) == 0);
        #pragma unroll 1
        for (int apart = run / 4; apart > 0; apart /= 2) {
            #pragma unroll
            for (int e = 0; e < items; ++e) keep_one(x[e], key_of_lane(x[e], apart), (lane & apart) == 0);
        }
        merge_in_lane(x, items / 2);
    }
}

__device__ __forceinline__ int padded_place(int i) { return i + i / 32; }

template <class order, int lanes>
__device__ __forceinline__ void put_equal(typename order::bits* row_of_warp, int first_of_row, const typename order::bits* from, int there,
                           typename order::bits equal, int lane)
{
    unsigned int below = 0, mine = 0;
    #pragma unroll 1
    for (int e = 0; e < there; ++e) {
        below += order::key(from[e]) < equal;
        mine += order::key(from[e]) == equal;
    }
    unsigned int upto = mine;
    #pragma unroll
    for (int apart = 1; apart < lanes; apart *= 2) {
        below += __shfl_xor_sync(0xffffffffu, below, apart);
        const unsigned int other = __shfl_up_sync(0xffffffffu, upto, apart, lanes);
        upto += lane >= apart ? other : 0;
    }
    int at = first_of_row + static_cast<int>(below + upto - mine);
    #pragma unroll 1
    for (int e = 0; e < there; ++e)
        if (order::key(from[e]) == equal) row_of_warp[padded_place(at++)] = from[e];
}

template <class order, class word, bool placed, bool has_places, int threads, int lanes, int items>
__device__ __forceinline__ void sort_rows_in_lanes(typename order::bits* to, const typename order::bits* from, i64* places_to, i64 rows, i64 n, int kept)
{
    typedef typename order::bits bits;
    constexpr int of_warp = 32 / lanes, of_row = lanes * items, room = 33 * items;
    __shared__ bits values[threads / 32][room];
    __shared__ unsigned short places[has_places ? threads / 32 : 1][has_places ? room : 1];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int length = static_cast<int>(n);
    const i64 first_row = (static_cast<i64>(blockIdx.x) * (threads / 32) + warp) * of_warp;
    if (first_row >= rows) return;
    const int rows_there = static_cast<int>(rows - first_row < of_warp ? rows - first_row : of_warp);
    bits* const value = values[warp];
    from += first_row * n;
    // Quotients of what is less than 1024.
    unsigned int inverse = (1u << 20) / static_cast<unsigned int>(length) + 1;
    for (int i = lane; i < rows_there * length; i += 32) {
        const int row = static_cast<int>(i * inverse >> 20);
        value[padded_place(i + row * (of_row - length))] = from[i];
    }
    __syncwarp();
    const int row = lane / lanes, lane_of_row = lane % lanes;
    const int there = row < rows_there ? min(length - lane_of_row * items, items) : 0;
    bits* const mine = value + padded_place(lane * items);
    word x[items];
    bool differs = false;
    #pragma unroll
    for (int e = 0; e < items; ++e) {
        const bits source = mine[e], key = order::key(source);
        word last;
        put_last(last);
        if constexpr (placed) {
            put_key(x[e], key, lane_of_row * items + e);
        } else {
            x[e] = key;
            if (!order::exact) differs |= (order::value(key) != source) & (e < there);
        }
        x[e] = e < there ? x[e] : last;
    }
    sort_in_lanes<lanes, items>(x, lane_of_row);
    bits sorted[items];
    #pragma unroll
    for (int e = 0; e < items; ++e) {
        if constexpr (placed) sorted[e] = value[padded_place(row * of_row + (place_of_key(x[e]) & of_row - 1))];
        else sorted[e] = order::value(static_cast<bits>(x[e]));
    }
    __syncwarp();
    #pragma unroll
    for (int e = 0; e < items; ++e) {
        mine[e] = sorted[e];
        if (has_places) places[warp][padded_place(lane * items) + e] = static_cast<unsigned short>(place_of_key(x[e]));
    }
    __syncwarp();
    if constexpr (!placed && !order::exact) {
        if (__any_sync(0xffffffffu, differs)) {
            #pragma unroll 1
            for (int nans = 0; nans < 2; ++nans)
                put_equal<order, lanes>(value, row * of_row, from + row * length + lane_of_row * items, there,
                                        order::key(nans ? bits(bits(~bits(0)) >> 1) : bits(0)), lane_of_row);
            __syncwarp();
        }
    }
    if (kept < length) inverse = (1u << 20) / static_cast<unsigned int>(kept) + 1;
    for (int i = lane; i < rows_there * kept; i += 32) {
        const int at = padded_place(i + static_cast<int>(i * inverse >> 20) * (of_row - kept));
        if (to) to[first_row * kept + i] = value[at];
        if (has_places) places_to[first_row * kept + i] = places[warp][at];
    }
}

template <class order>
__device__ __forceinline__ unsigned int digit_of(typename order::bits x, int number)
{
    return static_cast<unsigned int>(order::key(x) >> 8 * number) & 255u;
}

template <class order, int items>
__device__ __forceinline__ void take_digits(const typename order::bits (&x)[items], int number, int mine, int there, unsigned int (&digit)[items])
{
    #pragma unroll
    for (int u = 0; u < items; ++u) digit[u] = mine + u * 32 < there ? digit_of<order>(x[u], number) : 255u;
}

template <int threads, int items, int per>
__device__ __forceinline__ void count_tile(const unsigned int (&digit)[items], unsigned int (*of_warp)[256], unsigned int (&total)[per])
{
    constexpr int warps = threads / 32;
    const int thread = threadIdx.x, warp = thread / 32;
    for (int i = thread; i < warps * 256; i += threads) of_warp[0][i] = 0;
    __syncthreads();
    #pragma unroll
    for (int u = 0; u < items; ++u) atomicAdd(&of_warp[warp][digit[u]], 1u);
    __syncthreads();
    #pragma unroll
    for (int j = 0; j < per; ++j) {
        total[j] = 0;
        if (thread * per + j < 256) {
            #pragma unroll
            for (int w = 0; w < warps; ++w) {
                const unsigned int next = of_warp[w][thread * per + j];
                of_warp[w][thread * per + j] = total[j];
                total[j] += next;
            }
        }
    }
}

template <int threads, int per>
__device__ __forceinline__ void offset_tile(unsigned int (*of_warp)[256], unsigned int* of_warps, const unsigned int (&total)[per], unsigned int (&offset)[per])
{
    constexpr int warps = threads / 32;
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    unsigned int all = 0;
    #pragma unroll
    for (int j = 0; j < per; ++j) all += total[j];
    unsigned int upto = all;
    #pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const unsigned int other = __shfl_up_sync(0xffffffffu, upto, apart);
        if (lane >= apart) upto += other;
    }
    if (lane == 31) of_warps[warp] = upto;
    __syncthreads();
    unsigned int before = upto - all;
    #pragma unroll
    for (int w = 0; w < (warps < 8 ? warps : 8); ++w)
        if (w < warp) before += of_warps[w];
    #pragma unroll
    for (int j = 0; j < per; ++j) {
        offset[j] = before;
        before += total[j];
        if (thread * per + j < 256) {
            #pragma unroll
            for (int w = 0; w < warps; ++w) of_warp[w][thread * per + j] += offset[j];
        }
    }
    __syncthreads();
}

__device__ __forceinline__ unsigned int lanes_of_digit(unsigned int digit)
{
    unsigned int same = 0xffffffffu;
    #pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
        unsigned int lanes;
        asm volatile("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
                     : "=r"(lanes) : "r"(digit), "r"(1u << bit));
        same &= lanes;
    }
    return same;
}

template <int items>
__device__ __forceinline__ void rank_tile(unsigned int* next, unsigned int (&digit)[items])
{
    unsigned int lanes_before;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_before));
    #pragma unroll
    for (int u = 0; u < items; ++u) {
        const unsigned int same = lanes_of_digit(digit[u]);
        const unsigned int before = __popc(same & lanes_before);
        const unsigned int first = next[digit[u]];
        __syncwarp();
        if (before == 0) next[digit[u]] = first + __popc(same);
        __syncwarp();
        digit[u] = first + before;
    }
}

template <class bits, class place, int threads, int items>
struct sorted_tile {
    union {
        unsigned int of_warp[threads / 32][256];
        bits value[threads * items];
        place from[threads * items];
    };
    unsigned int of_warps[threads / 32];
};

template <class order, bool has_places, int digits, int threads, int items>
__device__ __forceinline__ void sort_row(typename order::bits* to, const typename order::bits* from, i64* places_to, i64 n)
{
    typedef typename order::bits bits;
    constexpr int per = threads < 256 ? 256 / threads : 1;
    __shared__ sorted_tile<bits, unsigned short, threads, items> shared;
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    const int there = static_cast<int>(n);
    const int mine = warp * 32 * items + lane;
    const i64 row = static_cast<i64>(blockIdx.x) * n;
    bits x[items];
    unsigned short source[items];
    #pragma unroll
    for (int u = 0; u < items; ++u) {
        x[u] = mine + u * 32 < there ? from[row + mine + u * 32] : bits(0);
        source[u] = static_cast<unsigned short>(mine + u * 32);
    }
    #pragma unroll 1
    for (int number = 0; number < digits; ++number) {
        unsigned int rank[items];
        take_digits<order, items>(x, number, mine, there, rank);
        unsigned int total[per], offset[per];
        count_tile<threads, items, per>(rank, shared.of_warp, total);
        offset_tile<threads, per>(shared.of_warp, shared.of_warps, total, offset);
        rank_tile<items>(shared.of_warp[warp], rank);
        __syncthreads();
        #pragma unroll
        for (int u = 0; u < items; ++u) shared.value[rank[u]] = x[u];
        __syncthreads();
        #pragma unroll
        for (int u = 0; u < items; ++u) x[u] = shared.value[mine + u * 32];
        __syncthreads();
        if (has_places) {
            #pragma unroll
            for (int u = 0; u < items; ++u) shared.from[rank[u]] = source[u];
            __syncthreads();
            #pragma unroll
            for (int u = 0; u < items; ++u) source[u] = shared.from[mine + u * 32];
            __syncthreads();
        }
    }
    #pragma unroll
    for (int u = 0; u < items; ++u)
        if (mine + u * 32 < there) {
            if (to) to[row + mine + u * 32] = x[u];
            if (has_places) places_to[row + mine + u * 32] = source[u];
        }
}

template <class wide, int groups>
struct row_selection {
    static constexpr int room = 1024;
    wide least[groups];
    wide bound;
    unsigned int found;
    unsigned int of_warp[8];
    wide key[room];
    unsigned int at[room];
};

template <class order, int threads, class take_key>
__device__ __forceinline__ void each_key(const typename order::bits* from, int there, take_key take)
{
    constexpr int in_flight = 8;
    for (int i = threadIdx.x; i < there; i += threads * in_flight) {
        typename order::bits x[in_flight];
        #pragma unroll
        for (int u = 0; u < in_flight; ++u)
            if (i + u * threads < there) x[u] = from[i + u * threads];
        #pragma unroll
        for (int u = 0; u < in_flight; ++u)
            if (i + u * threads < there) take(order::key(x[u]), i + u * threads, u);
    }
}

template <class order, class wide, int groups, int threads>
__device__ __forceinline__ int keys_below(row_selection<wide, groups>& shared, const typename order::bits* from, int there, wide limit)
{
    __syncthreads();
    if (threadIdx.x == 0) shared.found = 0;
    __syncthreads();
    int mine = 0;
    each_key<order, threads>(from, there, [&](wide key, int, int) { mine += key < limit; });
    if (mine) atomicAdd(&shared.found, static_cast<unsigned int>(mine));
    __syncthreads();
    return static_cast<int>(shared.found);
}

template <class order, class wide, int groups, int threads>
static __device__ __noinline__ void select_exactly(row_selection<wide, groups>& shared, const typename order::bits* from, int there, int kept)
{
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    wide last = shared.bound;
    if (keys_below<order, wide, groups, threads>(shared, from, there, last) >= kept) {
        last = 0;
        for (int bit = 8 * sizeof(typename order::bits) - 1; bit >= 0; --bit) {
            const wide next = last | wide(1) << bit;
            if (keys_below<order, wide, groups, threads>(shared, from, there, next) < kept) last = next;
        }
    }
    __syncthreads();
    if (thread == 0) shared.found = 0;
    __syncthreads();
    each_key<order, threads>(from, there, [&](wide key, int i, int) {
        if (key >= last) return;
        const unsigned int slot = atomicAdd(&shared.found, 1u);
        shared.key[slot] = key;
        shared.at[slot] = i;
    });
    __syncthreads();
    int next = static_cast<int>(shared.found);
    for (int first = 0; next < kept; first += threads) {
        const int i = first + thread;
        const bool is_equal = i < there && order::key(from[i]) == last;
        const unsigned int equal = __ballot_sync(0xffffffffu, is_equal);
        if (lane == 0) shared.of_warp[warp] = __popc(equal);
        __syncthreads();
        int slot = next + __popc(equal & ((1u << lane) - 1));
        #pragma unroll
        for (int w = 0; w < threads / 32; ++w) {
            const int of_warp = static_cast<int>(shared.of_warp[w]);
            if (w < warp) slot += of_warp;
            next += of_warp;
        }
        if (is_equal && slot < kept) {
            shared.key[slot] = last;
            shared.at[slot] = i;
        }
        __syncthreads();
    }
    if (thread == 0) shared.found = kept;
    __syncthreads();
}

template <class order, class wide, int groups, int threads>
__device__ __forceinline__ void find_bound(row_selection<wide, groups>& shared, const typename order::bits* from, int there, int kept)
{
    constexpr int each = groups <= threads ? 1 : groups / threads;
    static_assert(8 % each == 0, "turns of parts");
    const int thread = threadIdx.x;
    for (int g = thread; g < groups; g += threads) shared.least[g] = ~wide(0);
    if (thread == 0) shared.found = 0;
    __syncthreads();
    wide least[each];
    #pragma unroll
    for (int part = 0; part < each; ++part) least[part] = ~wide(0);
    each_key<order, threads>(from, there, [&](wide key, int, int turn) {
        const int part = turn % each;
        least[part] = key < least[part] ? key : least[part];
    });
    if (groups <= 64) {
        atomicMin(&shared.least[thread % groups], least[0]);
        __syncthreads();
        if (thread < groups) {
            const wide mine = shared.least[thread];
            int before = 0;
            #pragma unroll 8
            for (int g = 0; g < groups; ++g) {
                const wide other = shared.least[g];
                before += other < mine || (other == mine && g < thread);
            }
            if (before == kept - 1) shared.bound = mine;
        }
    } else {
        wide bound = 0;
        #pragma unroll 1
        for (int bit = 8 * sizeof(typename order::bits) - 1; bit >= 0; --bit) {
            const wide next = bound | wide(1) << bit;
            int below = 0;
            #pragma unroll
            for (int part = 0; part < each; ++part) below += __syncthreads_count(least[part] < next);
            if (below < kept) bound = next;
        }
        if (thread == 0) shared.bound = bound;
    }
    __syncthreads();
}

template <class order, class wide, bool has_places, int groups, int threads>
__device__ __forceinline__ void select_first(typename order::bits* to, const typename order::bits* from, i64* places_to, const i64* places_from, i64 n, i64 parts, int kept)
{
    constexpr int room = row_selection<wide, groups>::room;
    __shared__ row_selection<wide, groups> shared;
    const int thread = threadIdx.x;
    const i64 row = blockIdx.x / parts;
    const i64 part = blockIdx.x - row * parts;
    const i64 length = n / parts;
    const i64 longer = n - length * parts;
    const i64 first = part * length + (part < longer ? part : longer);
    const int there = static_cast<int>(length) + (part < longer);
    from += row * n + first;
    find_bound<order, wide, groups, threads>(shared, from, there, kept);
    const wide bound = shared.bound;
    each_key<order, threads>(from, there, [&](wide key, int i, int) {
        if (key > bound) return;
        const unsigned int slot = atomicAdd(&shared.found, 1u);
        if (slot >= room) return;
        shared.key[slot] = key;
        shared.at[slot] = i;
    });
    __syncthreads();
    if (shared.found > room) select_exactly<order, wide, groups, threads>(shared, from, there, kept);
    const int found = static_cast<int>(shared.found);
    constexpr int items = groups > 64 ? 4 : 1;  // of a thread, which reads what all are compared with once
    for (int i = thread; i < found; i += threads * items) {
        wide key[items];
        unsigned int at[items];
        int before[items];
        #pragma unroll
        for (int u = 0; u < items; ++u) {
            const int mine = min(i + u * threads, found - 1);
            key[u] = shared.key[mine];
            at[u] = shared.at[mine];
            before[u] = 0;
        }
        #pragma unroll 2
        for (int j = 0; j < found; ++j) {
            const wide other = shared.key[j];
            const unsigned int place = shared.at[j];
            #pragma unroll
            for (int u = 0; u < items; ++u) before[u] += (other < key[u]) | ((other == key[u]) & (place < at[u]));
        }
        #pragma unroll
        for (int u = 0; u < items; ++u) {
            if (i + u * threads >= found || before[u] >= kept) continue;
            const i64 goes = static_cast<i64>(blockIdx.x) * kept + before[u];
            if (to) to[goes] = from[at[u]];
            if (has_places) places_to[goes] = places_from ? places_from[row * n + first + at[u]] : first + at[u];
        }
    }
}

__device__ __forceinline__ void clear_counts(unsigned int* words, i64 count)
{
    for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += static_cast<i64>(gridDim.x) * blockDim.x) words[i] = 0;
}

template <class order, class count, int digits, int threads, int part>
__device__ __forceinline__ void count_row(const typename order::bits* from, count* counts, count* states, i64 state_count, i64 n)
{
    __shared__ unsigned int bins[digits * 256];
    for (int i = threadIdx.x; i < digits * 256; i += threads) bins[i] = 0;
    for (i64 i = static_cast<i64>(blockIdx.x) * threads + threadIdx.x; i < state_count; i += static_cast<i64>(gridDim.x) * threads) states[i] = 0;
    __syncthreads();
    const i64 parts = (n + part - 1) / part;
    const i64 row = blockIdx.x / parts;
    const i64 first = (blockIdx.x - row * parts) * part;
    from += row * n + first;
    const int there = static_cast<int>(n - first < part ? n - first : part);
    constexpr int in_flight = 8;
    for (int i = threadIdx.x; i < there; i += threads * in_flight) {
        typename order::bits x[in_flight];
        #pragma unroll
        for (int u = 0; u < in_flight; ++u)
            if (i + u * threads < there) x[u] = from[i + u * threads];
        #pragma unroll
        for (int u = 0; u < in_flight; ++u) {
            if (i + u * threads >= there) break;
            #pragma unroll
            for (int d = 0; d < digits; ++d) atomicAdd(&bins[d * 256 + digit_of<order>(x[u], d)], 1u);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < digits * 256; i += threads)
        if (bins[i]) atomicAdd(&counts[row * digits * 256 + i], static_cast<count>(bins[i]));
}

template <class count>
__device__ __forceinline__ count count_before(volatile count* states, i64 tile, count mine)
{
    constexpr int flag = 8 * sizeof(count) - 2;
    constexpr count own = count(1) << flag, all = count(2) << flag, number = own - 1;
    const int thread = threadIdx.x;
    states += thread;
    count before = 0;
    constexpr int in_flight = 4;
    for (i64 next = tile - 1;; next -= in_flight) {
        count seen[in_flight];
        #pragma unroll
        for (int i = 0; i < in_flight; ++i) seen[i] = states[(next > i ? next - i : 0) * 256];
        bool done = false;
        #pragma unroll
        for (int i = 0; i < in_flight; ++i) {
            if (done) break;
            while (seen[i] == 0) seen[i] = states[(next > i ? next - i : 0) * 256];
            before += seen[i] & number;
            done = seen[i] & all;
        }
        if (done) break;
    }
    states[tile * 256] = all | (before + mine);
    return before;
}

template <class order, class count, class place, bool has_places, int threads, int items>
__device__ __forceinline__ void sort_pass(typename order::bits* to, const typename order::bits* from, void* places_to, const void* places_from, unsigned int* tickets,
                           count* counts, count* states, i64 rows, i64 n, int number, int digits)
{
    typedef typename order::bits bits;
    constexpr int tile_length = threads * items;
    constexpr int flag = 8 * sizeof(count) - 2;
    __shared__ sorted_tile<bits, place, threads, items> shared;
    __shared__ count base[256];
    __shared__ unsigned int ticket;
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    if (thread == 0) ticket = atomicAdd(&tickets[number], 1u);
    __syncthreads();
    const i64 tiles = (n + tile_length - 1) / tile_length;
    const i64 row = ticket / tiles;
    const i64 tile = ticket - row * tiles;
    const i64 first = tile * tile_length;
    const int there = static_cast<int>(n - first < tile_length ? n - first : tile_length);
    const int mine = warp * 32 * items + lane;
    from += row * n + first;
    bits x[items];
    if (there == tile_length) {
        #pragma unroll
        for (int u = 0; u < items; ++u) x[u] = from[mine + u * 32];
    } else {
        #pragma unroll
        for (int u = 0; u < items; ++u) x[u] = mine + u * 32 < there ? from[mine + u * 32] : bits(0);
    }
    unsigned int rank[items];
    take_digits<order, items>(x, number, mine, there, rank);
    unsigned int total[1], offset[1];
    count_tile<threads, items, 1>(rank, shared.of_warp, total);
    count* const here = states + (number % 2 * rows + row) * tiles * 256;
    const count own = total[0] - (thread == 255 ? tile_length - there : 0);
    if (thread < 256) {
        if (tile > 0) const_cast<volatile count&>(here[tile * 256 + thread]) = count(1) << flag | own;
        if (number + 1 < digits) states[(((number + 1) % 2 * rows + row) * tiles + tile) * 256 + thread] = 0;
    }
    offset_tile<threads, 1>(shared.of_warp, shared.of_warps, total, offset);
    rank_tile<items>(shared.of_warp[warp], rank);
    __syncthreads();
    #pragma unroll
    for (int u = 0; u < items; ++u) shared.value[rank[u]] = x[u];
    count before = 0;
    if (tile == 0) {
        // Of the whole row: the elements that have a lesser digit.
        const count wanted = thread < 256 ? counts[(row * digits + number) * 256 + thread] : 0;
        count upto = wanted;
        #pragma unroll
        for (int apart = 1; apart < 32; apart *= 2) {
            const count other = __shfl_up_sync(0xffffffffu, upto, apart);
            if (lane >= apart) upto += other;
        }
        if (thread < 256 && lane == 31) base[warp] = upto;
        __syncthreads();
        before = upto - wanted;
        for (int w = 0; w < warp && w < 8; ++w) before += base[w];
        __syncthreads();
        if (thread < 256) const_cast<volatile count&>(here[thread]) = count(2) << flag | (before + own);
    } else if (thread < 256) {
        before = count_before<count>(here, tile, own);
    }
    if (thread < 256) base[thread] = before - offset[0];
    __syncthreads();
    #pragma unroll
    for (int u = 0; u < items; ++u) {
        const int at = thread + u * threads;
        if (at < there) {
            x[u] = shared.value[at];
            if (to) to[row * n + static_cast<count>(base[digit_of<order>(x[u], number)] + at)] = x[u];
        }
    }
    if (!has_places) return;
    place source[items];
    if (places_from) {
        const place* const earlier = static_cast<const place*>(places_from) + row * n + first;
        #pragma unroll
        for (int u = 0; u < items; ++u) source[u] = mine + u * 32 < there ? earlier[mine + u * 32] : place(0);
    } else {
        #pragma unroll
        for (int u = 0; u < items; ++u) source[u] = static_cast<place>(first + mine + u * 32);
    }
    __syncthreads();
    #pragma unroll
    for (int u = 0; u < items; ++u) shared.from[rank[u]] = source[u];
    __syncthreads();
    #pragma unroll
    for (int u = 0; u < items; ++u) {
        const int at = thread + u * threads;
        if (at < there) {
            const i64 goes = row * n + static_cast<count>(base[digit_of<order>(x[u], number)] + at);
            if (number + 1 < digits) static_cast<place*>(places_to)[goes] = shared.from[at];
            else static_cast<i64*>(places_to)[goes] = shared.from[at];
        }
    }
}

template <class bits>
__device__ __forceinline__ bits key_of_signed(bits x)
{
    return x ^ bits(bits(1) << (8 * sizeof(bits) - 1));
}

struct segment_places {
    int* counters;
    int* lengths;       // of segments
    int* starts;        // of segments: among the places
    int* part_segment;  // of the parts of long segments: which it is of
    int* part_number;   // and which of its parts it is
    int* ranks;         // of rows, within their segments
    int* order;         // of places: which row
};

__device__ __forceinline__ segment_places segment_places_in(int* memory, long long rows, long long segments, long long parts)
{
    int* const parts_at = memory + 2 + 2 * segments;
    return {memory, memory + 2, memory + 2 + segments, parts_at, parts_at + parts, parts_at + 2 * parts, parts_at + 2 * parts + rows};
}

__device__ __forceinline__ void clear_segment_lengths(segment_places to, long long segments)
{
    const long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x;
    if (i < 2 + segments) to.counters[i] = 0;
}

template <int room, class number>
__device__ __forceinline__ void rank_rows_by_segments(const number* numbers, segment_places to, long long rows, long long segments)
{
    __shared__ int table[room ? room : 1];
    const int lane = threadIdx.x % 32;
    if (room) {
        for (int i = threadIdx.x; i < segments; i += 1024) table[i] = 0;
        __syncthreads();
    }
    int rank[8], segment[8];
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const long long row = blockIdx.x * 8192ll + u * 1024 + threadIdx.x;
        const long long found = row < rows ? static_cast<long long>(numbers[row]) : -1;
        segment[u] = (found >= 0) & (found < segments) ? static_cast<int>(found) : -1;
    }
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        unsigned int same = 0xffffffffu;
        if (segments <= 256) same = __match_any_sync(0xffffffffu, segment[u]);
        else if (!__all_sync(0xffffffffu, segment[u] == __shfl_sync(0xffffffffu, segment[u], 0))) same = 1u << lane;
        const int first = __ffs(static_cast<int>(same)) - 1;
        int before = 0;
        if (segment[u] >= 0 && lane == first) before = atomicAdd((room ? table : to.lengths) + segment[u], __popc(same));
        rank[u] = __shfl_sync(0xffffffffu, before, first) + __popc(same & ((1u << lane) - 1));
    }
    if (room) {
        __syncthreads();
        for (int i = threadIdx.x; i < segments; i += 1024)
            if (table[i]) table[i] = atomicAdd(to.lengths + i, table[i]);
        __syncthreads();
    }
    #pragma unroll
    for (int u = 0; u < 8; ++u) {
        const long long row = blockIdx.x * 8192ll + u * 1024 + threadIdx.x;
        if (row < rows) to.ranks[row] = segment[u] < 0 ? -1 : room ? table[segment[u]] + rank[u] : rank[u];
    }
}

template <int most, int part>
__device__ __forceinline__ void place_segments(segment_places to, long long segments)
{
    const long long s = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const int length = s < segments ? to.lengths[s] : 0;
    int upto = length;
    #pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, upto, apart);
        if (lane >= apart) upto += other;
    }
    int first = lane == 31 ? atomicAdd(to.counters, upto) : 0;
    first = __shfl_sync(0xffffffffu, first, 31);
    if (s < segments) to.starts[s] = first + upto - length;
    if (length > most) {
        const int parts = (length + part - 1) / part;
        const int at = atomicAdd(to.counters + 1, parts);
        for (int i = 0; i < parts; ++i) {
            to.part_segment[at + i] = static_cast<int>(s);
            to.part_number[at + i] = i;
        }
    }
}

template <class number>
__device__ __forceinline__ void order_rows_by_segments(const number* numbers, segment_places to, long long rows)
{
    const long long first = static_cast<long long>(blockIdx.x) * 1024 + threadIdx.x;
    int rank[4], place[4];
    number segment[4];
    #pragma unroll
    for (int u = 0; u < 4; ++u) {
        rank[u] = first + u * 256 < rows ? to.ranks[first + u * 256] : -1;
        segment[u] = first + u * 256 < rows ? numbers[first + u * 256] : 0;
    }
    #pragma unroll
    for (int u = 0; u < 4; ++u) place[u] = rank[u] >= 0 ? to.starts[segment[u]] + rank[u] : 0;
    #pragma unroll
    for (int u = 0; u < 4; ++u)
        if (rank[u] >= 0) to.order[place[u]] = static_cast<int>(first) + u * 256;
}

__device__ __forceinline__ int segment_key(float a) { return static_cast<int>(bits_of(a) & 0x7fffffffu); }

__device__ __forceinline__ int segment_key(double a) { return static_cast<int>(segment_magnitude(a)); }

__device__ __forceinline__ long long segment_magnitude_of_key(int key)
{
    if (key >= 0x7f800000) return key == 0x7f800002 ? 6000 : 5000 + (key & 1);
    return segment_magnitude(static_cast<double>(float_of(static_cast<unsigned int>(key))));
}

__device__ __forceinline__ int segment_infinity(double a) { return a - a == 0 || a != a ? 0 : a > 0 ? 1 : 2; }

template <class by, int lanes, int warps>
struct segment_share {
    static constexpr int slots = warps * (32 / lanes);
    long long column;
    int slot;
    bool is_in;
    __device__ __forceinline__ segment_share(long long tile, long long inside)
        : column((tile * lanes + threadIdx.x % lanes) * by::vector),
          slot(static_cast<int>(threadIdx.x % (32 * warps)) / lanes),
          is_in(column < inside)
    {
    }
};

struct tile_of_segments {
    long long number;
    long long tile;
    __device__ __forceinline__ tile_of_segments(long long share, int columns, long long inside) : number(share), tile(0)
    {
        if (inside <= columns) return;
        const long long tiles = (inside + columns - 1) / columns;
        number = share / tiles;
        tile = share - number * tiles;
    }
};

template <class element, int count>
struct __align__(sizeof(element) * count) segment_vector {
    element v[count];
};

template <class by, int slots, bool is_aligned, class Each>
__device__ __forceinline__ void walk_segment_as(const typename by::element* values, const int* order, int length, long long inside, int slot, Each each)
{
    typedef segment_vector<typename by::element, by::vector> vector;
    int row[by::ahead];
    #pragma unroll
    for (int u = 0; u < by::ahead; ++u) row[u] = slot + u * slots < length ? order[slot + u * slots] : 0;
    for (int x = slot; x < length; x += slots * by::ahead) {
        vector loaded[by::ahead];
        #pragma unroll
        for (int u = 0; u < by::ahead; ++u)
            if (x + u * slots < length) {
                const typename by::element* const from = values + row[u] * inside;
                if (is_aligned) {
                    loaded[u] = *reinterpret_cast<const vector*>(from);
                } else {
                    #pragma unroll
                    for (int k = 0; k < by::vector; ++k) loaded[u].v[k] = from[k];
                }
            }
        #pragma unroll
        for (int u = 0; u < by::ahead; ++u) {
            const int next = x + (u + by::ahead) * slots;
            row[u] = next < length ? order[next] : 0;
        }
        #pragma unroll
        for (int u = 0; u < by::ahead; ++u)
            if (x + u * slots < length) {
                #pragma unroll
                for (int k = 0; k < by::vector; ++k) each(k, loaded[u].v[k]);
            }
    }
}

template <class by, int slots, class Each>
__device__ __forceinline__ void walk_segment(const typename by::element* values, const int* order, int length, long long inside, int slot, Each each)
{
    if (reinterpret_cast<unsigned long long>(values) % (sizeof(typename by::element) * by::vector) == 0)
        walk_segment_as<by, slots, true>(values, order, length, inside, slot, each);
    else
        walk_segment_as<by, slots, false>(values, order, length, inside, slot, each);
}

template <class by>
static __device__ __noinline__ int infinities_of_column(const typename by::element* values, const int* order, int length, long long inside, int slot, int slots)
{
    int found = 0;
    for (int i = slot; i < length; i += slots) found |= by::infinity(values[order[i] * inside]);
    return found;
}

template <int vector, int lanes, int warps, bool for_all, class T, class Both>
__device__ __forceinline__ void meet_of_segment(T (&mine)[vector], Both both)
{
    #pragma unroll
    for (int k = 0; k < vector; ++k) {
        #pragma unroll
        for (int apart = lanes; apart < 32; apart *= 2) mine[k] = both(mine[k], __shfl_xor_sync(0xffffffffu, mine[k], apart));
    }
    if (warps > 1) {
        __shared__ T met[warps][lanes * vector];
        const int warp = threadIdx.x / 32 % warps, first = threadIdx.x % lanes * vector;
        if (threadIdx.x % 32 < lanes) {
            #pragma unroll
            for (int k = 0; k < vector; ++k) met[warp][first + k] = mine[k];
        }
        __syncthreads();
        if (for_all || warp == 0) {
            #pragma unroll
            for (int k = 0; k < vector; ++k) {
                mine[k] = met[0][first + k];
                #pragma unroll
                for (int w = 1; w < warps; ++w) mine[k] = both(mine[k], met[w][first + k]);
            }
        }
    }
}

struct greater_key {
    __device__ __forceinline__ int operator()(int a, int b) const { return a > b ? a : b; }
};

struct sum_of_words {
    __device__ __forceinline__ long long operator()(long long a, long long b) const { return a + b; }
};

template <class by, int lanes, int warps>
__device__ __forceinline__ void magnitudes_of_segment(const typename by::element* values, const int* order, int length, long long inside, const segment_share<by, lanes, warps>& mine, long long (&magnitude)[by::vector])
{
    int key[by::vector] = {};
    if (mine.is_in)
        walk_segment<by, segment_share<by, lanes, warps>::slots>(values, order, length, inside, mine.slot, [&](int k, typename by::element x) {
            const int one = by::key(x);
            key[k] = key[k] > one ? key[k] : one;
        });
    #pragma unroll
    for (int k = 0; k < by::vector; ++k) {
        if (by::has_rests || key[k] < 0x7f800000) continue;
        const bool is_negative = infinities_of_column<by>(values + k, order, length, inside, mine.slot, mine.slots) & 2;
        key[k] = key[k] > 0x7f800000 ? 0x7f800002 : 0x7f800000 + is_negative;
    }
    meet_of_segment<by::vector, lanes, warps, true>(key, greater_key());
    #pragma unroll
    for (int k = 0; k < by::vector; ++k) magnitude[k] = by::magnitude(key[k]);
}

template <class by, int lanes, int warps>
__device__ __forceinline__ void words_of_segment(const typename by::element* values, const int* order, int length, long long inside, const segment_share<by, lanes, warps>& mine, const long long (&magnitude)[by::vector], long long setting, long long (&word)[by::vector], long long (&rest)[by::vector])
{
    typename by::unit unit[by::vector];
    #pragma unroll
    for (int k = 0; k < by::vector; ++k) {
        unit[k] = by::unit_of(magnitude[k], setting);
        word[k] = by::nothing(setting);
        rest[k] = 0;
    }
    if (mine.is_in)
        walk_segment<by, segment_share<by, lanes, warps>::slots>(values, order, length, inside, mine.slot, [&](int k, typename by::element x) {
            word[k] = by::both(word[k], by::word(x, unit[k]));
            if (by::has_rests) rest[k] += by::rest(x, unit[k]);
        });
    // Of a column with infinities: how many threads have seen a positive one.
    #pragma unroll
    for (int k = 0; k < by::vector; ++k) {
        if (!by::has_magnitudes || by::has_rests || magnitude[k] < 5000) continue;
        word[k] = mine.is_in && magnitude[k] == 5001 && (infinities_of_column<by>(values + k, order, length, inside, mine.slot, mine.slots) & 1);
    }
    meet_of_segment<by::vector, lanes, warps, false>(word, [](long long a, long long b) { return by::both(a, b); });
    if (by::has_rests) meet_of_segment<by::vector, lanes, warps, false>(rest, sum_of_words());
}

template <class by, int lanes, int warps, int most>
__device__ __forceinline__ void finish_short_segments(typename by::result* result, long long* words, const typename by::element* values, segment_places at, long long segments, long long inside, long long setting)
{
    const tile_of_segments found(static_cast<long long>(blockIdx.x) * (8 / warps) + threadIdx.x / (32 * warps), lanes * by::vector, inside);
    const long long segment = found.number;
    if (segment >= segments) return;
    const segment_share<by, lanes, warps> mine(found.tile, inside);
    const long long to = segment * inside + mine.column, all = segments * inside;
    const int length = at.lengths[segment];
    const int* const order = at.order + at.starts[segment];
    const bool stores = mine.is_in & (mine.slot == 0);
    if (length > most) {
        if (!stores) return;
        for (int k = 0; k < by::vector; ++k) {
            words[to + k] = by::nothing(setting);
            if (by::has_magnitudes) words[all + to + k] = 0;
            if (by::has_rests) words[2 * all + to + k] = 0;
        }
        return;
    }
    long long magnitude[by::vector] = {}, word[by::vector], rest[by::vector];
    if (length > 0) {
        const typename by::element* const from = values + mine.column;
        if (by::has_magnitudes) magnitudes_of_segment<by, lanes, warps>(from, order, length, inside, mine, magnitude);
        words_of_segment<by, lanes, warps>(from, order, length, inside, mine, magnitude, setting, word, rest);
    }
    if (!stores) return;
    #pragma unroll
    for (int k = 0; k < by::vector; ++k)
        result[to + k] = length > 0 ? by::finish(magnitude[k], word[k], rest[k], setting) : by::finish(0, by::nothing(setting), 0, setting);
}

template <class by, int lanes, int part, bool for_magnitudes>
__device__ __forceinline__ void take_part_of_segment(long long* words, const typename by::element* values, segment_places at, long long segments, long long inside, long long setting)
{
    const tile_of_segments found(blockIdx.x, lanes * by::vector, inside);
    const long long number = found.number;
    if (number >= at.counters[1]) return;
    const segment_share<by, lanes, 8> mine(found.tile, inside);
    const typename by::element* const from = values + mine.column;
    const long long segment = at.part_segment[number], all = segments * inside;
    long long* const to = words + segment * inside + mine.column;
    const int before = at.part_number[number] * part;
    const int left = at.lengths[segment] - before;
    const int* const order = at.order + at.starts[segment] + before;
    const int length = left < part ? left : part;
    const bool stores = mine.is_in & (mine.slot == 0);
    long long magnitude[by::vector] = {}, word[by::vector], rest[by::vector];
    if (for_magnitudes) {
        magnitudes_of_segment<by, lanes, 8>(from, order, length, inside, mine, magnitude);
        if (!stores) return;
        #pragma unroll
        for (int k = 0; k < by::vector; ++k) atomic_greatest(to + k, magnitude[k]);
        return;
    }
    if (by::has_magnitudes && mine.is_in) {
        #pragma unroll
        for (int k = 0; k < by::vector; ++k) magnitude[k] = to[k];
    }
    words_of_segment<by, lanes, 8>(from, order, length, inside, mine, magnitude, setting, word, rest);
    if (!stores) return;
    #pragma unroll
    for (int k = 0; k < by::vector; ++k) {
        by::put((by::has_magnitudes ? all : 0) + to + k, word[k]);
        if (by::has_rests) atomic_sum(2 * all + to + k, rest[k]);
    }
}

template <class by>
__device__ __forceinline__ void finish_long_segments(typename by::result* result, const long long* words, segment_places at, long long segments, long long inside, long long setting)
{
    const long long number = blockIdx.x;
    if (number >= at.counters[1] || at.part_number[number] != 0) return;
    const long long first = at.part_segment[number] * inside, all = segments * inside;
    for (long long c = threadIdx.x; c < inside; c += 256) {
        const long long* const word = words + first + c;
        result[first + c] = by::has_magnitudes ? by::finish(word[0], word[all], by::has_rests ? word[2 * all] : 0, setting)
                                               : by::finish(0, word[0], 0, setting);
    }
}

__device__ __forceinline__ long long segment_ordered_greatest(double a) { return a != a ? 0x7fffffffffffffffll : segment_ordered(a); }

struct segment_digits {
    long long magnitude;
    long long digits;
};
