#include <plan/row_scans.hpp>

#include <plan/scan.hpp>

#include <bit>

namespace kiln::plan {

namespace {

using detail::graph;
using detail::reduction_kind;

bool is_scan(const graph::node& of) { return of.kind == graph::node_kind::reduced && of.scans; }

/// To the bit: integers wrap, and of extremes the first of those that are equal stays.
bool is_associative(const graph::node& of) {
    const element_kind kind = kind_of(of.type);
    return of.reduces == reduction_kind::min || of.reduces == reduction_kind::max || kind == element_kind::integer ||
           kind == element_kind::logical;
}

bool has_its_order(const graph::node& scan, const shape& whole, int axis, const reduction_sizes& sizes,
                   const target& on) {
    const scan_plan alone = plan_scan(whole, axis, scan.reduces, scan.type, on);
    const scan_step& only = alone.steps.front();
    if (alone.steps.size() > 1 || only.parts() > 1) return false;
    if (only.mapping == scan_mapping::columns) return sizes.threads_per_output == 1;
    const std::int64_t of_round = std::int64_t{warp} * 16 / bytes_of(scan.type);
    return only.mapping == scan_mapping::short_rows && sizes.threads_per_output > 1 &&
           (only.count <= of_round || is_associative(scan));
}

}  // namespace

bool has_scans(const graph& of) { return std::any_of(of.nodes.begin(), of.nodes.end(), is_scan); }

bool scans_fit(const graph& of, const shape& whole, std::uint8_t axes, const reduction_sizes& sizes, const target& on) {
    constexpr std::int64_t longest = 128;  // each of 32 lanes has four at once
    constexpr int most_bytes = 16;         // of an element, in registers
    const bool is_one_axis = std::has_single_bit(axes);
    if (on.kind != frame::cuda || !is_one_axis || sizes.vector_width == 1 || sizes.splits > 1 ||
        sizes.reduced > longest)
        return false;
    int bytes = 0;
    for (const graph::node& each : of.nodes) {
        if (!is_scan(each)) continue;
        bytes += std::max(4, bytes_of(each.type));
        if (!has_its_order(each, whole, std::countr_zero(axes), sizes, on)) return false;
    }
    return bytes <= most_bytes;
}

}  // namespace kiln::plan
