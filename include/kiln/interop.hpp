// kiln/interop: k::wrap of what other libraries call a matrix: std::mdspan and its like, Eigen, OpenCV. Their headers are not needed
// here: a type is known by its members.
// in: an object that says where its elements lie   out: a reference to them   knows nothing of: those libraries
#pragma once

#include <kiln/error.hpp>
#include <kiln/export.hpp>
#include <kiln/views.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

namespace kiln::inline v0_1 {

namespace detail {

/// std::mdspan, cuda::std::mdspan, Kokkos::mdspan, with any layout of strides.
template <class M>
concept multidimensional_span = requires(const M& of) {
    typename M::layout_type;
    of.data_handle();
    of.extent(0);
    of.is_strided();
};

/// Eigen's Matrix, Array, Map, Ref and Block, whose elements lie in memory.
template <class M>
concept dense_matrix = requires(M& of) {
    typename std::remove_cvref_t<M>::Scalar;
    of.data();
    of.rows();
    of.cols();
    of.rowStride();
    of.colStride();
};

/// A sum of such, as Eigen keeps it.
template <class M>
concept matrix_expression = !dense_matrix<M> && requires(const M& of) {
    typename std::remove_cvref_t<M>::PlainObject;
    of.rows();
    of.cols();
};

/// A matrix that goes at the end of the line, and its elements with it.
template <class M>
concept owner_that_goes = !std::is_lvalue_reference_v<M> && requires {
    typename std::remove_cvref_t<M>::PlainObject;
} && std::is_same_v<std::remove_cvref_t<M>, typename std::remove_cvref_t<M>::PlainObject>;

/// cv::Mat
template <class M>
concept image_matrix = requires(const M& of) {
    of.dims;
    of.size.p;
    of.step.p;
    of.data;
    of.depth();
    of.channels();
};

/// std::vector, std::array, std::span, an array of C's.
template <class R>
concept list_in_memory =
    !expression<R> && !dense_matrix<R> && !image_matrix<std::remove_cvref_t<R>> && requires(R& of) {
        std::size(of);
        requires element<std::remove_const_t<std::remove_pointer_t<decltype(std::data(of))>>>;
    };

/// Throws type_error. `depth`: OpenCV's number of an element type.
KILN_API void require_depth(int depth, element_type wanted);

}  // namespace detail

/// k::array<float> y = k::wrap(view) * 2;
/// The memory of an mdspan, of its shape: k::wrap of its pointer and strides. Of const elements, read only. Throws shape_error for a
/// layout without strides.
template <detail::multidimensional_span M>
auto wrap(const M& of) {
    static_assert(M::rank() <= max_rank, "kiln: arrays have up to 8 axes");
    using T = typename M::element_type;
    if (!of.is_strided()) throw shape_error("kiln: wrap: an mdspan whose layout has no strides");
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    if constexpr (M::rank() > 0)
        for (typename M::rank_type axis = 0; axis < M::rank(); ++axis) {
            extents.push_back(static_cast<std::int64_t>(of.extent(axis)));
            strides.push_back(static_cast<std::int64_t>(of.stride(axis)));
        }
    return wrap(static_cast<T*>(of.data_handle()), shape(extents), strides);
}

/// k::wrap(values) = x * 2;
/// The elements of a std::vector, std::array or std::span, of shape (elements,); k::wrap(values.data(), {rows, columns}) is of another.
template <detail::list_in_memory R>
auto wrap(R&& of) {
    static_assert(std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>,
                  "kiln: wrap refers to elements, and these go at the end of the line: give them a name first");
    return wrap(std::data(of), {static_cast<std::int64_t>(std::size(of))});
}

/// Whose elements are none that arrays can have, or lie nowhere.
template <class R>
    requires(!expression<R> && !detail::list_in_memory<R> && !detail::dense_matrix<R> &&
             !detail::matrix_expression<R> && !detail::multidimensional_span<std::remove_cvref_t<R>> &&
             requires { typename std::remove_cvref_t<R>::value_type; })
array_ref<std::uint8_t> wrap(R&&) {
    static_assert(
        sizeof(R) == 0,
        "kiln: wrap refers to elements of types that arrays have, as they lie in memory; a std::vector<bool> has bits: "
        "k::from_host copies it, and std::vector<std::uint8_t> is wrapped");
    return {nullptr, shape()};
}

template <class P>
    requires std::is_pointer_v<std::remove_cvref_t<P>>
void wrap(P&&) {
    static_assert(sizeof(P) == 0, "kiln: wrap of a pointer takes a shape: k::wrap(v.data(), {rows, columns})");
}

/// k::wrap(matrix) = k::sqrt(x);
/// The elements of an Eigen matrix, in either order, of shape (rows, columns); of a vector, (elements,). Not of a temporary, but for
/// what is a part of a matrix.
template <class M>
    requires detail::dense_matrix<M>
auto wrap(M&& of) {
    static_assert(!detail::owner_that_goes<M>,
                  "kiln: wrap refers to elements, and these go at the end of the line: give the matrix a name first");
    if constexpr (std::remove_cvref_t<M>::IsVectorAtCompileTime)
        return wrap(of.data(), {static_cast<std::int64_t>(of.size())}, {static_cast<std::int64_t>(of.innerStride())});
    else
        return wrap(of.data(), {static_cast<std::int64_t>(of.rows()), static_cast<std::int64_t>(of.cols())},
                    {static_cast<std::int64_t>(of.rowStride()), static_cast<std::int64_t>(of.colStride())});
}

template <detail::matrix_expression M>
void wrap(M&&) {
    static_assert(sizeof(M) == 0, "kiln: wrap takes a matrix that lies in memory: evaluate the expression into one");
}

/// k::array<float> gray = k::mean(k::cast<float>(k::wrap<std::uint8_t>(image)), k::axis(2));
/// The elements of an OpenCV matrix, rows with gaps or without: of shape (rows, columns), or (rows, columns, channels) where there are
/// several. Throws type_error where its elements are of another type, shape_error where rows do not begin at whole elements,
/// and for a matrix without any axes, which cv::Mat() is.
template <element T, detail::image_matrix M>
array_ref<T> wrap(const M& of) {
    if (of.dims == 0)
        throw shape_error("kiln: wrap: an empty matrix, as cv::imread returns where it cannot read a file");
    detail::require_depth(of.depth(), type_of<T>);
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    for (int axis = 0; axis < of.dims; ++axis) {
        if (of.step.p[axis] % sizeof(T))
            throw shape_error("kiln: wrap: rows of a matrix that begin between two elements");
        extents.push_back(of.size.p[axis]);
        strides.push_back(static_cast<std::int64_t>(of.step.p[axis] / sizeof(T)));
    }
    if (of.channels() != 1) {
        extents.push_back(of.channels());
        strides.push_back(1);
    }
    return wrap(reinterpret_cast<T*>(of.data), shape(extents), strides);
}

}  // namespace kiln::inline v0_1
