#include <capture/reduced.hpp>

#include <capture/array_node.hpp>
#include <capture/reduction_table.hpp>
#include <text/format.hpp>

#include <kiln/evaluate.hpp>
#include <kiln/reduced.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace kiln::inline v0_1 {

axis_list::axis_list(const int* numbers, std::size_t count) : count_(static_cast<int>(count)) {
    if (count > static_cast<std::size_t>(max_rank))
        throw shape_error(text::format("kiln: axes: {} of them; arrays have up to {}", count, max_rank));
    std::copy(numbers, numbers + count, numbers_);
}

namespace detail {

handle<term> share(const term* of) noexcept {
    of->references.fetch_add(1, std::memory_order_relaxed);
    return handle<term>(const_cast<term*>(of));
}

std::uint8_t reduced_axes(const shape& of, const axis_list& over, const char* who) {
    if (over.all()) return static_cast<std::uint8_t>((1u << of.rank()) - 1);
    std::uint8_t out = 0;
    for (const int each : over) {
        const int axis = resolve_axis(each, of.rank(), who);
        if (out >> axis & 1) throw shape_error(text::format("kiln: {}: axis {} stands twice in the list", who, axis));
        out = static_cast<std::uint8_t>(out | 1u << axis);
    }
    return out;
}

shape reduced_shape(const shape& of, std::uint8_t axes, bool keep) {
    std::int64_t extents[max_rank];
    int rank = 0;
    for (int axis = 0; axis < of.rank(); ++axis) {
        const bool goes = axes >> axis & 1;
        if (goes && !keep) continue;
        extents[rank++] = goes ? 1 : of[axis];
    }
    return shape(extents, rank);
}

shape without_last_axis(const shape& of) {
    return reduced_shape(of, static_cast<std::uint8_t>(1u << (of.rank() - 1)), /*keep=*/false);
}

shape with_last_extent(const shape& of, std::int64_t extent) {
    std::int64_t extents[max_rank];
    std::copy(of.begin(), of.end(), extents);
    extents[of.rank() - 1] = extent;
    return shape(extents, of.rank());
}

std::uint8_t axes_of(const term& reduction, const shape& operand) {
    if (reduction.sorts.what != sorted_rows::to::nothing) return reduced_axes(operand, reduction.over, "sort");
    const std::string name = reduction.reduces == reduction_kind::every ? called_by_users(reduction.reduces)
                                                                        : name_of(reduction.reduces, reduction.bits[0]);
    return reduced_axes(operand, reduction.over, (reduction.scans ? "cum" + name : name).c_str());
}

shape result_shape(const term& reduction, const shape& operand, std::uint8_t axes) {
    if (reduction.segments.count) return shape{reduction.segments.count};
    if (reduction.sorts.kept) return with_last_extent(operand, reduction.sorts.kept);
    return reduction.scans ? operand : reduced_shape(operand, axes, reduction.keeps_axes);
}

handle<term> make_reduction_term(reduction_kind what, element_type result, handle<term> of, const axis_list& over,
                                 bool keep) {
    handle<term> made(new term);
    term& it = *made.get();
    it.what = term::kind::reduced;
    it.type = result;
    it.reduces = what;
    it.over = over;
    it.keeps_axes = keep;
    it.has_stages = true;
    it.arg_count = 1;
    it.args[0] = std::move(of);
    return made;
}

handle<term> reduction_term(reduction_state& state, reduction_kind what, element_type result, handle<term> of) {
    handle<term> made = make_reduction_term(what, result, std::move(of), state.over, state.keep);
    term* expected = nullptr;
    if (state.made.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
        return share(made.release());
    return share(expected);
}

namespace {

bool has_own_shape(const term& of) { return of.what == term::kind::full || of.what == term::kind::viewed; }

}  // namespace

shape shape_with_stages(const handle<term>& root) {
    std::unordered_map<const term*, shape> shapes;
    term_table seen;
    each_term(root.get(), seen, has_own_shape, [&](const term& of) {
        shape out;
        if (of.node) out = of.node.get()->extents;
        else if (of.what == term::kind::full) out = of.extents;
        else if (of.what == term::kind::viewed) out = of.view->to;
        for (int i = has_own_shape(of) ? of.arg_count : 0; i < of.arg_count; ++i)
            out = broadcast_shapes(out, shapes.at(of.args[i].get()));
        if (of.what == term::kind::reduced) out = result_shape(of, out, axes_of(of, out));
        shapes.emplace(&of, out);
    });
    return shapes.at(root.get());
}

}  // namespace detail
}  // namespace kiln::inline v0_1
