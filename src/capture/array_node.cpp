// kiln/capture/array_node: what the public headers ask of a node.
#include <capture/array_node.hpp>

#include <process/spare_blocks.hpp>
#include <text/format.hpp>

#include <kiln/array.hpp>
#include <kiln/error.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

void* array_node::operator new(std::size_t) { return process::spare_blocks<array_node>::take(); }
void array_node::operator delete(void* node) noexcept { process::spare_blocks<array_node>::give_back(node); }

void destroy(const array_node* node) noexcept {
    if (node->release) node->release(*node);
    delete node;
}

bool same_view(const array_node& left, const array_node& right) noexcept {
    if (&left == &right) return true;
    // What stands for memory that is not there has one address (fused.cpp), so the owner has to be the same one.
    const bool are_positions = left.owned == ownership::position && right.owned == ownership::position;
    if (!are_positions && &left.storage() != &right.storage()) return false;
    return left.data == right.data && left.type == right.type && left.extents == right.extents &&
           left.free_axis == right.free_axis &&
           std::equal(left.strides, left.strides + left.extents.rank(), right.strides) && !left.map == !right.map &&
           (!left.map || *left.map == *right.map);
}

const shape& shape_of(const array_node* node) noexcept { return node->extents; }

/// For debuggers, which call it in a process that has stopped (src/debug/kiln_gdb.py): "float32 (2, 3) on cpu at 0x7f0c, 6 elements".
/// The text is the thread's, until its next call.
extern "C" [[gnu::used]] KILN_API const char* kiln_debug_array(const array_node* node) {
    thread_local char text[256];
    const std::string written =
        text::format("{} {} on {} at {}, {} elements", info(node->type).name, to_string(node->extents),
                     node->device ? name_of(*node->device) : "no device", static_cast<const void*>(node->data),
                     node->extents.size());
    text[written.copy(text, sizeof text - 1)] = '\0';
    return text;
}

void throw_no_value() {
    throw type_error(
        "kiln: an array without a value was read: nothing was assigned to it yet, or it was moved from. Assign an "
        "array or "
        "an expression to it first; a number (y = 1) fills the shape that an array has, and k::full<T>(shape, 1) has "
        "one");
}

void throw_not_one_element(const shape& extents) {
    throw shape_error(text::format("kiln: item: shape {} has {} elements, not one; use to_host()", to_string(extents),
                                   extents.size()));
}

}  // namespace kiln::inline v0_1::detail
