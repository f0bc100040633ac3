// tests/support/values: the elements that tests meet everywhere: those at which rules change, and all pairs of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace tests {

template <class T>
inline constexpr bool is_complex = requires(T t) { t.imag(); };

/// NaN of both signs, infinities, both zeros, denormals, ends of ranges (its own and those of the integers), -1, 0,
/// 255.
template <class T>
std::vector<T> special_values() {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, bool>) {
        return {false, true};
    } else if constexpr (std::is_same_v<T, std::uint8_t>) {
        return {0, 1, 2, 3, 7, 100, 127, 128, 200, 254, 255};
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8 && std::is_unsigned_v<T>) {
        return {0,
                1,
                2,
                3,
                7,
                255,
                256,
                16777217,
                0x7fffffffffffffff,
                0x8000000000000000,
                limits::max() - 1,
                limits::max()};
    } else if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
        return {limits::min(),
                T(limits::min() + 1),
                T(-7),
                T(-2),
                T(-1),
                0,
                1,
                2,
                3,
                7,
                100,
                T(limits::max() / 2 + 1),
                T(limits::max() - 1),
                limits::max()};
    } else if constexpr (std::is_integral_v<T>) {
        return {limits::min(),
                limits::min() + 1,
                T(-256),
                T(-255),
                T(-7),
                T(-2),
                T(-1),
                0,
                1,
                2,
                3,
                7,
                255,
                256,
                16777217,
                limits::max() / 2 + 1,
                limits::max() - 1,
                limits::max()};
    } else if constexpr (is_complex<T>) {
        using R = typename T::value_type;
        using parts = std::numeric_limits<R>;
        const R list[] = {
            parts::quiet_NaN(), parts::infinity(), -parts::infinity(), R(0), -R(0), R(1), R(-2.5), parts::denorm_min(),
            parts::max(),       R(1e-30)};
        std::vector<T> out;
        for (const R re : list)
            for (const R im : list) out.push_back(T(re, im));
        return out;
    } else if constexpr (sizeof(T) == 2) {
        std::vector<T> out;
        for (const float value : special_values<float>()) out.push_back(T(value));
        for (const std::uint16_t bits : {0x0001, 0x8001, 0x03ff, 0x0400, 0x007f, 0x0080, 0x3c01, 0x3f81, 0x7bff, 0xfbff,
                                         0x7f7f, 0xff7f, 0x6400, 0x4300})
            out.push_back(T::from_bits(bits));
        return out;
    } else {
        constexpr T top_of_int32 = 2147483648.0f;
        constexpr T top_of_int64 = 9223372036854775808.0f;
        return {limits::quiet_NaN(),
                -limits::quiet_NaN(),
                limits::infinity(),
                -limits::infinity(),
                T(0),
                -T(0),
                T(1),
                T(-1),
                T(0.5),
                T(-0.5),
                T(2),
                T(3),
                T(-3.5),
                T(1) / 3,
                limits::denorm_min(),
                -limits::denorm_min(),
                limits::min() - limits::denorm_min(),
                limits::min(),
                limits::max(),
                limits::lowest(),
                1 + limits::epsilon(),
                T(16777217),
                T(255),
                T(255.75),
                T(256),
                top_of_int32,
                -top_of_int32,
                top_of_int64,
                -top_of_int64,
                T(1e-30)};
    }
}

template <class T>
struct pairs {
    std::vector<T> left;
    std::vector<T> right;
};

/// Element i * n + j is (values[i], values[j]).
template <class T>
pairs<T> all_pairs(const std::vector<T>& values) {
    pairs<T> out;
    for (const T left : values) {
        for (const T right : values) {
            out.left.push_back(left);
            out.right.push_back(right);
        }
    }
    return out;
}

/// `count` different looking elements, the same at every call; of floats, none is NaN and most are no integers.
template <class T>
std::vector<T> ordinary_values(std::size_t count, std::uint64_t seed = 1) {
    std::vector<T> out(count);
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto high = static_cast<std::int64_t>(state >> 33);
        if constexpr (std::is_same_v<T, bool>) out[i] = high & 1;
        else if constexpr (is_complex<T>) {
            using R = typename T::value_type;
            out[i] = T(static_cast<R>(high % 4096) / R(64) - R(20), static_cast<R>(high / 4096 % 4096) / R(128) - R(9));
        } else if constexpr (std::numeric_limits<T>::has_infinity && sizeof(T) == 2)
            out[i] = T(static_cast<float>(high - (std::int64_t{1} << 30)) / float(1 << 24));
        else if constexpr (std::is_floating_point_v<T>)
            out[i] = static_cast<T>(high - (std::int64_t{1} << 30)) / T(1 << 24);
        else out[i] = static_cast<T>(high);
    }
    return out;
}

}  // namespace tests
