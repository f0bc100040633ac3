// jit_cache/statistics_bytes: FORMAT.md says what stands where.
#include "statistics_bytes.hpp"

#include "bytes.hpp"
#include "hash.hpp"

namespace jit_cache {

namespace {

constexpr std::string_view magic{"\x89JITS\r\n\x1a", 8};
constexpr std::size_t checksum_at = statistics_copy_bytes - 16;
constexpr std::size_t most_reasons = 32;  // room for reasons to come
static_assert(miss_reason_count <= most_reasons && 8 + 8 * (8 + most_reasons) <= checksum_at);

}  // namespace

std::string bytes_of(const statistics_copy& one) {
    std::string bytes(magic);
    put_u64(bytes, one.sequence);
    put_u64(bytes, static_cast<std::uint64_t>(one.totals.since_unix_s));
    each_number(one.totals, [&](std::uint64_t number) { put_u64(bytes, number); });
    bytes.resize(checksum_at, '\0');
    const hash128 hash = xxh3_128(bytes);
    put_u64(bytes, hash.low);
    put_u64(bytes, hash.high);
    return bytes;
}

std::optional<statistics_copy> parse_statistics(std::string_view bytes) {
    if (bytes.size() != statistics_copy_bytes || !bytes.starts_with(magic)) return std::nullopt;
    const hash128 hash = xxh3_128(bytes.substr(0, checksum_at));
    if (get_u64(bytes, checksum_at) != hash.low || get_u64(bytes, checksum_at + 8) != hash.high) return std::nullopt;
    statistics_copy one;
    one.sequence = get_u64(bytes, 8);
    one.totals.since_unix_s = static_cast<std::int64_t>(get_u64(bytes, 16));
    std::size_t offset = 24;
    each_number(one.totals, [&](std::uint64_t& number) {
        number = get_u64(bytes, offset);
        offset += 8;
    });
    return one;
}

}  // namespace jit_cache
