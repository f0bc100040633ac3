// kiln/streamed/order: the order in which a reduction adds up what it is made of, as far as parts of it must keep to it: a function of
// shape and axes, and of who reduces (plan/reduction.hpp: CUDA's kernels; plan/host_order.hpp: all others).
// knows nothing of: copies
#pragma once

#include <capture/term.hpp>
#include <plan/target.hpp>

#include <kiln/reduction.hpp>
#include <kiln/shape.hpp>

#include <cstdint>

namespace kiln::streamed {

/// The same expression by the reductions that its shapes make of it (capture/row_passes.hpp, capture/float_products.hpp), of which parts,
/// which have other shapes, are to be made. `reads_host`: it runs on the CPU.
kiln::detail::handle<kiln::detail::term> as_reduced(const kiln::detail::handle<kiln::detail::term>& root,
                                                    bool reads_host);

/// Whether each result of the part is made of its elements in the order in which all of them are; `part` has fewer positions on an axis that
/// stays. `kernels_reduce`: plan::target::reduces.
bool same_order(const shape& whole, const shape& part, std::uint8_t axes, bool kernels_reduce);

/// The same of partial results along an axis (plan/scan.hpp).
bool same_scan_order(const shape& whole, const shape& part, int axis, kiln::detail::reduction_kind what,
                     element_type accumulated, const plan::target& on);

/// Whether what a reduction comes to is the same in any order.
bool is_any_order(kiln::detail::reduction_kind what, element_type accumulated);

/// So many positions along `axis`, one that goes, and multiples of them end where a part of the order does: chunks that do, leave nothing
/// half done. At least 1.
std::int64_t steps_together(const shape& whole, std::uint8_t axes, int axis, bool kernels_reduce);

}  // namespace kiln::streamed
