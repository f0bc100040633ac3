// jit_cache/entry: packing and checking of one file's bytes.
// in: a key and an artifact, or a file's bytes   out: the other of the two   knows nothing of: files, folders, threads
#include "entry.hpp"

#include "bytes.hpp"
#include "hash.hpp"

#include <algorithm>

namespace jit_cache {

namespace {

// As in PNG: the first byte is no text, CR LF and ^Z catch a transfer that rewrote line ends or stopped at end-of-file.
constexpr std::string_view magic{"\x89JITC\r\n\x1a", 8};

// Where things are in the preamble.
constexpr std::size_t version_offset = 8;
constexpr std::size_t reserved_offset = 12;
constexpr std::size_t header_checksum_offset = 16;
constexpr std::size_t key_length_offset = 32;
constexpr std::size_t facts_length_offset = 40;
constexpr std::size_t payload_length_offset = 48;
constexpr std::size_t extras_length_offset = 56;

constexpr std::size_t usual_facts = 8;

void put_hash(std::string& out, hash128 hash) {
    put_u64(out, hash.low);
    put_u64(out, hash.high);
}

hash128 get_hash(std::string_view bytes, std::size_t offset) {
    return {.high = get_u64(bytes, offset + 8), .low = get_u64(bytes, offset)};
}

/// Whether the last 16 bytes are the checksum of all before them.
bool is_sealed(std::string_view bytes) {
    const std::size_t offset = bytes.size() - checksum_bytes;
    return get_hash(bytes, offset) == xxh3_128(bytes.substr(0, offset));
}

void put_facts(std::string& out, const std::vector<fact>& facts) {
    for (const fact& one : facts) put_field(out, one.name, one.value);
}

std::uint64_t bytes_of(const std::vector<fact>& facts) {
    std::uint64_t bytes = 0;
    for (const fact& one : facts) bytes += 16 + one.name.size() + one.value.size();
    return bytes;
}

bool get_facts(std::string_view bytes, std::vector<fact>& facts) {
    facts.reserve(usual_facts);
    return for_each_field(bytes, [&](std::string_view name, std::string_view value) {
        facts.push_back({.name = std::string(name), .value = std::string(value)});
        return true;
    });
}

unpacked refused(entry_state state, std::string why) { return {.state = state, .content = {}, .why = std::move(why)}; }

unpacked broken(std::string why) { return refused(entry_state::broken, std::move(why)); }

}  // namespace

entry_state check_header(std::string_view first_bytes) {
    const std::string_view head = first_bytes.substr(0, header_bytes);
    if (head.find_first_not_of('\0') == std::string_view::npos) return entry_state::broken;
    const std::size_t compared = std::min(head.size(), magic.size());
    std::size_t right = 0;
    for (std::size_t i = 0; i < compared; ++i) right += head[i] == magic[i] ? 1 : 0;
    if (2 * right < compared) return entry_state::foreign;
    if (head.size() < header_bytes || right < magic.size()) return entry_state::broken;
    // The checksum comes before the version: a flipped version bit must not pass for a newer format and be kept.
    if (get_hash(head, header_checksum_offset) != xxh3_128(head.substr(0, header_checksum_offset)))
        return entry_state::broken;
    const std::uint32_t version = get_u32(head, version_offset);
    if (version > format_version) return entry_state::newer;
    return version == format_version && get_u32(head, reserved_offset) == 0 ? entry_state::good : entry_state::broken;
}

std::uint64_t description_bytes(std::string_view preamble, std::uint64_t file_bytes, std::string& why) {
    constexpr std::uint64_t fixed = preamble_bytes + 2 * checksum_bytes;
    if (preamble.size() < preamble_bytes || file_bytes < fixed) {
        why = "it is cut short";
        return 0;
    }
    // Each length is taken off what is left: a sum of 64-bit lengths could wrap around to the right answer.
    std::uint64_t left = file_bytes - fixed;
    for (const std::size_t offset :
         {key_length_offset, facts_length_offset, payload_length_offset, extras_length_offset}) {
        const std::uint64_t length = get_u64(preamble, offset);
        if (length > left) {
            why = "its lengths say more than the file holds";
            return 0;
        }
        left -= length;
    }
    if (left != 0) {
        why = "it holds more than its lengths say";
        return 0;
    }
    return preamble_bytes + get_u64(preamble, key_length_offset) + get_u64(preamble, facts_length_offset) +
           checksum_bytes;
}

std::uint64_t payload_bytes_of(std::string_view preamble) { return get_u64(preamble, payload_length_offset); }

std::uint64_t packed_bytes(const key& stored_key, const artifact& value) {
    return preamble_bytes + stored_key.bytes().size() + bytes_of(value.facts) + checksum_bytes + value.payload.size() +
           bytes_of(value.extras) + checksum_bytes;
}

std::string pack_entry(const key& stored_key, const artifact& value) {
    std::string file;
    file.reserve(static_cast<std::size_t>(packed_bytes(stored_key, value)));
    file.append(magic);
    put_u32(file, format_version);
    put_u32(file, 0);
    put_hash(file, xxh3_128(file));
    put_u64(file, stored_key.bytes().size());
    put_u64(file, bytes_of(value.facts));
    put_u64(file, value.payload.size());
    put_u64(file, bytes_of(value.extras));
    file.append(stored_key.bytes());
    put_facts(file, value.facts);
    put_hash(file, xxh3_128(file));
    file.append(value.payload);
    put_facts(file, value.extras);
    put_hash(file, xxh3_128(file));
    return file;
}

unpacked unpack_description(std::string_view description, std::uint64_t file_bytes) {
    if (description.empty()) return broken("it is empty");
    switch (check_header(description)) {
        case entry_state::newer: return refused(entry_state::newer, {});
        case entry_state::foreign: return refused(entry_state::foreign, "it is no entry of this store");
        case entry_state::broken: return broken("its header is damaged");
        case entry_state::good: break;
    }
    std::string why;
    const std::uint64_t end = description_bytes(description.substr(0, preamble_bytes), file_bytes, why);
    if (end == 0) return broken(std::move(why));
    if (end > description.size()) return broken("it is cut short");
    description = description.substr(0, static_cast<std::size_t>(end));
    if (!is_sealed(description)) return broken("the checksum of its key does not match");

    const auto key_length = static_cast<std::size_t>(get_u64(description, key_length_offset));
    const auto facts_length = static_cast<std::size_t>(get_u64(description, facts_length_offset));
    unpacked result{.state = entry_state::good, .content = {}, .why = {}};
    auto stored_key = key::parse(description.substr(preamble_bytes, key_length));
    if (!stored_key) return broken("its key is not a list of fields");
    result.content.stored_key = std::move(*stored_key);
    if (!get_facts(description.substr(preamble_bytes + key_length, facts_length), result.content.value.facts))
        return broken("its facts are not a list of fields");
    return result;
}

unpacked unpack_entry(std::string_view file) {
    unpacked result = unpack_description(file, file.size());
    if (result.state != entry_state::good) return result;
    if (!is_sealed(file)) return broken("its checksum does not match");
    std::string why;
    const auto begin = static_cast<std::size_t>(description_bytes(file.substr(0, preamble_bytes), file.size(), why));
    const auto payload_length = static_cast<std::size_t>(payload_bytes_of(file));
    const auto extras_length = static_cast<std::size_t>(get_u64(file, extras_length_offset));
    result.content.value.payload = file.substr(begin, payload_length);
    if (!get_facts(file.substr(begin + payload_length, extras_length), result.content.value.extras))
        return broken("its extras are not a list of fields");
    return result;
}

}  // namespace jit_cache
