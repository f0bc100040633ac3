// jit_cache/printable: UTF-8 read strictly, the rest as \xNN.
#include <jit_cache/printable.hpp>

#include <algorithm>

namespace jit_cache {

namespace {

struct code_point {
    char32_t value = 0;
    std::size_t bytes = 0;  // 0: not UTF-8
};

// Strict: no overlong forms, no surrogates, nothing beyond U+10FFFF (Unicode 15, table 3-7).
code_point first_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {.value = lead, .bytes = 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
    char32_t value = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return {};
        value = (value << 6) | (byte(i) & 0x3fU);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return {};
    return {.value = value, .bytes = length};
}

bool is_harmless(char32_t value, lines kept) {
    if (value == '\n' || value == '\t') return kept == lines::many;
    if (value < 0x20 || (value >= 0x7f && value < 0xa0)) return false;  // C0, DEL, C1
    if (value == 0x2028 || value == 0x2029) return false;               // line and paragraph separators
    if (value == 0x200e || value == 0x200f || value == 0x61c) return false;
    return !(value >= 0x202a && value <= 0x202e) && !(value >= 0x2066 && value <= 0x2069);  // direction overrides
}

}  // namespace

std::size_t first_utf8_length(std::string_view text) { return first_code_point(text).bytes; }

std::string printable(std::string_view bytes, lines kept) {
    if (std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= 0x20 && c < 0x7f; }))
        return std::string(bytes);
    std::string text;
    while (!bytes.empty()) {
        const code_point next = first_code_point(bytes);
        const std::size_t taken = std::max<std::size_t>(next.bytes, 1);
        if (next.bytes > 0 && is_harmless(next.value, kept)) {
            text.append(bytes.substr(0, taken));
        } else {
            for (const char c : bytes.substr(0, taken)) {
                constexpr std::string_view digits = "0123456789abcdef";
                text += "\\x";
                text += digits[static_cast<unsigned char>(c) >> 4];
                text += digits[static_cast<unsigned char>(c) & 0xfU];
            }
        }
        bytes.remove_prefix(taken);
    }
    return text;
}

}  // namespace jit_cache
