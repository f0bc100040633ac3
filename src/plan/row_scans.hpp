// kiln/plan/row_scans: scans of rows that stay on chip, in the order that a scan of such rows has by itself (plan/scan.hpp): of short ones one
// element after the other, of longer ones groups of neighbours, each on top of all before it, which are put together in steps: of one group,
// two, four and so on. So what a scan feeds changes none of its bits.
// in: a graph, its rows   out: whether a kernel may keep them   knows nothing of: text
#pragma once

#include <capture/graph.hpp>
#include <plan/reduction.hpp>
#include <plan/target.hpp>

#include <kiln/shape.hpp>

#include <algorithm>
#include <cstdint>

namespace kiln::plan {

/// Elements of a group, of which a thread's vector of `width` has some.
constexpr int scan_neighbours(element_type type, int width) { return std::min(16 / bytes_of(type), width); }

bool has_scans(const detail::graph& of);

/// Of a graph with scans, whether rows of `whole` over `axes` that are kept have all of its scans in their order.
bool scans_fit(const detail::graph& of, const shape& whole, std::uint8_t axes, const reduction_sizes& sizes,
               const target& on);

}  // namespace kiln::plan
