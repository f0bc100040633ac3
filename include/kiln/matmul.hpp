// kiln/matmul: products of matrices, as sums of products. Source: NumPy, matmul.
#pragma once

#include <kiln/reductions.hpp>
#include <kiln/view_functions.hpp>

namespace kiln::inline v0_1 {

namespace detail {

/// How operands of these shapes are seen, so that what is multiplied meets, and the axis that is summed over, from the end.
struct matmul_views {
    view_spec a;
    view_spec b;
    int axis;
};
/// Throws shape_error where the shapes have no product.
KILN_API matmul_views views_for_matmul(const shape& a, const shape& b);

}  // namespace detail

/// Products of matrices: of shapes (..., M, K) and (..., K, N) the sums over k of a(..., i, k) * b(..., k, j), of shape (..., M, N). What
/// stands before the last two axes broadcasts. A list of K numbers, as a, is a row, as b a column, and the product is without
/// that axis: of two lists, it is their dot product, of rank 0.
///
/// To the bit what k::sum makes of the products, and typed like it: sums of integers are of 64 bits, and so are their products.
/// Those of 16-bit floats are not rounded: they are added up in float, and the sum is rounded once. Throws shape_error where the
/// K differ, or a is a single number, or b. On a GPU the sums are made in tiles, if there are enough of them.
template <expression A, expression B>
auto matmul(A&& a, B&& b) {
    const detail::matmul_views as = detail::views_for_matmul(shape_of(a), shape_of(b));
    const axis over(as.axis);
    auto left = detail::viewed_as(std::forward<A>(a), as.a);
    auto right = detail::viewed_as(std::forward<B>(b), as.b);
    using product = value_t<decltype(left * right)>;
    using wide = value_t<decltype(sum(left * right, over))>;
    if constexpr (detail::small_float<product>)
        return cast<product>(sum(cast<float>(std::move(left)) * cast<float>(std::move(right)), over));
    else if constexpr (!std::is_same_v<product, wide>)
        return sum(cast<wide>(std::move(left)) * cast<wide>(std::move(right)), over);
    else return sum(std::move(left) * std::move(right), over);
}

}  // namespace kiln::inline v0_1
