// kiln/capture/same_terms: whether two graphs built at run time say the same: the same operations, on the same arrays, with
// the same numbers.
// in: terms   out: yes or no   knows nothing of: devices, text
#pragma once

#include <capture/term.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// Root by root. Numbers are compared by their bits, arrays by where their elements are.
[[nodiscard]] bool same_terms(const std::vector<handle<term>>& left, const std::vector<handle<term>>& right);
/// Two terms alone, but for their operands.
[[nodiscard]] bool same_alone(const term& left, const term& right);

}  // namespace kiln::inline v0_1::detail
