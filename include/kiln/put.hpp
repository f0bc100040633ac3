// kiln/put: a scatter: writing at positions that an expression gives.
#pragma once

#include <kiln/array.hpp>
#include <kiln/export.hpp>
#include <kiln/generators.hpp>
#include <kiln/segments.hpp>
#include <kiln/to.hpp>
#include <kiln/view_functions.hpp>

#include <cstdint>
#include <limits>

namespace kiln::inline v0_1 {

namespace detail {

/// Throws device_error while a graph is recorded: on the CPU put() waits.
KILN_API void refuse_to_record_put();

/// Whether its memory is the host's, and so put_each() may write there.
KILN_API bool is_host(const device& on);
/// Throws device_error where values are on another one.
KILN_API void require_device(const device& of_values, const device& written);
/// One after the other, in memory of the host's: elements of so many bytes, of `values` each its own, or all the same one.
KILN_API void put_each(void* to, std::int64_t size, const array<std::int64_t>& index, const void* values,
                       bool are_the_same, std::size_t element_bytes);

}  // namespace detail

/// The elements of y, counted row-major, at the positions `index` (integers of any shape; negative ones count from the
/// end, those outside are ignored) become `values`: a number, or what broadcasts to index's shape. Where positions repeat,
/// the last one, row-major in `index`, wins, on every device. Arrays that share y's buffer keep their values.
/// On the CPU they are written one after the other, once `index` is there. On a GPU nothing is waited for: who writes last is the segment_max
/// of the numbers of positions, which takes 4 bytes of memory an element of y (8 from 2^31 positions on), then one kernel goes over y. Throws
/// shape_error.
/// Source: NumPy, put; of repeated values broadcasting takes the place.
template <element T, expression I, operand V>
void put(array<T>& y, I&& index, V&& values) {
    static_assert(kind_of(type_of<value_t<I>>) == element_kind::integer,
                  "kiln: positions are integers; k::cast<std::int64_t>(index) makes them of numbers");
    detail::refuse_to_record_put();  // before anything is asked of an array
    const shape extents = shape_of(index);
    if constexpr (expression<V>) detail::require_broadcast(shape_of(values), extents, "put");
    if (extents.size() == 0 || y.size() == 0) return;
    if constexpr (expression<V>)
        static_assert(
            assignable(type_of<value_t<V>>, type_of<T>),
            "kiln: putting into a type that is narrower, or signed where the other is not, needs k::cast<T>(values)");
    const array<std::int64_t> at(detail::as_position(std::forward<I>(index)));
    if (detail::is_host(y.device())) {
        if constexpr (expression<V>) {
            const array<T> made(cast<T>(broadcast_to(std::forward<V>(values), extents)));
            detail::require_device(made.device(), y.device());
            detail::put_each(y.data(), y.size(), at, made.data(), /*are_the_same=*/false, sizeof(T));
        } else {
            const T made = detail::number_as<T>(values);
            detail::put_each(y.data(), y.size(), at, &made, /*are_the_same=*/true, sizeof(T));
        }
        return;
    }
    const array<std::int64_t> here = to(y.device(), at);
    const auto write = [&]<class Number>(Number) {
        // The number of the last index that names an element; less than 0 where none does.
        const array<Number> last =
            reshape(segment_max(arange<Number>(here.size()), flatten(where(here < 0, here + y.size(), here)), y.size()),
                    y.shape());
        if constexpr (expression<V>) y = where(last >= 0, take(broadcast_to(values, extents), last), y);
        else y = where(last >= 0, values, y);
    };
    if (here.size() <= std::numeric_limits<std::int32_t>::max()) write(std::int32_t{});
    else write(std::int64_t{});
}

// put(y, 3, 1.0f), put(y, vector, 1.0f)
template <element T, class I, class V>
    requires(!expression<I> && (detail::whole_number<I> || detail::list_of_integers<I>))
void put(array<T>&, const I&, const V&) {
    static_assert(sizeof(I) == 0,
                  "kiln: positions are in an array: k::from_host(positions); at one, y(3) = value writes");
}

}  // namespace kiln::inline v0_1
