#include <plan/split_axes.hpp>

#include <algorithm>
#include <iterator>

namespace kiln::plan {

namespace {

using detail::index_map;
using detail::index_step;

/// Of the axes that a call would have: `weights` are of positions in the merged axis that each is a part of.
struct parts {
    int rank = 0;
    std::int64_t extents[max_rank];
    int inner_axis[max_rank];
    std::int64_t weights[max_rank];
};

/// Where an axis is cut: neighbours that stay together, ascending, each a divisor of the next.
struct cuts {
    static constexpr int most = 3;
    std::int64_t at[most];
    int count = 0;

    bool add(std::int64_t neighbours) {
        std::int64_t* const end = at + count;
        std::int64_t* const place = std::lower_bound(at, end, neighbours);
        if (place != end && *place == neighbours) return true;
        if (count == most) return false;
        std::move_backward(place, end, end + 1);
        *place = neighbours;
        ++count;
        return true;
    }
};

bool only_divides(const index_map& of) {
    return std::all_of(of.steps.begin(), of.steps.end(), [](const index_step& each) {
        return each.how == index_step::kind::divide && each.input.offset == 0 &&
               std::all_of(each.input.steps.begin(), each.input.steps.end(), [](std::int64_t by) { return by == 0; });
    });
}

/// By how much the quotient goes up along each of the axes; false where it is no sum of positions.
bool quotient_of(const call_values& call, const reach& of, const index_step& step, const parts& axes,
                 std::int64_t* by_axis) {
    std::int64_t rest = 0;  // what is left of a division, at most
    for (int axis = 0; axis < axes.rank; ++axis) {
        const std::int64_t by = coefficient(call, of, step.input.axis, axes.inner_axis[axis]) * axes.weights[axis];
        if (by < 0) return false;
        by_axis[axis] = by % step.extent == 0 ? by / step.extent : 0;
        if (by % step.extent != 0) rest += by * (axes.extents[axis] - 1);
    }
    return rest < step.extent;
}

/// Cuts for all quotients of an operand.
bool add_cuts(const call_values& call, const reach& of, cuts* of_axes) {
    for (const index_step& step : of.map->steps)
        for (int axis = 0; axis < call.rank; ++axis) {
            const std::int64_t by = coefficient(call, of, step.input.axis, call.inner_axis[axis]);
            if (by <= 0 || by % step.extent == 0) continue;
            if (step.extent % by != 0) return false;
            const std::int64_t neighbours = step.extent / by;
            if (neighbours < call.extents[axis] && !of_axes[axis].add(neighbours)) return false;
        }
    return true;
}

bool cut(const call_values& call, const cuts* of_axes, parts& out) {
    for (int axis = 0; axis < call.rank; ++axis) {
        std::int64_t whole = call.extents[axis];
        for (int i = of_axes[axis].count; i >= 0; --i) {
            const std::int64_t neighbours = i > 0 ? of_axes[axis].at[i - 1] : 1;
            if (out.rank == max_rank || whole % neighbours != 0) return false;
            out.extents[out.rank] = whole / neighbours;
            out.weights[out.rank] = neighbours;
            out.inner_axis[out.rank++] = call.inner_axis[axis];
            whole = neighbours;
        }
    }
    return true;
}

template <class Visit>
bool all_maps(const call_values& call, Visit visit) {
    for (int memory = 0; memory < call.memory_count(); ++memory) {
        reach of;
        find_reach(call, memory, of);
        if (of.map && !visit(of)) return false;
    }
    return true;
}

}  // namespace

void split_axes(call_values& call) {
    const bool any = std::any_of(call.arrays.data(), call.arrays.data() + call.array_count,
                                 [](const detail::array_node* each) { return each->map != nullptr; });
    if (!any || call.inner_axis[0] < 0) return;
    cuts of_axes[max_rank];
    if (!all_maps(call, [&](const reach& of) { return only_divides(*of.map) && add_cuts(call, of, of_axes); })) return;
    parts made;
    if (!cut(call, of_axes, made)) return;
    const auto are_sums = [&](const reach& of) {
        std::int64_t by_axis[max_rank];
        return std::all_of(of.map->steps.begin(), of.map->steps.end(),
                           [&](const index_step& step) { return quotient_of(call, of, step, made, by_axis); });
    };
    if (!all_maps(call, are_sums)) return;
    call.rank = made.rank;
    std::copy_n(made.extents, made.rank, call.extents);
    std::copy_n(made.inner_axis, made.rank, call.inner_axis);
    std::copy_n(made.weights, made.rank, call.weights);
    call.axes_are_cut = true;
}

void take_quotients(const call_values& call, reach& of) {
    parts axes;
    axes.rank = call.rank;
    std::copy_n(call.extents, call.rank, axes.extents);
    std::copy_n(call.inner_axis, call.rank, axes.inner_axis);
    std::copy_n(call.weights, call.rank, axes.weights);
    std::fill_n(of.quotients, call.rank, 0);
    for (std::size_t i = 0; i < of.map->steps.size(); ++i) {
        std::int64_t by_axis[max_rank];
        quotient_of(call, of, of.map->steps[i], axes, by_axis);
        for (int axis = 0; axis < call.rank; ++axis) of.quotients[axis] += of.map->address[i] * by_axis[axis];
    }
    of.map = nullptr;
    of.has_quotients = true;
}

}  // namespace kiln::plan
