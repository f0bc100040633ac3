// kiln/api/array_text: elements as NumPy's str() writes an array of them.
// in: elements on the host   out: text   knows nothing of: devices, where the elements come from
#pragma once

#include <kiln/element_type.hpp>
#include <kiln/print.hpp>
#include <kiln/shape.hpp>

#include <cstddef>
#include <string>

namespace kiln::inline v0_1::detail {

/// What is shown of an array of that shape.
shape shown_shape(const shape& whole, const print_options& options);

/// `shown`: the elements of shown_shape(whole, options), row-major.
std::string array_text(element_type type, const shape& whole, const std::byte* shown, const print_options& options);

}  // namespace kiln::inline v0_1::detail
