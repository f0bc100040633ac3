#include <streamed/order.hpp>

#include <capture/float_products.hpp>
#include <plan/host_parts.hpp>
#include <plan/reduction.hpp>
#include <plan/scan.hpp>

#include <algorithm>

namespace kiln::streamed {

namespace {

using plan::host_order;

/// Of a reduction on the host, of a shape and the axes that go.
struct host_division {
    host_division(const shape& whole, std::uint8_t axes) {
        bool is_first = true;
        bool is_inner = true;
        for (int axis = whole.rank(); axis-- > 0;) {
            if (whole[axis] == 1) continue;
            const bool goes = axes >> axis & 1;
            if (is_first) along_rows = goes;
            is_first = false;
            is_inner = is_inner && goes == along_rows;
            if (is_inner) inner *= whole[axis];
            if (goes) reduced *= whole[axis], outermost = axis;
        }
        const plan::host_parts parts = plan::host_parts_of(along_rows, inner, reduced);
        steps = parts.steps;
        steps_of_part = parts.steps_of_part;
    }

    [[nodiscard]] bool has_parts() const noexcept { return steps > steps_of_part; }

    bool along_rows = true;
    std::int64_t inner = 1;  // neighbours of one result, or results side by side
    std::int64_t reduced = 1;
    std::int64_t steps = 1;
    std::int64_t steps_of_part = 1;
    int outermost = -1;  // of the axes that go; -1: none has elements to add up
};

}  // namespace

bool same_order(const shape& whole, const shape& part, std::uint8_t axes, bool kernels_reduce) {
    if (kernels_reduce) {
        const plan::reduction_sizes all = plan::sizes_of_reduction(whole, axes);
        const plan::reduction_sizes some = plan::sizes_of_reduction(part, axes);
        return all.threads_per_output == some.threads_per_output && all.vector_width == some.vector_width &&
               all.part == some.part && all.splits == some.splits &&
               kiln::detail::has_own_order(whole, axes) == kiln::detail::has_own_order(part, axes);
    }
    const host_division all(whole, axes);
    const host_division some(part, axes);
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
                                 left.count == right.count && left.part == right.part;
                      });
}

bool is_any_order(kiln::detail::reduction_kind what, element_type accumulated) {
    using kiln::detail::reduction_kind;
    if (what == reduction_kind::argmin || what == reduction_kind::argmax) return true;
    if (what == reduction_kind::user || kiln::detail::keeps_state(what)) return false;
    return kind_of(accumulated) == element_kind::integer || kind_of(accumulated) == element_kind::logical;
}

std::int64_t least_carried(const shape& whole, std::uint8_t axes, int axis, bool kernels_reduce) {
    if (kernels_reduce)
        return 0;  // each has blocks of its own, whose results are combined in an order that knows how many those are
    if (whole.size() == 0) return 0;  // there is nothing to carry
    const host_division all(whole, axes);
    if (all.outermost != axis) return 0;
    // Of rows whose run the axis is part of, positions are not whole steps: elements are counted, of whole pieces.
    const bool in_run = all.along_rows && all.reduced == all.inner;
    const std::int64_t part = in_run ? all.steps_of_part * host_order::piece : all.steps_of_part;
    const std::int64_t of_position = (in_run ? all.reduced : all.steps) / whole[axis];
    for (int doubled = 0; doubled < 32; ++doubled)
        if ((part << doubled) % of_position == 0) return (part << doubled) / of_position;
    return 0;
}

}  // namespace kiln::streamed
