#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/holders.hpp>
#include <device/memory.hpp>
#include <device/stream_order.hpp>

#include <kiln/error.hpp>

namespace kiln::backend {

using kiln::detail::array_node;
using kiln::detail::handle;

namespace {

void give_back(const array_node& node) noexcept {
    if (node.allocated_bytes >= least_noted_bytes) forget_holder(node);
    if (!node.data) return;  // it went to another owner
    deallocate(owner_at(*node.device), node.data, node.allocated_bytes, streams_of(node.buffer));
}

}  // namespace

handle<array_node> make_owner(device& on, element_type type, const shape& extents, int stream) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    node.device = on.known();
    const std::int64_t count = kiln::detail::set_contiguous_strides(node);
    if (count > 0) {
        std::size_t bytes = 0;
        if (__builtin_mul_overflow(static_cast<std::size_t>(count), static_cast<std::size_t>(bytes_of(type)), &bytes))
            throw out_of_memory("kiln: shape " + to_string(extents) + " needs more than 2^64 bytes");
        node.data = allocate(on, bytes);
        node.allocated_bytes = bytes;
        node.release = give_back;
        if (bytes >= least_noted_bytes) note_holder(node);
    }
    mark_written(node, stream);
    return made;
}

handle<array_node> moved_view(const array_node& part, const handle<array_node>& whole) {
    handle<array_node> made(new array_node);
    array_node& view = *made.get();
    view.type = part.type;
    view.owned = part.owned;
    view.contiguous = part.contiguous;
    view.device = whole.get()->device;
    view.extents = part.extents;
    for (int axis = 0; axis < part.extents.rank(); ++axis) view.strides[axis] = part.strides[axis];
    view.data = whole.get()->data + (part.data - part.base.get()->data);
    if (part.map) view.map = std::make_unique<const kiln::detail::index_map>(*part.map);
    view.base = whole;
    return made;
}

}  // namespace kiln::backend
