// kiln/random: random numbers made inside the kernel. Lazy: nothing is allocated or launched, and nothing is kept between
// calls. An element is a pure function of the seed and of its row-major position in the shape: the same bits on every
// device, fused or not, seen through any view, and element i of a longer array of one axis is element i of a shorter one.
// Arrays of one seed are made of the same draws and are not independent: give each a seed of its own (1, 2, 3 will do).
// A seed is a parameter of the kernel: another one compiles nothing. It may be an array of rank 0, too, or an expression of
// that shape: read by the kernel when it runs, so that a graph's replays draw anew where a step changes it.
// Source: Philox4x32-10; Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011. Not for secrets.
#pragma once

#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/generators.hpp>

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <utility>

namespace kiln::inline v0_1::random {

namespace detail {

using kiln::detail::make_position;

/// Throws error unless low < high and their distance is finite.
KILN_API void check_bounds(double low, double high, double distance);
[[noreturn]] KILN_API void throw_no_integers(const std::string& low, const std::string& high, bool is_empty,
                                             element_type type);
template <std::integral I>
constexpr auto widened(I bound) {
    return static_cast<std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>>(bound);
}
/// Whether there are integers in [low, high), and T holds each.
template <class T, class Low, class High>
constexpr bool holds_all(Low low, High high) {
    if (!std::cmp_less(low, high) || !std::in_range<T>(low)) return false;
    return high == 0 ? std::in_range<T>(-1) : std::in_range<T>(high - 1);
}
/// Throws error unless p is in [0, 1].
KILN_API void check_probability(double p);
/// Throws error where one is not finite, or the deviation is below 0.
KILN_API void check_normal(double mean, double stddev);

/// Throws shape_error unless it is ().
KILN_API void check_seed(const shape& of);

// A variable, not a concept: of a concept the compiler says at length why it is false.
template <class Seed>
inline constexpr bool is_seed = std::is_convertible_v<const Seed&, std::uint64_t>;
template <expression Seed>
inline constexpr bool is_seed<Seed> = kind_of(type_of<value_t<Seed>>) == element_kind::integer;

/// A number, or an expression of rank 0, as the operand of a draw.
template <class Seed>
auto seed_operand(const Seed& seed) {
    static_assert(is_seed<Seed>, "kiln: a seed is an integer, or an array of one: k::array<std::uint64_t> of shape ()");
    if constexpr (!expression<Seed>) {
        return scalar_leaf<std::uint64_t>{static_cast<std::uint64_t>(seed)};
    } else {
        check_seed(shape_of(seed));
        if constexpr (std::is_same_v<value_t<Seed>, std::uint64_t>)
            return kiln::detail::capture<element_type::uint64>(Seed(seed));
        else return cast<std::uint64_t>(seed);
    }
}

template <operation code, class Seed, class... Counts>
auto draw(const shape& extents, const Seed& seed, Counts... counts) {
    // Before the aggregate: what throws inside one leaves g++ 12 with members destroyed twice.
    auto key = seed_operand(seed);
    using Key = decltype(key);
    constexpr element_type result = kiln::detail::result_type(code, element_type::uint64);
    if constexpr (sizeof...(Counts) == 0)
        return applied<code, result, position_leaf, Key>{{}, {{}, make_position(extents)}, std::move(key)};
    else
        return applied<code, result, position_leaf, Key, scalar_leaf<std::uint64_t>>{
            {}, {{}, make_position(extents)}, std::move(key), {counts...}};
}

template <class T>
inline constexpr bool is_small = is_small_float(type_of<T>);

/// Bits of precision: what a draw in [0, 1) is a multiple of.
template <class T>
inline constexpr float steps = std::is_same_v<T, float16> ? 2048.0f : 256.0f;

/// The largest T below `high`, which rounding must not reach.
template <class T>
T below(T high) {
    if constexpr (is_small<T>) {
        const unsigned bits = high.bits;
        const unsigned next = (bits & 0x7fffu) == 0 ? 0x8001u : bits & 0x8000u ? bits + 1 : bits - 1;
        return T::from_bits(static_cast<std::uint16_t>(next));
    } else {
        return std::nextafter(high, -std::numeric_limits<T>::infinity());
    }
}

template <class...>
inline constexpr bool has_seed = false;
template <class T, class... None>
expr<T> say_that_a_seed_is_wanted() {
    static_assert(
        has_seed<T, None...>,
        "kiln: random numbers need a seed, behind all else: k::random::uniform<float>({10}, 7); one seed gives "
        "the same numbers every time, on every device");
    return {};
}

}  // namespace detail

template <class T>
concept floating_element = element<T> && kind_of(type_of<T>) == element_kind::floating;
template <class T>
concept integer_element = element<T> && kind_of(type_of<T>) == element_kind::integer;

// A seed is a number that converts to std::uint64_t, or an expression of integers of shape (); shape_error of another shape.

/// All bits random: T is std::uint32_t or std::uint64_t, the generator's words as they are (of 64 bits, the lower first).
template <element T, class Seed>
    requires(type_of<T> == element_type::uint32 || type_of<T> == element_type::uint64)
auto bits(const kiln::detail::extents& extents, const Seed& seed) {
    if constexpr (sizeof(T) == 4) return cast<T>(detail::draw<operation::random_u32>(extents, seed));
    else return detail::draw<operation::random_u64>(extents, seed);
}

/// Evenly in [0, 1): multiples of 2^-24 (float), 2^-53 (double), 2^-11 (float16), 2^-8 (bfloat16), each as likely.
template <floating_element T, class Seed>
auto uniform(const kiln::detail::extents& extents, const Seed& seed) {
    if constexpr (std::is_same_v<T, double>) return detail::draw<operation::random_f64>(extents, seed);
    else if constexpr (std::is_same_v<T, float>) return detail::draw<operation::random_f32>(extents, seed);
    else
        return cast<T>(
            cast<float>(cast<std::int32_t>(detail::draw<operation::random_f32>(extents, seed) * detail::steps<T>)) *
            (1 / detail::steps<T>));
}

/// Evenly in [low, high): low + u * (high - low) of the above u, computed in T (16-bit floats: in float), never high.
/// Throws error unless low < high and their distance is finite.
template <floating_element T, class Seed>
auto uniform(const kiln::detail::extents& extents, T low, T high, const Seed& seed) {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const auto from = static_cast<Wide>(low);
    const Wide distance = static_cast<Wide>(high) - from;
    detail::check_bounds(static_cast<double>(low), static_cast<double>(high), static_cast<double>(distance));
    const auto scaled = uniform<Wide>(extents, seed) * distance + from;
    if constexpr (std::is_same_v<T, Wide>) return min(scaled, detail::below(high));
    else return min(cast<T>(scaled), detail::below(high));
}
/// uniform<k::float16>({10}, 0.5f, 1.0f, 7)
template <floating_element T, class Seed>
    requires(!std::is_arithmetic_v<T>)
auto uniform(const kiln::detail::extents& extents, float low, float high, const Seed& seed) {
    return uniform<T>(extents, T(low), T(high), seed);
}

/// Of the normal distribution with mean 0 and standard deviation 1, the same bits on every device.
/// float: its quantile at one of 2^32 evenly spaced probabilities, a draw of 32 bits, by a table of cubics: within 6e-7 of
/// the exact one. Within 6.34 of 0, where the quantile of 2^-33 is; below 5.25 the values that can come are less than 1e-3
/// apart. float16, bfloat16: those rounded.
/// double: the quantile at (n + 1/2) / 2^64, where n is a draw of 64 bits, to 1e-15 of itself. Within 9.16 of 0.
/// Source: Wichura, Algorithm AS 241, 1988.
template <floating_element T, class Seed>
auto normal(const kiln::detail::extents& extents, const Seed& seed) {
    if constexpr (std::is_same_v<T, double>) return detail::draw<operation::random_normal>(extents, seed);
    else if constexpr (std::is_same_v<T, float>) return detail::draw<operation::random_normal_f32>(extents, seed);
    else return cast<T>(detail::draw<operation::random_normal_f32>(extents, seed));
}

/// mean + stddev * z of the above z, in T (16-bit floats: in float, then rounded). Throws error where stddev is below 0,
/// or one of them is not finite.
template <floating_element T, class Seed>
auto normal(const kiln::detail::extents& extents, T mean, T stddev, const Seed& seed) {
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    detail::check_normal(static_cast<double>(mean), static_cast<double>(stddev));
    auto scaled = normal<Wide>(extents, seed) * static_cast<Wide>(stddev) + static_cast<Wide>(mean);
    if constexpr (std::is_same_v<T, Wide>) return scaled;
    else return cast<T>(scaled);
}

/// Integers in [low, high), high left out. The upper part of a draw times (high - low), the draw of 64 bits for types up to
/// 32 bits and of 128 for those of 64: an integer's probability is off by less than 2^-32 (2^-64) of itself.
/// `high` may be one past T's largest: integers<std::uint8_t>(shape, 0, 256, seed).
/// Throws error unless low < high, and unless T holds low and high - 1. Source: NumPy, Generator.integers (which rejects
/// instead).
template <integer_element T, std::integral Low, std::integral High, class Seed>
auto integers(const kiln::detail::extents& extents, Low low, High high, const Seed& seed) {
    if (!detail::holds_all<T>(detail::widened(low), detail::widened(high)))
        detail::throw_no_integers(std::to_string(low), std::to_string(high),
                                  !std::cmp_less(detail::widened(low), detail::widened(high)), type_of<T>);
    constexpr operation code = sizeof(T) == 8 ? operation::random_below_wide : operation::random_below;
    const auto first = static_cast<std::uint64_t>(low);
    return cast<T>(detail::draw<code>(extents, seed, static_cast<std::uint64_t>(high) - first) + first);
}

/// true with probability p, to 2^-53. Throws error unless p is in [0, 1].
template <class Seed>
auto bernoulli(const kiln::detail::extents& extents, double p, const Seed& seed) {
    detail::check_probability(p);
    return uniform<double>(extents, seed) < p;
}

// k::random::uniform<int>({10}, 0, 6, 7), k::random::integers<float>({10}, 0, 6, 7)
template <element T, class... Rest>
    requires(!floating_element<T>)
T uniform(const kiln::detail::extents&, const Rest&...) {
    static_assert(floating_element<T>,
                  "kiln: uniform is of floats; of integers k::random::integers<T>(shape, low, high, seed)");
    return {};
}
template <element T, class... Rest>
    requires(!floating_element<T>)
T normal(const kiln::detail::extents&, const Rest&...) {
    static_assert(floating_element<T>, "kiln: normal is of floats; k::cast<T>(k::rint(z)) makes integers of them");
    return {};
}
template <element T, class... Rest>
    requires(!integer_element<T>)
T integers(const kiln::detail::extents&, const Rest&...) {
    static_assert(integer_element<T>,
                  "kiln: integers is of integers; of floats k::random::uniform<T>(shape, low, high, seed)");
    return {};
}

// k::random::uniform<float>({10}), k::random::normal<float>({10}, 0.0f, 1.0f)
template <floating_element T>
expr<T> uniform(const kiln::detail::extents&) {
    return detail::say_that_a_seed_is_wanted<T>();
}
template <floating_element T>
expr<T> uniform(const kiln::detail::extents&, T, T) {
    return detail::say_that_a_seed_is_wanted<T>();
}
template <floating_element T>
expr<T> normal(const kiln::detail::extents&) {
    return detail::say_that_a_seed_is_wanted<T>();
}
template <floating_element T>
expr<T> normal(const kiln::detail::extents&, T, T) {
    return detail::say_that_a_seed_is_wanted<T>();
}
template <integer_element T, std::integral Low, std::integral High>
expr<T> integers(const kiln::detail::extents&, Low, High) {
    return detail::say_that_a_seed_is_wanted<T>();
}
template <class... None>
    requires(sizeof...(None) == 0)
expr<bool> bernoulli(const kiln::detail::extents&, double) {
    return detail::say_that_a_seed_is_wanted<bool, None...>();
}

// k::random::uniform({10}, 7)
template <class... None>
    requires(sizeof...(None) == 0)
auto bits(const kiln::detail::extents&, std::uint64_t) {
    kiln::detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return std::uint64_t{};
}
template <class... None>
    requires(sizeof...(None) == 0)
auto uniform(const kiln::detail::extents&, std::uint64_t) {
    kiln::detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return std::uint64_t{};
}
template <class... None>
    requires(sizeof...(None) == 0)
auto normal(const kiln::detail::extents&, std::uint64_t) {
    kiln::detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return std::uint64_t{};
}
template <class... None>
    requires(sizeof...(None) == 0)
auto integers(const kiln::detail::extents&, std::int64_t, std::int64_t, std::uint64_t) {
    kiln::detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return std::uint64_t{};
}

}  // namespace kiln::inline v0_1::random
