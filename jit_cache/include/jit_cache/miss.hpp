// jit_cache/miss: why something was not found. A miss costs a compile, so somebody will ask.
// in: what a look-up met   out: one reason, and the fields that tell the wanted key from its nearest relative
// knows nothing of: what fields mean
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
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
    std::string detail;  // which file, which error; empty where there is nothing to add

    /// When `why` is other_fields: the fields in which the nearest stored key is another than the wanted one. Looked up
    /// when asked, about 20 us, which a miss that nobody asks about need not take; empty where that entry is gone by then.
    [[nodiscard]] std::vector<field_difference> differences() const {
        return compare ? compare() : std::vector<field_difference>();
    }
    std::function<std::vector<field_difference>()> compare;
};

}  // namespace jit_cache
