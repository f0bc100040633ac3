// kiln/device/operation_bodies: operation_table.def's bodies as functions of one element. Included once by each file that computes with
// them: blocks_<instruction set>.cpp, and what combines elements on the CPU.
// in: the table of operations   out: run_one   knows nothing of: programs, loops
//
// All of it is in an unnamed namespace, and nothing of the standard library that has code is used: an inline function
// compiled here with AVX-512 could be the copy that the linker keeps for the whole program.
#pragma once

#include <emit/library.hpp>
#include <lower/function_body.hpp>

#include <kiln/float16.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace kiln::backend {
namespace {

enum class kind : int { logical, integer, floating, complex };
/// As kiln::operation; expression.hpp has too much code to be included here.
enum class operation : int {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) name,
#include <kiln/operation_table.def>
};

/// By operation: the row of emit/library.hpp that it is of floating numbers; -1: none. Here, where LIBRARY is still a word.
inline constexpr int library_row_of[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) \
    emit::row_of(lower::function_of_body(#floating)),
#include <kiln/operation_table.def>
};

enum class rule : int {
    arithmetic,
    whole,
    bitwise,
    comparison,
    logical,
    floating,
    selection,
    conditional,
    component,
    floating_component,
    polar,
    scaled,
    draw,
    draw_f32,
    draw_f64,
};

template <kind>
struct kind_tag {};

/// What a body of NEVER is.
struct never {};

// --- the helpers, and what they call ---

#define KILN_HELPER [[maybe_unused]] static inline
#define KILN_RARE_HELPER KILN_HELPER
#define KILN_SMALL_HELPER [[maybe_unused]] static inline __attribute__((always_inline))
#define KILN_HELPER_TABLE [[maybe_unused]] static const
using i64 = long long;
#define KILN_LIBRARY_PARAMETER const void *const *library,
#define KILN_LIBRARY library,
#define KILN_PARAMETERS_1(T) T a
#define KILN_PARAMETERS_2(T) T a, T b
#define KILN_ARGUMENTS_1 a
#define KILN_ARGUMENTS_2 a, b
#define KILN_EACH(name, arity)                                         \
    KILN_HELPER float EXACT_##name(KILN_PARAMETERS_##arity(float)) {   \
        return __builtin_##name##f(KILN_ARGUMENTS_##arity);            \
    }                                                                  \
    KILN_HELPER double EXACT_##name(KILN_PARAMETERS_##arity(double)) { \
        return __builtin_##name(KILN_ARGUMENTS_##arity);               \
    }
