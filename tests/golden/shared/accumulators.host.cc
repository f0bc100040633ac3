static inline float sum_of(float x0, float x1)
{
    return x0 + x1;
}

static inline float finish_1(float accumulator, long long count) { return accumulator; }

static inline float identity_1() { return float((-0.0f)); }

static inline float run_1(float before, const float* values, long long count, long long)
{
    float lane[16];
    for (int j = 0; j < 16; ++j) lane[j] = identity_1();
    long long i = 0;
    for (; i + 16 <= count; i += 16) {
        #pragma GCC unroll 1
        for (int j = 0; j < 16; ++j) lane[j] = sum_of(lane[j], values[i + j]);
    }
    for (int j = 0; i < count; ++i, ++j) lane[j] = sum_of(lane[j], values[i]);
    for (int apart = 16 / 2; apart > 0; apart /= 2) {
        #pragma GCC ivdep
        for (int j = 0; j < apart; ++j) lane[j] = sum_of(lane[j], lane[j + apart]);
    }
    return sum_of(before, lane[0]);
}

static inline float max_of(float x0, float x1)
{
    return (x0 == x0) & !(x1 <= x0) ? x1 : x0;
}

static inline float finish_0(float accumulator, long long count) { return accumulator; }

static inline float identity_0() { return float((-1e38f * 1e38f)); }

static inline float run_0(float before, const float* values, long long count, long long first, const void* const* library)
{
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[287]))(&before, values, count, first);
    return before;
}

static inline float run_1(float before, const float* values, long long count, long long first, const void* const* library)
{
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[152]))(&before, values, count, first);
    return before;
}

static inline void rows_0(float* to, const float* values, long long rows, long long extent, const void* const* library)
{
    for (long long row = 0; row < rows; ++row) to[row] = identity_0();
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[512]))(to, values, rows, extent);
}

static inline void rows_1(float* to, const float* values, long long rows, long long extent, const void* const* library)
{
    for (long long row = 0; row < rows; ++row) to[row] = identity_1();
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[377]))(to, values, rows, extent);
}

static inline float finish_0(moments accumulator, long long count) { return float(variance_of_moments(accumulator)); }

static inline moments identity_0() { return moments(moments_of_none()); }

static inline moments run_0(moments before, const float* values, long long count, long long first, const void* const* library)
{
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[212]))(&before, values, count, first);
    return before;
}

static inline float finish_0(exponentials<float> accumulator, long long count, const void* const* library) { return log_of_exponentials(library, accumulator); }

static inline exponentials<float> identity_0() { return exponentials<float>(exponentials_of_none<float>()); }

static inline exponentials<float> run_0(exponentials<float> before, const float* values, long long count, long long first, const void* const* library)
{
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[257]))(&before, values, count, first);
    return before;
}

struct found_f32 { float value; long long at; };

static inline found_f32 argmax_of(found_f32 x0, found_f32 x1)
{
    const float a = x0.value;
    const float b = x1.value;
    const bool earlier = ((a == b) | ((a != a) & (b != b))) & (x1.at < x0.at);
    const bool better = earlier | ((a == a) & ((b > a) | (b != b)));
    return better ? x1 : x0;
}

static inline found_f32 argmax_next(found_f32 x0, found_f32 x1)
{
    const float a = x0.value;
    const float b = x1.value;
    return (a == a) & !(b <= a) ? x1 : x0;
}

static inline i64 finish_0(found_f32 accumulator, long long count) { return accumulator.at == 0x7fffffffffffffffll ? 0 : accumulator.at; }

static inline found_f32 identity_0() { return found_f32{(-1e38f * 1e38f), 0x7fffffffffffffffll}; }

static inline found_f32 run_0(found_f32 before, const float* values, long long count, long long first, const void* const* library)
{
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[347]))(&before, values, count, first);
    return before;
}

static inline float mean_of(float x0, float x1)
{
    return x0 + x1;
}

static inline float finish_0(float accumulator, long long count) { return accumulator / float(count); }

static inline float finish_1(float accumulator, long long count) { return accumulator / float(count); }

static inline float identity_0() { return float((-0.0f)); }

static inline float run_0(float before, const float* values, long long count, long long first, const void* const* library)
{
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[197]))(&before, values, count, first);
    return before;
}

static inline float combine_1(float x0, float x1) { return mean_of(x0, x1); }

static inline float combine_0(float x0, float x1) { return max_of(x0, x1); }

static inline float combine_1(float x0, float x1) { return sum_of(x0, x1); }

static inline double max_of(double x0, double x1)
{
    return (x0 == x0) & !(x1 <= x0) ? x1 : x0;
}

static inline double sum_of(double x0, double x1)
{
    return x0 + x1;
}

static inline double finish_0(double accumulator, long long count) { return accumulator; }

static inline double finish_1(double accumulator, long long count) { return accumulator; }

static inline double identity_0() { return double((-1e300 * 1e300)); }

static inline void rows_0(double* to, const double* values, long long rows, long long extent, const void* const* library)
{
    for (long long row = 0; row < rows; ++row) to[row] = identity_0();
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[513]))(to, values, rows, extent);
}

static inline double identity_1() { return double((-0.0)); }

static inline void rows_1(double* to, const double* values, long long rows, long long extent, const void* const* library)
{
    for (long long row = 0; row < rows; ++row) to[row] = identity_1();
    reinterpret_cast<void (*)(void*, const void*, long long, long long)>(
        const_cast<void*>(library[378]))(to, values, rows, extent);
}

static inline float combine_0(float x0, float x1) { return mean_of(x0, x1); }

static inline float dot_of(float x0, float x1)
{
    return x0 + x1;
}

static inline float combine_0(float x0, float x1) { return dot_of(x0, x1); }

static inline float combine_0(float x0, float x1) { return sum_of(x0, x1); }
