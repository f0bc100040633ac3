// kiln/device/cpu/float32_pow: powers, the shorter way where that is sure of the float, and else by what defines it
// (emit/helpers/float32/pow.inc). Where nothing is fused it is not shorter, and not taken.
// in: the float32 functions' texts   out: `pow_of_one`, `pow_of_block`   knows nothing of: tables
#pragma once

#include <device/cpu/float32_texts.hpp>
#include <device/cpu/function_blocks.hpp>

namespace kiln::backend {
namespace {

#if defined(__FMA__) || defined(__aarch64__)
constexpr bool short_way_pays = true;
#else
constexpr bool short_way_pays = false;
#endif

[[maybe_unused]] float pow_of_one(float a, float b) {
    if constexpr (!short_way_pays) return deterministic_pow(a, b);
    const pow_bounds y = bounds_of_pow(magnitude_of(a), b);
    return bits_of(y.low) == bits_of(y.high) ? with_cases_of_pow(a, b, y.low) : deterministic_pow(a, b);
}

/// Whether all are sure; `out` has them then.
[[maybe_unused]] bool are_sure_powers(const float* a, const float* b, float* out, long long count) {
    unsigned int apart = 0;
    KILN_INDEPENDENT_ELEMENTS
    for (long long i = 0; i < count; ++i) {
        const pow_bounds y = bounds_of_pow(magnitude_of(a[i]), b[i]);
        apart |= bits_of(y.low) ^ bits_of(y.high);
        out[i] = with_cases_of_pow(a[i], b[i], y.low);
    }
    return apart == 0;
}

[[maybe_unused]] void powers(const float* a, const float* b, float* out, long long count) {
    each_of_blocks<woven<float>>(
        a, b, out, count, [](float x, float y) __attribute__((always_inline)) { return deterministic_pow(x, y); });
}

/// By strips, so that one power that is not sure costs 256 of the longer ones.
[[maybe_unused]] void pow_of_block(const float* a, const float* b, float* out, long long count) {
    constexpr long long strip = 256;
    long long from = 0;
    if constexpr (short_way_pays) {
        float sure[strip];
        for (; count - from >= together<float>;) {
            const long long length = count - from < strip ? (count - from) / together<float> * together<float> : strip;
            if (are_sure_powers(a + from, b + from, sure, length))
                __builtin_memcpy(out + from, sure, static_cast<unsigned long long>(length) * sizeof(float));
            else powers(a + from, b + from, out + from, length);
            from += length;
        }
    }
    powers(a + from, b + from, out + from, count - from);
}

}  // namespace
}  // namespace kiln::backend
