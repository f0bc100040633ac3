// kiln/device/cpu/float32_pairs: powers and angles of a block in vectors; the few that may be either of two floats again, one at a time
// (emit/helpers/float32/pair_parts.inc).
// in: the float32 functions' texts   out: `pow_of_block`, `atan2_of_block`   knows nothing of: tables
#pragma once

#include <device/cpu/float32_texts.hpp>
#include <device/cpu/function_blocks.hpp>

namespace kiln::backend {
namespace {

struct powers {
    [[gnu::always_inline]] static double in_double(float a, float b) { return pow_in_double(a, b); }
    [[gnu::always_inline]] static float with_cases(float a, float b, float y) { return with_cases_of_pow(a, b, y); }
    static float nearest(float a, float b) { return nearest_pow(a, b); }
};

struct angles {
    [[gnu::always_inline]] static double in_double(float a, float b) { return atan2_in_double(a, b); }
    [[gnu::always_inline]] static float with_cases(float a, float b, float y) { return with_cases_of_atan2(a, b, y); }
    static float nearest(float a, float b) { return nearest_atan2(a, b); }
};

template <class Of>
[[gnu::always_inline]] inline void in_doubles(const float* a, const float* b, double* out, long long count) {
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = 0; i < count; ++i) out[i] = Of::in_double(a[i], b[i]);
}

/// `out` has the lower of two floats that a double may be; returns whether one has two. A loop of its own: in the one above powers took
/// 15 ns for 11 with SSE2, 4.5 for 4.0 with AVX2 (Zen 4).
template <class Of>
[[gnu::always_inline]] inline bool as_floats(const float* a, const float* b, const double* in_double, float* out,
                                             long long count) {
    unsigned int apart = 0;
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = 0; i < count; ++i) {
        const float_bounds y = float_bounds_of(in_double[i]);
        out[i] = Of::with_cases(a[i], b[i], y.low);
        apart |= bits_of(y.low) ^ bits_of(y.high);
    }
    return apart != 0;
}

/// By strips in memory of their own: `out` may be an argument. What is left of the last goes through whole vectors, too.
template <class Of>
[[gnu::always_inline]] inline void nearest_of_block(const float* a, const float* b, float* out, long long count) {
    constexpr long long strip = 256;
    static_assert(strip % together<float> == 0);
    for (long long from = 0; from < count; from += strip) {
        const long long length = count - from < strip ? count - from : strip;
        const long long whole = (length + together<float> - 1) / together<float> * together<float>;
        const float* of_a = a + from;
        const float* of_b = b + from;
        float filled_a[strip], filled_b[strip];
        if (whole != length) {
            for (long long i = 0; i < whole; ++i) filled_a[i] = i < length ? of_a[i] : 0.0f;
            for (long long i = 0; i < whole; ++i) filled_b[i] = i < length ? of_b[i] : 0.0f;
            of_a = filled_a;
            of_b = filled_b;
        }
        double in_double[strip];
        float made[strip];
        in_doubles<Of>(of_a, of_b, in_double, whole);
        if (as_floats<Of>(of_a, of_b, in_double, made, whole))
            for (long long i = 0; i < length; ++i) {
                const float_bounds y = float_bounds_of(in_double[i]);
                if (bits_of(y.low) != bits_of(y.high)) made[i] = Of::nearest(of_a[i], of_b[i]);
            }
        __builtin_memcpy(out + from, made, static_cast<unsigned long long>(length) * sizeof(float));
    }
}

[[maybe_unused]] void pow_of_block(const float* a, const float* b, float* out, long long count) {
    nearest_of_block<powers>(a, b, out, count);
}

[[maybe_unused]] void atan2_of_block(const float* a, const float* b, float* out, long long count) {
    nearest_of_block<angles>(a, b, out, count);
}

}  // namespace
}  // namespace kiln::backend
