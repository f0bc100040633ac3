// kiln/npy: arrays from NumPy's .npy files, and to them.
// in: the name of a file   out: an array on the thread's device; a file   knows nothing of: .npz archives, pickled objects
#pragma once

#include <kiln/array.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>

#include <string>

namespace kiln::inline v0_1 {

/// What a .npy file says of its array.
struct npy_description {
    element_type type = element_type::float64;
    kiln::shape shape;
    bool column_major = false;  // NumPy's fortran_order
    bool big_endian = false;
    std::int64_t data_offset = 0;  // bytes from the file's begin to its first element
};

namespace detail {

KILN_API handle<array_node> load_npy(const std::string& path, element_type wanted);
KILN_API void save_npy(const std::string& path, const array_node* node);

}  // namespace detail

/// Reads the header alone. Throws file_error for a file that is not there or is no .npy file that kiln reads.
[[nodiscard]] KILN_API npy_description describe_npy(const std::string& path);

/// k::array<float> x = k::load_npy<float>("x.npy");
/// The array of a .npy file, on the calling thread's device: it has been read when this returns. Versions 1 to 3 of the format,
/// either byte order, row-major and column-major; two-byte elements without a type ('V2', what NumPy writes of ml_dtypes'
/// bfloat16) are bfloat16. The host needs 8 MiB beside the array. Throws type_error where the file's elements are of another
/// type (describe_npy says which; k::cast<float>(k::load_npy<double>(path)) converts), file_error for a file that cannot be
/// read, is truncated, or holds what no array can (objects, records, strings), and out_of_memory.
/// Source: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays".
template <element T>
[[nodiscard]] array<T> load_npy(const std::string& path) {
    return detail::access::make<array<T>>(detail::load_npy(path, type_of<T>));
}
// load_npy("x.npy")
template <class... None>
    requires(sizeof...(None) == 0)
expr<bool> load_npy(const std::string&) {
    detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return {};
}

/// k::save_npy("y.npy", k::sqrt(x) * 2);
/// The values of e as a .npy file, as numpy.save writes them: row-major, in this machine's byte order, for numpy.load. The file
/// takes its name when it is whole: whoever reads meanwhile sees the one before, and so does everybody if this throws
/// (a name that is a device's or a pipe's is written to as it stands). Waits. The host needs 8 MiB beside the array.
/// Throws file_error, and what evaluating e throws.
template <expression E>
void save_npy(const std::string& path, const E& e) {
    if constexpr (std::is_same_v<E, array<value_t<E>>>) detail::save_npy(path, e.kiln_node().get());
    else detail::save_npy(path, array<value_t<E>>(e).kiln_node().get());
}
template <expression E>
void save_npy(const E&, const std::string&) = delete;  // the file goes first: k::save_npy("y.npy", e)

}  // namespace kiln::inline v0_1
