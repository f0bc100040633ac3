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

/// Those whose results are combined by one operation of what they add up.
bool combines_values(reduction_kind what) {
    switch (what) {
        case reduction_kind::sum:
        case reduction_kind::prod:
        case reduction_kind::mean:
        case reduction_kind::min:
        case reduction_kind::max:
        case reduction_kind::any:
        case reduction_kind::every: return true;
        default: return false;
    }
}

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

std::optional<carried> carried::of(const handle<term>& root, bool kernels_reduce, std::vector<std::string>& reasons) {
    const term& of = *root.get();
    if (of.scans || of.segments.count || of.sorts.what != kiln::detail::sorted_rows::to::nothing) return {};
    const char* const name = kiln::detail::name_of(of.reduces, of.bits[0]);
    carried out;
    out.root_ = root;
    out.operand_ = of.args[0];
    out.accumulated_ = kiln::detail::accumulated_type(of.reduces, out.operand_.get()->type);
    if (!combines_values(of.reduces) ||
        (of.reduces == reduction_kind::mean && kind_of(out.accumulated_) == element_kind::complex)) {
        reasons.push_back(text::format("{} of chunks do not come to that of all", name));
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
    out.least_ = is_any_order(of.reduces, out.accumulated_)
                     ? 1
                     : least_carried(out.whole_, out.axes_, out.axis_, kernels_reduce);
    if (out.least_ == 0) {
        reasons.push_back(text::format(
            "along axis {}: the order of additions of {} over shape {} is not that of chunks one after the "
            "other{}",
            out.axis_, name, to_string(out.whole_), kernels_reduce ? ", on a GPU" : ""));
        return {};
    }
    return out;
}

std::int64_t carried::result_bytes() const {
    return kiln::detail::reduced_shape(whole_, axes_, false).size() * bytes_of(accumulated_);
}

handle<term> carried::reduction_of(const handle<term>& part) const {
    const term& of = *root_.get();
    const reduction_kind what = of.reduces == reduction_kind::mean ? reduction_kind::sum : of.reduces;
    const bool tests = what == reduction_kind::any || what == reduction_kind::every;
    handle<term> elements = tests ? part : as_type(accumulated_, part);
    return kiln::detail::make_reduction_term(what, accumulated_, std::move(elements), is_flat_ ? axis_list() : of.over,
                                             of.keeps_axes);
}

handle<term> carried::combined(const handle<array_node>& first, const handle<array_node>& second) const {
    return kiln::detail::make_operation_term(info(root_.get()->reduces).combine, accumulated_,
                                             kiln::detail::make_array_term(first, accumulated_),
                                             kiln::detail::make_array_term(second, accumulated_));
}

handle<term> carried::finished(const handle<array_node>& total) const {
    const term& of = *root_.get();
    handle<term> value = kiln::detail::make_array_term(total, accumulated_);
    if (of.reduces == reduction_kind::mean) {
        std::int64_t count = 1;
        for (int axis = 0; axis < whole_.rank(); ++axis)
            if (axes_ >> axis & 1) count *= whole_[axis];
        const float as_float = static_cast<float>(count);
        const double as_double = static_cast<double>(count);
        const void* const number =
            accumulated_ == element_type::float32 ? static_cast<const void*>(&as_float) : &as_double;
        value = kiln::detail::make_operation_term(operation::div, accumulated_, std::move(value),
                                                  kiln::detail::make_scalar_term(accumulated_, number, 0));
    }
    value = as_type(of.type, std::move(value));
    if (!is_flat_ || !of.keeps_axes) return value;
    const shape kept =
        kiln::detail::result_shape(of, kiln::detail::broadcast_leaves(of.args[0]),
                                   kiln::detail::axes_of(of, kiln::detail::broadcast_leaves(of.args[0])));
    return kiln::detail::viewed(value, kiln::detail::reshaped(kiln::detail::broadcast_leaves(value), kept));
}

void partial_results::combine_last() {
    const result second = std::move(waiting_.back());
    waiting_.pop_back();
    result& first = waiting_.back();
    first.value = evaluate_(of_.combined(first.value, second.value));
    ++first.doubled;
}

void partial_results::add(handle<array_node> next) {
    waiting_.push_back({std::move(next), 0});
    while (waiting_.size() > 1 && waiting_[waiting_.size() - 2].doubled == waiting_.back().doubled) combine_last();
}

handle<term> partial_results::finished() {
    while (waiting_.size() > 1) combine_last();
    return of_.finished(waiting_.back().value);
}

}  // namespace kiln::streamed
