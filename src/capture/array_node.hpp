// kiln/capture/array_node: what an array's handle points to. A node owns its memory, or is a view of one that does, or
// refers to memory that the user owns.
#pragma once

#include <capture/buffer_state.hpp>
#include <capture/index_map.hpp>
#include <capture/known_device.hpp>

#include <kiln/element_type.hpp>
#include <kiln/expression.hpp>
#include <kiln/shape.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace kiln::inline v0_1::detail {

/// Bits, so that those of several arrays can be or-ed.
enum class ownership : std::uint8_t {
    owner = 0,        // data came from the device and goes back to it
    view = 1,         // base owns
    device_user = 2,  // the user's, where kernels can reach it
    host_user = 3,    // the user's, on the host: where kernels run elsewhere it is copied
    position = 4,     // no memory: an element's value (int64) is its address, which makes data the first value
};

struct array_node : counted {
    element_type type = element_type::float32;
    ownership owned = ownership::owner;
    bool contiguous = true;  // row-major without gaps, and whole
    shape extents;
    std::int64_t strides[max_rank];  // elements, not bytes; the first extents.rank() are set
    std::byte* data = nullptr;       // the first element; null when there is none
    std::size_t allocated_bytes = 0;
    /// Where `data` is; nullptr: of no device (a position, the host's memory behind wrap(), an array that stands for
    /// one).
    known_device* device = nullptr;
    /// Of an owner with memory: gives it back to the device that it came from; of memory that another library lent (`theirs` is what
    /// it knows it by): to that library.
    void (*release)(const array_node&) noexcept = nullptr;
    void* theirs = nullptr;
    std::unique_ptr<const index_map> map;  // of a view that strides alone do not describe
    // Of the position along an axis of whatever it meets: that axis, counted from the end if negative. Its shape is ().
    std::int8_t free_axis = no_axis;
    handle<array_node> base;      // of a view: the node that owns
    mutable buffer_state buffer;  // of an owner
    // Of an owner of much memory: its neighbours in the list of those (device/holders.hpp).
    mutable const array_node* next_holder = nullptr;
    mutable const array_node* previous_holder = nullptr;

    static constexpr std::int8_t no_axis = -128;

    static void* operator new(std::size_t bytes);
    static void operator delete(void* node) noexcept;

    /// Bytes from one element to the next.
    [[nodiscard]] int element_bytes() const noexcept { return owned == ownership::position ? 1 : bytes_of(type); }
    /// The node whose memory this is; streams are put in order there.
    [[nodiscard]] const array_node& storage() const noexcept { return base ? *base.get() : *this; }
};

/// Whether both are one node, or views that were made anew and say the same: the same elements of one memory, in the same places of
/// one shape, or the same positions. Where a map has lookups, their indices are not looked at.
bool same_view(const array_node& left, const array_node& right) noexcept;

/// One more owner.
inline handle<array_node> share(const array_node& node) noexcept {
    node.references.fetch_add(1, std::memory_order_relaxed);
    return handle<array_node>(const_cast<array_node*>(&node));
}

struct byte_range {
    std::byte* begin;
    std::byte* end;
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(end - begin); }
};

/// From the first element to the last in memory, of a node that has elements and no map.
inline byte_range bytes_between(const array_node& node) noexcept {
    std::int64_t low = 0;
    std::int64_t high = 1;
    for (int axis = 0; axis < node.extents.rank(); ++axis) {
        const std::int64_t reach = node.strides[axis] * (node.extents[axis] - 1);
        (reach < 0 ? low : high) += reach;
    }
    const int size = bytes_of(node.type);
    return {node.data + low * size, node.data + high * size};
}

/// Row-major strides of `extents`, in elements; how many there are. Of a shape, so that the product does not overflow.
inline std::int64_t set_contiguous_strides(array_node& node) noexcept {
    std::int64_t stride = 1;
    for (int axis = node.extents.rank(); axis-- > 0;) {
        node.strides[axis] = stride;
        stride *= node.extents[axis];
    }
    return stride;
}

}  // namespace kiln::inline v0_1::detail
