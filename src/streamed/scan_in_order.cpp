#include <streamed/scan_in_order.hpp>

#include <capture/reduced.hpp>
#include <device/arrays.hpp>
#include <device/stream_order.hpp>
#include <run/array_stage.hpp>

#include <bit>
#include <utility>

namespace kiln::streamed {

using plan::scan_mapping;

namespace {

struct lines {
    std::int64_t outer = 1;
    std::int64_t inner = 1;
};

lines lines_of(const shape& of, int axis) {
    lines out;
    for (int i = 0; i < of.rank(); ++i)
        if (i != axis) (i < axis ? out.outer : out.inner) *= of[i];
    return out;
}

class ordered_scan {
public:
    ordered_scan(backend::device& on, const char* label) : on_(on), label_(label) {}

    /// Of all lines, of which there are `some`. In place where `from` is `to`.
    void run(const plan::scan_step& undivided, const lines& some, std::byte* from, std::byte* to) const {
        const plan::scan_step of_all = plan::plan_scan(undivided, on_.target()).steps.back();
        plan::scan_step last = of_all;
        last.outer = some.outer;
        last.inner = some.inner;
        last.from = 0;
        last.to = 1;
        last.offsets = -1;
        if (last.parts() == 1 || last.walks()) return launch(last, from, to, nullptr);
        last.mapping = without_publishing(last.mapping);
        const handle<array_node> totals =
            backend::make_owner(on_, last.type, {some.outer, last.parts(), some.inner}, on_.current_stream());
        plan::scan_step of_parts = last;
        of_parts.totals_only = true;
        std::byte* const made = totals.get()->data;
        launch(of_parts, from, made, nullptr);
        run(plan::scan_of_totals(of_all), some, made, made);
        last.offsets = 2;
        launch(last, from, to, made);
    }

private:
    void launch(const plan::scan_step& step, std::byte* from, std::byte* to, std::byte* offsets) const {
        kiln::detail::launch_scan_step(on_, step, from, to, offsets, label_);
    }

    backend::device& on_;
    const char* const label_;
};

}  // namespace

scan_mapping without_publishing(scan_mapping of) noexcept {
    switch (of) {
        case scan_mapping::row_parts:
        case scan_mapping::served_parts:
        case scan_mapping::walked_rows: return scan_mapping::rows;
        case scan_mapping::panels:
        case scan_mapping::narrow_panels:
        case scan_mapping::lines: return scan_mapping::columns;
        default: return of;
    }
}

bool can_scan_in_order(const term& scan, const plan::target& on) noexcept {
    return scan.scans && scan.sorts.what == kiln::detail::sorted_rows::to::nothing &&
           (on.reduces || scan.reduces != kiln::detail::reduction_kind::user);
}

handle<term> scanned_in_order(const term& scan, const handle<term>& part, const shape& whole, std::uint8_t axes,
                              backend::device& on, const char* label, const evaluate_elements& evaluate) {
    const int axis = std::countr_zero(static_cast<unsigned>(axes));
    const shape extents = kiln::detail::broadcast_leaves(part);
    const handle<array_node> elements = evaluate(
        part.get()->type == scan.type ? part : kiln::detail::make_operation_term(operation::cast, scan.type, part));
    handle<array_node> made = backend::make_owner(on, scan.type, extents, on.current_stream());
    if (extents.size() > 0) {
        backend::before_read(on, *elements.get(), on.current_stream());
        const lines all = lines_of(whole, axis);
        plan::scan_step undivided{.what = scan.reduces, .type = scan.type};
        if (scan.reduces == kiln::detail::reduction_kind::user) undivided.definition = scan.bits[0];
        undivided.outer = all.outer;
        undivided.count = extents[axis];
        undivided.inner = all.inner;
        ordered_scan(on, label).run(undivided, lines_of(extents, axis), elements.get()->data, made.get()->data);
    }
    return kiln::detail::make_array_term(std::move(made), scan.type);
}

void scan_totals(const plan::scan_step& of, backend::device& on, const char* label, std::byte* totals) {
    ordered_scan(on, label).run(plan::scan_of_totals(of), {of.outer, of.inner}, totals, totals);
}

std::int64_t bytes_of_scan_in_order(const term& scan, const shape& part) {
    return 2 * part.size() * bytes_of(scan.type);  // elements; totals, of which there are fewer
}

}  // namespace kiln::streamed
