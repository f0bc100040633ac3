// jit_cache/evict: keeps a folder within its bounds.
// in: an open root, bounds   out: what was deleted, what is left   knows nothing of: keys, payloads, threads
#pragma once

#include "file_descriptor.hpp"

#include <jit_cache/store.hpp>

#include <cstdint>

namespace jit_cache {

struct bounds {
    std::uint64_t max_bytes = 0;
    std::uint64_t max_entries = 0;
};

/// As sweep() in store.hpp, for a root that the caller has opened under the rules that it needs.
sweep_result sweep_root(const file_descriptor& root, bounds allowed);

/// Removes shards that hold nothing any more. A writer that has one open makes it again.
void remove_empty_shards(const file_descriptor& root);

}  // namespace jit_cache
