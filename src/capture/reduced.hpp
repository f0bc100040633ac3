// kiln/capture/reduced: reductions as terms: the axes that they go over, and the shapes of what they are in.
// knows nothing of: devices, text, in which order anything is computed
#pragma once

#include <capture/term.hpp>

#include <kiln/reduction.hpp>

#include <cstdint>

namespace kiln::inline v0_1::detail {

/// Which axes of such a shape go, as bits. Throws shape_error, in the name of the reduction.
std::uint8_t reduced_axes(const shape& of, const axis_list& over, const char* who);
/// What errors call it: of `every`, which is k::all, its users have not heard.
inline const char* called_by_users(reduction_kind of) { return of == reduction_kind::every ? "all" : info(of).name; }
/// What is left of a shape: without those axes, or with extent 1 there.
shape reduced_shape(const shape& of, std::uint8_t axes, bool keep);

shape without_last_axis(const shape& of);
shape with_last_extent(const shape& of, std::int64_t extent);

/// The axes that a reduction of such an operand goes over, and its shape then. Of a scan, the operand's, unless only the first elements
/// of sorted rows are kept.
std::uint8_t axes_of(const term& reduction, const shape& operand);
shape result_shape(const term& reduction, const shape& operand, std::uint8_t axes);

}  // namespace kiln::inline v0_1::detail
