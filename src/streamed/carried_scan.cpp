#include <streamed/carried_scan.hpp>

#include <capture/reduced.hpp>
#include <capture/reduction_table.hpp>
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/stream_order.hpp>
#include <run/array_stage.hpp>
#include <streamed/scan_in_order.hpp>
#include <streamed/slices.hpp>
#include <text/format.hpp>

#include <kiln/evaluate.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace kiln::streamed {

using plan::scan_mapping;

std::optional<carried_scan> carried_scan::of(const handle<term>& root, const plan::target& on,
                                             std::vector<std::string>& reasons) {
    const term& of = *root.get();
    if (!of.scans || of.sorts.what != kiln::detail::sorted_rows::to::nothing) return {};
    const char* const name = kiln::detail::name_of(of.reduces, of.bits[0]);
    const shape whole = kiln::detail::broadcast_leaves(of.args[0]);
    if (whole.size() == 0) return {};
    carried_scan out;
    out.root_ = root;
    out.axis_ = std::countr_zero(static_cast<unsigned>(kiln::detail::axes_of(of, whole)));
    const auto refused = [&](const char* why) -> std::optional<carried_scan> {
        reasons.push_back(text::format("along axis {}: cum{} {}", out.axis_, name, why));
        return {};
    };
    const std::uint64_t definition = of.reduces == kiln::detail::reduction_kind::user ? of.bits[0] : 0;
    if (definition && !on.reduces) return refused("by a function of the user's is not, on a CPU");
    const plan::scan_plan plan = plan::plan_scan(whole, out.axis_, of.reduces, of.type, on, definition);
    out.last_ = plan.steps.back();
    if (out.last_.outer != 1) return refused("begins anew along the axes before it");
    if (out.last_.mapping == scan_mapping::short_rows) return refused("is of so few that they stay together");
    // A thread adds up what comes before its parts one after the other, as a scan of few totals does.
    if (out.last_.mapping == scan_mapping::lines && out.last_.parts() > plan::least_of_column)
        return refused("has more parts than are scanned in that order");
    out.last_.mapping = without_publishing(out.last_.mapping);
    return out;
}

handle<term> carried_scan::elements_of(const handle<term>& part) const {
    return part.get()->type == type() ? part : kiln::detail::make_operation_term(operation::cast, type(), part);
}

/// Of contiguous elements, on top of what is at its third memory.
plan::scan_step carried_scan::step(std::int64_t count) const {
    plan::scan_step out = last_;
    out.count = count;
    out.from = 0;
    out.to = 1;
    out.offsets = 2;
    return out;
}

scanned_chunks::scanned_chunks(const carried_scan& of, backend::device& on, const char* label,
                               evaluate_elements evaluate,
                               std::function<void(const handle<term>&, const array_node&)> evaluate_into)
    : of_(of),
      on_(on),
      label_(label),
      evaluate_(std::move(evaluate)),
      evaluate_into_(std::move(evaluate_into)),
      totals_(backend::make_owner(on, of.type(), {of.parts(), of.inner()}, on.current_stream())) {}

void scanned_chunks::add(const handle<term>& part, std::int64_t begin, std::int64_t count) {
    const handle<array_node> elements = evaluate_(of_.elements_of(part));
    plan::scan_step step = of_.step(count);
    step.totals_only = true;
    step.offsets = -1;
    std::byte* const to = totals_.get()->data + begin / of_.part() * of_.inner() * bytes_of(of_.type());
    backend::before_read(on_, *elements.get(), on_.current_stream());
    kiln::detail::launch_scan_step(on_, step, elements.get()->data, to, nullptr, label_);
}

handle<array_node> scanned_chunks::scanned(const handle<term>& part, std::int64_t begin, std::int64_t count) {
    if (of_.has_own_totals() && !are_scanned_) {
        backend::before_read(on_, *totals_.get(), on_.current_stream());
        scan_totals(of_.last_, on_, label_, totals_.get()->data);
        are_scanned_ = true;
    }
    if (of_.parts() > 1 && !are_scanned_) {
        handle<term> all = kiln::detail::copy_without_operands(*of_.root_.get());
        all.get()->over = axis(0);
        kiln::detail::add_operand(*all.get(), kiln::detail::make_array_term(totals_, of_.type()));
        totals_ = evaluate_(all);
        are_scanned_ = true;
    }
    const std::int64_t before = begin > 0 ? of_.before(count) : 0;
    const shape extents = kiln::detail::broadcast_leaves(part);
    std::int64_t longer[max_rank];
    std::copy(extents.begin(), extents.end(), longer);
    longer[of_.axis()] += before;
    const shape all(longer, extents.rank());
    const handle<array_node> memory = backend::make_owner(on_, of_.type(), all, on_.current_stream());
    handle<array_node> made = kiln::detail::viewed(memory, slice_of(all, of_.axis(), before, count));
    evaluate_into_(of_.elements_of(part), *made.get());
    plan::scan_step step = of_.step(before + count);
    if (of_.parts() == 1) step.part = count;
    const std::int64_t of_position = of_.inner() * bytes_of(of_.type());
    std::byte* const known =
        of_.parts() == 1 ? end_ : totals_.get()->data + (begin > 0 ? begin / of_.part() - 1 : 0) * of_position;
    if (of_.parts() > 1) backend::before_read(on_, *totals_.get(), on_.current_stream());
    kiln::detail::launch_scan_step(on_, step, memory.get()->data, memory.get()->data, known, label_);
    if (of_.parts() > 1) return made;
    last_ = memory;
    end_ = memory.get()->data + (before + count - 1) * of_position;
    return made;
}

}  // namespace kiln::streamed
