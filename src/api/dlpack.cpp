// k::from_dlpack, k::to_dlpack: memory that changes hands, with what gives it back.
#include <api/make_whole.hpp>
#include <capture/array_node.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/stream_order.hpp>
#include <text/format.hpp>

#include <kiln/dlpack.hpp>

#include <algorithm>
#include <bit>
#include <memory>

namespace kiln::inline v0_1::detail {

namespace {

using dlpack::managed_tensor;
using dlpack::managed_tensor_versioned;
using dlpack::tensor;

constexpr std::uint32_t major_version = 1;

/// code and bits of each element type.
struct type_description {
    std::uint8_t code;
    std::uint8_t bits;
};
type_description description_of(element_type type) {
    const auto bits = static_cast<std::uint8_t>(bytes_of(type) * 8);
    switch (kind_of(type)) {
        case element_kind::logical: return {dlpack::boolean, bits};
        case element_kind::integer:
            return {info(type).suffix[0] == 'u' ? dlpack::unsigned_integer : dlpack::signed_integer, bits};
        case element_kind::floating: return {type == element_type::bfloat16 ? dlpack::bfloat : dlpack::floating, bits};
        case element_kind::complex: break;
    }
    return {dlpack::complex, bits};
}

void require_type(const tensor& from, element_type wanted) {
    for (int each = 0; each < element_type_count && from.dtype.lanes == 1; ++each) {
        const auto type = static_cast<element_type>(each);
        const type_description known = description_of(type);
        if (known.code != from.dtype.code || known.bits != from.dtype.bits) continue;
        if (type == wanted) return;
        throw type_error(
            text::format("kiln: from_dlpack: a tensor of {}, not of {}", info(type).name, info(wanted).name));
    }
    throw type_error(text::format(
        "kiln: from_dlpack: a tensor of DLPack's type code {} with {} bits and {} lanes, which is no type of "
        "kiln's; {} was asked for",
        from.dtype.code, from.dtype.bits, from.dtype.lanes, info(wanted).name));
}

void require_reachable(const tensor& from, const void* pointer) {
    const std::int32_t type = from.device.device_type;
    const bool is_host = type == dlpack::cpu || type == dlpack::cuda_host;
    const bool is_cuda = type == dlpack::cuda || type == dlpack::cuda_managed;
    if (!is_host && !is_cuda)
        throw device_error(
            text::format("kiln: from_dlpack: a tensor on DLPack's device type {}; kiln reaches 1 (CPU), 2 (CUDA), 3 "
                         "(CUDA, pinned) and "
                         "13 (CUDA, managed)",
                         type));
    using side = backend::memory_place::side;
    if (is_cuda && pointer && backend::place_of(pointer).where == side::host)
        throw device_error(
            text::format("kiln: from_dlpack: a tensor of CUDA device {}, whose memory at {} no GPU of this process has",
                         from.device.device_id, pointer));
}

handle<array_node> reference_to(const tensor& from, element_type wanted) {
    backend::refuse_while_recording("from_dlpack()");
    require_type(from, wanted);
    if (from.ndim < 0 || (from.ndim > 0 && !from.shape))
        throw shape_error("kiln: from_dlpack: a tensor without a shape");
    const shape extents(from.shape, from.ndim);
    const std::byte* const pointer = from.data ? static_cast<const std::byte*>(from.data) + from.byte_offset : nullptr;
    require_reachable(from, pointer);
    if (!from.strides) return make_reference(pointer, wanted, extents);
    return make_reference(pointer, wanted, extents,
                          std::span<const std::int64_t>(from.strides, static_cast<std::size_t>(from.ndim)));
}

/// Until all that was asked to read or write the memory has.
void wait_for_uses(const array_node& node) {
    backend::device& on = node.device ? backend::device_at(*node.device) : backend::current_device();
    const int here = on.current_stream();
    if (here == backend::recorded_stream) return;
    std::uint64_t others = backend::streams_of(node.buffer) & ~backend::stream_bit(here);
    for (; others; others &= others - 1) on.order_after(here, std::countr_zero(others));
    on.synchronize();
}

template <class Managed>
void give_back(const array_node& node) noexcept {
    try {
        wait_for_uses(node);
    } catch (const error&) {  // the device is lost: nothing reads any more
    }
    auto* const theirs = static_cast<Managed*>(node.theirs);
    if (theirs->deleter) theirs->deleter(theirs);
}

template <class Managed>
handle<array_node> taken_over(Managed* from, element_type wanted) {
    handle<array_node> made = reference_to(from->dl_tensor, wanted);
    made.get()->theirs = from;
    made.get()->release = give_back<Managed>;
    return made;
}

/// What a tensor of kiln's points to.
template <class Managed>
struct exported {
    Managed managed{};
    handle<array_node> node;
    std::int64_t extents[max_rank] = {};
    std::int64_t strides[max_rank] = {};

    static void destroy(Managed* of) { delete static_cast<exported*>(of->manager_ctx); }
};

template <class Managed>
Managed* export_as(handle<array_node> from) {
    backend::refuse_while_recording("to_dlpack()");
    if (!from) throw_no_value();
    const array_node& node = *from.get();
    make_whole(node);
    backend::device& on = backend::device_at(*node.device);
    backend::before_read(on, node, on.current_stream());
    auto made = std::make_unique<exported<Managed>>();
    std::copy(node.extents.begin(), node.extents.end(), made->extents);
    std::copy_n(node.strides, node.extents.rank(), made->strides);
    made->node = std::move(from);
    const bool is_cuda = node.device->kind == device_kind::cuda;
    const type_description type = description_of(node.type);
    tensor& to = made->managed.dl_tensor;
    to.data = node.data;
    to.device.device_type = is_cuda ? dlpack::cuda : dlpack::cpu;
    to.device.device_id = is_cuda ? node.device->index : 0;
    to.ndim = node.extents.rank();
    to.dtype.code = type.code;
    to.dtype.bits = type.bits;
    to.dtype.lanes = 1;
    to.shape = made->extents;
    to.strides = made->strides;
    made->managed.manager_ctx = made.get();
    made->managed.deleter = exported<Managed>::destroy;
    return &made.release()->managed;
}

}  // namespace

handle<array_node> from_dlpack(managed_tensor* from, element_type wanted) { return taken_over(from, wanted); }

handle<array_node> from_dlpack(managed_tensor_versioned* from, element_type wanted, bool writes) {
    if (from->version.major != major_version)
        throw error(text::format("kiln: from_dlpack: a tensor of DLPack {}.{}; kiln knows {}", from->version.major,
                                 from->version.minor, major_version));
    if (writes && (from->flags & dlpack::is_read_only))
        throw type_error(
            text::format("kiln: from_dlpack: a tensor that is read only: ask for const elements, "
                         "k::from_dlpack<const T>, of {}",
                         info(wanted).name));
    return taken_over(from, wanted);
}

void to_dlpack(handle<array_node> node, bool, managed_tensor** to) { *to = export_as<managed_tensor>(std::move(node)); }

void to_dlpack(handle<array_node> node, bool is_shared, managed_tensor_versioned** to) {
    const bool others_read = is_shared || (node && node.get()->references.load(std::memory_order_acquire) != 1);
    *to = export_as<managed_tensor_versioned>(std::move(node));
    (*to)->version = {major_version, 0};
    (*to)->flags = others_read ? dlpack::is_read_only : 0;
}

}  // namespace kiln::inline v0_1::detail
