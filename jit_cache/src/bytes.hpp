// jit_cache/bytes: little-endian numbers and length-prefixed field lists, the two things that the format is made of.
// in: numbers, names, values   out: bytes, and back with every length checked   knows nothing of: files, entries
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jit_cache {

inline void put_u32(std::string& out, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((value >> shift) & 0xffU));
}

inline void put_u64(std::string& out, std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>((value >> shift) & 0xffU));
}

/// The caller has checked that `offset + 4` bytes are there.
[[nodiscard]] inline std::uint32_t get_u32(std::string_view bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

/// The caller has checked that `offset + 8` bytes are there.
[[nodiscard]] inline std::uint64_t get_u64(std::string_view bytes, std::size_t offset) {
    std::uint64_t value = 0;
    for (std::size_t i = 8; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

/// One field: name length, name, value length, value.
inline void put_field(std::string& out, std::string_view name, std::string_view value) {
    put_u64(out, name.size());
    out.append(name);
    put_u64(out, value.size());
    out.append(value);
}

/// Takes one length-prefixed string off the front of `rest`; false when its length says more than is left.
[[nodiscard]] inline bool take_string(std::string_view& rest, std::string_view& out) {
    if (rest.size() < 8) return false;
    const std::uint64_t length = get_u64(rest, 0);
    // Compared with what is left, never added to an offset: a length of 2^64-1 would wrap around and pass.
    if (length > rest.size() - 8) return false;
    out = rest.substr(8, static_cast<std::size_t>(length));
    rest.remove_prefix(8 + static_cast<std::size_t>(length));
    return true;
}

/// Calls visit(name, value) for each field; stops early when visit returns false. False: not a well-formed list.
template <class Visit>
[[nodiscard]] bool for_each_field(std::string_view bytes, Visit&& visit) {
    while (!bytes.empty()) {
        std::string_view name;
        std::string_view value;
        if (!take_string(bytes, name) || !take_string(bytes, value)) return false;
        if (!visit(name, value)) return true;
    }
    return true;
}

}  // namespace jit_cache
