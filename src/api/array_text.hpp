// kiln/api/array_text: elements as NumPy's str() writes an array of them.
// in: elements on the host   out: text   knows nothing of: devices, where the elements come from
#pragma once

#include <kiln/element_type.hpp>
#include <kiln/shape.hpp>

#include <cstddef>
#include <string>

namespace kiln::inline v0_1::detail {

/// NumPy's defaults: of larger arrays, so many elements at either end of each axis.
inline constexpr std::int64_t most_elements_in_full = 1000;
inline constexpr std::int64_t edge_elements = 3;

/// What is shown of an array of that shape.
shape shown_shape(const shape& whole);

/// `shown`: the elements of shown_shape(whole), row-major.
std::string array_text(element_type type, const shape& whole, const std::byte* shown);

}  // namespace kiln::inline v0_1::detail
