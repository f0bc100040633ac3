// jit_cache/pack_bytes: a head of 32 bytes as an entry's, a count, then each entry's length and bytes, and a checksum over all
// before it.
#include "pack_bytes.hpp"

#include "bytes.hpp"
#include "hash.hpp"

namespace jit_cache {

namespace {

constexpr std::string_view magic{"\x89JITP\r\n\x1a", 8};
constexpr std::uint32_t version = 1;
constexpr std::size_t header_bytes = 32;  // magic, version, 0, their checksum
constexpr std::size_t checksum_bytes = 16;

void put_checksum(std::string& out) {
    const hash128 hash = xxh3_128(out);
    put_u64(out, hash.low);
    put_u64(out, hash.high);
}

bool ends_with_checksum(std::string_view bytes) {
    const std::size_t end = bytes.size() - checksum_bytes;
    const hash128 hash = xxh3_128(bytes.substr(0, end));
    return get_u64(bytes, end) == hash.low && get_u64(bytes, end + 8) == hash.high;
}

}  // namespace

std::string pack_of(const std::vector<std::string>& entries) {
    std::string bytes(magic);
    put_u32(bytes, version);
    put_u32(bytes, 0);
    put_checksum(bytes);
    put_u64(bytes, entries.size());
    for (const std::string& each : entries) {
        put_u64(bytes, each.size());
        bytes.append(each);
    }
    put_checksum(bytes);
    return bytes;
}

std::string split_pack(std::string_view bytes, std::vector<std::string_view>& entries) {
    entries.clear();
    if (bytes.size() < header_bytes + 8 + checksum_bytes || !bytes.starts_with(magic)) return "it is no pack";
    if (!ends_with_checksum(bytes.substr(0, header_bytes))) return "its header is damaged";
    if (get_u32(bytes, 8) > version) return "it is of a later version; a newer kiln-cache can unpack it";
    if (get_u32(bytes, 8) != version || get_u32(bytes, 12) != 0) return "it is no pack";
    if (!ends_with_checksum(bytes)) return "its checksum does not match";
    const std::uint64_t count = get_u64(bytes, header_bytes);
    std::string_view rest = bytes.substr(header_bytes + 8);
    rest.remove_suffix(checksum_bytes);
    std::string_view one;
    while (take_string(rest, one)) entries.push_back(one);
    return rest.empty() && entries.size() == count ? "" : "it does not hold what it says";
}

}  // namespace jit_cache
