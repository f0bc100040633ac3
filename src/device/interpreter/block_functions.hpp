// kiln/device/interpreter/block_functions: operation_table.def's bodies as loops over blocks. Included once by each
// blocks_<instruction set>.cpp.
// in: the table of operations   out: `table`, a block_table   knows nothing of: programs, other instruction sets
#pragma once

#include <device/interpreter/blocks.hpp>
#include <device/operation_bodies.hpp>

// Lets the loop vectorise without asking at run time whether out overlaps an operand: element for element it may.
#if defined(__clang__)
#define KILN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define KILN_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace kiln::backend {
namespace {

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

/// All of an operation's elements in float, and rounded after it.
template <class Body, class E, class Result>
void run_in_float(void* to, const void* from_a, const void* from_b, const void* from_c, std::ptrdiff_t count,
                  const void* const* library) {
    auto* const out = static_cast<Result*>(to);
    alignas(64) float a[strip];
    alignas(64) float b[strip];
    alignas(64) float c[strip];
    const auto one = [library](float x, float y, float z) {
        return Body::template of<float, std::uint32_t, float>(kind_tag<kind::floating>{}, x, y, z, library);
    };
    const auto make = [&](auto* made, std::ptrdiff_t length) {
        KILN_INDEPENDENT
        for (std::ptrdiff_t i = 0; i < length; ++i)
            made[i] = one(a[i], Body::arity > 1 ? b[i] : 0.0f, Body::arity > 2 ? c[i] : 0.0f);
    };
    for (std::ptrdiff_t from = 0; from < count; from += strip) {
        const std::ptrdiff_t length = count - from < strip ? count - from : strip;
        widen(static_cast<const E*>(from_a) + from, a, length);
        if constexpr (Body::arity > 1) widen(static_cast<const E*>(from_b) + from, b, length);
        if constexpr (Body::arity > 2) widen(static_cast<const E*>(from_c) + from, c, length);
        if constexpr (is_small_float<Result>) {
            make(a, length);
            narrow(a, out + from, length);
        } else {
            make(out + from, length);
        }
    }
}

template <class Body, int number>
void run_operation(void* to, const void* from_a, const void* from_b, const void* from_c, std::ptrdiff_t count,
                   const void* const* library) {
    using types = operation_types<Body, number>;
    using T = typename types::operand;
    using first = typename types::first;
    using result = typename types::result;
    if constexpr (is_small_float<T> && !Body::is_fma && !types::selects)
        return run_in_float<Body, T, result>(to, from_a, from_b, from_c, count, library);
    auto* const out = static_cast<result*>(to);
    const auto* const a = static_cast<const stored_t<first>*>(from_a);
    [[maybe_unused]] const auto* const b = static_cast<const stored_t<T>*>(from_b);
    [[maybe_unused]] const auto* const c = static_cast<const stored_t<T>*>(from_c);
    const auto one = [library](first x, T y, T z) -> result { return run_one<Body, number>(x, y, z, library); };
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

// A function of the library is a block's already.
template <int row, int arity, class T>
void run_block(void* to, const void* from_a, const void* from_b, const void*, std::ptrdiff_t count,
               const void* const* library) {
    void* const function = const_cast<void*>(library[slot_of_block<T>(row)]);
    auto* const out = static_cast<T*>(to);
    const auto* const a = static_cast<const T*>(from_a);
    if constexpr (arity == 1) reinterpret_cast<void (*)(const T*, T*, long long)>(function)(a, out, count);
    else
        reinterpret_cast<void (*)(const T*, const T*, T*, long long)>(function)(a, static_cast<const T*>(from_b), out,
                                                                                count);
}

template <int from, int to>
void run_cast(void* out_memory, const void* in_memory, const void*, const void*, std::ptrdiff_t count,
              const void* const*) {
    using A = typename type_at<from>::type;
    using T = typename type_at<to>::type;
    auto* const out = static_cast<T*>(out_memory);
    const auto* const in = static_cast<const stored_t<A>*>(in_memory);
    if constexpr (is_small_float<A> && to == number_float32) {
        return widen(in, out, count);
    } else if constexpr (from == number_float32 && is_small_float<T>) {
        return narrow(in, out, count);
    } else if constexpr (is_small_float<A>) {
        alignas(64) float wide[strip];
        for (std::ptrdiff_t done = 0; done < count; done += strip) {
            const std::ptrdiff_t length = count - done < strip ? count - done : strip;
            widen(in + done, wide, length);
            run_cast<number_float32, to>(out + done, wide, nullptr, nullptr, length, nullptr);
        }
        return;
    }
    KILN_INDEPENDENT
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const auto a = computed(loaded<A>(in[i]));
        if constexpr (is_small_float<T>) out[i] = small_float_from<T>(a);
        else out[i] = cast_body<computed_t<A>, T>(kind_tag<kind_of<A>>{}, kind_tag<kind_of<T>>{}, a);
    }
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
    using T = computed_t<typename types::operand>;
    using U = typename unsigned_of_width<sizeof(T)>::type;
    using first = computed_t<typename types::first>;
    using body_result = decltype(Body::template of<T, U, first>(kind_tag<kind_of<T>>{}, {}, {}, {}, nullptr));
    using E = typename types::operand;
    if constexpr (is_never<body_result> || types::is_never_met) return nullptr;
    else if constexpr (Body::library_row >= 0 && kind_of<E> == kind::floating)
        return run_block<Body::library_row, Body::arity, E>;
    else return run_operation<Body, number>;
}

template <class Body, int... numbers>
constexpr void set_operation(block_function (&row)[block_type_count], std::integer_sequence<int, numbers...>) {
    ((row[numbers] = operation_entry<Body, numbers>()), ...);
}

template <int from, int to>
constexpr block_function cast_entry() {
    constexpr kind target = kind_of<typename type_at<to>::type>;
    if constexpr (kind_of<typename type_at<from>::type> == kind::complex && target != kind::complex &&
                  target != kind::logical)
        return nullptr;
    else return run_cast<from, to>;
}

template <int from, int... numbers>
constexpr void set_casts_from(block_function (&row)[block_type_count], std::integer_sequence<int, numbers...>) {
    ((row[numbers] = cast_entry<from, numbers>()), ...);
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
}  // namespace kiln::backend
