// jit_cache/evict: keeps a folder within its bounds.
// in: an open root, bounds, how long it may take   out: what was deleted, what is left   knows nothing of: keys, payloads,
// who asks
#pragma once

#include "file_descriptor.hpp"

#include <jit_cache/folder.hpp>

#include <chrono>
#include <cstdint>

namespace jit_cache {

struct bounds {
    std::uint64_t max_bytes = 0;
    std::uint64_t max_entries = 0;
};

struct sweep_order {
    bounds allowed;
    doing what = doing::it;
    /// Looks at shards in an order of chance for about this long, at some in any case, and takes them for a sample: what
    /// is left is then an estimate, and each shard keeps its share of the bounds. Names are hashes, so a shard is as good
    /// as any.
    std::chrono::microseconds budget = std::chrono::hours(1);
    unsigned threads = 1;   // that delete: more than one for who has nothing else to do
    bool remembers = true;  // the names of those evicted: not where all are cleared
};

/// As sweep() in folder.hpp, for a root that the caller has opened under the rules that it needs.
sweep_result sweep_root(const file_descriptor& root, const sweep_order& order);

/// Removes shards that hold nothing any more. A writer that has one open makes it again.
void remove_empty_shards(const file_descriptor& root);

}  // namespace jit_cache
