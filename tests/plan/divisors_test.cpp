// What a scalar that divides is multiplied by: quotients as kernels make them (emit/helpers/divisors_cuda.inc), written down here once more for
// the host, beside the processor's own.
#include <plan/divisors.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_bits;

template <class T>
constexpr k::element_type type_of =
    sizeof(T) == 4 ? (std::is_signed_v<T> ? k::element_type::int32 : k::element_type::uint32)
                   : (std::is_signed_v<T> ? k::element_type::int64 : k::element_type::uint64);

template <class T>
T quotient_by(T a, T b, std::uint64_t by) {
    using U = std::make_unsigned_t<T>;
    constexpr int digits = 8 * sizeof(T);
    const U magnitude = std::is_signed_v<T> && b < T(0) ? U(0) - U(b) : U(b);
    const int shift = magnitude > 2 ? static_cast<int>(std::bit_width(U(magnitude - 1))) - 1 : 0;
    if constexpr (digits == 32)
        if (b != T(0)) REQUIRE(static_cast<int>(by >> 32) == shift);
    if constexpr (std::is_signed_v<T>) {
        const U product = U(static_cast<T>(wide{a} * wide{static_cast<T>(by)} >> digits)) + U(a);
        const U quotient = U(static_cast<T>(product) >> shift) + (U(a) >> (digits - 1));
        return static_cast<T>(b == 0 ? U(0) : b < 0 ? U(0) - quotient : quotient);
    } else {
        const U product = static_cast<U>(static_cast<wide_bits>(a) * static_cast<U>(by) >> digits);
        return b > 1 ? (product + ((a - product) >> 1)) >> shift : a & (U(0) - b);
    }
}

template <class T>
T quotient(T a, T b) {
    if (b == T(0)) return 0;
    if (std::is_signed_v<T> && b == T(-1))
        return static_cast<T>(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));
    return a / b;
}

/// About 0, about powers of two, and some others, of either sign.
template <class T>
std::vector<T> hard_numbers() {
    using U = std::make_unsigned_t<T>;
    std::vector<T> out;
    const auto add = [&out](U of) { out.insert(out.end(), {static_cast<T>(of), static_cast<T>(U(0) - of)}); };
    for (int digit = 0; digit < int(8 * sizeof(T)); ++digit)
        for (U beside = 0; beside < 5; ++beside) add((U(1) << digit) + beside - 2);
    for (const U each : {7, 10, 11, 100, 153, 365, 641, 1000, 1460, 36524, 146097, 1000003, 1000000007}) add(each);
    U state = 12345;
    for (int i = 0; i < 60; ++i) {
        state = static_cast<U>(state * U(6364136223846793005ull) + U(1442695040888963407ull));
        add(state >> i % (8 * sizeof(T) - 1));
    }
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("divisors: a product and a shift are the quotient, of every hard dividend and divisor", T,
                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    using U = std::make_unsigned_t<T>;
    const std::vector<T> numbers = hard_numbers<T>();
    std::int64_t wrong = 0;
    for (const T divisor : numbers) {
        const std::uint64_t by = k::plan::multiplier_of(type_of<T>, static_cast<U>(divisor));
        const auto check = [&](T dividend) {
            wrong += quotient_by(dividend, divisor, by) != quotient(dividend, divisor);
        };
        for (const T dividend : numbers) {
            check(dividend);
            // About a multiple, where quotients change.
            for (U beside = 0; beside < 3; ++beside) check(static_cast<T>(U(dividend) * U(divisor) + beside - 1));
        }
        const T most = std::numeric_limits<T>::max();
        if (divisor != T(0) && !(std::is_signed_v<T> && divisor == T(-1)))
            for (U beside = 0; beside < 3; ++beside) check(static_cast<T>(U(most / divisor * divisor) + beside - 1));
    }
    CHECK(wrong == 0);
}
