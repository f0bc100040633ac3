// kiln/device/cpu/host_sums: how sums and products combine on the CPU, of values of one type.
// knows nothing of: threads, shapes
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace kiln::backend {

/// Before it is added: emit/helpers/bits_host.inc says why.
template <class R>
R rounded(R product) {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    return __builtin_assoc_barrier(product);
#else
    return product;
#endif
}

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

template <class T>
struct adding {
    using accumulator = T;
    static T identity() {
        if constexpr (is_complex<T>) return T(-typename T::value_type(0), -typename T::value_type(0));
        else if constexpr (std::is_floating_point_v<T>) return -T(0);
        else return T(0);
    }
    static T of(T value, std::int64_t) { return value; }
    static T combine(T a, T b) {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
        else return a + b;
    }
};

template <class T>
struct multiplying {
    using accumulator = T;
    static T identity() { return T(1); }
    static T of(T value, std::int64_t) { return value; }
    static T combine(T a, T b) {
        if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) * static_cast<std::make_unsigned_t<T>>(b));
        } else if constexpr (is_complex<T>) {
            // 1 leaves an infinity as it is, which the product would not.
            if (a == T(1)) return b;
            if (b == T(1)) return a;
            return T(rounded(a.real() * b.real()) - rounded(a.imag() * b.imag()),
                     rounded(a.real() * b.imag()) + rounded(a.imag() * b.real()));
        } else {
            return a * b;
        }
    }
};

}  // namespace kiln::backend
