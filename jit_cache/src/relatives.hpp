// jit_cache/relatives: entries whose keys share the wanted key's first fields. Their names begin with the same digits, so
// they lie in one folder, and a listing finds them: for telling why something is not there, and for taking what another
// compiler made where there is none.
// in: an open root, a key that has no entry there   out: the nearest keys that have   knows nothing of: what fields mean
#pragma once

#include "directory.hpp"
#include "entry_file.hpp"

#include <jit_cache/miss.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jit_cache {

struct explanation {
    miss_reason why = miss_reason::never_stored;  // or evicted, or other_fields
    std::vector<std::string> relatives;  // when other_fields: names of the nearest, all in the wanted one's shard
};
/// By the hints: about 4 us. Where they tell nothing, by the shard's listing: about 40 us where it holds 80 entries.
[[nodiscard]] explanation explain_miss(const file_descriptor& store_folder, hash128 name, access how);

/// The fewest differences that one of these entries' keys has; empty where none of them can be read.
[[nodiscard]] std::vector<field_difference> fewest_differences(const file_descriptor& shard,
                                                               const std::vector<std::string>& relatives,
                                                               const key& wanted, access how);

/// The keys that differ from the wanted one in `free_field` alone, whole entries, the one created last first (by its fact
/// "created", then by name: the same choice in every process).
struct relative {
    std::string name;
    entry content;
};
[[nodiscard]] std::vector<relative> relatives_but_for(const file_descriptor& root, const key& wanted, hash128 name,
                                                      std::string_view free_field, access how);

}  // namespace jit_cache
