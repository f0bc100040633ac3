// kiln-cache/output: where words go: answers to stdout, complaints to stderr, JSON whole or not at all.
// in: text, values   out: bytes   knows nothing of: what they say
#pragma once

#include "request.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln_cache {

/// Keeps its fields in the order in which they are set.
using json = nlohmann::ordered_json;

void print(std::string_view text);

/// "name            value", cut to some lines of the terminal.
void print_field(std::string_view name, std::string_view value, std::size_t name_columns = 16);

/// "kiln-cache: text" on stderr.
void complain(std::string_view text);

void print_json(const json& value);

/// Null where there is none. Stored text goes through printable() on its way into JSON too: bytes that are not UTF-8 have
/// no other form there.
[[nodiscard]] json text_json(std::optional<std::string_view> text);

/// ISO 8601 in UTC; null for what no calendar has.
[[nodiscard]] json time_json(std::optional<std::int64_t> unix_s);

/// What every answer begins with: "directory" and "error" (null: none).
[[nodiscard]] json head_json(const request& asked, std::string_view error = {});

/// Ends a command that could not do what was asked: the words on stderr, and in JSON as "error".
int fail(const request& asked, std::string_view why);

/// Why there is no folder to work on; empty: there is one.
[[nodiscard]] std::string why_no_folder(const request& asked);

}  // namespace kiln_cache
