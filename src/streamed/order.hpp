// kiln/streamed/order: the order in which a reduction adds up what it is made of, as far as parts of it must keep to it: a function of
// shape and axes, and of who reduces (plan/reduction.hpp: CUDA's kernels; plan/host_order.hpp: all others).
// knows nothing of: terms, copies
#pragma once

#include <plan/target.hpp>

#include <kiln/reduction.hpp>
#include <kiln/shape.hpp>

#include <cstdint>

namespace kiln::streamed {

/// Whether each result of the part is made of its elements in the order in which all of them are; `part` has fewer positions on an axis that
/// stays. `kernels_reduce`: plan::target::reduces.
bool same_order(const shape& whole, const shape& part, std::uint8_t axes, bool kernels_reduce);

/// The same of partial results along an axis (plan/scan.hpp).
bool same_scan_order(const shape& whole, const shape& part, int axis, kiln::detail::reduction_kind what,
                     element_type accumulated, const plan::target& on);

/// Whether what a reduction comes to is the same in any order.
bool is_any_order(kiln::detail::reduction_kind what, element_type accumulated);

/// So many positions along `axis`, one that goes, that the results of such parts, and of a last shorter one, combined in pairs, neighbours
/// first, are to the bit that of the whole; so are twice as many. 0: there are none such.
std::int64_t least_carried(const shape& whole, std::uint8_t axes, int axis, bool kernels_reduce);

}  // namespace kiln::streamed
