// kiln/generators: values made inside the kernel. Lazy: nothing is allocated or launched.
#pragma once

#include <kiln/operations.hpp>

namespace kiln {

/// One value at every position.
template <element T>
struct full_leaf {
    using kiln_value = T;
    static constexpr int leaf_count = 2;
    static constexpr bool dynamic = false;
    shape extents;
    T value;

    detail::leaf* gather(detail::leaf* out) const noexcept {
        out[0] = {&extents, 0, detail::leaf_kind::extent};
        out[1] = detail::scalar_as_leaf(value);
        return out + 2;
    }
    static int describe(detail::graph& into) {
        detail::add_extent(into);
        return detail::add_scalar(into, type_of<T>);
    }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        return detail::make_full_term(extents, detail::make_scalar_term(type_of<T>, &value));
    }
};

/// 0, 1, 2, ... along one axis.
struct index_leaf {
    using kiln_value = std::int64_t;
    static constexpr int leaf_count = 1;
    static constexpr bool dynamic = false;
    shape extents;

    detail::leaf* gather(detail::leaf* out) const noexcept {
        *out = {&extents, 0, detail::leaf_kind::extent};
        return out + 1;
    }
    static int describe(detail::graph& into) {
        detail::add_extent(into);
        return detail::add_index(into);
    }
    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_index_term(extents); }
};

namespace detail {

/// Values in start, start + step, ... before stop; throws shape_error for a step of 0 or NaN.
std::int64_t arange_count(double start, double stop, double step);
std::int64_t arange_count(std::int64_t start, std::int64_t stop, std::int64_t step);

}  // namespace detail

template <element T>
auto full(const shape& extents, T value) {
    return full_leaf<T>{extents, value};
}
template <element T>
auto zeros(const shape& extents) {
    return full<T>(extents, T(0));
}
template <element T>
auto ones(const shape& extents) {
    return full<T>(extents, T(1));
}

/// 0, 1, ..., count - 1 as T: shape (count).
template <element T>
auto arange(std::int64_t count) {
    return cast<T>(index_leaf{shape{count < 0 ? 0 : count}});
}
/// start, start + step, ... before stop, each start + i * step in T's own arithmetic.
/// Source: NumPy, arange.
template <element T>
    requires(kind_of(type_of<T>) != element_kind::complex)
auto arange(T start, T stop, T step = T(1)) {
    using Wide = std::conditional_t<kind_of(type_of<T>) == element_kind::floating, double, std::int64_t>;
    const shape extents{
        detail::arange_count(static_cast<Wide>(start), static_cast<Wide>(stop), static_cast<Wide>(step))};
    return start + cast<T>(index_leaf{extents}) * step;
}

}  // namespace kiln
