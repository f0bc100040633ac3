// jit_cache/key: what a stored binary is found by. Named fields in a fixed order, kept whole: a hit compares all of
// it, the hash only names the file.
// in: names and values   out: bytes, a 128-bit hash   knows nothing of: files, kiln, CUDA
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jit_cache {

struct hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(hash128, hash128) = default;
};

/// 32 lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(hash128 hash);

/// XXH3-128 of any bytes: what identifies a file by its content.
[[nodiscard]] hash128 content_hash(std::string_view bytes);

/// Example: key().add("source", text).add("target", "sm_90").add("compiler", "nvrtc 13.0 ...")
class key {
public:
    key() = default;
    /// Takes serialised bytes back; std::nullopt when they are not a well-formed field list.
    static std::optional<key> parse(std::string_view bytes);

    /// Appends a field. Order matters: the same fields in another order are another key.
    key& add(std::string_view name, std::string_view value);

    /// The first field of that name; empty optional when there is none. The view lives as long as the key.
    [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const;

    /// All fields, each length-prefixed, as FORMAT.md draws them. Two keys are equal when their bytes are.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    /// XXH3-128 of bytes().
    [[nodiscard]] hash128 hash() const;

    friend bool operator==(const key& left, const key& right) { return left.bytes_ == right.bytes_; }

private:
    std::string bytes_;
};

}  // namespace jit_cache
