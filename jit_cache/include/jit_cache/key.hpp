// jit_cache/key: what a stored binary is found by. Named fields in a fixed order, kept whole: a hit compares all of
// it, the name made from it only says where to look.
// in: names and values   out: bytes, a 128-bit name   knows nothing of: files, kiln, CUDA
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jit_cache {

struct hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(hash128, hash128) = default;
};

/// 32 lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(hash128 hash);

/// XXH3-128 with seed 0: for who identifies a file by what is in it.
[[nodiscard]] hash128 content_hash(std::string_view bytes);

/// Example: key().add("expression", "x0 + x0").add("source", text).add("target", "sm_90").add("compiler", "nvrtc 13.0 ...")
///
/// The first two fields say whose relatives an entry is: those of one first field are a family (one expression), those of
/// one second field as well make the same thing (one source) for somebody else. Misses are explained by relatives, so they
/// are worth choosing well; a hit compares every field all the same.
class key {
public:
    key() = default;
    /// Takes serialised bytes back; std::nullopt when they are not a well-formed field list.
    static std::optional<key> parse(std::string_view bytes);

    /// Appends a field. Order matters: the same fields in another order are another key.
    key& add(std::string_view name, std::string_view value);

    /// The first field of that name; empty optional when there is none. The view lives as long as the key.
    [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const;

    struct named_value {
        std::string_view name;
        std::string_view value;
    };
    /// In their order; the views live as long as the key.
    [[nodiscard]] std::vector<named_value> fields() const;

    /// All fields, each length-prefixed, as FORMAT.md draws them. Two keys are equal when their bytes are.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    /// Names the entry's file: 32 bits from the first field, 32 from the second, 64 from all of them, each the low end of an
    /// XXH3-128. Relatives' names so begin with the same digits, and lie in one folder.
    [[nodiscard]] hash128 name() const;

    friend bool operator==(const key& left, const key& right) { return left.bytes_ == right.bytes_; }

private:
    std::string bytes_;
};

}  // namespace jit_cache
