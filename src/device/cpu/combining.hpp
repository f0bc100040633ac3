// kiln/device/cpu/combining: how elements combine on the CPU: by the bodies of operation_table.def and reduction_bodies.def, which
// kernels have as text. Included once by each file that combines.
#pragma once

#include <device/operation_bodies.hpp>

#include <limits>
#include <type_traits>

namespace kiln::backend {
namespace {

template <int type>
using element = typename type_at<type>::type;

template <int type>
struct combining {
    using accumulator = element<type>;
    static accumulator of(accumulator value, std::int64_t) { return value; }
    template <class Body>
    static accumulator by(accumulator a, accumulator b) {
        return run_one<Body, type>(a, b, accumulator{}, nullptr);
    }
};

/// Of what no element is worse than: the largest of minima.
template <int type>
element<type> worst(bool of_largest) {
    using T = element<type>;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if constexpr (kind_of<T> == kind::logical) return !of_largest;
    else if constexpr (is_small_float<T>) return small_float_from<T>(of_largest ? -infinity : infinity);
    else if constexpr (kind_of<T> == kind::floating) return of_largest ? -infinity : infinity;
    else return of_largest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

template <int type>
struct conditions {
#define KILN_REDUCTION_BODY(name, body)                              \
    template <class Accumulator>                                     \
    static bool name(const Accumulator& x0, const Accumulator& x1) { \
        [[maybe_unused]] const auto a = value_of(x0);                \
        [[maybe_unused]] const auto b = value_of(x1);                \
        return body;                                                 \
    }
#include <capture/reduction_bodies.def>

private:
    template <class Accumulator>
    static auto value_of(const Accumulator& of) {
        if constexpr (requires { of.value; }) return computed(of.value);
        else return 0;
    }
};

template <int type>
struct adding : combining<type> {
    static element<type> identity() {
        using T = element<type>;
        if constexpr (kind_of<T> == kind::complex) return {-0.0f, -0.0f};
        else if constexpr (kind_of<T> == kind::floating) return -T(0);
        else return T(0);
    }
    static element<type> combine(element<type> a, element<type> b) {
        return combining<type>::template by<add_body>(a, b);
    }
    template <class Vector>
    [[gnu::always_inline]] static Vector combine_vectors(const Vector& a, const Vector& b)
        requires(std::is_floating_point_v<element<type>>)
    {
        return a + b;
    }
};

template <int type>
struct multiplying : combining<type> {
    static element<type> identity() {
        using T = element<type>;
        if constexpr (kind_of<T> == kind::complex) return {1, 0};
        else return T(1);
    }
    static element<type> combine(element<type> a, element<type> b) {
        if constexpr (kind_of<element<type>> == kind::complex) {
            if (conditions<type>::first_is_one(a, b)) return b;
            if (conditions<type>::second_is_one(a, b)) return a;
        }
        return combining<type>::template by<mul_body>(a, b);
    }
    template <class Vector>
    [[gnu::always_inline]] static Vector combine_vectors(const Vector& a, const Vector& b)
        requires(std::is_floating_point_v<element<type>>)
    {
        return a * b;
    }
};

}  // namespace
}  // namespace kiln::backend
