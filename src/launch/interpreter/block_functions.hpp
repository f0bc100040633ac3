// kiln/launch/interpreter/block_functions: operation_table.def's bodies as loops over blocks. Included once by each
// blocks_<instruction set>.cpp.
// in: the table of operations   out: `table`, a block_table   knows nothing of: programs, other instruction sets
//
// All of it is in an unnamed namespace, and nothing of the standard library that has code is used: an inline function
// compiled here with AVX-512 could be the copy that the linker keeps for the whole program.
#pragma once

#include <emit/library.hpp>
#include <launch/interpreter/blocks.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

// Lets the loop vectorise without asking at run time whether out overlaps an operand: element for element it may.
#if defined(__clang__)
#define KILN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define KILN_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace kiln::launch {
namespace {

enum class kind : int { logical, integer, floating };
enum class rule : int { arithmetic, whole, bitwise, comparison, logical, floating, selection, conditional };

template <kind>
struct kind_tag {};

/// What a body of NEVER is.
struct never {};

// --- the element types ---

enum type_number : int {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) number_##name,
#include <kiln/element_type.def>
};

template <int number>
struct type_at;
#define KILN_ELEMENT_TYPE(name, type_, suffix, kind, spelling) \
    template <>                                                \
    struct type_at<number_##name> {                            \
        using type = type_;                                    \
    };
#include <kiln/element_type.def>

template <class T>
inline constexpr kind kind_of = kind::integer;
#define KILN_ELEMENT_TYPE(name, type, suffix, kind_, spelling) \
    template <>                                                \
    inline constexpr kind kind_of<type> = kind::kind_;
#include <kiln/element_type.def>

template <int bytes>
struct unsigned_of_width;
template <>
struct unsigned_of_width<1> {
    using type = std::uint8_t;
};
template <>
struct unsigned_of_width<4> {
    using type = std::uint32_t;
};
template <>
struct unsigned_of_width<8> {
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
#define LONG(function) \
    long_##function<T> { library }
#define SIGNED(if_signed, if_unsigned) (is_signed<T> ? (if_signed) : (if_unsigned))
#define ONES(x) __builtin_popcountll(x)
#define LEADING(x) __builtin_clzll(x)
#define TRAILING(x) __builtin_ctzll(x)
#define LIBRARY(function) \
    library_function_in<T> { library[static_cast<int>(emit::library_function::function##_f32) + (sizeof(T) == 8)] }
#define NEVER \
    never {}

#define KILN_LONG_BODY(name, arity, ...)                                \
    template <class T>                                                  \
    struct long_##name {                                                \
        const void* const* library;                                     \
        T operator()(T a, [[maybe_unused]] T b = T{}) const __VA_ARGS__ \
    };
#include <emit/long_body_table.def>

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
        KILN_BODY(kind::floating, on_floating)                                                          \
        KILN_BODY(kind::integer, on_integer)                                                            \
        KILN_BODY(kind::logical, on_logical)                                                            \
    };
#include <kiln/operation_table.def>
#undef KILN_BODY

#define KILN_CAST(from, to, body)                                \
    template <class A, class T>                                  \
    T cast_body(kind_tag<kind::from>, kind_tag<kind::to>, A a) { \
        return body;                                             \
    }
#include <kiln/operation_table.def>

#pragma GCC diagnostic pop

// --- the loops ---

/// How an element lies in memory. g++ 12 does not vectorise a loop that loads bool, but one that compares bytes.
template <class T>
struct stored {
    using type = T;
};
template <>
struct stored<bool> {
    using type = std::uint8_t;
};
template <class T>
using stored_t = typename stored<T>::type;

template <class T>
inline T loaded(stored_t<T> value) {
    if constexpr (kind_of<T> == kind::logical) return value != 0;
    else return value;
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
    using first = typename pick<selects, bool, operand>::type;
    using result = typename pick<decides, bool, operand>::type;
};

template <class Body, int number>
void run_operation(void* to, const void* from_a, const void* from_b, const void* from_c, std::ptrdiff_t count,
                   const void* const* library) {
    using types = operation_types<Body, number>;
    using T = typename types::operand;
    using U = typename unsigned_of_width<sizeof(T)>::type;
    using first = typename types::first;
    using result = typename types::result;
    auto* const out = static_cast<result*>(to);
    const auto* const a = static_cast<const stored_t<first>*>(from_a);
    [[maybe_unused]] const auto* const b = static_cast<const stored_t<T>*>(from_b);
    [[maybe_unused]] const auto* const c = static_cast<const stored_t<T>*>(from_c);
    const auto one = [library](first x, [[maybe_unused]] T y, [[maybe_unused]] T z) -> result {
        return Body::template of<T, U, first>(kind_tag<kind_of<T>>{}, x, y, z, library);
    };
    if constexpr (Body::arity == 1) {
        KILN_INDEPENDENT
        for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = one(loaded<first>(a[i]), T{}, T{});
    } else if constexpr (Body::arity == 2) {
        KILN_INDEPENDENT
        for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = one(loaded<first>(a[i]), loaded<T>(b[i]), T{});
    } else {
        KILN_INDEPENDENT
        for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = one(loaded<first>(a[i]), loaded<T>(b[i]), loaded<T>(c[i]));
    }
}

template <int from, int to>
void run_cast(void* out_memory, const void* in_memory, const void*, const void*, std::ptrdiff_t count,
              const void* const*) {
    using A = typename type_at<from>::type;
    using T = typename type_at<to>::type;
    auto* const out = static_cast<T*>(out_memory);
    const auto* const in = static_cast<const stored_t<A>*>(in_memory);
    KILN_INDEPENDENT
    for (std::ptrdiff_t i = 0; i < count; ++i)
        out[i] = cast_body<A, T>(kind_tag<kind_of<A>>{}, kind_tag<kind_of<T>>{}, loaded<A>(in[i]));
}

void fill_index_block(std::int64_t* out, std::int64_t first, std::ptrdiff_t count) {
    for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = first + i;
}

// --- the table ---

template <class>
inline constexpr bool is_never = false;
template <>
inline constexpr bool is_never<never> = true;

template <class Body, int number>
constexpr block_function operation_entry() {
    using types = operation_types<Body, number>;
    using T = typename types::operand;
    using U = typename unsigned_of_width<sizeof(T)>::type;
    using body_result =
        decltype(Body::template of<T, U, typename types::first>(kind_tag<kind_of<T>>{}, {}, {}, {}, nullptr));
    if constexpr (is_never<body_result>) return nullptr;
    else return run_operation<Body, number>;
}

template <class Body, int... numbers>
constexpr void set_operation(block_function (&row)[block_type_count], std::integer_sequence<int, numbers...>) {
    ((row[numbers] = operation_entry<Body, numbers>()), ...);
}

template <int from, int... numbers>
constexpr void set_casts_from(block_function (&row)[block_type_count], std::integer_sequence<int, numbers...>) {
    ((row[numbers] = run_cast<from, numbers>), ...);
}

template <int... numbers>
constexpr void set_casts(block_table& table, std::integer_sequence<int, numbers...> all) {
    (set_casts_from<numbers>(table.casts[numbers], all), ...);
}

constexpr block_table make_table(const char* instruction_set) {
    block_table table{};
    constexpr auto types = std::make_integer_sequence<int, block_type_count>{};
    table.instruction_set = instruction_set;
    int operation = 0;
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) \
    set_operation<name##_body>(table.operations[operation++], types);
#include <kiln/operation_table.def>
    set_casts(table, types);
    table.fill_index = fill_index_block;
    return table;
}

}  // namespace
}  // namespace kiln::launch
