// kiln/capture/mixed: a word into a hash.
#pragma once

#include <cstdint>

namespace kiln::inline v0_1::detail {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

}  // namespace kiln::inline v0_1::detail
