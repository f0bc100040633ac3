// kiln-cache/entry: what the commands know of an entry, and how they show it.
// in: what a scan or a pack gave   out: fields, figures, JSON   knows nothing of: columns, files
#pragma once

#include "output.hpp"

#include <jit_cache/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln_cache {

/// As entry_info, without the source: 20,000 of them are 150 MB.
struct entry {
    explicit entry(jit_cache::entry_info&& info);

    jit_cache::hash128 name;
    std::string file;  // empty: in a pack
    std::uint64_t file_bytes = 0;
    std::uint64_t payload_bytes = 0;
    std::int64_t last_used_unix_s = 0;
    std::optional<std::uint64_t> source_bytes;
    jit_cache::key fields;  // without the source
    std::vector<jit_cache::fact> facts;

    [[nodiscard]] std::string key() const { return jit_cache::to_hex(name); }
    /// As it was stored: not printable.
    [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const;
    [[nodiscard]] std::optional<std::string_view> fact(std::string_view name) const;
};

/// What a person calls it: its label, else its expression, else its kernel's name, else "-". As it was stored.
[[nodiscard]] std::string_view title_of(const entry& one);

/// The compiler's name without its folder, its size and its date: "libnvrtc.so.13.0.88". As it was stored.
[[nodiscard]] std::string_view short_compiler(const entry& one);

/// "31.2 ms"; where the fact is no figure, the fact; "-" where there is none.
[[nodiscard]] std::string compile_time(const entry& one);

/// "created" is seconds since 1970; where it is not, the fact; "-" where there is none.
[[nodiscard]] std::string created(const entry& one);

/// Whether its key begins with `text`, or its label, expression, kernel, target or compiler holds it, in whatever case.
[[nodiscard]] bool matches(const entry& one, std::string_view text);

/// All of an entry but its source, its facts and its binary.
[[nodiscard]] json entry_json(const entry& one);

/// As many digits as tell all names apart, and at least so many that the next few entries change nothing.
[[nodiscard]] std::size_t telling_digits(std::vector<jit_cache::hash128> names);

}  // namespace kiln_cache
