// tests/jit_cache/key: what a binary is found by.
#include <jit_cache/key.hpp>

#include "hash.hpp"

#include <doctest/doctest.h>

#include <string>

using jit_cache::key;

TEST_CASE("a key gives back the fields that it was given") {
    const key made = key().add("source", "x + x").add("target", "sm_90").add("empty", "");
    CHECK(made.field("source") == "x + x");
    CHECK(made.field("target") == "sm_90");
    CHECK(made.field("empty") == "");
    CHECK_FALSE(made.field("compiler").has_value());
}

TEST_CASE("a key lists its fields in their order") {
    const jit_cache::key key = jit_cache::key().add("b", "1").add("a", "").add("b", "2");
    const auto fields = key.fields();
    REQUIRE(fields.size() == 3);
    CHECK(fields[0].name == "b");
    CHECK(fields[0].value == "1");
    CHECK(fields[1].name == "a");
    CHECK(fields[1].value == "");
    CHECK(fields[2].value == "2");
    CHECK(jit_cache::key().fields().empty());
}

TEST_CASE("of two fields with one name the first is given") {
    CHECK(key().add("a", "1").add("a", "2").field("a") == "1");
}

TEST_CASE("values may hold any byte") {
    const std::string odd("\0\n\x1b\xff", 4);
    CHECK(key().add("source", odd).field("source") == odd);
}

TEST_CASE("keys with other values, other names, another order or another split are other keys") {
    const key one = key().add("a", "1").add("b", "2");
    CHECK(one == key().add("a", "1").add("b", "2"));
    CHECK(one.name() == key().add("a", "1").add("b", "2").name());
    for (const key& other : {key().add("a", "1").add("b", "3"), key().add("a", "1").add("c", "2"),
                             key().add("b", "2").add("a", "1"), key().add("a", "1b2"), key().add("a", "1"), key()}) {
        CHECK_FALSE(one == other);
        CHECK_FALSE(one.name() == other.name());
    }
}

TEST_CASE("serialised fields parse back to an equal key") {
    const key one = key().add("source", "text").add("target", "sm_90");
    const auto parsed = key::parse(one.bytes());
    REQUIRE(parsed.has_value());
    CHECK(*parsed == one);
    CHECK(key::parse("").has_value());
}

TEST_CASE("a field list cut short anywhere but between two fields is refused") {
    const std::string bytes(key().add("source", "text").bytes());
    for (std::size_t length = 1; length < bytes.size(); ++length) {
        CAPTURE(length);
        CHECK_FALSE(key::parse(std::string_view(bytes).substr(0, length)).has_value());
    }
    CHECK_FALSE(key::parse(std::string(16, '\xff')).has_value());
}

TEST_CASE("names begin with the same digits for keys that share their first field, and with more for the first two") {
    const auto digits = [](const key& of) { return jit_cache::to_hex(of.name()); };
    const std::string one = digits(key().add("expression", "x + x").add("source", "text").add("target", "sm_90"));
    const std::string same_source =
        digits(key().add("expression", "x + x").add("source", "text").add("target", "sm_80"));
    const std::string same_family =
        digits(key().add("expression", "x + x").add("source", "other").add("target", "sm_90"));
    const std::string other = digits(key().add("expression", "x * x").add("source", "text").add("target", "sm_90"));
    CHECK(same_source.substr(0, 16) == one.substr(0, 16));
    CHECK(same_source != one);
    CHECK(same_family.substr(0, 8) == one.substr(0, 8));
    CHECK(same_family.substr(8, 8) != one.substr(8, 8));
    CHECK(other.substr(0, 8) != one.substr(0, 8));
}

TEST_CASE("a hash is 32 lower-case digits, the high half first") {
    CHECK(jit_cache::to_hex({.high = 0x0123456789abcdef, .low = 0xfedcba9876543210}) ==
          "0123456789abcdeffedcba9876543210");
    CHECK(jit_cache::to_hex({.high = 0, .low = 1}) == std::string(31, '0') + "1");
}

TEST_CASE("the hash is XXH3-128 with seed 0") {
    // The reference value for no bytes, from the xxHash specification's test vectors: another hash here would orphan
    // every folder that users have.
    CHECK(jit_cache::to_hex(jit_cache::xxh3_128("")) == "99aa06d3014798d86001c324468d497f");
}
