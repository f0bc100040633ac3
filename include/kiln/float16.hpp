// kiln/float16: the two 16-bit floating types as values on the host: float16 (IEEE 754 binary16) and bfloat16 (the upper
// half of a float). Arithmetic is the arrays' business; here they are made, converted and compared.
// Rounding is to nearest, ties to even; past the largest value is infinity; denormals are kept; NaN stays NaN.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

namespace kiln::inline v0_1 {

namespace detail {

/// Rounded to odd, so that a rounding to fewer bits (by 2 at least) that follows is the only one that counts.
/// Source: Boldo and Melquiond, Emulation of a FMA and correctly rounded sums, 2008.
constexpr float odd_float(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint32_t>(bits >> 63) << 31;
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    const std::uint64_t fraction = bits & 0xfffffffffffffu;
    if (exponent == 1024) return std::bit_cast<float>(sign | 0x7f800000u | (fraction ? 0x400000u : 0u));
    if (exponent > 127) return std::bit_cast<float>(sign | 0x7f7fffffu);
    // Far below the smallest denormal only "not zero" is left.
    const std::uint64_t whole = exponent == -1023 ? fraction : fraction | std::uint64_t{1} << 52;
    const int dropped = exponent >= -126 ? 29 : exponent < -160 ? 63 : 29 + (-126 - exponent);
    const bool inexact = (whole & ((std::uint64_t{1} << dropped) - 1)) != 0;
    auto kept = static_cast<std::uint32_t>(whole >> dropped);
    if (exponent >= -126) kept = (kept & 0x7fffffu) | static_cast<std::uint32_t>(exponent + 127) << 23;
    return std::bit_cast<float>(sign | kept | (inexact ? 1u : 0u));
}

/// The same from an integer of 64 bits.
template <std::integral I>
constexpr float odd_float_of(I value) {
    const bool negative = value < I{};
    auto magnitude = static_cast<std::uint64_t>(value);
    if (negative) magnitude = std::uint64_t{0} - magnitude;
    int shifted = 0;
    for (; magnitude >> 24; ++shifted) magnitude = magnitude >> 1 | (magnitude & 1);
    auto out = static_cast<float>(magnitude);
    for (; shifted > 0; --shifted) out *= 2;
    return negative ? -out : out;
}

constexpr std::uint16_t float16_bits(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return sign | 0x7e00u;
    if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // 65520, half way to 2^16
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    if (exponent < -25) return sign;
    // Below 2^-14 the last place stays 2^-24.
    const std::uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
    const int dropped = exponent >= -14 ? 13 : -1 - exponent;
    std::uint32_t kept = fraction >> dropped;
    const std::uint32_t rest = fraction & ((1u << dropped) - 1);
    const std::uint32_t half = 1u << (dropped - 1);
    kept += rest > half || (rest == half && (kept & 1u));
    // A carry out of the fraction is the next exponent.
    if (exponent >= -14) kept += static_cast<std::uint32_t>(exponent + 14) << 10;
    return static_cast<std::uint16_t>(sign | kept);
}

constexpr float float16_value(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
    const float denormal = static_cast<float>(magnitude) * 0x1p-24f;
    return sign ? -denormal : denormal;
}

constexpr std::uint16_t bfloat16_bits(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | 0x7fc0u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace detail

/// IEEE 754 binary16: 11 bits of precision, up to 65504.
struct float16 {
    std::uint16_t bits = 0;

    constexpr float16() = default;
    constexpr explicit float16(float value) : bits(detail::float16_bits(value)) {}
    /// One rounding: not by way of a rounded float.
    constexpr explicit float16(double value) : bits(detail::float16_bits(detail::odd_float(value))) {}
    template <std::integral I>
    constexpr explicit float16(I value) : bits(detail::float16_bits(detail::odd_float_of(value))) {}
    constexpr operator float() const { return detail::float16_value(bits); }
    static constexpr float16 from_bits(std::uint16_t bits) {
        float16 made;
        made.bits = bits;
        return made;
    }
    constexpr float16 operator-() const { return from_bits(bits ^ 0x8000u); }
};

/// The upper half of an IEEE 754 binary32: 8 bits of precision, float's range.
struct bfloat16 {
    std::uint16_t bits = 0;

    constexpr bfloat16() = default;
    constexpr explicit bfloat16(float value) : bits(detail::bfloat16_bits(value)) {}
    /// One rounding: not by way of a rounded float.
    constexpr explicit bfloat16(double value) : bits(detail::bfloat16_bits(detail::odd_float(value))) {}
    template <std::integral I>
    constexpr explicit bfloat16(I value) : bits(detail::bfloat16_bits(detail::odd_float_of(value))) {}
    constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
    static constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 made;
        made.bits = bits;
        return made;
    }
    constexpr bfloat16 operator-() const { return from_bits(bits ^ 0x8000u); }
};

namespace detail {

template <class T>
concept small_float = std::same_as<T, float16> || std::same_as<T, bfloat16>;

}  // namespace detail

template <detail::small_float T>
constexpr bool operator==(T left, T right) {
    return static_cast<float>(left) == static_cast<float>(right);
}
template <detail::small_float T>
constexpr auto operator<=>(T left, T right) {
    return static_cast<float>(left) <=> static_cast<float>(right);
}

}  // namespace kiln::inline v0_1

namespace kiln::inline v0_1::detail {

/// What the two numeric_limits have in common.
struct small_float_limits {
    static constexpr bool is_specialized = true;
    static constexpr bool is_signed = true;
    static constexpr bool is_integer = false;
    static constexpr bool is_exact = false;
    static constexpr bool has_infinity = true;
    static constexpr bool has_quiet_NaN = true;
    static constexpr bool has_signaling_NaN = true;
    static constexpr std::float_round_style round_style = std::round_to_nearest;
    static constexpr bool is_iec559 = true;
    static constexpr bool is_bounded = true;
    static constexpr bool is_modulo = false;
    static constexpr bool traps = false;
    static constexpr bool tinyness_before = false;
    static constexpr int radix = 2;
};

}  // namespace kiln::inline v0_1::detail

template <>
struct std::numeric_limits<kiln::float16> : kiln::detail::small_float_limits {
    static constexpr int digits = 11;
    static constexpr int digits10 = 3;
    static constexpr int max_digits10 = 5;
    static constexpr int min_exponent = -13;
    static constexpr int min_exponent10 = -4;
    static constexpr int max_exponent = 16;
    static constexpr int max_exponent10 = 4;
    static constexpr kiln::float16 min() noexcept { return kiln::float16::from_bits(0x0400); }
    static constexpr kiln::float16 lowest() noexcept { return kiln::float16::from_bits(0xfbff); }
    static constexpr kiln::float16 max() noexcept { return kiln::float16::from_bits(0x7bff); }
    static constexpr kiln::float16 epsilon() noexcept { return kiln::float16::from_bits(0x1400); }
    static constexpr kiln::float16 round_error() noexcept { return kiln::float16::from_bits(0x3800); }
    static constexpr kiln::float16 infinity() noexcept { return kiln::float16::from_bits(0x7c00); }
    static constexpr kiln::float16 quiet_NaN() noexcept { return kiln::float16::from_bits(0x7e00); }
    static constexpr kiln::float16 signaling_NaN() noexcept { return kiln::float16::from_bits(0x7d00); }
    static constexpr kiln::float16 denorm_min() noexcept { return kiln::float16::from_bits(0x0001); }
};

template <>
struct std::numeric_limits<kiln::bfloat16> : kiln::detail::small_float_limits {
    static constexpr int digits = 8;
    static constexpr int digits10 = 2;
    static constexpr int max_digits10 = 4;
    static constexpr int min_exponent = -125;
    static constexpr int min_exponent10 = -37;
    static constexpr int max_exponent = 128;
    static constexpr int max_exponent10 = 38;
    static constexpr kiln::bfloat16 min() noexcept { return kiln::bfloat16::from_bits(0x0080); }
    static constexpr kiln::bfloat16 lowest() noexcept { return kiln::bfloat16::from_bits(0xff7f); }
    static constexpr kiln::bfloat16 max() noexcept { return kiln::bfloat16::from_bits(0x7f7f); }
    static constexpr kiln::bfloat16 epsilon() noexcept { return kiln::bfloat16::from_bits(0x3c00); }
    static constexpr kiln::bfloat16 round_error() noexcept { return kiln::bfloat16::from_bits(0x3f00); }
    static constexpr kiln::bfloat16 infinity() noexcept { return kiln::bfloat16::from_bits(0x7f80); }
    static constexpr kiln::bfloat16 quiet_NaN() noexcept { return kiln::bfloat16::from_bits(0x7fc0); }
    static constexpr kiln::bfloat16 signaling_NaN() noexcept { return kiln::bfloat16::from_bits(0x7fa0); }
    static constexpr kiln::bfloat16 denorm_min() noexcept { return kiln::bfloat16::from_bits(0x0001); }
};
