// jit_cache/pack_bytes: entries as the bytes of one file, and back. FORMAT.md draws the layout.
// in: entries' bytes, or a pack's   out: the other of the two   knows nothing of: files, what entries hold
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jit_cache {

inline constexpr std::uint64_t largest_pack_bytes = std::uint64_t{4} << 30;

[[nodiscard]] std::string pack_of(const std::vector<std::string>& entries);

/// Sets `entries` to views of each entry's bytes. Says why it is no whole pack; empty: it is.
[[nodiscard]] std::string split_pack(std::string_view bytes, std::vector<std::string_view>& entries);

}  // namespace jit_cache
