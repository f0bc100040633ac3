__device__ __forceinline__ float sum_of(float x0, float x1)
{
    return x0 + x1;
}

__device__ __forceinline__ float finish_0(float accumulator, long long count) { return accumulator; }

struct accumulators { float s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = (-0.0f); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = sum_of(a.s0, b.s0); return out; }

__device__ __forceinline__ f16 min_of(f16 x0, f16 x1)
{
    return f16_is_next_less(x0, x1) ? x1 : x0;
}

__device__ __forceinline__ f16 finish_0(f16 accumulator, long long count) { return f16_from_f32(f32_from_f16(accumulator)); }

struct accumulators { f16 s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = static_cast<f16>(0x7c00); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = min_of(a.s0, b.s0); return out; }

__device__ __forceinline__ bf16 max_of(bf16 x0, bf16 x1)
{
    return bf16_is_next_greater(x0, x1) ? x1 : x0;
}

__device__ __forceinline__ bf16 finish_0(bf16 accumulator, long long count) { return bf16_from_f32(f32_from_bf16(accumulator)); }

struct accumulators { bf16 s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = static_cast<bf16>(0xff80); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = max_of(a.s0, b.s0); return out; }

__device__ __forceinline__ c64 mean_of(c64 x0, c64 x1)
{
    return complex_add(x0, x1);
}

__device__ __forceinline__ c64 finish_0(c64 accumulator, long long count) { return complex_of(accumulator.re / float(count), accumulator.im / float(count)); }

struct accumulators { c64 s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = complex_of((-0.0f), (-0.0f)); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = mean_of(a.s0, b.s0); return out; }

__device__ __forceinline__ float max_of(float x0, float x1)
{
#if __CUDA_ARCH__ >= 800
    float one;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(one) : "f"(x0), "f"(x1));
    return one;
#else
    return (x0 == x0) & !(x1 <= x0) ? x1 : x0;
#endif
}

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = (-1e38f * 1e38f); return out; }

__device__ __forceinline__ f16 max_of(f16 x0, f16 x1)
{
    return f16_is_next_greater(x0, x1) ? x1 : x0;
}

__device__ __forceinline__ f16 finish_0(float accumulator, long long count) { return f16_from_f32(accumulator); }

__device__ __forceinline__ f16 finish_1(f16 accumulator, long long count) { return f16_from_f32(f32_from_f16(accumulator)); }

struct accumulators { float s0; f16 s1; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = (-0.0f); out.s1 = static_cast<f16>(0xfc00); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = sum_of(a.s0, b.s0); out.s1 = max_of(a.s1, b.s1); return out; }

__device__ __forceinline__ bf16 min_of(bf16 x0, bf16 x1)
{
    return bf16_is_next_less(x0, x1) ? x1 : x0;
}

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = static_cast<bf16>(0x7f80); return out; }

__device__ __forceinline__ c64 prod_of(c64 x0, c64 x1)
{
    if (x0.re == 1 && x0.im == 0) return x1;
    if (x1.re == 1 && x1.im == 0) return x0;
    return complex_mul(x0, x1);
}

__device__ __forceinline__ c64 finish_0(c64 accumulator, long long count) { return accumulator; }

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = complex_of(1.0f, 0.0f); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = prod_of(a.s0, b.s0); return out; }

struct accumulators_0 { float s0; };

__device__ __forceinline__ accumulators_0 identity_0() { accumulators_0 out; out.s0 = (-0.0f); return out; }

__device__ __forceinline__ accumulators_0 combine(const accumulators_0& a, const accumulators_0& b) { accumulators_0 out; out.s0 = sum_of(a.s0, b.s0); return out; }

__device__ __forceinline__ float dot_of(float x0, float x1)
{
    return x0 + x1;
}

__device__ __forceinline__ float finish_1(float accumulator, long long count) { return accumulator; }

struct accumulators_0 { float s1; };

__device__ __forceinline__ accumulators_0 identity_0() { accumulators_0 out; out.s1 = (-0.0f); return out; }

__device__ __forceinline__ accumulators_0 combine(const accumulators_0& a, const accumulators_0& b) { accumulators_0 out; out.s1 = dot_of(a.s1, b.s1); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = dot_of(a.s0, b.s0); return out; }

__device__ __forceinline__ bf16 finish_0(float accumulator, long long count) { return bf16_from_f32(accumulator); }

__device__ __forceinline__ f16 finish_1(float accumulator, long long count) { return f16_from_f32(accumulator); }

__device__ __forceinline__ bf16 finish_1(float accumulator, long long count) { return bf16_from_f32(accumulator); }

__device__ __forceinline__ u64 sum_of(u64 x0, u64 x1)
{
    return u64(u64(x0) + u64(x1));
}

__device__ __forceinline__ int finish_0(u64 accumulator, long long count) { return static_cast<int>(accumulator); }

struct accumulators { u64 s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = u64(0); return out; }

__device__ __forceinline__ float finish_2(float accumulator, long long count) { return accumulator; }

