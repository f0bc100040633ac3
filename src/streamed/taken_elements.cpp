#include <streamed/taken_elements.hpp>

#include <capture/reduced.hpp>
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <evaluate.hpp>

#include <kiln/user_reduction.hpp>

#include <algorithm>

namespace kiln::streamed {

using kiln::detail::reduction_kind;

namespace {

/// On a host: whose code combines elements of a user's reduction. That of a long row, which is as good as any.
kiln::detail::step_kernel combining_kernel(const plan::reduced_output& of, backend::device& on, const char* label) {
    if (of.what != reduction_kind::user || on.target().reduces) return nullptr;
    constexpr std::int64_t long_row = 1 << 17;
    const handle<array_node> row = backend::make_owner(on, of.accumulated, {long_row}, on.current_stream());
    const handle<term> root = kiln::detail::make_user_reduction_term(
        of.definition, kiln::detail::make_array_term(row, of.accumulated), {}, false);
    return kiln::detail::kernel_of_reduction(root, label);
}

}  // namespace

taken_elements::taken_elements(const term& reduction, const shape& whole, std::uint8_t axes)
    : whole_(whole), axes_(axes) {
    reduced_ = {reduction.reduces, kiln::detail::accumulated_type(reduction.reduces, reduction.args[0].get()->type),
                reduction.type};
    if (reduction.reduces == reduction_kind::user) reduced_.definition = reduction.bits[0];
    int innermost = whole.rank() - 1;
    while (innermost > 0 && whole[innermost] == 1) --innermost;
    const bool along_rows = axes >> innermost & 1;
    int next = 0;
    for (const bool goes : {!along_rows, along_rows})
        for (int axis = 0; axis < whole.rank(); ++axis)
            if (static_cast<bool>(axes >> axis & 1) == goes) order_[next++] = axis;
}

handle<term> taken_elements::of(const handle<term>& part) const {
    handle<term> out = part.get()->type == reduced_.accumulated
                           ? part
                           : kiln::detail::make_operation_term(operation::cast, reduced_.accumulated, part);
    const int rank = whole_.rank();
    if (std::is_sorted(order_, order_ + rank)) return out;
    const shape extents = kiln::detail::broadcast_leaves(out);
    return kiln::detail::seen_through(out, kiln::detail::permuted(extents, {order_, static_cast<std::size_t>(rank)}));
}

std::int64_t taken_elements::bytes(const term& operand, const shape& part) const {
    const bool are_there = operand.what == term::kind::array && operand.type == reduced_.accumulated;
    if (are_there && std::is_sorted(order_, order_ + whole_.rank())) return 0;
    return part.size() * bytes_of(reduced_.accumulated);
}

std::int64_t taken_elements::values_of(const shape& part) const {
    return kiln::detail::reduced_shape(part, axes_, false).size();
}

kiln::detail::resumed_reduction taken_elements::begin(backend::device& on, const shape& part, std::int64_t most,
                                                      const char* label) const {
    return {on, reduced_, whole_, axes_, values_of(part), most, combining_kernel(reduced_, on, label), label};
}

std::int64_t taken_elements::bytes_known(const plan::target& on, const shape& part, std::int64_t most) const {
    return kiln::detail::resumed_reduction::bytes(on, reduced_, whole_, axes_, values_of(part), most);
}

handle<term> reduced_in_order(const term& reduction, const handle<term>& part, const shape& whole, std::uint8_t axes,
                              backend::device& on, const char* label, const evaluate_elements& evaluate) {
    const taken_elements how(reduction, whole, axes);
    const shape extents = kiln::detail::broadcast_leaves(part);
    const std::int64_t all = extents.size() / kiln::detail::reduced_shape(extents, axes, false).size();
    const handle<array_node> elements = evaluate(how.of(part));
    kiln::detail::resumed_reduction taking = how.begin(on, extents, all, label);
    taking.take(*elements.get(), 0, all);
    return kiln::detail::make_array_term(
        taking.finished(kiln::detail::reduced_shape(extents, axes, reduction.keeps_axes)), reduction.type);
}

}  // namespace kiln::streamed
