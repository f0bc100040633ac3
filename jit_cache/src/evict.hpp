// jit_cache/evict: keeps a folder within its bounds.
// in: an open root, bounds, how long it may take   out: what was deleted, what is left   knows nothing of: keys, payloads,
// when it is time
#pragma once

#include "file_descriptor.hpp"

#include <jit_cache/folder.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace jit_cache {

struct amount {
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
};

/// For who cannot wait: shards in an order of chance, as many as half of the time allows, are taken for a sample. Names are
/// hashes, so a shard is as good as any; each keeps its share of the bounds.
struct hurry {
    std::chrono::microseconds time;
    /// What was published since the last sweep. Where the bounds are passed, twice as much goes, however long that takes: else
    /// a folder on a slow disk would grow for ever.
    amount published;
    std::uint32_t seed = 0;
};

struct sweep_order {
    amount allowed;
    doing what = doing::it;
    std::optional<hurry> in_a_hurry;
    unsigned threads = 1;   // that delete: more than one for who has nothing else to do
    bool remembers = true;  // the names of those evicted: not where all are cleared
};

struct root_sweep {
    sweep_result result;  // of what was seen
    bool saw_all = true;
};

/// As sweep() in folder.hpp, for a root that the caller has opened under the rules that it needs.
root_sweep sweep_root(const file_descriptor& root, const sweep_order& order);

/// Removes shards that hold nothing any more. A writer that has one open makes it again.
void remove_empty_shards(const file_descriptor& root);

}  // namespace jit_cache
