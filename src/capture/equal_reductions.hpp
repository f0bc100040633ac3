// kiln/capture/equal_reductions: graphs in which a reduction that was built twice is one term, so that it is computed once:
// k::var(x) has a mean of its own, whatever else has one. Within one kernel, lower/ finds values that are equal; here their
// shapes count too, and whole kernels and their results are saved.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// Whether some may be equal, by a look at each and its operand: it is asked at every call.
bool may_be_equal(const std::vector<const term*>& reduced);

/// The same graphs, copied where something above a reduction reads an equal one instead. Equal: made the same way of the same
/// elements, captured numbers and functions. Numbers that were captured apart are apart, whatever they are: their values
/// never decide which kernels there are. What equal ones are of is one term too.
std::vector<handle<term>> with_equal_reductions_once(const std::vector<handle<term>>& roots);

/// Of such a graph: whether they have the same values, though one may keep its axes.
bool same_values(const term& left, const term& right);

}  // namespace kiln::inline v0_1::detail
