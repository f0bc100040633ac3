// jit_cache/entry: one artifact with its key as the bytes of a file, and back. FORMAT.md draws the layout.
// in: a key and an artifact, or a file's bytes   out: the other of the two   knows nothing of: files, folders, threads
#pragma once

#include <jit_cache/folder.hpp>
#include <jit_cache/key.hpp>
#include <jit_cache/store.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jit_cache {

inline constexpr std::size_t header_bytes = 32;    // magic, version, their checksum: the same in every version
inline constexpr std::size_t preamble_bytes = 64;  // the header and the four lengths
inline constexpr std::size_t checksum_bytes = 16;

enum class entry_state : std::uint8_t {
    good,
    newer,   // written by a later version of this library: not ours to judge, nor to delete
    broken,  // ours once, and damaged: torn by a crash, or with bits flipped
    foreign  // nothing that this library ever wrote
};

struct entry {
    key stored_key;
    artifact value;
};

struct unpacked {
    entry_state state = entry_state::broken;
    entry content;    // only when good
    std::string why;  // only when broken or foreign, for people
};

/// What the first bytes of a file (32 or more, or the whole of a shorter file) say. A file of nothing and one that begins
/// with zeros are what a crash leaves of one that was being written: broken. Where fewer than half of the magic bytes
/// are right, it was never ours.
[[nodiscard]] entry_state check_header(std::string_view first_bytes);

/// Where the description (header, lengths, key, facts and their checksum) ends in a file of `file_bytes`; 0, with `why`,
/// where the lengths do not add up to the file. Asked before anything is allocated by them, so that garbage lengths cost no
/// memory. `preamble` holds preamble_bytes.
[[nodiscard]] std::uint64_t description_bytes(std::string_view preamble, std::uint64_t file_bytes, std::string& why);

/// The size of the file that pack_entry() would make.
[[nodiscard]] std::uint64_t packed_bytes(const key& stored_key, const artifact& value);

[[nodiscard]] std::string pack_entry(const key& stored_key, const artifact& value);

/// Every check that needs no file name: header, lengths, checksums, field lists. The payload and the extras of a
/// description alone (`file` ends with it) are empty, `file_bytes` says how long it is with them.
[[nodiscard]] unpacked unpack_entry(std::string_view file);
[[nodiscard]] unpacked unpack_description(std::string_view description, std::uint64_t file_bytes);

/// Of an entry whose description is good: what its lengths say.
[[nodiscard]] std::uint64_t payload_bytes_of(std::string_view preamble);

}  // namespace jit_cache
