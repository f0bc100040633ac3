// jit_cache/miss: why something was not found. A miss costs a compile, so somebody will ask.
// in: what a look-up met   out: one reason, and the fields that tell the wanted key from its nearest relative
// knows nothing of: what fields mean
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jit_cache {

enum class miss_reason : std::uint8_t {
#define JIT_CACHE_MISS(name, words) name,
#include <jit_cache/miss_table.def>
};

inline constexpr std::size_t miss_reason_count = 0
#define JIT_CACHE_MISS(name, words) +1
#include <jit_cache/miss_table.def>
    ;

inline constexpr std::array<std::string_view, miss_reason_count> miss_reason_names{
#define JIT_CACHE_MISS(name, words) #name,
#include <jit_cache/miss_table.def>
};

/// "nothing like it was stored", for people.
inline constexpr std::array<std::string_view, miss_reason_count> miss_reason_words{
#define JIT_CACHE_MISS(name, words) words,
#include <jit_cache/miss_table.def>
};

/// A field in which the wanted key and a stored one differ.
struct field_difference {
    std::string field;
    std::string stored;
    std::string wanted;
};

struct miss {
    miss_reason why = miss_reason::never_stored;
    /// When `why` is other_fields: of the stored key that has most fields in common with the wanted one.
    std::vector<field_difference> differences;
    std::string detail;  // which file, which error; empty where there is nothing to add
};

}  // namespace jit_cache
