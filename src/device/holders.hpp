// kiln/device/holders: which arrays hold much of a device's memory, for who finds none left.
// in: nodes with memory, as they come and go   out: words   knows nothing of: how memory is taken
#pragma once

#include <capture/array_node.hpp>

#include <string>

namespace kiln::backend {

/// Smaller ones are not noted: a lock for each would be felt, and thousands of them are no GB.
inline constexpr std::size_t least_noted_bytes = std::size_t{1} << 20;

void note_holder(const kiln::detail::array_node& owner) noexcept;
void forget_holder(const kiln::detail::array_node& owner) noexcept;

/// " Arrays of 1 MiB and more hold 3221225472 bytes: 3 of float32 (8192, 32768), 1073741824 bytes each; ..."; of none "".
std::string holders_of(const kiln::detail::known_device& on);

}  // namespace kiln::backend
