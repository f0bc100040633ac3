// tests/jit_cache/entry: the bytes of an entry are those that FORMAT.md shows.
#include "entry.hpp"
#include "bytes.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace jit_cache;

namespace {

key example_key() { return key().add("source", "y = x + x;").add("target", "sm_90"); }

artifact example_artifact() { return {.payload = "CUBIN", .facts = {{.name = "label", .value = "twice x"}}}; }

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        constexpr char digits[] = "0123456789abcdef";
        text += digits[static_cast<unsigned char>(c) >> 4];
        text += digits[static_cast<unsigned char>(c) & 0xf];
    }
    return text;
}

}  // namespace

TEST_CASE("an entry's bytes never change within a format version") {
    // The example of FORMAT.md. A difference here means that folders written by released versions are no longer read:
    // raise the format version instead.
    const std::string bytes = pack_entry(example_key(), example_artifact());
    CHECK(hex(bytes.substr(0, 16)) == "894a4954430d0a1a0100000000000000");
    CHECK(hex(bytes.substr(16, 16)) == "dbc7bf63fbec6be2b5e0def7d3272a92");
    CHECK(hex(bytes.substr(bytes.size() - 16)) == "c8b03e65c8ae5d28b6fc67ff4829b8ba");
    CHECK(to_hex(example_key().hash()) == "7f749b16246480966451ab65b7204dcb");
    CHECK(bytes.size() == 164);
}

TEST_CASE("an entry holds lengths, key, facts and payload one behind the other, and a checksum of all of it") {
    const std::string bytes = pack_entry(example_key(), example_artifact());
    CHECK(bytes.size() == packed_bytes(example_key(), example_artifact()));
    CHECK(get_u64(bytes, 32) == example_key().bytes().size());
    CHECK(get_u64(bytes, 40) == 16 + 5 + 7);
    CHECK(get_u64(bytes, 48) == 5);
    CHECK(bytes.substr(56, example_key().bytes().size()) == example_key().bytes());
    CHECK(bytes.substr(bytes.size() - 21, 5) == "CUBIN");
    const hash128 checksum = xxh3_128(std::string_view(bytes).substr(0, bytes.size() - 16));
    CHECK(get_u64(bytes, bytes.size() - 16) == checksum.low);
    CHECK(get_u64(bytes, bytes.size() - 8) == checksum.high);
}

TEST_CASE("an entry unpacks to what was packed") {
    const unpacked result = unpack_entry(pack_entry(example_key(), example_artifact()));
    REQUIRE(result.state == entry_state::good);
    CHECK(result.content.stored_key == example_key());
    CHECK(result.content.value.payload == "CUBIN");
    REQUIRE(result.content.value.facts.size() == 1);
    CHECK(result.content.value.facts[0].name == "label");
    CHECK(result.content.value.facts[0].value == "twice x");
}

TEST_CASE("an entry without fields, facts or payload is an entry") {
    CHECK(unpack_entry(pack_entry(key(), {})).state == entry_state::good);
}

TEST_CASE("no entry with any one byte changed unpacks as good") {
    const std::string good = pack_entry(example_key(), example_artifact());
    for (std::size_t place = 0; place < good.size(); ++place) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string bytes = good;
            bytes[place] = static_cast<char>(bytes[place] ^ (1 << bit));
            CAPTURE(place);
            CHECK(unpack_entry(bytes).state == entry_state::broken);
        }
    }
}

TEST_CASE("a flipped version bit does not pass for a newer format") {
    std::string bytes = pack_entry(example_key(), example_artifact());
    bytes[9] = 1;  // version 257, were it not for the header's checksum
    CHECK(check_header(bytes) == entry_state::broken);
}

TEST_CASE("lengths are checked against the file's size without ever wrapping around") {
    const std::string good = pack_entry(example_key(), example_artifact());
    const auto check_with = [&](std::size_t offset, std::uint64_t more, std::size_t other, std::uint64_t other_more) {
        std::string bytes = good.substr(0, preamble_bytes);
        for (const auto& [place, added] : {std::pair{offset, more}, std::pair{other, other_more}}) {
            std::string number;
            put_u64(number, get_u64(bytes, place) + added);
            bytes.replace(place, 8, number);
        }
        return check_lengths(bytes, good.size());
    };
    CHECK(check_with(32, 0, 40, 0) == "");
    CHECK(check_with(32, 1, 40, ~std::uint64_t{0}) == "");  // 2^64-1 is -1 here: a byte moves from the facts to the key
    CHECK(check_with(32, 1, 40, 0) != "");
    CHECK(check_with(48, ~std::uint64_t{0}, 40, 0) != "");
    CHECK(check_with(32, std::uint64_t{1} << 63, 48, std::uint64_t{1} << 63) != "");
    CHECK(check_lengths(good.substr(0, preamble_bytes), good.size() + 1) != "");
    CHECK(check_lengths(good.substr(0, preamble_bytes), good.size() - 1) != "");
    CHECK(check_lengths(good.substr(0, preamble_bytes), 10) != "");
}
