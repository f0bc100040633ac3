// random_normal(uint64(i0), s0)
typedef unsigned long long u64;
typedef long long i64;

__device__ __forceinline__ float EXACT_sqrt(float a) { return sqrtf(a); }
__device__ __forceinline__ double EXACT_sqrt(double a) { return sqrt(a); }
__device__ __forceinline__ unsigned int bits_of(float a) { return __float_as_uint(a); }
__device__ __forceinline__ unsigned long long bits_of(double a) { return static_cast<unsigned long long>(__double_as_longlong(a)); }
__device__ __forceinline__ double double_of(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }
struct philox_words { unsigned int a; unsigned int b; unsigned int c; unsigned int d; };
__device__ __forceinline__ philox_words philox_round(philox_words x, unsigned int key_low, unsigned int key_high)
{
    const unsigned long long left = 0xd2511f53ull * x.a;
    const unsigned long long right = 0xcd9e8d57ull * x.c;
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
struct __align__(16) f64x2 { double v[2]; };
__device__ __forceinline__ void store(double* to, const f64x2& from)
{
    __stcs(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4&>(from));
}

__device__ __forceinline__ void body(const i64 i0, const u64 s0, double& y0)
{
    const u64 t0 = u64(i0);
    const double t1 = draw_normal(t0, s0);
    y0 = t1;
}

__device__ __forceinline__ void wait_for_earlier_kernels()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256)
kiln_random_normal_f64_v2(double* __restrict__ y0, const i64 i0, const u64 s0, const unsigned int count)
{
    wait_for_earlier_kernels();
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 2;
    if (first >= count) return;
    const bool whole = first + 2 <= count;
    f64x2 v_y0;
    #pragma unroll
    for (int k = 0; k < 2; ++k) body((i0 + first & ~1ll) | k, s0, v_y0.v[k]);
    if (whole) {
        store(y0 + first, v_y0);
    } else {
        #pragma unroll
        for (int k = 0; k < 1; ++k) if (first + k < count) y0[first + k] = v_y0.v[k];
    }
}
