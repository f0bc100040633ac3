#include <launch/arrays.hpp>
#include <launch/stream_order.hpp>

#include <kiln/array.hpp>
#include <kiln/error.hpp>

#include <fmt/format.h>

namespace kiln::detail {

void set_contiguous_strides(array_node& node) noexcept {
    std::int64_t stride = 1;
    for (int axis = node.extents.rank(); axis-- > 0;) {
        node.strides[axis] = stride;
        stride *= node.extents[axis];
    }
}

void destroy(const array_node* node) noexcept {
    if (node->owned == ownership::owner && node->data)
        launch::current_device().deallocate(node->data, node->allocated_bytes, launch::streams_of(node->uses));
    delete node;
}

const shape& shape_of(const array_node* node) noexcept { return node->extents; }

void throw_no_value() { throw type_error("kiln: an array without a value was read; assign to it first"); }

void throw_not_one_element(const shape& extents) {
    throw shape_error(fmt::format("kiln: item: shape {} has {} elements, not one; use to_host()", to_string(extents),
                                  extents.size()));
}

handle<array_node> upload(const void* elements, element_type type, const shape& extents) {
    launch::device& on = launch::current_device();
    handle<array_node> made = launch::make_owner(on, type, extents, on.current_stream());
    if (made.get()->allocated_bytes) on.copy_from_host(made.get()->data, elements, made.get()->allocated_bytes);
    return made;
}

namespace {

bool is_row_major(const array_node& node) noexcept {
    std::int64_t stride = 1;
    for (int axis = node.extents.rank(); axis-- > 0;) {
        if (node.extents[axis] != 1 && node.strides[axis] != stride) return false;
        stride *= node.extents[axis];
    }
    return true;
}

struct resolved_slice {
    std::int64_t first;
    std::int64_t count;
};

/// Source: Python, slice.indices.
resolved_slice resolve(const range& slice, std::int64_t extent) {
    if (slice.step == 0) throw shape_error("kiln: range: a step of 0 never arrives");
    const bool forward = slice.step > 0;
    const std::int64_t lowest = forward ? 0 : -1;
    const std::int64_t highest = forward ? extent : extent - 1;
    const auto position = [&](std::int64_t given, std::int64_t if_open) {
        if (given == range::open) return if_open;
        if (given < 0) given += extent;
        return given < lowest ? lowest : given > highest ? highest : given;
    };
    const std::int64_t begin = position(slice.begin, forward ? lowest : highest);
    const std::int64_t end = position(slice.end, forward ? highest : lowest);
    const std::int64_t distance = forward ? end - begin : begin - end;
    if (distance <= 0) return {0, 0};
    // -(step + 1) + 1, unsigned: the most negative step has no positive counterpart.
    const std::uint64_t stride =
        forward ? static_cast<std::uint64_t>(slice.step) : static_cast<std::uint64_t>(-(slice.step + 1)) + 1;
    return {begin, static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / stride) + 1};
}

}  // namespace

handle<array_node> make_view(const handle<array_node>& of, const range* slices, int slice_count) {
    const array_node& whole = *of.get();
    if (slice_count > whole.extents.rank())
        throw shape_error(fmt::format("kiln: {} slices of shape {}, which has {} axes", slice_count,
                                      to_string(whole.extents), whole.extents.rank()));

    handle<array_node> made(new array_node);
    array_node& view = *made.get();
    std::int64_t extents[max_rank];
    std::int64_t offset = 0;
    for (int axis = 0; axis < whole.extents.rank(); ++axis) {
        const range slice = axis < slice_count ? slices[axis] : all;
        const resolved_slice part = resolve(slice, whole.extents[axis]);
        extents[axis] = part.count;
        view.strides[axis] = part.count > 1 ? whole.strides[axis] * slice.step : whole.strides[axis];
        offset += part.first * whole.strides[axis];
    }
    view.extents = shape(extents, whole.extents.rank());
    view.type = whole.type;
    view.owned = ownership::view;
    view.contiguous = is_row_major(view);
    view.data = whole.data ? whole.data + offset * bytes_of(whole.type) : nullptr;
    view.base = of;
    return made;
}

handle<array_node> make_reference(const void* pointer, element_type type, const shape& extents) {
    launch::device& on = launch::current_device();
    if (!pointer && extents.size() > 0)
        throw device_error("kiln: wrap: a null pointer to an array of shape " + to_string(extents));
    // As C++ aligns it: a complex number like its parts.
    const int alignment = bytes_of(component_of(type));
    if (reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(alignment))
        throw device_error(fmt::format("kiln: wrap: {} is no address of a {}, which lies at multiples of {} bytes",
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

}  // namespace kiln::detail

namespace kiln::launch {

using kiln::detail::array_node;
using kiln::detail::handle;

handle<array_node> make_owner(device& on, element_type type, const shape& extents, int stream) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    kiln::detail::set_contiguous_strides(node);
    const std::int64_t count = extents.size();
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

handle<array_node> moved_view(const array_node& part, const handle<array_node>& whole) {
    handle<array_node> made(new array_node);
    array_node& view = *made.get();
    view.type = part.type;
    view.owned = part.owned;
    view.contiguous = part.contiguous;
    view.extents = part.extents;
    for (int axis = 0; axis < part.extents.rank(); ++axis) view.strides[axis] = part.strides[axis];
    view.data = whole.get()->data + (part.data - part.base.get()->data);
    view.base = whole;
    return made;
}

}  // namespace kiln::launch