KILN_EXACT_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
#define KILN_EACH(name, arity, in_double)                                                                              \
    KILN_HELPER float LIBRARY_##name(KILN_LIBRARY_PARAMETER KILN_PARAMETERS_##arity(float)) {                          \
        return reinterpret_cast<float (*)(KILN_PARAMETERS_##arity(float))>(                                            \
            const_cast<void*>(library[static_cast<int>(emit::library_function::name##_f32)]))(KILN_ARGUMENTS_##arity); \
    }                                                                                                                  \
    KILN_HELPER double LIBRARY_##name(KILN_LIBRARY_PARAMETER KILN_PARAMETERS_##arity(double)) {                        \
        return reinterpret_cast<double (*)(KILN_PARAMETERS_##arity(double))>(                                          \
            const_cast<void*>(library[static_cast<int>(emit::library_function::name##_f64)]))(KILN_ARGUMENTS_##arity); \
    }
KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
/// Elements in their own place.
KILN_HELPER void BLOCK_exp(KILN_LIBRARY_PARAMETER float* values, long long count) {
    constexpr int slot = emit::block_slot(emit::row_of("exp"), emit::precision::float32);
    reinterpret_cast<void (*)(const float*, float*, long long)>(const_cast<void*>(library[slot]))(values, values,
                                                                                                  count);
}
KILN_HELPER void BLOCK_exp(KILN_LIBRARY_PARAMETER double* values, long long count) {
    constexpr int slot = emit::block_slot(emit::row_of("exp"), emit::precision::float64);
    reinterpret_cast<void (*)(const double*, double*, long long)>(const_cast<void*>(library[slot]))(values, values,
                                                                                                    count);
}
// clang-format off
#include <emit/helpers/bits_host.inc>
#include <emit/helpers/bits_odd.inc>
#include <emit/helpers/float16_host.inc>
#include <emit/helpers/vectors_host.inc>
#include <emit/helpers/float16.inc>
#include <emit/helpers/complex.inc>
#include <emit/helpers/functions.inc>
#include <emit/helpers/normal_table.inc>
#include <emit/helpers/random.inc>
#include <emit/helpers/moments.inc>
#include <emit/helpers/exponentials.inc>
// clang-format on

// --- the element types ---

enum type_number : int {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) number_##name,
#include <kiln/element_type.def>
};

/// What a public type is here. Those that have code are only named: see above.
template <class T>
struct raw {
    using type = T;
};
template <>
struct raw<::kiln::float16> {
    using type = f16;
};
template <>
struct raw<::kiln::bfloat16> {
    using type = bf16;
};

template <>
struct raw<::std::complex<float>> {
    using type = c64;
};
template <>
struct raw<::std::complex<double>> {
    using type = c128;
};

template <int number>
struct type_at;
#define KILN_ELEMENT_TYPE(name, type_, suffix, kind, spelling) \
    template <>                                                \
    struct type_at<number_##name> {                            \
        using type = raw<type_>::type;                         \
    };
#include <kiln/element_type.def>

template <class T>
inline constexpr kind kind_of = kind::integer;
#define KILN_ELEMENT_TYPE(name, type_, suffix, kind_, spelling) \
    template <>                                                 \
    inline constexpr kind kind_of<typename type_at<number_##name>::type> = kind::kind_;
#include <kiln/element_type.def>

template <class T>
struct component {
    using type = T;
};
template <class R>
struct component<complex<R>> {
    using type = R;
};

/// What polar makes of its operands' type, and scale scales.
template <class T>
struct complex_for {
    using type = c64;
};
template <>
struct complex_for<double> {
    using type = c128;
};

// A 16-bit float is computed in float and rounded after every operation; any other type in itself.
inline float computed(f16 a) { return f32_from_f16(a); }
inline float computed(bf16 a) { return f32_from_bf16(a); }
template <class T>
inline T computed(T a) {
    return a;
}
template <class T>
using computed_t = decltype(computed(T{}));
template <class T>
inline constexpr bool is_small_float = kind_of<T> == kind::floating && sizeof(T) == 2;

/// float16 and bfloat16 from anything, with one rounding, as the emitter writes it.
template <class T, class A>
inline T small_float_from(A a) {
    constexpr bool is_f16 = requires(T t) { f32_from_f16(t); };
    if constexpr (kind_of<A> == kind::floating && sizeof(A) == 8) {
        if constexpr (is_f16) return f16_from_f64(a);
        else return bf16_from_f64(a);
    } else if constexpr (kind_of<A> == kind::integer && sizeof(A) == 8) {
        if constexpr (is_f16 && A(-1) < A(0)) return f16_from_i64(a);
        else if constexpr (is_f16) return f16_from_u64(a);
        else if constexpr (A(-1) < A(0)) return bf16_from_i64(a);
        else return bf16_from_u64(a);
    } else if constexpr (kind_of<A> == kind::integer && sizeof(A) == 4) {
        if constexpr (is_f16 && A(-1) < A(0)) return f16_from_i32(a);
        else if constexpr (is_f16) return f16_from_u32(a);
        else if constexpr (A(-1) < A(0)) return bf16_from_i32(a);
        else return bf16_from_u32(a);
    } else {
        if constexpr (is_f16) return f16_from_f32(static_cast<float>(a));
        else return bf16_from_f32(static_cast<float>(a));
    }
}

// 16-bit floats to and from floats, a vector at a time.
inline f32_vector load_small(const f16* from) { return load_f16(from); }
inline f32_vector load_small(const bf16* from) { return load_bf16(from); }
inline void store_small(f16* to, const f32_vector& a) { store_f16(to, a); }
inline void store_small(bf16* to, const f32_vector& a) { store_bf16(to, cast_to_bf16(a)); }

template <class E>
inline void widen(const E* from, float* to, std::ptrdiff_t count) {
    std::ptrdiff_t i = 0;
    for (; i + VECTOR_ELEMENTS <= count; i += VECTOR_ELEMENTS) store_f32(to + i, load_small(from + i));
    for (; i < count; ++i) to[i] = computed(from[i]);
}

template <class E>
inline void narrow(const float* from, E* to, std::ptrdiff_t count) {
    std::ptrdiff_t i = 0;
    for (; i + VECTOR_ELEMENTS <= count; i += VECTOR_ELEMENTS) store_small(to + i, load_f32(from + i));
    for (; i < count; ++i) to[i] = small_float_from<E>(from[i]);
}

/// Elements of 16-bit floats that are computed in float at a time: they stay in the first cache.
inline constexpr std::ptrdiff_t strip = 256;

template <int bytes>
struct unsigned_of_width;
template <>
struct unsigned_of_width<1> {
    using type = std::uint8_t;
};
template <>
struct unsigned_of_width<2> {
    using type = std::uint16_t;
};
template <>
struct unsigned_of_width<4> {
    using type = std::uint32_t;
};
template <>
struct unsigned_of_width<8> {
    using type = std::uint64_t;
};

/// No integer: complex bodies have no use for one.
template <>
struct unsigned_of_width<16> {
    using type = std::uint64_t;
};

// --- what the bodies call ---

#define KILN_EXACT_1(name)                                                                 \
    [[maybe_unused]] inline float exact_##name(float a) { return __builtin_##name##f(a); } \
    [[maybe_unused]] inline double exact_##name(double a) { return __builtin_##name(a); }
#define KILN_EXACT_2(name)                                                                             \
    [[maybe_unused]] inline float exact_##name(float a, float b) { return __builtin_##name##f(a, b); } \
    [[maybe_unused]] inline double exact_##name(double a, double b) { return __builtin_##name(a, b); }
KILN_EXACT_1(fabs)
KILN_EXACT_1(sqrt)
KILN_EXACT_1(floor)
KILN_EXACT_1(ceil)
KILN_EXACT_1(trunc)
KILN_EXACT_1(round)
KILN_EXACT_1(rint)
KILN_EXACT_2(fmod)
KILN_EXACT_2(copysign)
KILN_EXACT_2(nextafter)
#undef KILN_EXACT_1
#undef KILN_EXACT_2
[[maybe_unused]] inline float exact_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
[[maybe_unused]] inline double exact_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// One function of the library's table, in the type T.
template <class T>
struct library_function_in {
    const void* pointer;
    T operator()(T a) const { return reinterpret_cast<T (*)(T)>(const_cast<void*>(pointer))(a); }
    T operator()(T a, T b) const { return reinterpret_cast<T (*)(T, T)>(const_cast<void*>(pointer))(a, b); }
};

template <class T>
inline constexpr bool is_signed = T(-1) < T(0);

#define EXACT(function) exact_##function
#define SIGNED(if_signed, if_unsigned) (is_signed<T> ? (if_signed) : (if_unsigned))
#define ONES(x) __builtin_popcountll(x)
#define LEADING(x) __builtin_clzll(x)
#define TRAILING(x) __builtin_ctzll(x)
#define LIBRARY(function) \
    library_function_in<T> { library[static_cast<int>(emit::library_function::function##_f32) + (sizeof(T) == 8)] }
#define NEVER \
    never {}

template <class T>
constexpr T largest() {
    using U = typename unsigned_of_width<sizeof(T)>::type;
    return T(-1) < T(0) ? static_cast<T>(static_cast<U>(~U(0)) >> 1) : static_cast<T>(~U(0));
}

#define T_MAX largest<T>()
#define T_MIN T(T(-1) < T(0) ? -largest<T>() - 1 : 0)
#define TOP (A(largest<T>() / 2 + 1) * A(2))
#define BOTTOM A(T_MIN)

// --- one struct per operation, one function of it per kind ---

// The table's bodies serve types for which one of their comparisons is always false.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"

#define KILN_BODY(of_kind, body)                                                                            \
    template <class T, class U, class First>                                                                \
    static auto of(kind_tag<of_kind>, [[maybe_unused]] First a, [[maybe_unused]] T b, [[maybe_unused]] T c, \
                   [[maybe_unused]] const void* const* library) {                                           \
        return body;                                                                                        \
    }
#define KILN_OPERATION(name, operand_count, type_rule, on_complex, on_floating, on_integer, on_logical) \
    struct name##_body {                                                                                \
        static constexpr int arity = operand_count;                                                     \
        static constexpr rule of_rule = rule::type_rule;                                                \
        static constexpr bool is_fma = operation::name == operation::fma;                               \
        static constexpr int library_row = library_row_of[static_cast<int>(operation::name)];           \
        KILN_BODY(kind::complex, on_complex)                                                            \
        KILN_BODY(kind::floating, on_floating)                                                          \
        KILN_BODY(kind::integer, on_integer)                                                            \
        KILN_BODY(kind::logical, on_logical)                                                            \
    };
#include <kiln/operation_table.def>
#undef KILN_BODY

#define KILN_CAST(from, to, body)                                \
    template <class A, class T>                                  \
    T cast_body(kind_tag<kind::from>, kind_tag<kind::to>, A a) { \
        using R [[maybe_unused]] = typename component<T>::type;  \
        return body;                                             \
    }
#include <kiln/operation_table.def>

#pragma GCC diagnostic pop

/// Where the library's table has a row's function of a block of T, and of one T that is a 16-bit float.
template <class T>
constexpr emit::precision precision_of =
    sizeof(T) == sizeof(double) ? emit::precision::float64 : emit::precision::float32;
template <class T>
constexpr element_type small_type_of =
    requires(T t) { f32_from_f16(t); } ? element_type::float16 : element_type::bfloat16;
template <class T>
constexpr int slot_of_block(int row) {
    if constexpr (is_small_float<T>) return emit::small_slot(row, emit::form::of_block, small_type_of<T>);
    else return emit::block_slot(row, precision_of<T>);
}
template <class T>
inline T call_small_function(int row, T a, T b, int arity, const void* const* library) {
    void* const of = const_cast<void*>(library[emit::small_slot(row, emit::form::of_element, small_type_of<T>)]);
    return arity == 1 ? reinterpret_cast<T (*)(T)>(of)(a) : reinterpret_cast<T (*)(T, T)>(of)(a, b);
}

template <class Body, int number>
struct operation_types {
    using operand = typename type_at<number>::type;
    static constexpr bool selects = Body::of_rule == rule::conditional;  // where(bool, T, T)
    static constexpr bool decides = Body::of_rule == rule::comparison || Body::of_rule == rule::logical;
    template <bool, class Yes, class>
    struct pick {
        using type = Yes;
    };
    template <class Yes, class No>
    struct pick<false, Yes, No> {
        using type = No;
    };
    static constexpr bool scales = Body::of_rule == rule::scaled;  // scale(complex<T>, T)
    using complex_operand = typename complex_for<operand>::type;
    using first = typename pick<selects, bool, typename pick<scales, complex_operand, operand>::type>::type;
    static constexpr bool is_component = Body::of_rule == rule::component || Body::of_rule == rule::floating_component;
    using part = typename pick<is_component, typename component<operand>::type, operand>::type;
    using real_result = typename pick<decides, bool, part>::type;
    using with_polar = typename pick<Body::of_rule == rule::polar || scales, complex_operand, real_result>::type;
    using with_f32 = typename pick<Body::of_rule == rule::draw_f32, float, with_polar>::type;
    using result = typename pick<Body::of_rule == rule::draw_f64, double, with_f32>::type;
    static constexpr bool draws =
        Body::of_rule == rule::draw || Body::of_rule == rule::draw_f32 || Body::of_rule == rule::draw_f64;
    static constexpr bool is_never_met = (draws && number != number_uint64) || (scales && is_small_float<operand>);
};

/// One operation on one element, in the types of memory.
template <class Body, int number>
inline auto run_one(typename operation_types<Body, number>::first x, [[maybe_unused]] typename type_at<number>::type y,
                    [[maybe_unused]] typename type_at<number>::type z, const void* const* library) ->
    typename operation_types<Body, number>::result {
    using types = operation_types<Body, number>;
    using E = typename types::operand;
    if constexpr (is_small_float<E> && Body::is_fma) {
        if constexpr (requires { f32_from_f16(x); }) return f16_fma(x, y, z);
        else return bf16_fma(x, y, z);
    } else if constexpr (is_small_float<E> && Body::library_row >= 0) {
        return call_small_function(Body::library_row, x, y, Body::arity, library);
    } else if constexpr (is_small_float<E> && !types::selects) {
        const auto made = Body::template of<float, std::uint32_t, float>(kind_tag<kind::floating>{}, computed(x),
                                                                         computed(y), computed(z), library);
        if constexpr (is_small_float<typename types::result>) return small_float_from<typename types::result>(made);
        else return made;
    } else {
        using U = typename unsigned_of_width<sizeof(E)>::type;
        return Body::template of<E, U, typename types::first>(kind_tag<kind_of<E>>{}, x, y, z, library);
    }
}

}  // namespace
}  // namespace kiln::backend
