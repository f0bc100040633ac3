// k::wrap: memory of the user's as an array.
#include <capture/array_node.hpp>
#include <capture/viewed.hpp>
#include <device/devices.hpp>
#include <text/format.hpp>

#include <kiln/array.hpp>
#include <kiln/error.hpp>
#include <kiln/interop.hpp>

#include <algorithm>
#include <iterator>
#include <span>

namespace kiln::inline v0_1::detail {

handle<array_node> make_reference(const void* pointer, element_type type, const shape& extents) {
    if (!pointer && extents.size() > 0)
        throw error("kiln: wrap: a null pointer to an array of shape " + to_string(extents));
    // As C++ aligns it: a complex number like its parts.
    const int alignment = bytes_of(component_of(type));
    if (reinterpret_cast<std::uintptr_t>(pointer) % static_cast<std::uintptr_t>(alignment))
        throw error(text::format("kiln: wrap: {} is no address of a {}, which lies at multiples of {} bytes", pointer,
                                 info(type).name, alignment));
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    set_contiguous_strides(node);
    node.data = static_cast<std::byte*>(const_cast<void*>(pointer));
    const backend::memory_place place = pointer ? backend::place_of(pointer) : backend::memory_place();
    node.owned = place.where == backend::memory_place::side::host ? ownership::host_user : ownership::device_user;
    node.device = place.on;
    return made;
}

handle<array_node> make_reference(const void* pointer, element_type type, const shape& extents,
                                  std::span<const std::int64_t> strides) {
    if (strides.size() != static_cast<std::size_t>(extents.rank()))
        throw shape_error(text::format("kiln: wrap: {} strides for shape {}", strides.size(), to_string(extents)));
    handle<array_node> made = make_reference(pointer, type, extents);
    std::copy(strides.begin(), strides.end(), made.get()->strides);
    made.get()->contiguous = is_row_major(*made.get());
    return made;
}

void require_depth(int depth, element_type wanted) {
    constexpr element_type depths[] = {element_type::uint8,   element_type::int8,   element_type::uint16,
                                       element_type::int16,   element_type::int32,  element_type::float32,
                                       element_type::float64, element_type::float16};
    const bool is_known = depth >= 0 && depth < static_cast<int>(std::size(depths));
    if (is_known && depths[depth] == wanted) return;
    throw type_error(text::format("kiln: wrap: a matrix of {}, not of {}",
                                  is_known ? info(depths[depth]).name : text::format("OpenCV's depth {}", depth),
                                  info(wanted).name));
}

void require_own_elements(const array_node* node) {
    if (node->extents.size() == 0) return;
    for (int axis = 0; axis < node->extents.rank(); ++axis)
        if (node->extents[axis] > 1 && node->strides[axis] == 0)
            throw shape_error(text::format(
                "kiln: wrap: assigning to shape {} whose axis {} has stride 0, so that its elements are one",
                to_string(node->extents), axis));
}

}  // namespace kiln::inline v0_1::detail
