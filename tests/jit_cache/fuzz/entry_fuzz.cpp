// tests/jit_cache/fuzz/entry: whatever bytes stand in a file of the store, or in a file's name: they are taken apart without a
// crash, in memory bounded by their number, and what is found good is what would have been written.
// Run by libFuzzer (clang), or over the files of a folder (replay.cpp). Each input is tried as everything that there is.
#include "bytes.hpp"
#include "differences.hpp"
#include "entry.hpp"
#include "hash.hpp"
#include "pack_bytes.hpp"
#include "statistics_bytes.hpp"
#include "temporary_name.hpp"

#include <jit_cache/printable.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace jit_cache;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "entry_fuzz: not so: %s\n", what);
    std::abort();
}

bool same(const std::vector<fact>& left, const std::vector<fact>& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const fact& a, const fact& b) { return a.name == b.name && a.value == b.value; });
}

void try_key(std::string_view bytes) {
    const std::optional<key> parsed = key::parse(bytes);
    if (!parsed) return;
    require(parsed->bytes() == bytes, "a key keeps its bytes");
    key again;
    static_cast<void>(for_each_field(bytes, [&](std::string_view name, std::string_view value) {
        require(parsed->field(name).has_value(), "a key has each of its fields");
        again.add(name, value);
        return true;
    }));
    require(again == *parsed, "the same fields make the same key");
    require(again.name() == parsed->name(), "the same key has the same name");
    require(differences_between(*parsed, again).empty(), "a key does not differ from itself");
    static_cast<void>(differences_between(*parsed, key().add("source", "y = x;").add("", "")));
}

void try_entry(std::string_view bytes) {
    const entry_state head = check_header(bytes);
    const unpacked whole = unpack_entry(bytes);
    const unpacked described = unpack_description(bytes, bytes.size());
    if (!bytes.empty() && head != entry_state::good) {
        require(whole.state == head, "a whole entry is what its header says");
        require(described.state == head, "a description is what its header says");
    }
    require(whole.why.empty() == (whole.state == entry_state::good || whole.state == entry_state::newer),
            "what is wrong is said, and nothing else");
    if (described.state != entry_state::good) require(whole.state == described.state, "no entry without a description");
    if (whole.state != entry_state::good) return;

    require(pack_entry(whole.content.stored_key, whole.content.value) == bytes,
            "a good entry is packed to the same bytes");
    require(packed_bytes(whole.content.stored_key, whole.content.value) == bytes.size(),
            "and its size is known before");
    require(described.content.stored_key == whole.content.stored_key, "whole and description have one key");
    require(same(described.content.value.facts, whole.content.value.facts),
            "whole and description have the same facts");
    require(payload_bytes_of(bytes) == whole.content.value.payload.size(),
            "the payload is as long as the preamble says");
    std::string why;
    const std::uint64_t end = description_bytes(bytes.substr(0, preamble_bytes), bytes.size(), why);
    require(end >= preamble_bytes + checksum_bytes && end <= bytes.size() && why.empty(),
            "the description ends inside");
    // As it is read from a file: no further than its end, and a byte less is too little.
    const std::string_view front = bytes.substr(0, static_cast<std::size_t>(end));
    require(unpack_description(front, bytes.size()).state == entry_state::good,
            "a description needs no more than itself");
    require(unpack_description(front.substr(0, front.size() - 1), bytes.size()).state == entry_state::broken,
            "a description needs all of itself");
    try_key(whole.content.stored_key.bytes());
}

void try_pack(std::string_view bytes) {
    std::vector<std::string_view> entries;
    if (!split_pack(bytes, entries).empty()) return;
    for (const std::string_view each : entries) try_entry(each);
    require(pack_of({entries.begin(), entries.end()}) == bytes, "a good pack is packed to the same bytes");
}

void try_statistics(std::string_view bytes) {
    const std::optional<statistics_copy> parsed = parse_statistics(bytes);
    if (!parsed) return;
    const std::optional<statistics_copy> again = parse_statistics(bytes_of(*parsed));
    require(again.has_value() && bytes_of(*again) == bytes_of(*parsed), "statistics are read as they are written");
}

void try_text(std::string_view bytes) {
    if (const std::optional<temporary_owner> owner = owner_of_temporary(bytes)) {
        require(bytes.starts_with(".tmp-") && bytes.size() <= 5 + 8 + 3 * 21, "a temporary's name is one");
        require(owner->process >= 0, "process numbers are not negative");
    }
    for (const lines kept : {lines::one, lines::many}) {
        const std::string shown = printable(bytes, kept);
        require(shown.size() <= 4 * bytes.size(), "escaping takes four characters a byte at most");
        require(printable(shown, kept) == shown, "what was made printable is printable");
        for (const char each : shown)
            require(static_cast<unsigned char>(each) >= 0x20 || (kept == lines::many && (each == '\n' || each == '\t')),
                    "printable text holds no control character");
    }
}

// --- Mutations that get past the checksums ------------------------------------------------------------------------------

void seal(std::string& bytes, std::size_t end) {
    const hash128 hash = xxh3_128(std::string_view(bytes).substr(0, end - checksum_bytes));
    std::string sum;
    put_u64(sum, hash.low);
    put_u64(sum, hash.high);
    bytes.replace(end - checksum_bytes, checksum_bytes, sum);
}

void put_length(std::string& bytes, std::size_t offset, std::uint64_t length) {
    std::string text;
    put_u64(text, length);
    bytes.replace(offset, 8, text);
}

/// Lengths that add up, where key and facts leave any room, and checksums of what is there.
void seal_entry(std::string& bytes) {
    constexpr std::size_t least = preamble_bytes + 2 * checksum_bytes;
    if (bytes.size() < least) return;
    seal(bytes, header_bytes);
    const std::uint64_t room = bytes.size() - least;
    const std::uint64_t key_length = std::min(get_u64(bytes, 32), room);
    const std::uint64_t facts_length = std::min(get_u64(bytes, 40), room - key_length);
    const std::uint64_t extras_length = std::min(get_u64(bytes, 56), room - key_length - facts_length);
    put_length(bytes, 32, key_length);
    put_length(bytes, 40, facts_length);
    put_length(bytes, 48, room - key_length - facts_length - extras_length);
    put_length(bytes, 56, extras_length);
    seal(bytes, static_cast<std::size_t>(preamble_bytes + key_length + facts_length + checksum_bytes));
    seal(bytes, bytes.size());
}

void seal_pack(std::string& bytes) {
    if (bytes.size() < header_bytes + 8 + checksum_bytes) return;
    seal(bytes, header_bytes);
    seal(bytes, bytes.size());
}

void seal_statistics(std::string& bytes) {
    bytes.resize(statistics_copy_bytes);
    seal(bytes, bytes.size());
}

}  // namespace

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try_key(bytes);
    try_entry(bytes);
    try_pack(bytes);
    try_statistics(bytes);
    try_text(bytes.substr(0, 200));  // names and labels are short, and each byte of it is slow
    return 0;
}

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, max_size);
    std::string bytes(reinterpret_cast<const char*>(data), size);
    switch (std::minstd_rand(seed)() % 4) {
        case 0: seal_entry(bytes); break;
        case 1: seal_pack(bytes); break;
        case 2: seal_statistics(bytes); break;
        default: break;  // as damage leaves it
    }
    size = std::min(bytes.size(), max_size);
    std::copy_n(bytes.begin(), size, data);
    return size;
}

}  // extern "C"
