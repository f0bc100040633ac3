// tests/support/oracle: what an expression is worth, by a third implementation. It shares nothing with kiln: its own
// operations, its own types, its own rules, written out a second time so that a slip in one of the two shows.
// in: a tree of operations over elements   out: the elements of the result   knows nothing of: kiln
//
// Floats are held in binary128 and rounded to their type after every operation. One operation on binary128 and one
// rounding to 53 bits (or fewer) is exact rounding, because 113 >= 2 * 53 + 2.
// Source: Figueroa, When is double rounding innocuous?, 1995. Integers are held in 128 bits and wrapped.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Only named: their bits are read here.
namespace kiln::inline v0_1 {
struct float16;
struct bfloat16;
}  // namespace kiln::inline v0_1

namespace oracle {

__extension__ typedef __int128 int128;
#if __LDBL_MANT_DIG__ == 113
typedef long double wide;  // AArch64's is binary128
#else
__extension__ typedef __float128 wide;
#endif

enum class type : std::uint8_t { b8, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128 };

enum class op : std::uint8_t {
    add,
    sub,
    mul,
    div,
    rem,
    neg,
    abs,
    real,
    imag,
    conj,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    logical_and,
    logical_or,
    logical_not,
    min,
    max,
    where,
    sqrt,
    fma,
    floor_divide,
    floor_mod,
    trunc_divide,
    bit_and,
    bit_or,
    bit_xor,
    bit_not,
    shift_left,
    shift_right,
    popcount,
    clz,
    ctz,
    isnan,
    isinf,
    isfinite,
    sign,
    square,
    relu,
    floor,
    ceil,
    trunc,
    round,
    rint,
    clamp,
    lerp,
    reciprocal,
    rsqrt,
    copysign,
    nextafter,
    // Library functions from here on: right to some ulp, not to the bit.
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    sinh,
    cosh,
    tanh,
    asinh,
    acosh,
    atanh,
    pow,
    hypot,
    cbrt,
    erf,
    erfc,
    erfinv,
    normcdf,
    lgamma,
    tgamma,
    sigmoid,
    gelu,
};

[[nodiscard]] bool is_float(type of);
[[nodiscard]] bool is_complex(type of);
/// Of a complex type, the type of its parts; of any other, itself.
[[nodiscard]] type part_of(type of);
[[nodiscard]] bool is_library(op code);
[[nodiscard]] const char* name_of(type of);
[[nodiscard]] const char* name_of(op code);

/// One element: `whole` for booleans and integers, `real` for floats, `real` and `imag` for complex numbers.
struct value {
    type of = type::i32;
    int128 whole = 0;
    wide real = 0;
    wide imag = 0;
};

[[nodiscard]] value make_whole(type of, int128 exact);  // wraps
[[nodiscard]] value make_real(type of, wide exact);     // rounds to nearest, ties to even
[[nodiscard]] value make_complex(type of, wide real, wide imag);
/// f16 and bf16 by their bits, read and written a second time.
[[nodiscard]] value from_bits16(type of, std::uint16_t bits);
[[nodiscard]] std::uint16_t to_bits16(const value& held);
[[nodiscard]] std::string to_string(const value& shown);

template <class T>
inline constexpr type type_for = type::i32;
template <>
inline constexpr type type_for<bool> = type::b8;
template <>
inline constexpr type type_for<std::int8_t> = type::i8;
template <>
inline constexpr type type_for<std::uint8_t> = type::u8;
template <>
inline constexpr type type_for<std::int16_t> = type::i16;
template <>
inline constexpr type type_for<std::uint16_t> = type::u16;
template <>
inline constexpr type type_for<std::uint32_t> = type::u32;
template <>
inline constexpr type type_for<std::int64_t> = type::i64;
template <>
inline constexpr type type_for<std::uint64_t> = type::u64;
template <>
inline constexpr type type_for<kiln::float16> = type::f16;
template <>
inline constexpr type type_for<kiln::bfloat16> = type::bf16;
template <>
inline constexpr type type_for<float> = type::f32;
template <>
inline constexpr type type_for<double> = type::f64;
template <>
inline constexpr type type_for<std::complex<float>> = type::c64;
template <>
inline constexpr type type_for<std::complex<double>> = type::c128;

template <class T>
[[nodiscard]] value from(T element) {
    constexpr type of = type_for<T>;
    if constexpr (of == type::f16 || of == type::bf16) return from_bits16(of, element.bits);
    else if constexpr (of == type::c64 || of == type::c128) return make_complex(of, element.real(), element.imag());
    else if constexpr (of == type::f32 || of == type::f64) return make_real(of, element);
    else return make_whole(of, element);
}

template <class T>
[[nodiscard]] T to(const value& held) {
    constexpr type of = type_for<T>;
    if constexpr (of == type::f16 || of == type::bf16) {
        return T::from_bits(to_bits16(held));
    } else if constexpr (of == type::c64 || of == type::c128) {
        using R = typename T::value_type;
        return T(static_cast<R>(held.real), static_cast<R>(held.imag));
    } else if constexpr (of == type::f32 || of == type::f64) {
        return static_cast<T>(held.real);
    } else {
        return static_cast<T>(held.whole);
    }
}

template <class T>
[[nodiscard]] std::vector<value> from_all(const std::vector<T>& elements) {
    std::vector<value> out;
    out.reserve(elements.size());
    for (const T element : elements) out.push_back(from<T>(element));
    return out;
}

// --- rules ----------------------------------------------------------------------------------------------------------

[[nodiscard]] type promoted(type left, type right);
/// The type that the operands of `code` are brought to before it is computed.
[[nodiscard]] type operand_type(op code, type met);
[[nodiscard]] type result_type(op code, type met);

[[nodiscard]] value converted(const value& from, type to);
/// Operands of any types; of `where`, the condition first.
[[nodiscard]] value computed(op code, const std::vector<value>& operands);

/// A library function in long double, before any rounding to the element type.
[[nodiscard]] long double library_exact(op code, const std::vector<value>& operands);
/// How far `got` is from `exact`, in units in the last place of `got`'s type at `exact`. 0 for two NaNs, and for
/// infinities and zeros that agree in sign; infinite where one is a NaN and the other is not.
[[nodiscard]] long double ulps_between(const value& got, long double exact);

// --- trees ----------------------------------------------------------------------------------------------------------

struct node;
using tree = std::shared_ptr<const node>;

/// Where an element of a view comes from.
struct source {
    int arg = 0;
    std::int64_t element = 0;  // of that arg
};

struct node {
    enum class kind : std::uint8_t { elements, operation, cast, gathered };
    kind what = kind::elements;
    op code = op::add;
    type of = type::i32;        // of its value
    std::vector<value> leaves;  // of `elements`: one per position, or one for all
    std::vector<tree> args;
    std::vector<source> sources;  // of `gathered`: one per element
};

[[nodiscard]] tree elements(type of, std::vector<value> each);
[[nodiscard]] tree scalar(const value& at_every_position);
[[nodiscard]] tree operation(op code, std::vector<tree> args);
[[nodiscard]] tree cast(type to, tree arg);
/// Any view, broadcasting, or joining of args of one type: element by element, where it comes from.
[[nodiscard]] tree gathered(std::vector<tree> args, std::vector<source> sources);

template <class T>
[[nodiscard]] tree elements(const std::vector<T>& each) {
    return elements(type_for<T>, from_all(each));
}

/// The results of a library function for operands already in one type; whoever gives them answers for them.
using library = std::function<std::vector<value>(op code, type of, const std::vector<std::vector<value>>& operands)>;

/// `count` elements; of one element, that one `count` times. Each node once, however often it is shared; recursive, so for trees that fit a stack. Library
/// functions are taken from `measured`, so that what follows them can be compared to the bit; without it, from long
/// double.
[[nodiscard]] std::vector<value> evaluate(const tree& root, std::size_t count, const library& measured = {});

}  // namespace oracle
