// kiln/device/arrays: nodes with memory of the current device.
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>

namespace kiln::launch {

/// A new owner, written on `stream` next. Its elements are uninitialised. Throws out_of_memory.
kiln::detail::handle<kiln::detail::array_node> make_owner(device& on, element_type type, const shape& extents,
                                                          int stream);

/// The same part of another owner, `whole`, whose shape is that of part's own base.
kiln::detail::handle<kiln::detail::array_node> moved_view(const kiln::detail::array_node& part,
                                                          const kiln::detail::handle<kiln::detail::array_node>& whole);

}  // namespace kiln::launch
