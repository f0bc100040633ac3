#include <plan/scan.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

// Of a GPU: threads that keep its memory busy, and what a part of a column must have to be worth a thread of its own.
constexpr std::int64_t enough_threads = std::int64_t{1} << 18;
constexpr std::int64_t least_of_column = 64;
// Lines this short have one thread each: the first cache makes lines of memory of its loads.
constexpr std::int64_t tiny_row = 16;

void divide_for_cuda(scan_step& of) {
    const std::int64_t of_warp = std::int64_t{warp} * scan_elements(of.type);
    if (of.inner == 1 && of.count > tiny_row) {
        of.mapping = of.count <= of_warp ? scan_mapping::short_rows : scan_mapping::rows;
        of.part = of.mapping == scan_mapping::rows ? of_warp * (scan_threads / warp) : of_warp;
    } else {
        const std::int64_t wanted = ceil_div(enough_threads, of.outer * of.inner);
        of.part = std::max(least_of_column, ceil_div(of.count, wanted));
    }
}

// Of the CPU: as many parts as keep its threads busy, where there are not as many lines.
void divide_for_host(scan_step& of) {
    constexpr std::int64_t enough_parts = 256;
    constexpr std::int64_t neighbours = 1024;  // lines that a thread takes together
    constexpr std::int64_t least = 4096;       // elements of a part
    const std::int64_t lines = of.outer * ceil_div(of.inner, neighbours);
    const std::int64_t least_of_line = std::max<std::int64_t>(16, least / std::min(of.inner, neighbours));
    of.part = std::max(least_of_line, ceil_div(of.count, ceil_div(enough_parts, lines)));
}

class scan_planner {
public:
    scan_planner(detail::reduction_kind what, std::uint64_t definition, element_type type, const target& on)
        : what_(what), definition_(definition), type_(type), on_(on) {}

    scan_plan run(const scan_step& all) {
        add(all);
        return std::move(made_);
    }

private:
    /// Totals of parts, scanned in the same way, then each part on top of those before it.
    void add(scan_step step) {
        step.what = what_;
        step.definition = definition_;
        step.type = type_;
        if (on_.kind == frame::cuda) divide_for_cuda(step);
        else divide_for_host(step);
        if (step.parts() > 1) {
            step.offsets = 2 + static_cast<int>(made_.temporaries.size());
            made_.temporaries.push_back(step.outer * step.parts() * step.inner);
            scan_step totals = step;
            totals.totals_only = true;
            totals.to = step.offsets;
            totals.offsets = -1;
            made_.steps.push_back(totals);
            add({.outer = step.outer,
                 .count = step.parts(),
                 .inner = step.inner,
                 .from = step.offsets,
                 .to = step.offsets});
        }
        made_.steps.push_back(step);
    }

    const detail::reduction_kind what_;
    const std::uint64_t definition_;
    const element_type type_;
    const target& on_;
    scan_plan made_;
};

}  // namespace

scan_plan plan_scan(const shape& of, int axis, detail::reduction_kind what, element_type type, const target& on,
                    std::uint64_t definition) {
    scan_step all;
    for (int i = 0; i < of.rank(); ++i) (i < axis ? all.outer : i == axis ? all.count : all.inner) *= of[i];
    return scan_planner(what, definition, type, on).run(all);
}

std::int64_t block_count(const scan_step& of) {
    switch (of.mapping) {
        case scan_mapping::columns: return ceil_div(of.outer * of.parts() * of.inner, scan_threads);
        case scan_mapping::short_rows: return ceil_div(of.outer, scan_threads / 32);
        case scan_mapping::rows: break;
    }
    return of.outer * of.parts();
}

}  // namespace kiln::plan
