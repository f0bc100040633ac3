#include <capture/float_products.hpp>

#include <capture/other_reductions.hpp>
#include <capture/reduced.hpp>

namespace kiln::inline v0_1::detail {

// Tiles of 64 x 64 values, or of all columns where these are few, are then enough for a GPU's multiprocessors, and as deep as half a round of
// copies. Of 4M rows of 16 by 16 x 16 an H200 takes 150 us so, 357 where threads have values of their own; of 1M rows of 64 by 64 x 16 108 and
// 534 (a copy of as many bytes takes some 129 and 80).
bool has_own_order(const shape& of, std::uint8_t axes) {
    constexpr std::int64_t least_values = std::int64_t{1} << 19;
    constexpr std::int64_t least_columns = 2;
    constexpr std::int64_t least_terms = 16;
    std::int64_t kept = 1, reduced = 1;
    for (int axis = 0; axis < of.rank(); ++axis) (axes >> axis & 1 ? reduced : kept) *= of[axis];
    const int last = of.rank() - 1;
    return last > 0 && !(axes >> last & 1) && of[last] >= least_columns && kept >= least_values &&
           reduced >= least_terms;
}

std::vector<handle<term>> with_products_as_sums(const std::vector<handle<term>>& roots, bool all) {
    return with_other_reductions(
        roots, [all](const term& of, const shape& extents, std::uint8_t axes, const handle<term>& operand) {
            const bool is_product = of.reduces == reduction_kind::dot && of.type == element_type::float32;
            if (!is_product || (!all && has_own_order(extents, axes))) return handle<term>();
            return make_reduction_term(reduction_kind::sum, of.type, operand, of.over, of.keeps_axes);
        });
}

}  // namespace kiln::inline v0_1::detail
