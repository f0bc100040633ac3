// jit_cache/stale_temporary: whether anybody still writes a temporary.
// in: an open shard, a temporary's name   out: yes or no   knows nothing of: bounds, entries
#pragma once

#include "file_descriptor.hpp"
#include "temporary_name.hpp"

#include <cstdint>
#include <string>

namespace jit_cache {

/// A temporary is stale when nobody holds its lock, and its process, if its number means one of this machine's, is gone; or
/// when it is hours old: the number may mean another process by now. Some network file systems grant every lock to
/// everybody, so a free lock alone says nothing. What only has a temporary's name is none.
[[nodiscard]] bool is_stale_temporary(const file_descriptor& shard, const std::string& name,
                                      const temporary_owner& owner, std::int64_t now_unix_s);

}  // namespace jit_cache
