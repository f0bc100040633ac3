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
/// To the bit what k::sum makes of the products, and typed like it: float, double and complex numbers as they are, integers in sums of
/// 64 bits, and so are their products. But of floats a GPU adds up the products of each value first to last where there are 2^19
/// values at least, in rows of 2 or more, of 16 terms or more: one thread makes each, with an error of at most K 2^-24 times the sum of
/// the products' magnitudes. Products of 16-bit floats are not rounded: they are added up in float, and the sum is rounded once. On
/// the CPU, and of lists, that is the sum of the products as floats, in its order; where both are matrices of one such type, of 16
/// rows, columns and terms at least, a GPU's tensor cores (compute capability 8.0 and later) add up 16 terms at a time, first to
/// last, in float (which they may cut in place of rounding): an error of at most (K + 16) 2^-22 times the sum of the products'
/// magnitudes before the one rounding. The order is the same in every call, and whatever a and b are made of and is made of the
/// result, which of 16-bit floats its kernel goes on with where that is operations on single values (a bias, an activation, a cast).
/// With options.library cuBLASLt may make it, in its order. Throws shape_error where the K differ, or a is a single number, or b. On a
/// GPU the sums are made in tiles, if there are enough of them.
template <expression A, expression B>
auto matmul(A&& a, B&& b) {
    const detail::matmul_views as = detail::views_for_matmul(shape_of(a), shape_of(b));
    const axis over(as.axis);
    [[maybe_unused]] const bool are_matrices = shape_of(a).rank() > 1 && shape_of(b).rank() > 1;
    auto left = detail::viewed_as(std::forward<A>(a), as.a);
    auto right = detail::viewed_as(std::forward<B>(b), as.b);
    using product = value_t<decltype(left * right)>;
    using wide = value_t<decltype(sum(left * right, over))>;
    if constexpr (detail::small_float<product>) {
        constexpr bool are_alike = std::is_same_v<value_t<A>, product> && std::is_same_v<value_t<B>, product>;
        auto products = cast<float>(std::move(left)) * cast<float>(std::move(right));
        if (!are_alike || !are_matrices) return expr<product>(cast<product>(sum(std::move(products), over)));
        return detail::access::make<expr<product>>(
            detail::make_reduction_term(detail::reduction_kind::dot, type_of<product>,
                                        detail::as_collectable(std::move(products)).erase(), over, /*keep=*/false));
    } else if constexpr (std::is_same_v<product, float>) {
        return detail::reduce<detail::reduction_kind::dot>(std::move(left) * std::move(right), over, /*keep=*/false);
    } else if constexpr (!std::is_same_v<product, wide>)
        return sum(cast<wide>(std::move(left)) * cast<wide>(std::move(right)), over);
    else return sum(std::move(left) * std::move(right), over);
}

void matmul(detail::taken_for_numpy, detail::taken_for_numpy) = delete;  // a number scales: a * 2

}  // namespace kiln::inline v0_1
