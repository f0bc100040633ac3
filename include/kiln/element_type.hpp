// kiln/element_type: what an array can hold, and which type an operation on two of them has.
// One list (element_type.def); sizes, names, spellings and the promotion rule are read off it.
#pragma once

#include <kiln/float16.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kiln::inline v0_1 {

enum class element_type : std::uint8_t {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) name,
#include <kiln/element_type.def>
};

/// Ranked: the higher kind wins when two meet.
enum class element_kind : std::uint8_t { logical, integer, floating, complex };

struct element_type_info {
    const char* name;      // as in NumPy: "float32"
    const char* suffix;    // in kernel names: "f32"
    const char* spelling;  // in kernels: "float"
    element_kind kind;
    int bytes;
};

namespace detail {
inline constexpr element_type_info element_types[] = {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    {#name, suffix, spelling, element_kind::kind, static_cast<int>(sizeof(type))},
#include <kiln/element_type.def>
};
}  // namespace detail

inline constexpr int element_type_count = static_cast<int>(sizeof(detail::element_types) / sizeof(element_type_info));

constexpr const element_type_info& info(element_type type) { return detail::element_types[static_cast<int>(type)]; }
/// "float32"
constexpr const char* to_string(element_type type) { return info(type).name; }
constexpr element_kind kind_of(element_type type) { return info(type).kind; }
constexpr int bytes_of(element_type type) { return info(type).bytes; }

/// float16 and bfloat16, which round after every operation but are computed in float32.
constexpr bool is_small_float(element_type type) {
    return type == element_type::float16 || type == element_type::bfloat16;
}

/// The type of a complex type's parts; any other type itself.
constexpr element_type component_of(element_type type) {
    if (type == element_type::complex64) return element_type::float32;
    return type == element_type::complex128 ? element_type::float64 : type;
}

/// The narrowest complex type whose parts hold a real type's values; of integers, complex64: kinds, not widths, promote.
constexpr element_type complex_of(element_type type) {
    const bool wide = type == element_type::float64 || type == element_type::complex128;
    return wide ? element_type::complex128 : element_type::complex64;
}

/// The type in which array meets array: the higher kind, then the later row of the list (small integers stay small:
/// uint8 + uint8 is uint8). Neither 16-bit float holds the other: they meet in float32.
/// A floating type takes a complex one to parts that hold it: float64 and complex64 meet in complex128.
/// Source: C++ usual arithmetic conversions, less the promotion to int.
constexpr element_type promote(element_type left, element_type right) {
    if (kind_of(left) == element_kind::complex && kind_of(right) == element_kind::floating) right = complex_of(right);
    if (kind_of(right) == element_kind::complex && kind_of(left) == element_kind::floating) left = complex_of(left);
    if (kind_of(left) != kind_of(right)) return kind_of(left) > kind_of(right) ? left : right;
    if (left != right && is_small_float(left) && is_small_float(right)) return element_type::float32;
    return left > right ? left : right;
}

/// Whether a value of type `from` may be assigned to an array of `to` without a cast.
constexpr bool assignable(element_type from, element_type to) { return promote(from, to) == to; }

namespace detail {

template <class T>
struct element_type_of;
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling)     \
    template <>                                                   \
    struct element_type_of<type> {                                \
        static constexpr element_type value = element_type::name; \
    };
#include <kiln/element_type.def>

/// Of long and long long, both of 64 bits, std::int64_t is one; the other is an element type too, and the same one.
using other_int64 = std::conditional_t<std::is_same_v<std::int64_t, long>, long long, long>;
using other_uint64 = std::make_unsigned_t<other_int64>;
static_assert(sizeof(other_int64) == 8 && !std::is_same_v<other_int64, std::int64_t>);
template <>
struct element_type_of<other_int64> {
    static constexpr element_type value = element_type::int64;
};
template <>
struct element_type_of<other_uint64> {
    static constexpr element_type value = element_type::uint64;
};

template <element_type>
struct cpp_type_of;
#define KILN_ELEMENT_TYPE(name, type_, suffix, kind, spelling) \
    template <>                                                \
    struct cpp_type_of<element_type::name> {                   \
        using type = type_;                                    \
    };
#include <kiln/element_type.def>

// A variable, not a requirement: of an unknown type the compiler says no more than that it is false.
template <class T>
inline constexpr bool is_element = requires { element_type_of<T>::value; };

constexpr element_type integer_type(int bytes, bool is_signed) {
    switch (bytes) {
        case 1: return is_signed ? element_type::int8 : element_type::uint8;
        case 2: return is_signed ? element_type::int16 : element_type::uint16;
        case 4: return is_signed ? element_type::int32 : element_type::uint32;
        default: return is_signed ? element_type::int64 : element_type::uint64;
    }
}

/// The C++ integers that are no element type (char, wchar_t) act as the element type of their size and sign; long double
/// as float64.
template <class S>
constexpr element_type scalar_type() {
    if constexpr (requires { element_type_of<S>::value; }) return element_type_of<S>::value;
    else if constexpr (std::is_floating_point_v<S>) return element_type::float64;
    else return integer_type(sizeof(S), std::is_signed_v<S>);
}

}  // namespace detail

/// A type of element_type.def, or the other 64-bit integer beside std::int64_t and std::uint64_t.
template <class T>
concept element = detail::is_element<T>;

template <element T>
inline constexpr element_type type_of = detail::element_type_of<T>::value;

template <element_type type>
using cpp_type = typename detail::cpp_type_of<type>::type;

namespace detail {

// Compilers name both types beside what it says.
template <element From, element To>
constexpr void require_assignable() {
    constexpr bool drops_imaginary_part =
        kind_of(type_of<From>) == element_kind::complex && kind_of(type_of<To>) != element_kind::complex;
    static_assert(!drops_imaginary_part,
                  "kiln: complex numbers are not assigned to real ones: k::real(z), k::imag(z) or k::abs(z)");
    constexpr bool are_floating =
        kind_of(type_of<From>) == element_kind::floating && kind_of(type_of<To>) == element_kind::floating;
    static_assert(!are_floating || assignable(type_of<From>, type_of<To>),
                  "kiln: assigning to a floating type that does not hold the other's numbers needs "
                  "k::cast<T>(expression) of the target's type T");
    static_assert(
        drops_imaginary_part || are_floating || assignable(type_of<From>, type_of<To>),
        "kiln: assigning to a type that is narrower, or signed where the other is not, needs "
        "k::cast<T>(expression) of the target's type T, as k::cast<int>(k::sum(n)): sums, counts and positions "
        "of integers are int64");
}

// zeros({3}), arange(10), load_npy("x.npy")
template <int types>
void say_that_a_type_is_wanted() {
    static_assert(
        types > 0,
        "kiln: generators, files and random numbers need a type: k::zeros<float>({2, 3}), k::arange<int>(10), "
        "k::load_npy<float>(path), k::random::uniform<float>(shape, seed)");
}

}  // namespace detail

}  // namespace kiln::inline v0_1
