// kiln/stage/kernel_sharing: which reductions may share a kernel, and with what.
// in: reductions   out: yes or no   knows nothing of: the walk that asks, devices
#pragma once

#include <capture/term.hpp>

#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

/// By kernels of its own, which no other reduction shares.
[[nodiscard]] bool stands_alone(const term& reduction);
/// The elements of rows in order, and where they were: one sort.
[[nodiscard]] bool sorts_together(const std::vector<const term*>& drafted, const term& other);
/// Whether one of them is of elements by what the table of reductions knows: each becomes what those up to it come to.
[[nodiscard]] bool have_scan(const std::vector<const term*>& reductions);
/// What is known by the table of reductions. Functions of the user's, sorts and products of matrices are kernels of their own.
[[nodiscard]] bool may_be_persistent(const term* reduction);
/// Whether its result is the same to the bit in any order of its elements. Of 0 and -0, which are equal, the first is kept, but of
/// float32, whose instruction knows them apart.
[[nodiscard]] bool is_orderless(const term* reduction);
/// Whether others may be nested around it.
[[nodiscard]] bool ends_in_row(const term* reduction);
/// Whether one value is known of its elements, to which each of them is added as any other is.
[[nodiscard]] bool adds_up(const term* reduction);
/// A narrower integer of a sum of integers, as the sum: its kernel stores no wider ones. Elsewhere the two are kernels.
[[nodiscard]] handle<term> with_narrow_result(const handle<term>& root);
/// Whether the results of reductions stand where the elements of their row are: with extent 1, or as the innermost axes, or alone.
[[nodiscard]] bool meets_elements(const std::vector<const term*>& results, std::uint8_t axes);

}  // namespace kiln::inline v0_1::detail
