// kiln/api/npy_header: the text in front of a .npy file's elements.
// in: a file's first bytes   out: type, shape, order, and the other way round   knows nothing of: files, arrays
#pragma once

#include <kiln/element_type.hpp>
#include <kiln/shape.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::inline v0_1::detail {

struct npy_header {
    element_type type = element_type::float64;
    shape extents;
    bool column_major = false;
    bool big_endian = false;
};

/// Before the header: magic, version, the header's length.
struct npy_prefix {
    static constexpr std::size_t most_bytes = 12;

    std::size_t bytes = 0;         // of the prefix itself: 10 or 12
    std::size_t header_bytes = 0;  // of the text that follows it
};

/// Throws std::runtime_error that says what is wrong. `begin`: the file's first npy_prefix::most_bytes, or all of a shorter one.
npy_prefix parse_npy_prefix(std::string_view begin);

/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: a Python dictionary, in any order and spacing. Throws
/// std::runtime_error that says what is wrong, or what it is of that no array holds.
npy_header parse_npy_header(std::string_view text);

/// Prefix and header of a row-major array in this machine's byte order; its length is a multiple of 64, as NumPy's are.
std::string npy_header_of(element_type type, const shape& extents);

}  // namespace kiln::inline v0_1::detail
