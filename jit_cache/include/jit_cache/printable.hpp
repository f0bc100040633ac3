// jit_cache/printable: bytes from files, paths and the environment as text that a terminal cannot be harmed by.
// in: any bytes   out: UTF-8 without control characters   knows nothing of: who prints
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jit_cache {

enum class lines : std::uint8_t {
    one,  // every control character is escaped
    many  // line feeds and tabs stay: source text
};

/// Valid UTF-8 without control characters and without the characters that reverse the direction of text. What is
/// neither becomes \xNN, and so cannot move a terminal's cursor, set its title, or hide what follows.
[[nodiscard]] std::string printable(std::string_view bytes, lines kept = lines::one);

/// Bytes of the first character of `text`, which is not empty, read strictly; 0: it does not begin with UTF-8.
[[nodiscard]] std::size_t first_utf8_length(std::string_view text);

}  // namespace jit_cache
