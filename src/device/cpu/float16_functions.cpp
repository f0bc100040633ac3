// Computed in float32, whose functions are rounded correctly, and rounded again: where that would be one rounding too many, the float is
// set right before (emit/helpers/float32/rounded_twice.inc).
#include <device/cpu/float16_functions.hpp>
#include <device/cpu/float32_functions.hpp>
#include <device/interpreter/blocks.hpp>
#include <emit/library.hpp>

#include <kiln/float16.hpp>

#include <array>
#include <cstdint>
#include <utility>

namespace kiln::backend {

namespace {

/// Elements that are computed at a time: they stay in the first cache.
constexpr long long small_strip = 256;

template <element_type small>
struct of_small;
template <>
struct of_small<element_type::float16> {
    using type = float16;
    static constexpr auto set_right = &float32_function::for_f16;
};
template <>
struct of_small<element_type::bfloat16> {
    using type = bfloat16;
    static constexpr auto set_right = &float32_function::for_bf16;
};

template <element_type small>
void widen(const std::uint16_t* from, float* to, long long count) {
    static const block_function cast =
        blocks_for_this_processor().casts[static_cast<int>(small)][static_cast<int>(element_type::float32)];
    cast(to, from, nullptr, nullptr, static_cast<std::ptrdiff_t>(count), nullptr);
}
template <element_type small>
void narrow(const float* from, std::uint16_t* to, long long count) {
    static const block_function cast =
        blocks_for_this_processor().casts[static_cast<int>(element_type::float32)][static_cast<int>(small)];
    cast(to, from, nullptr, nullptr, static_cast<std::ptrdiff_t>(count), nullptr);
}

template <int row>
const float32_function& function() {
    static const float32_function& of = float32_for_this_processor().rows[row];
    return of;
}

template <int row, element_type small>
void of_strips(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out, long long count) {
    constexpr bool two = emit::library_entries[row].arity == 2;
    const float32_function& of = function<row>();
    const auto set_right = of.*of_small<small>::set_right;
    alignas(64) float wide_a[small_strip];
    alignas(64) float wide_b[small_strip];
    alignas(64) float made[small_strip];
    for (long long from = 0; from < count; from += small_strip) {
        const long long length = count - from < small_strip ? count - from : small_strip;
        widen<small>(a + from, wide_a, length);
        if constexpr (two) {
            widen<small>(b + from, wide_b, length);
            of.block_of_two(wide_a, wide_b, made, length);
        } else {
            of.block_of_one(wide_a, made, length);
        }
        if (set_right) set_right(wide_a, wide_b, made, length);
        narrow<small>(made, out + from, length);
    }
}

template <int row, element_type small>
void small_block_of_one(const std::uint16_t* a, std::uint16_t* out, long long count) {
    of_strips<row, small>(a, nullptr, out, count);
}

template <element_type small>
float widened(std::uint16_t bits) {
    return static_cast<float>(of_small<small>::type::from_bits(bits));
}

template <int row, element_type small>
std::uint16_t narrowed(float a, float b, float made) {
    if (const auto set_right = function<row>().*of_small<small>::set_right) set_right(&a, &b, &made, 1);
    return typename of_small<small>::type(made).bits;
}

template <int row, element_type small>
std::uint16_t of_one(std::uint16_t a) {
    const float wide = widened<small>(a);
    return narrowed<row, small>(wide, 0, function<row>().of_one(wide));
}
template <int row, element_type small>
std::uint16_t of_two(std::uint16_t a, std::uint16_t b) {
    const float wide_a = widened<small>(a);
    const float wide_b = widened<small>(b);
    return narrowed<row, small>(wide_a, wide_b, function<row>().of_two(wide_a, wide_b));
}

template <int row, element_type small>
constexpr small_function made_small() {
    if constexpr (emit::library_entries[row].arity == 1)
        return {of_one<row, small>, nullptr, small_block_of_one<row, small>};
    else return {nullptr, of_two<row, small>, nullptr, of_strips<row, small>};
}

template <element_type small, int... rows>
constexpr std::array<small_function, emit::library_rows> all_made(std::integer_sequence<int, rows...>) {
    return {made_small<rows, small>()...};
}

template <element_type small>
small_function function_of(int row) {
    static constexpr auto all = all_made<small>(std::make_integer_sequence<int, emit::library_rows>{});
    return all[static_cast<std::size_t>(row)];
}

}  // namespace

small_function function_of_small(int row, element_type small) {
    return small == element_type::float16 ? function_of<element_type::float16>(row)
                                          : function_of<element_type::bfloat16>(row);
}

widening widening_of(element_type small) {
    return small == element_type::float16 ? widen<element_type::float16> : widen<element_type::bfloat16>;
}

}  // namespace kiln::backend
