#include <stage/stand_in.hpp>

#include <bit>

namespace kiln::stage {

using kiln::detail::array_node;
using kiln::detail::handle;

namespace {

/// An address that is nobody's, aligned as every allocation is.
std::byte* nobodys_memory() noexcept { return std::bit_cast<std::byte*>(std::uintptr_t{1} << 40); }

}  // namespace

handle<array_node> stand_in(element_type type, const shape& extents) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    node.data = nobodys_memory();
    kiln::detail::set_contiguous_strides(node);
    return made;
}

bool is_stand_in(const array_node& node) noexcept { return node.storage().data == nobodys_memory(); }

}  // namespace kiln::stage
