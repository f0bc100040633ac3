// tests/jit_cache/entry: the bytes of an entry are those that FORMAT.md shows.
#include "entry.hpp"
#include "bytes.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace jit_cache;

namespace {

key example_key() { return key().add("source", "y = x + x;").add("target", "sm_90"); }

artifact example_artifact() {
    return {.payload = "CUBIN",
            .facts = {{.name = "label", .value = "twice x"}},
            .extras = {{.name = "ptx", .value = "add.f32"}}};
}

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
    CHECK(hex(bytes.substr(0, 16)) == "894a4954430d0a1a0200000000000000");
    CHECK(hex(bytes.substr(16, 16)) == "cb3eb79064680e39dce96db2877d3535");
    CHECK(hex(bytes.substr(bytes.size() - 16)) == "feaf0fc2b3d596725d00e24118d15b7b");
    CHECK(to_hex(example_key().name()) == "b88aab957ae8a6466451ab65b7204dcb");
    CHECK(bytes.size() == 214);
}

TEST_CASE("an entry holds lengths, key, facts and their checksum, payload and extras, and a checksum of all of it") {
    const std::string bytes = pack_entry(example_key(), example_artifact());
    const std::size_t key_bytes = example_key().bytes().size();
    CHECK(bytes.size() == packed_bytes(example_key(), example_artifact()));
    CHECK(get_u64(bytes, 32) == key_bytes);
    CHECK(get_u64(bytes, 40) == 16 + 5 + 7);
    CHECK(get_u64(bytes, 48) == 5);
    CHECK(get_u64(bytes, 56) == 16 + 3 + 7);
    CHECK(bytes.substr(64, key_bytes) == example_key().bytes());
    const std::size_t description = 64 + key_bytes + 28;
    for (const std::size_t end : {description + 16, bytes.size()}) {
        const hash128 checksum = xxh3_128(std::string_view(bytes).substr(0, end - 16));
        CHECK(get_u64(bytes, end - 16) == checksum.low);
        CHECK(get_u64(bytes, end - 8) == checksum.high);
    }
    CHECK(bytes.substr(description + 16, 5) == "CUBIN");
}

TEST_CASE("an entry unpacks to what was packed") {
    const unpacked result = unpack_entry(pack_entry(example_key(), example_artifact()));
    REQUIRE(result.state == entry_state::good);
    CHECK(result.content.stored_key == example_key());
    CHECK(result.content.value.payload == "CUBIN");
    REQUIRE(result.content.value.facts.size() == 1);
    CHECK(result.content.value.facts[0].name == "label");
    CHECK(result.content.value.facts[0].value == "twice x");
    REQUIRE(result.content.value.extras.size() == 1);
    CHECK(result.content.value.extras[0].value == "add.f32");
}

TEST_CASE("a description unpacks without the payload, to the same key and facts") {
    const std::string bytes = pack_entry(example_key(), example_artifact());
    std::string why;
    const auto end = static_cast<std::size_t>(description_bytes(bytes, bytes.size(), why));
    const unpacked result = unpack_description(bytes.substr(0, end), bytes.size());
    REQUIRE(result.state == entry_state::good);
    CHECK(result.content.stored_key == example_key());
    CHECK(result.content.value.facts[0].value == "twice x");
    CHECK(result.content.value.payload.empty());
    CHECK(payload_bytes_of(bytes) == 5);
    // A damaged payload is not seen here, damage before it is; and so is a file of another size.
    std::string damaged = bytes;
    damaged[end + 2] ^= 1;
    CHECK(unpack_description(damaged, damaged.size()).state == entry_state::good);
    CHECK(unpack_entry(damaged).state == entry_state::broken);
    for (std::size_t place = 0; place < end; ++place) {
        damaged = bytes;
        damaged[place] = static_cast<char>(damaged[place] ^ 4);
        CHECK(unpack_description(damaged, damaged.size()).state == entry_state::broken);
    }
    CHECK(unpack_description(bytes.substr(0, end), bytes.size() + 1).state == entry_state::broken);
    CHECK(unpack_description(bytes.substr(0, end - 1), bytes.size()).state == entry_state::broken);
}

TEST_CASE("what was torn or damaged is told from what was never an entry") {
    const std::string good = pack_entry(example_key(), example_artifact());
    CHECK(unpack_entry("").state == entry_state::broken);
    CHECK(unpack_entry(std::string(200, '\0')).state == entry_state::broken);
    for (std::size_t length = 1; length < good.size(); ++length) {
        CAPTURE(length);
        CHECK(unpack_entry(good.substr(0, length)).state == entry_state::broken);
    }
    for (const char* const text : {"x", "my notes",
                                   "\x7f"
                                   "ELF and what follows, more than a header has",
                                   "JITC\r\n\x1a"})
        CHECK(unpack_entry(text).state == entry_state::foreign);
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
        std::string why;
        return (description_bytes(bytes, good.size(), why) != 0) == why.empty() ? why : "one without the other";
    };
    CHECK(check_with(32, 0, 40, 0) == "");
    CHECK(check_with(32, 1, 40, ~std::uint64_t{0}) == "");  // 2^64-1 is -1 here: a byte moves from the facts to the key
    CHECK(check_with(32, 1, 40, 0) != "");
    CHECK(check_with(48, ~std::uint64_t{0}, 40, 0) != "");
    CHECK(check_with(32, std::uint64_t{1} << 63, 48, std::uint64_t{1} << 63) != "");
    for (const std::uint64_t size :
         {std::uint64_t{good.size() + 1}, std::uint64_t{good.size() - 1}, std::uint64_t{10}}) {
        std::string why;
        CHECK(description_bytes(good.substr(0, preamble_bytes), size, why) == 0);
        CHECK(why != "");
    }
}
