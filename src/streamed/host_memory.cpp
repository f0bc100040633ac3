#include <streamed/host_memory.hpp>

#include <capture/viewed.hpp>
#include <device/devices.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace kiln::streamed {

namespace {

std::atomic<std::int64_t> host_array_count{0};

host_memory& memory_at(const array_node& node) noexcept { return *static_cast<host_memory*>(node.theirs); }

void give_back(const array_node& node) noexcept {
    const std::unique_ptr<host_memory> memory(&memory_at(node));
    host_array_count.fetch_sub(1, std::memory_order_relaxed);
}

handle<array_node> made_of(std::unique_ptr<host_memory> memory, std::byte* data, element_type type,
                           const shape& extents) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    node.owned = kiln::detail::ownership::host_user;
    kiln::detail::set_contiguous_strides(node);
    node.data = data;
    node.theirs = memory.release();
    node.release = give_back;
    host_array_count.fetch_add(1, std::memory_order_relaxed);
    return made;
}

/// Throws out_of_memory.
std::size_t bytes_of_all(element_type type, const shape& extents) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(static_cast<std::size_t>(extents.size()), static_cast<std::size_t>(bytes_of(type)),
                               &bytes))
        throw out_of_memory("kiln: shape " + to_string(extents) + " needs more than 2^64 bytes");
    return bytes;
}

}  // namespace

handle<array_node> make_host_array(element_type type, const shape& extents) {
    auto memory = std::make_unique<host_memory>();
    const std::size_t bytes = bytes_of_all(type, extents);
    if (bytes == 0) return made_of(std::move(memory), nullptr, type, extents);
    constexpr std::size_t worth_locking = std::size_t{256} << 10;  // less is copied to a buffer in a few us
    backend::device& on = backend::current_device();
    memory->own = bytes < worth_locking || backend::reaches_host(on) ? locked_memory::not_locked(bytes)
                                                                     : locked_memory(on, bytes);
    std::byte* const data = memory->own.data();
    return made_of(std::move(memory), data, type, extents);
}

handle<array_node> host_array_over(const handle<array_node>& reference) {
    const array_node& of = *reference.get();
    if (of.owned != kiln::detail::ownership::host_user)
        throw type_error("kiln: host_array: memory of a device, which is no host's; assign it to an array instead");
    if (host_memory_of(of)) return reference;
    auto memory = std::make_unique<host_memory>();
    memory->of_user = reference;
    handle<array_node> made = made_of(std::move(memory), of.data, of.type, of.extents);
    std::copy(of.strides, of.strides + of.extents.rank(), made.get()->strides);
    made.get()->contiguous = of.contiguous;
    return made;
}

handle<array_node> host_array_in(std::unique_ptr<mapped_file> file, std::int64_t offset, element_type type,
                                 const shape& extents, bool column_major) {
    std::byte* const data = extents.size() ? file->data() + offset : nullptr;
    auto memory = std::make_unique<host_memory>();
    memory->file = std::move(file);
    handle<array_node> made = made_of(std::move(memory), data, type, extents);
    if (!column_major) return made;
    array_node& node = *made.get();
    std::int64_t stride = 1;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        node.strides[axis] = stride;
        stride *= extents[axis];
    }
    node.contiguous = kiln::detail::is_row_major(node);
    return made;
}

const host_memory* host_memory_of(const array_node& node) noexcept {
    const array_node& whole = node.storage();
    return whole.release == give_back ? &memory_at(whole) : nullptr;
}

bool any_host_arrays() noexcept { return host_array_count.load(std::memory_order_relaxed) != 0; }

}  // namespace kiln::streamed
