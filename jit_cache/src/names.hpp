// jit_cache/names: an entry's name as text, and back.
#pragma once

#include <jit_cache/key.hpp>

#include <charconv>
#include <string_view>

namespace jit_cache {

/// Of 32 hexadecimal digits.
[[nodiscard]] inline hash128 name_of(std::string_view digits) {
    hash128 name;
    std::from_chars(digits.data(), digits.data() + 16, name.high, 16);
    std::from_chars(digits.data() + 16, digits.data() + 32, name.low, 16);
    return name;
}

}  // namespace jit_cache
