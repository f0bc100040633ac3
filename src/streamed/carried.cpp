#include <streamed/carried.hpp>

#include <capture/reduced.hpp>
#include <capture/reduction_table.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/order.hpp>
#include <text/format.hpp>

#include <kiln/evaluate.hpp>

#include <algorithm>
#include <utility>

namespace kiln::streamed {

using kiln::detail::info;
using kiln::detail::reduction_kind;

namespace {

bool has_maps(const handle<term>& root) {
    bool found = false;
    kiln::detail::term_table seen;
    kiln::detail::each_term(
        root.get(), seen, [](const term&) { return false; },
        [&](const term& each) {
            found = found || (each.node && host_memory_of(*each.node.get()) && each.node.get()->map);
        });
    return found;
}

handle<term> as_type(element_type type, handle<term> of) {
    if (of.get()->type == type) return of;
    return kiln::detail::make_operation_term(operation::cast, type, std::move(of));
}

}  // namespace

std::optional<carried> carried::of(const handle<term>& root, const plan::target& on,
                                   std::vector<std::string>& reasons) {
    const term& of = *root.get();
    if (of.scans || of.segments.count || of.sorts.what != kiln::detail::sorted_rows::to::nothing) return {};
    const char* const name = kiln::detail::name_of(of.reduces, of.bits[0]);
    carried out;
    out.root_ = root;
    out.operand_ = of.args[0];
    out.accumulated_ = kiln::detail::accumulated_type(of.reduces, out.operand_.get()->type);
    if (of.reduces == reduction_kind::dot) {
        reasons.push_back("a product of matrices is not cut along the axis that it sums up");
        return {};
    }
    out.whole_ = kiln::detail::broadcast_leaves(out.operand_);
    if (out.whole_.size() == 0) return {};
    out.axes_ = kiln::detail::axes_of(of, out.whole_);
    const bool all_go = out.axes_ == kiln::detail::reduced_axes(out.whole_, {}, name);
    if (all_go && out.whole_.rank() > 1 && !out.operand_.get()->has_stages) {
        const shape flat{out.whole_.size()};
        handle<term> seen = kiln::detail::seen_through(out.operand_, kiln::detail::reshaped(out.whole_, flat));
        if (!has_maps(seen)) {
            out.operand_ = std::move(seen);
            out.whole_ = flat;
            out.axes_ = 1;
            out.is_flat_ = true;
        }
    }
    while (out.axis_ < out.whole_.rank() && (!(out.axes_ >> out.axis_ & 1) || out.whole_[out.axis_] == 1)) ++out.axis_;
    if (out.axis_ == out.whole_.rank()) return {};
    for (int axis = out.axis_ + 1; axis < out.whole_.rank(); ++axis)
        if (out.axes_ >> axis & 1) out.of_position_ *= out.whole_[axis];
    const bool finds_position = kiln::detail::info(of.reduces).result == kiln::detail::reduced_to::position;
    if (!finds_position && is_any_order(of.reduces, out.accumulated_)) return out;
    out.takes_.emplace(of, out.whole_, out.axes_);
    out.together_ = steps_together(out.whole_, out.axes_, out.axis_, on.reduces);
    return out;
}

bool carried::is_outermost() const noexcept {
    for (int axis = 0; axis < axis_; ++axis)
        if (whole_[axis] != 1) return false;
    return true;
}

std::int64_t carried::bytes_known(const plan::target& on, std::int64_t count) const {
    const std::int64_t values = kiln::detail::reduced_shape(whole_, axes_, false).size();
    const std::int64_t results = 3 * values * bytes_of(accumulated_);  // two, and what they come to
    return results + (takes_ ? takes_->bytes_known(on, whole_, count * of_position_) : 0);
}

std::int64_t carried::bytes_of_elements(std::int64_t count) const {
    return takes_ ? takes_->bytes(*operand_.get(), whole_) / whole_[axis_] * count : 0;
}

handle<term> carried::reduction_of(const handle<term>& part) const {
    const term& of = *root_.get();
    const bool tests = of.reduces == reduction_kind::any || of.reduces == reduction_kind::every;
    handle<term> elements = tests ? part : as_type(accumulated_, part);
    return kiln::detail::make_reduction_term(of.reduces, accumulated_, std::move(elements),
                                             is_flat_ ? axis_list() : of.over, of.keeps_axes);
}

handle<term> carried::finished(const handle<array_node>& total) const {
    const term& of = *root_.get();
    handle<term> value = as_type(of.type, kiln::detail::make_array_term(total, total.get()->type));
    if (!is_flat_ || !of.keeps_axes) return value;
    const shape whole = kiln::detail::broadcast_leaves(of.args[0]);
    const shape kept = kiln::detail::result_shape(of, whole, kiln::detail::axes_of(of, whole));
    return kiln::detail::viewed(value, kiln::detail::reshaped(kiln::detail::broadcast_leaves(value), kept));
}

carried_results::carried_results(const carried& of, backend::device& on, std::int64_t most, const char* label,
                                 evaluate_elements evaluate)
    : of_(of), evaluate_(std::move(evaluate)) {
    if (of.takes_) taken_.emplace(of.takes_->begin(on, of.whole_, most * of.of_position_, label));
}

void carried_results::add(const handle<term>& part, std::int64_t begin, std::int64_t count) {
    if (taken_) {
        const handle<array_node> elements = evaluate_(of_.takes_->of(part));
        return taken_->take(*elements.get(), begin * of_.of_position_, count * of_.of_position_);
    }
    handle<array_node> next = evaluate_(of_.reduction_of(part));
    if (!sum_) {
        sum_ = std::move(next);
        return;
    }
    const auto term_of = [this](const handle<array_node>& node) {
        return kiln::detail::make_array_term(node, of_.accumulated_);
    };
    sum_ = evaluate_(kiln::detail::make_operation_term(info(of_.root_.get()->reduces).combine, of_.accumulated_,
                                                       term_of(sum_), term_of(next)));
}

handle<term> carried_results::finished() {
    if (!taken_) return of_.finished(sum_);
    const term& of = *of_.root_.get();
    return of_.finished(
        taken_->finished(kiln::detail::reduced_shape(of_.whole_, of_.axes_, of.keeps_axes && !of_.is_flat_)));
}

}  // namespace kiln::streamed
