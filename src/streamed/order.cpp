#include <streamed/order.hpp>

#include <capture/equal_reductions.hpp>
#include <capture/float_products.hpp>
#include <capture/row_passes.hpp>
#include <plan/host_division.hpp>
#include <plan/host_order.hpp>
#include <plan/reduction.hpp>
#include <plan/resumed.hpp>
#include <plan/scan.hpp>

#include <algorithm>
#include <numeric>

namespace kiln::streamed {

kiln::detail::handle<kiln::detail::term> as_reduced(const kiln::detail::handle<kiln::detail::term>& root,
                                                    bool reads_host) {
    if (!root.get()->has_stages) return root;
    return kiln::detail::with_equal_reductions_once(
               kiln::detail::with_row_passes(kiln::detail::with_products_as_sums({root}, reads_host)))
        .front();
}

bool same_order(const shape& whole, const shape& part, std::uint8_t axes, bool kernels_reduce) {
    if (kernels_reduce) {
        const plan::reduction_sizes all = plan::sizes_of_reduction(whole, axes);
        const plan::reduction_sizes some = plan::sizes_of_reduction(part, axes);
        return all.threads_per_output == some.threads_per_output && all.vector_width == some.vector_width &&
               all.part == some.part && all.splits == some.splits &&
               kiln::detail::has_own_order(whole, axes) == kiln::detail::has_own_order(part, axes);
    }
    const plan::host_division all(whole, axes);
    const plan::host_division some(part, axes);
    if (all.along_rows != some.along_rows) return all.reduced == 1;
    if (all.along_rows) return all.inner == some.inner;
    return all.steps_of_part == some.steps_of_part || (!all.has_parts() && !some.has_parts());
}

bool same_scan_order(const shape& whole, const shape& part, int axis, kiln::detail::reduction_kind what,
                     element_type accumulated, const plan::target& on) {
    const plan::scan_plan all = plan::plan_scan(whole, axis, what, accumulated, on);
    const plan::scan_plan some = plan::plan_scan(part, axis, what, accumulated, on);
    return std::equal(all.steps.begin(), all.steps.end(), some.steps.begin(), some.steps.end(),
                      [](const plan::scan_step& left, const plan::scan_step& right) {
                          return left.mapping == right.mapping && left.totals_only == right.totals_only &&
                                 left.count == right.count && left.part == right.part &&
                                 left.narrow_level == right.narrow_level &&
                                 (left.narrow_level == 0 || left.inner == right.inner);
                      });
}

bool is_any_order(kiln::detail::reduction_kind what, element_type accumulated) {
    using kiln::detail::reduction_kind;
    if (what == reduction_kind::argmin || what == reduction_kind::argmax) return true;
    if (what == reduction_kind::user || kiln::detail::keeps_state(what)) return false;
    return kind_of(accumulated) == element_kind::integer || kind_of(accumulated) == element_kind::logical;
}

std::int64_t steps_together(const shape& whole, std::uint8_t axes, int axis, bool kernels_reduce) {
    std::int64_t of_position = 1;  // elements of each value
    for (int each = axis + 1; each < whole.rank(); ++each)
        if (axes >> each & 1) of_position *= whole[each];
    std::int64_t together = 0;  // elements
    if (kernels_reduce) {
        together = plan::order_of_reduction(whole, axes).part;
    } else {
        const plan::host_division all(whole, axes);
        const bool in_run = all.along_rows && all.reduced == all.inner;
        if (all.along_rows && !in_run) return 1;  // whole rows, of which each ends a piece
        together = in_run ? all.steps_of_part * plan::host_order::piece : all.steps_of_part;
    }
    return together / std::gcd(together, of_position);
}

}  // namespace kiln::streamed
