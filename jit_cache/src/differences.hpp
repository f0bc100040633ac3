// jit_cache/differences: what tells one key from another, for people.
// in: two keys   out: fields   knows nothing of: what fields mean, files
#pragma once

#include <jit_cache/key.hpp>
#include <jit_cache/miss.hpp>

#include <vector>

namespace jit_cache {

/// The fields in which they differ, in the wanted key's order; long values (sources) are left empty.
[[nodiscard]] std::vector<field_difference> differences_between(const key& stored, const key& wanted);

}  // namespace jit_cache
