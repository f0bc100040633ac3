// kiln/stage/scan_ends: what a scan's kernel does beside scanning: casts of what it reads and of what it writes, and lines from the last
// element to the first. Kernels of their own before it and after it would read and write all elements once more.
// in: terms   out: what is read, what is written, and how   knows nothing of: how kernels do it
#pragma once

#include <capture/scan_access.hpp>
#include <capture/term.hpp>

#include <vector>

namespace kiln::stage {

/// What a scan of type `type` reads in place of its operand.
struct scan_operand {
    kiln::detail::handle<kiln::detail::term> of;
    kiln::detail::scan_access how;
};

/// Without the cast to the type that is added up in, where a scan casts so.
scan_operand uncast_operand(const kiln::detail::handle<kiln::detail::term>& of, element_type type);

/// Whether an array is one whose lines along the axis are from the last element to the first in memory without gaps.
bool is_backward(const kiln::detail::array_node& node, const shape& of, int axis) noexcept;

/// What is made of a scan's result element by element, and of nothing that is made of it in another way: all roots that read it, each once;
/// the result itself among them, where it is a root. Empty: something else reads it, or nothing but it is a root.
std::vector<const kiln::detail::term*> made_of_elements(
    const kiln::detail::term& scanned, const std::vector<kiln::detail::handle<kiln::detail::term>>& roots);

/// Whether a scan's kernel goes on with such steps: all `stored` are made of the elements of `value`, an array of shape `of` that stands for
/// them, and of arrays that have an element for each, or are broadcast.
bool may_finish(const std::vector<kiln::detail::handle<kiln::detail::term>>& stored,
                const kiln::detail::array_node& value, const shape& of, int axis, bool reads_host);

/// What a scan writes in place of its result, which nobody else reads.
struct scan_result {
    const kiln::detail::term* of = nullptr;
    kiln::detail::scan_access how;
};

/// `roots`: with all that the scan is read by.
scan_result written_result(const kiln::detail::term& scan, int axis,
                           const std::vector<kiln::detail::handle<kiln::detail::term>>& roots);

}  // namespace kiln::stage