struct accumulators { float s0; float s1; float s2; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = (-0.0f); out.s1 = (-0.0f); out.s2 = (-1e38f * 1e38f); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = sum_of(a.s0, b.s0); out.s1 = sum_of(a.s1, b.s1); out.s2 = max_of(a.s2, b.s2); return out; }

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = (-0.0f); out.s1 = (-0.0f); out.s2 = (-0.0f); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = sum_of(a.s0, b.s0); out.s1 = sum_of(a.s1, b.s1); out.s2 = sum_of(a.s2, b.s2); return out; }

__device__ __forceinline__ f16 finish_0(moments accumulator, long long count) { return f16_from_f64(variance_of_moments(accumulator)); }

__device__ __forceinline__ f16 finish_1(moments accumulator, long long count) { return f16_from_f64(deviation_of_moments(accumulator)); }

struct accumulators { moments s0; moments s1; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = moments_of_none(); out.s1 = moments_of_none(); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = moments_of_two(a.s0, b.s0); out.s1 = moments_of_two(a.s1, b.s1); return out; }

__device__ __forceinline__ accumulators append(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = moments_next(a.s0, b.s0); out.s1 = moments_next(a.s1, b.s1); return out; }

__device__ __forceinline__ float finish_0(exponentials<float> accumulator, long long count) { return log_of_exponentials(accumulator); }

struct accumulators { exponentials<float> s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = exponentials_of_none<float>(); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = exponentials_of_two(a.s0, b.s0); return out; }

__device__ __forceinline__ accumulators append(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = exponentials_next(a.s0, b.s0); return out; }

__device__ __forceinline__ double finish_0(moments accumulator, long long count) { return double(squares_of_moments(accumulator)); }

__device__ __forceinline__ double finish_1(moments accumulator, long long count) { return double(squares_of_moments(accumulator)); }

struct found_f32 { float value; int at; };

__device__ __forceinline__ found_f32 argmax_of(found_f32 x0, found_f32 x1)
{
    const float a = x0.value;
    const float b = x1.value;
    const bool earlier = ((a == b) | ((a != a) & (b != b))) & (x1.at < x0.at);
    const bool better = earlier | ((a == a) & ((b > a) | (b != b)));
    return better ? x1 : x0;
}

__device__ __forceinline__ found_f32 argmax_next(found_f32 x0, found_f32 x1)
{
    const float a = x0.value;
    const float b = x1.value;
    return (a == a) & !(b <= a) ? x1 : x0;
}

__device__ __forceinline__ i64 finish_0(found_f32 accumulator, long long count) { return accumulator.at == 0x7fffffff ? 0 : accumulator.at; }

struct accumulators { found_f32 s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0.value = (-1e38f * 1e38f); out.s0.at = 0x7fffffff; return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = argmax_of(a.s0, b.s0); return out; }

__device__ __forceinline__ accumulators append(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = argmax_next(a.s0, b.s0); return out; }

__device__ __forceinline__ found_f32 argmin_of(found_f32 x0, found_f32 x1)
{
    const float a = x0.value;
    const float b = x1.value;
    const bool earlier = ((a == b) | ((a != a) & (b != b))) & (x1.at < x0.at);
    const bool better = earlier | ((a == a) & ((b < a) | (b != b)));
    return better ? x1 : x0;
}

__device__ __forceinline__ found_f32 argmin_next_by_bits(found_f32 x0, found_f32 x1)
{
#if __CUDA_ARCH__ >= 800
    found_f32 out = x0;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(out.value) : "f"(x0.value), "f"(x1.value));
    if (__float_as_int(out.value) != __float_as_int(x0.value)) out.at = x1.at;
    return out;
#else
    const float a = x0.value;
    const float b = x1.value;
    return (a == a) & !(b >= a) ? x1 : x0;
#endif
}

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0.value = (1e38f * 1e38f); out.s0.at = 0x7fffffff; return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = argmin_of(a.s0, b.s0); return out; }

__device__ __forceinline__ accumulators append(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = argmin_next_by_bits(a.s0, b.s0); return out; }

__device__ __forceinline__ found_f32 argmin_next_until_nan(found_f32 x0, found_f32 x1)
{
#if __CUDA_ARCH__ >= 800
    found_f32 out = x0;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(out.value) : "f"(x0.value), "f"(x1.value));
    if (x1.value < x0.value) out.at = x1.at;
    return out;
#else
    const float a = x0.value;
    const float b = x1.value;
    return (a == a) & !(b >= a) ? x1 : x0;
#endif
}

__device__ __forceinline__ accumulators append(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = argmin_next_until_nan(a.s0, b.s0); return out; }

__device__ __forceinline__ accumulators_0 combine(const accumulators_0& a, const accumulators_0& b) { accumulators_0 out; out.s1 = sum_of(a.s1, b.s1); return out; }

__device__ __forceinline__ float mean_of(float x0, float x1)
{
    return x0 + x1;
}

__device__ __forceinline__ float finish_0(float accumulator, long long count) { return accumulator / float(count); }

__device__ __forceinline__ double sum_of(double x0, double x1)
{
    return x0 + x1;
}

