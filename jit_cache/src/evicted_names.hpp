// jit_cache/evicted_names: the names of entries that had to make room, so that who misses one can be told. A table of slots
// in one file, each overwritten by the next name that falls on it: a hint, bounded, in one read.
// in: an open root, names   out: whether a name was evicted, as far as it is remembered   knows nothing of: why
#pragma once

#include "directory.hpp"

#include <jit_cache/key.hpp>

#include <vector>

namespace jit_cache {

[[nodiscard]] bool was_evicted(const file_descriptor& root, hash128 name, access wanted);

/// Fails silently.
void remember_evicted(const file_descriptor& root, const std::vector<hash128>& names);

/// Of an entry that is published anew.
void forget_evicted(const file_descriptor& root, hash128 name);

}  // namespace jit_cache
