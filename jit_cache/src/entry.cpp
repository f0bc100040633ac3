// jit_cache/entry: packing and checking of one file's bytes.
// in: a key and an artifact, or a file's bytes   out: the other of the two   knows nothing of: files, folders, threads
#include "entry.hpp"

#include "bytes.hpp"
#include "hash.hpp"

namespace jit_cache {

namespace {

// As in PNG: the first byte is no text, CR LF and ^Z catch a transfer that rewrote line ends or stopped at end-of-file.
constexpr std::string_view magic{"\x89JITC\r\n\x1a", 8};

// Where things are in the preamble.
constexpr std::size_t version_offset = 8;
constexpr std::size_t header_checksum_offset = 16;
constexpr std::size_t key_length_offset = 32;
constexpr std::size_t facts_length_offset = 40;
constexpr std::size_t payload_length_offset = 48;

void put_hash(std::string& out, hash128 hash) {
    put_u64(out, hash.low);
    put_u64(out, hash.high);
}

hash128 get_hash(std::string_view bytes, std::size_t offset) {
    return {.high = get_u64(bytes, offset + 8), .low = get_u64(bytes, offset)};
}

std::string pack_facts(const std::vector<fact>& facts) {
    std::string bytes;
    for (const fact& one : facts) put_field(bytes, one.name, one.value);
    return bytes;
}

std::uint64_t facts_bytes(const std::vector<fact>& facts) {
    std::uint64_t bytes = 0;
    for (const fact& one : facts) bytes += 16 + one.name.size() + one.value.size();
    return bytes;
}

unpacked broken(std::string why) { return {.state = entry_state::broken, .content = {}, .why = std::move(why)}; }

}  // namespace

entry_state check_header(std::string_view first_bytes) {
    if (first_bytes.size() < header_bytes) return entry_state::broken;
    if (first_bytes.substr(0, magic.size()) != magic) return entry_state::broken;
    // The checksum comes before the version: a flipped version bit must not pass for a newer format and be kept.
    if (get_hash(first_bytes, header_checksum_offset) != xxh3_128(first_bytes.substr(0, header_checksum_offset))) {
        return entry_state::broken;
    }
    const std::uint32_t version = get_u32(first_bytes, version_offset);
    if (version > format_version) return entry_state::newer;
    return version == format_version ? entry_state::good : entry_state::broken;
}

std::string check_lengths(std::string_view preamble, std::uint64_t file_bytes) {
    if (preamble.size() < preamble_bytes || file_bytes < preamble_bytes + checksum_bytes) return "it is cut short";
    // Each length is taken off what is left: a sum of three 64-bit lengths could wrap around to the right answer.
    std::uint64_t left = file_bytes - preamble_bytes - checksum_bytes;
    for (const std::size_t offset : {key_length_offset, facts_length_offset, payload_length_offset}) {
        const std::uint64_t length = get_u64(preamble, offset);
        if (length > left) return "its lengths say more than the file holds";
        left -= length;
    }
    return left == 0 ? "" : "it holds more than its lengths say";
}

std::uint64_t packed_bytes(const key& stored_key, const artifact& value) {
    return preamble_bytes + stored_key.bytes().size() + facts_bytes(value.facts) + value.payload.size() +
           checksum_bytes;
}

std::string pack_entry(const key& stored_key, const artifact& value) {
    std::string file;
    file.reserve(static_cast<std::size_t>(packed_bytes(stored_key, value)));
    file.append(magic);
    put_u32(file, format_version);
    put_u32(file, 0);
    put_hash(file, xxh3_128(file));
    put_u64(file, stored_key.bytes().size());
    put_u64(file, facts_bytes(value.facts));
    put_u64(file, value.payload.size());
    file.append(stored_key.bytes());
    file.append(pack_facts(value.facts));
    file.append(value.payload);
    put_hash(file, xxh3_128(file));
    return file;
}

unpacked unpack_entry(std::string_view file) {
    if (file.empty()) return broken("it is empty");
    switch (check_header(file)) {
        case entry_state::newer: return {.state = entry_state::newer, .content = {}, .why = {}};
        case entry_state::broken: return broken("its header is damaged");
        case entry_state::good: break;
    }
    const std::string_view preamble = file.substr(0, preamble_bytes);
    if (std::string why = check_lengths(preamble, file.size()); !why.empty()) return broken(std::move(why));
    const std::size_t checksum_offset = file.size() - checksum_bytes;
    if (get_hash(file, checksum_offset) != xxh3_128(file.substr(0, checksum_offset))) {
        return broken("its checksum does not match");
    }

    const auto key_length = static_cast<std::size_t>(get_u64(preamble, key_length_offset));
    const auto facts_length = static_cast<std::size_t>(get_u64(preamble, facts_length_offset));
    const auto payload_length = static_cast<std::size_t>(get_u64(preamble, payload_length_offset));
    unpacked result{.state = entry_state::good, .content = {}, .why = {}};
    auto stored_key = key::parse(file.substr(preamble_bytes, key_length));
    if (!stored_key) return broken("its key is not a list of fields");
    result.content.stored_key = std::move(*stored_key);
    const bool facts_well_formed = for_each_field(
        file.substr(preamble_bytes + key_length, facts_length), [&](std::string_view name, std::string_view value) {
            result.content.value.facts.push_back({.name = std::string(name), .value = std::string(value)});
            return true;
        });
    if (!facts_well_formed) return broken("its facts are not a list of fields");
    result.content.value.payload = file.substr(preamble_bytes + key_length + facts_length, payload_length);
    return result;
}

}  // namespace jit_cache