__device__ __forceinline__ double finish_1(double accumulator, long long count) { return accumulator; }

struct accumulators { double s1; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s1 = (-0.0); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s1 = sum_of(a.s1, b.s1); return out; }

struct accumulators_f32 { float s0; };

__device__ __forceinline__ accumulators_f32 identity_f32() { accumulators_f32 out; out.s0 = (-0.0f); return out; }

__device__ __forceinline__ accumulators_f32 combine(const accumulators_f32& a, const accumulators_f32& b) { accumulators_f32 out; out.s0 = sum_of(a.s0, b.s0); return out; }

__device__ __forceinline__ float user0_reduction_of(float x0, float x1)
{
    return user0_reduction(x0, x1);
}

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = 0.0f; return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = user0_reduction_of(a.s0, b.s0); return out; }

__device__ __forceinline__ accumulators_0 identity_0() { accumulators_0 out; out.s0 = (-1e38f * 1e38f); return out; }

__device__ __forceinline__ accumulators_0 combine(const accumulators_0& a, const accumulators_0& b) { accumulators_0 out; out.s0 = max_of(a.s0, b.s0); return out; }

struct accumulators_1 { float s1; };

__device__ __forceinline__ accumulators_1 identity_1() { accumulators_1 out; out.s1 = (-0.0f); return out; }

__device__ __forceinline__ accumulators_1 combine(const accumulators_1& a, const accumulators_1& b) { accumulators_1 out; out.s1 = sum_of(a.s1, b.s1); return out; }

__device__ __forceinline__ accumulators_0 combine(const accumulators_0& a, const accumulators_0& b) { accumulators_0 out; out.s0 = mean_of(a.s0, b.s0); return out; }

__device__ __forceinline__ float finish_1(float accumulator, long long count) { return accumulator / float(count); }

__device__ __forceinline__ accumulators_1 combine(const accumulators_1& a, const accumulators_1& b) { accumulators_1 out; out.s1 = mean_of(a.s1, b.s1); return out; }

__device__ __forceinline__ float min_of(float x0, float x1)
{
#if __CUDA_ARCH__ >= 800
    float one;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(one) : "f"(x0), "f"(x1));
    return one;
#else
    return (x0 == x0) & !(x1 >= x0) ? x1 : x0;
#endif
}

__device__ __forceinline__ accumulators_0 identity_0() { accumulators_0 out; out.s0 = (1e38f * 1e38f); return out; }

__device__ __forceinline__ accumulators_0 combine(const accumulators_0& a, const accumulators_0& b) { accumulators_0 out; out.s0 = min_of(a.s0, b.s0); return out; }

__device__ __forceinline__ double max_of(double x0, double x1)
{
    return (x0 == x0) & !(x1 <= x0) ? x1 : x0;
}

__device__ __forceinline__ double finish_0(double accumulator, long long count) { return accumulator; }

struct accumulators_0 { double s0; };

__device__ __forceinline__ accumulators_0 identity_0() { accumulators_0 out; out.s0 = (-1e300 * 1e300); return out; }

struct accumulators_1 { double s1; };

__device__ __forceinline__ accumulators_1 identity_1() { accumulators_1 out; out.s1 = (-0.0); return out; }

struct accumulators_1 { float s0; };

__device__ __forceinline__ accumulators_1 identity_1() { accumulators_1 out; out.s0 = (-0.0f); return out; }

__device__ __forceinline__ accumulators_1 combine(const accumulators_1& a, const accumulators_1& b) { accumulators_1 out; out.s0 = mean_of(a.s0, b.s0); return out; }

struct accumulators_scan1 { float s1; };

__device__ __forceinline__ accumulators_scan1 identity_scan1() { accumulators_scan1 out; out.s1 = (-0.0f); return out; }

__device__ __forceinline__ accumulators_scan1 combine(const accumulators_scan1& a, const accumulators_scan1& b) { accumulators_scan1 out; out.s1 = sum_of(a.s1, b.s1); return out; }

__device__ __forceinline__ i64 sum_of(i64 x0, i64 x1)
{
    return i64(u64(x0) + u64(x1));
}

struct accumulators { i64 s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = i64(0); return out; }

struct found_f32 { float value; long long at; };

__device__ __forceinline__ i64 finish_0(found_f32 accumulator, long long count) { return accumulator.at == 0x7fffffffffffffffll ? 0 : accumulator.at; }

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0.value = (-1e38f * 1e38f); out.s0.at = 0x7fffffffffffffffll; return out; }

__device__ __forceinline__ float finish_0(moments accumulator, long long count) { return float(variance_of_moments(accumulator)); }

struct accumulators { moments s0; };

__device__ __forceinline__ accumulators identity() { accumulators out; out.s0 = moments_of_none(); return out; }

__device__ __forceinline__ accumulators combine(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = moments_of_two(a.s0, b.s0); return out; }

__device__ __forceinline__ accumulators append(const accumulators& a, const accumulators& b) { accumulators out; out.s0 = moments_next(a.s0, b.s0); return out; }
