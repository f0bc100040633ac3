// jit_cache/key: the serialised field list behind a key, and the name made from it.
// in: names and values   out: bytes, a 128-bit name   knows nothing of: files
#include <jit_cache/key.hpp>

#include "bytes.hpp"
#include "hash.hpp"

namespace jit_cache {

namespace {

/// Takes the first field off the front and gives its bytes; nothing where there is none.
std::string_view take_field(std::string_view& rest) {
    const std::string_view before = rest;
    std::string_view part;
    if (!take_string(rest, part) || !take_string(rest, part)) return {};
    return before.substr(0, before.size() - rest.size());
}

}  // namespace

std::string to_hex(hash128 hash) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(32, '0');
    for (std::size_t i = 0; i < 16; ++i) {
        text[15 - i] = digits[(hash.high >> (4 * i)) & 0xfU];
        text[31 - i] = digits[(hash.low >> (4 * i)) & 0xfU];
    }
    return text;
}

hash128 content_hash(std::string_view bytes) { return xxh3_128(bytes); }

std::optional<key> key::parse(std::string_view bytes) {
    if (!for_each_field(bytes, [](std::string_view, std::string_view) { return true; })) return std::nullopt;
    key parsed;
    parsed.bytes_ = bytes;
    return parsed;
}

key& key::add(std::string_view name, std::string_view value) {
    put_field(bytes_, name, value);
    return *this;
}

std::optional<std::string_view> key::field(std::string_view name) const {
    std::optional<std::string_view> result;
    const bool well_formed = for_each_field(bytes_, [&](std::string_view field_name, std::string_view value) {
        if (field_name != name) return true;
        result = value;
        return false;
    });
    return well_formed ? result : std::nullopt;
}

std::vector<key::named_value> key::fields() const {
    std::vector<named_value> all;
    // Never ill-formed: parse() and add() see to that.
    static_cast<void>(for_each_field(bytes_, [&](std::string_view name, std::string_view value) {
        all.push_back({name, value});
        return true;
    }));
    return all;
}

hash128 key::name() const {
    std::string_view rest = bytes_;
    const std::uint64_t family = xxh3_128(take_field(rest)).low & 0xffffffffU;
    const std::uint64_t member = xxh3_128(take_field(rest)).low & 0xffffffffU;
    return {.high = family << 32 | member, .low = xxh3_128(bytes_).low};
}

}  // namespace jit_cache
