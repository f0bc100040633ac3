#include <capture/viewed.hpp>
#include <launch/arrays.hpp>
#include <launch/stream_order.hpp>
#include <text/format.hpp>

#include <kiln/array.hpp>
#include <kiln/error.hpp>

namespace kiln::inline v0_1::detail {

void destroy(const array_node* node) noexcept {
    if (node->owned == ownership::owner && node->data)
        launch::current_device().deallocate(node->data, node->allocated_bytes, launch::streams_of(node->uses));
    delete node;
}

const shape& shape_of(const array_node* node) noexcept { return node->extents; }

void throw_no_value() { throw type_error("kiln: an array without a value was read; assign to it first"); }

void throw_not_one_element(const shape& extents) {
    throw shape_error(text::format("kiln: item: shape {} has {} elements, not one; use to_host()", to_string(extents),
                                   extents.size()));
}

handle<array_node> node_without_memory(element_type type, ownership like) {
    if (like == ownership::position) return make_position(shape());
    launch::device& on = launch::current_device();
    handle<array_node> made = launch::make_owner(on, type, shape(), on.current_stream());
    // Nobody sees what it holds, but kernels read it: not what was there before, which tools would call an error.
    static constexpr std::byte zeros[16]{};
    if (!launch::detail::recorder) on.copy_from_host(made.get()->data, zeros, static_cast<std::size_t>(bytes_of(type)));
    return made;
}

handle<array_node> make_reference(const void* pointer, element_type type, const shape& extents) {
    launch::device& on = launch::current_device();
    if (!pointer && extents.size() > 0)
        throw device_error("kiln: wrap: a null pointer to an array of shape " + to_string(extents));
    // As C++ aligns it: a complex number like its parts.
    const int alignment = bytes_of(component_of(type));
    if (reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(alignment))
        throw device_error(text::format("kiln: wrap: {} is no address of a {}, which lies at multiples of {} bytes",
                                        pointer, info(type).name, alignment));
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    set_contiguous_strides(node);
    node.data = static_cast<std::byte*>(const_cast<void*>(pointer));
    node.owned =
        pointer && on.place_of(pointer) == launch::memory_place::host ? ownership::host_user : ownership::device_user;
    return made;
}

}  // namespace kiln::inline v0_1::detail

namespace kiln::launch {

using kiln::detail::array_node;
using kiln::detail::handle;

handle<array_node> make_owner(device& on, element_type type, const shape& extents, int stream) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    const std::int64_t count = kiln::detail::set_contiguous_strides(node);
    if (count > 0) {
        std::size_t bytes = 0;
        if (__builtin_mul_overflow(static_cast<std::size_t>(count), static_cast<std::size_t>(bytes_of(type)), &bytes))
            throw out_of_memory("kiln: shape " + to_string(extents) + " needs more than 2^64 bytes");
        node.data = on.allocate(bytes);
        node.allocated_bytes = bytes;
    }
    mark_written(node, stream);
    return made;
}

handle<array_node> make_sum_in_parts(device& on, element_type type, const shape& extents, std::int32_t part_count,
                                     int stream) {
    const std::size_t bytes =
        array_node::parts_offset + static_cast<std::size_t>(part_count) * static_cast<std::size_t>(bytes_of(type));
    handle<array_node> made = make_owner(on, element_type::uint8, shape{static_cast<std::int64_t>(bytes)}, stream);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    kiln::detail::set_contiguous_strides(node);
    node.part_count = part_count;
    node.in_place.store(false, std::memory_order_relaxed);
    return made;
}

handle<array_node> moved_view(const array_node& part, const handle<array_node>& whole) {
    handle<array_node> made(new array_node);
    array_node& view = *made.get();
    view.type = part.type;
    view.owned = part.owned;
    view.contiguous = part.contiguous;
    view.extents = part.extents;
    for (int axis = 0; axis < part.extents.rank(); ++axis) view.strides[axis] = part.strides[axis];
    view.data = whole.get()->data + (part.data - part.base.get()->data);
    if (part.map) view.map = std::make_unique<const kiln::detail::index_map>(*part.map);
    view.base = whole;
    return made;
}

}  // namespace kiln::launch
