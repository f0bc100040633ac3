// jit_cache/entry: one artifact with its key as the bytes of a file, and back. FORMAT.md draws the layout.
// in: a key and an artifact, or a file's bytes   out: the other of the two   knows nothing of: files, folders, threads
#pragma once

#include <jit_cache/key.hpp>
#include <jit_cache/store.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jit_cache {

inline constexpr std::uint32_t format_version = 1;
inline constexpr std::size_t header_bytes = 32;    // magic, version, their checksum: the same in every version
inline constexpr std::size_t preamble_bytes = 56;  // the header and the three lengths
inline constexpr std::size_t checksum_bytes = 16;

enum class entry_state : std::uint8_t {
    good,
    newer,  // written by a later version of this library: not ours to judge, nor to delete
    broken
};

struct entry {
    key stored_key;
    artifact value;
};

struct unpacked {
    entry_state state = entry_state::broken;
    entry content;    // only when good
    std::string why;  // only when broken, for people
};

/// What the first bytes of a file (32 or more, or the whole of a shorter file) say.
[[nodiscard]] entry_state check_header(std::string_view first_bytes);

/// Whether the three lengths add up to the file; empty: they do. Asked before anything is allocated by them, so that
/// garbage lengths cost no memory. `preamble` holds preamble_bytes.
[[nodiscard]] std::string check_lengths(std::string_view preamble, std::uint64_t file_bytes);

/// The size of the file that pack_entry() would make.
[[nodiscard]] std::uint64_t packed_bytes(const key& stored_key, const artifact& value);

[[nodiscard]] std::string pack_entry(const key& stored_key, const artifact& value);

/// Every check that needs no file name: header, lengths, checksum, both field lists.
[[nodiscard]] unpacked unpack_entry(std::string_view file);

}  // namespace jit_cache
