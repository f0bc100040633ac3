// kiln/dlpack: arrays of other libraries as operands, and kiln's arrays for other libraries, without a copy.
// in: a DLManagedTensor or DLManagedTensorVersioned of anybody's   out: a reference to its memory; and the other way round
// knows nothing of: Python, whose capsules hold such tensors (tests/programs/dlpack_module.cpp shows the way through them)
//
// The structs are declared here, laid out as in the DLPack specification 1.0 (https://dmlc.github.io/dlpack), so that nobody needs
// its header; who has it passes its own types, which are the same to the byte.
#pragma once

#include <kiln/array.hpp>
#include <kiln/export.hpp>
#include <kiln/views.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace kiln::inline v0_1 {

namespace dlpack {

enum device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum type_code : std::uint8_t {
    signed_integer = 0,
    unsigned_integer = 1,
    floating = 2,
    bfloat = 4,
    complex = 5,
    boolean = 6
};

struct tensor {
    void* data;
    struct {
        std::int32_t device_type;
        std::int32_t device_id;
    } device;
    std::int32_t ndim;
    struct {
        std::uint8_t code;
        std::uint8_t bits;
        std::uint16_t lanes;
    } dtype;
    std::int64_t* shape;
    std::int64_t* strides;  // elements; null: row-major
    std::uint64_t byte_offset;
};

/// DLManagedTensor
struct managed_tensor {
    tensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(managed_tensor*);
};

/// DLManagedTensorVersioned
struct managed_tensor_versioned {
    struct {
        std::uint32_t major;
        std::uint32_t minor;
    } version;
    void* manager_ctx;
    void (*deleter)(managed_tensor_versioned*);
    std::uint64_t flags;
    tensor dl_tensor;
};

inline constexpr std::uint64_t is_read_only = 1;  // of flags

}  // namespace dlpack

namespace detail {

template <class M>
concept managed_dlpack = requires(M& of) {
    of.dl_tensor.byte_offset;
    of.manager_ctx;
    of.deleter(&of);
};
template <class M>
concept versioned_dlpack = managed_dlpack<M> && requires(M& of) { of.flags, of.version.major; };

template <class M>
using own_dlpack = std::conditional_t<versioned_dlpack<M>, dlpack::managed_tensor_versioned, dlpack::managed_tensor>;

KILN_API handle<array_node> from_dlpack(dlpack::managed_tensor* from, element_type wanted);
KILN_API handle<array_node> from_dlpack(dlpack::managed_tensor_versioned* from, element_type wanted, bool writes);
/// `is_shared`: others see what is written into it.
KILN_API void to_dlpack(handle<array_node> node, bool is_shared, dlpack::managed_tensor** to);
KILN_API void to_dlpack(handle<array_node> node, bool is_shared, dlpack::managed_tensor_versioned** to);

}  // namespace detail

/// k::array<float> y = k::from_dlpack<float>(theirs) * 2;
/// Another library's tensor, where it lies: what k::wrap makes of its memory, strides and all, of the tensor's shape. It is kiln's from
/// here on: its deleter is called when the reference and all expressions of it are gone, and what reads it has run. If this
/// throws it is still the caller's. `const T`: read only, as a tensor must be used that says so. M: DLManagedTensor,
/// DLManagedTensorVersioned or kiln::dlpack's. What writes the tensor on a stream of its library's must come before (a producer is
/// told the thread's stream, cudaStreamLegacy (1) until k::use_stream). Throws type_error for elements of another type, device_error for
/// memory that neither the host nor a GPU of CUDA's can reach, shape_error past 8 axes, error where elements are not aligned.
template <class T, detail::managed_dlpack M>
    requires element<std::remove_const_t<T>>
[[nodiscard]] array_ref<T> from_dlpack(M* theirs) {
    static_assert(sizeof(M) == sizeof(detail::own_dlpack<M>), "kiln: no DLPack tensor: it has other members");
    constexpr element_type type = type_of<std::remove_const_t<T>>;
    auto* const from = reinterpret_cast<detail::own_dlpack<M>*>(theirs);
    if constexpr (detail::versioned_dlpack<M>)
        return detail::access::make<array_ref<T>>(detail::from_dlpack(from, type, !std::is_const_v<T>));
    else return detail::access::make<array_ref<T>>(detail::from_dlpack(from, type));
}

/// DLManagedTensor* theirs = k::to_dlpack<DLManagedTensor>(x);
/// An array's memory for another library: row-major, on x.device(); whoever gets it calls its deleter once, after all that uses it. It
/// is valid on the calling thread's stream, as x.data() is. Elements that kiln's arrays share are to be read, which a versioned
/// tensor says: writing into them would change those arrays. k::to_dlpack(std::move(x)) gives the array away, to be
/// written, too, if it had its elements for itself. kiln leaves such memory alone: an assignment to x takes a buffer of its own.
template <detail::managed_dlpack M = dlpack::managed_tensor_versioned, element T>
[[nodiscard]] M* to_dlpack(const array<T>& x) {
    static_assert(sizeof(M) == sizeof(detail::own_dlpack<M>), "kiln: no DLPack tensor: it has other members");
    detail::own_dlpack<M>* made = nullptr;
    detail::to_dlpack(x.kiln_node(), true, &made);
    return reinterpret_cast<M*>(made);
}
template <detail::managed_dlpack M = dlpack::managed_tensor_versioned, element T>
[[nodiscard]] M* to_dlpack(array<T>&& x) {
    static_assert(sizeof(M) == sizeof(detail::own_dlpack<M>), "kiln: no DLPack tensor: it has other members");
    detail::own_dlpack<M>* made = nullptr;
    detail::handle<detail::array_node> node = x.kiln_node();
    x = array<T>();
    detail::to_dlpack(std::move(node), false, &made);
    return reinterpret_cast<M*>(made);
}

}  // namespace kiln::inline v0_1
