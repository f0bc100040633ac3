// kiln/streamed/host_memory: arrays whose elements are in the host's memory: kiln's own (locked, where the thread's device copies such
// without a detour), the user's, or that of a file. Their nodes are those of k::wrap, but know what they are of.
// in: shapes, mapped files   out: nodes   knows nothing of: expressions, chunks
#pragma once

#include <capture/array_node.hpp>
#include <streamed/locked_memory.hpp>
#include <streamed/mapped_file.hpp>

#include <memory>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;

/// On whom the storage of a host array depends; its node owns it.
struct host_memory {
    locked_memory own;                  // kiln's
    std::unique_ptr<mapped_file> file;  // or a file's
    handle<array_node> of_user;         // or somebody else's, kept alive
};

/// Uninitialised; its pages are locked where the thread's device is a GPU that can copy them so. Throws out_of_memory.
handle<array_node> make_host_array(element_type type, const shape& extents);
/// The memory of `reference`, a node of k::wrap. Throws type_error where it is a GPU's.
handle<array_node> host_array_over(const handle<array_node>& reference);
/// The elements of a file from `offset` on, by row-major strides or, `column_major`, with the first axis innermost.
handle<array_node> host_array_in(std::unique_ptr<mapped_file> file, std::int64_t offset, element_type type,
                                 const shape& extents, bool column_major);

/// What `node`, or what it is a view of, is made of; nullptr: it is no host array.
const host_memory* host_memory_of(const array_node& node) noexcept;
/// The file that it is in; nullptr: none.
inline const mapped_file* file_of(const array_node& node) noexcept {
    const host_memory* const memory = host_memory_of(node);
    return memory ? memory->file.get() : nullptr;
}

/// Whether its elements are the host's, whoever made it.
inline bool is_on_host(const array_node& node) noexcept {
    return node.owned == kiln::detail::ownership::host_user && node.storage().data;
}

/// Whether the process ever had a host array: who has none is not asked to look for one.
bool any_host_arrays() noexcept;

}  // namespace kiln::streamed
