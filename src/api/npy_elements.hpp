// kiln/api/npy_elements: what a .npy file must be for an array to be made of it, whether it is read or mapped.
#pragma once

#include <kiln/npy.hpp>

#include <cstdint>
#include <string>

namespace kiln::inline v0_1::detail {

/// Throws type_error, in the name of `who`, where the file's elements are of another type. Of bytes anything that is a byte is one, bool
/// too.
void require_npy_type(const char* who, const std::string& path, const npy_description& header, element_type wanted);

/// Throws file_error where a file of so many bytes ends before its last element does.
void require_npy_size(const std::string& path, const npy_description& header, std::int64_t file_bytes);

}  // namespace kiln::inline v0_1::detail
