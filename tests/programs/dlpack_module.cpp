// What a Python module made with kiln does with arrays of other libraries: tests/dlpack_round_trip.py calls it by ctypes.
#include <kiln/kiln.hpp>

#include <cstdio>

namespace k = kiln;

using k::dlpack::managed_tensor;

/// 2 x + 1 of a tensor of floats, doubles or 32-bit integers, which it takes over. Null, with the message on standard error, where
/// kiln refuses it: then it is still the caller's.
extern "C" managed_tensor* odd_numbers(managed_tensor* theirs) {
    const auto of = [theirs]<class T>(T) {
        return k::to_dlpack<managed_tensor>(k::array<T>(k::from_dlpack<const T>(theirs) * T(2) + T(1)));
    };
    const k::dlpack::tensor& given = theirs->dl_tensor;
    try {
        // What is made of a host's tensor is the host's.
        const bool is_cuda = given.device.device_type == k::dlpack::cuda;
        const k::scoped_device here(is_cuda ? k::cuda(given.device.device_id) : k::cpu);
        const bool is_integer = given.dtype.code == k::dlpack::signed_integer;
        if (is_integer) return of(0);
        return given.dtype.bits == 64 ? of(0.0) : of(0.0f);
    } catch (const k::error& trouble) {
        std::fprintf(stderr, "%s\n", trouble.what());
        return nullptr;
    }
}
