// kiln/api/make_whole: an array whose elements somebody is about to see, or to write.
#pragma once

#include <evaluate.hpp>
#include <run/partial_sums.hpp>

namespace kiln::inline v0_1::detail {

/// Puts a sum that is partial, `of` or what it is a view of, in its place. Throws what an evaluation throws.
inline void make_whole(const array_node& of) { finalize(of.storage(), evaluate_alone); }

}  // namespace kiln::inline v0_1::detail
