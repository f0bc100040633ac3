// jit_cache/hints: what can be known of a name that is not there without listing a folder: that its entry had to make room,
// and what was stored last for the same source or the same family. Tables of names in one file, each slot overwritten by
// the next name that falls on it: bounded, and a few small reads for a miss.
// in: an open folder, names   out: what is remembered of them   knows nothing of: keys, why anything was evicted
#pragma once

#include "directory.hpp"

#include <jit_cache/key.hpp>

#include <optional>
#include <vector>

namespace jit_cache {

inline constexpr const char* hints_file = "hints";

struct hints {
    bool evicted = false;
    /// Stored last with the same first two fields, else with the same first one. Its entry may be gone by now.
    std::optional<hash128> nearest;
    /// Nothing with the same first field was ever stored. False: only a listing can tell, if there is no `nearest`.
    bool none_is_stored = false;
};

[[nodiscard]] hints read_hints(const file_descriptor& store_folder, hash128 name);

// Both fail silently.
void remember_stored(const file_descriptor& root, const std::vector<hash128>& names);
void remember_evicted(const file_descriptor& root, const std::vector<hash128>& names);

}  // namespace jit_cache
