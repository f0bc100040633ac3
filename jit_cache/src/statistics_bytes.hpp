// jit_cache/statistics_bytes: totals as 512 bytes with a sequence number and a checksum, and back.
// in: totals, or bytes   out: the other of the two   knows nothing of: files, processes
#pragma once

#include <jit_cache/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jit_cache {

struct statistics_copy {
    std::uint64_t sequence = 0;
    statistics totals;
};

inline constexpr std::size_t statistics_copy_bytes = 512;

[[nodiscard]] std::string bytes_of(const statistics_copy& one);

/// Nothing where they are damaged.
[[nodiscard]] std::optional<statistics_copy> parse_statistics(std::string_view bytes);

/// Calls visit(number) for each that is counted, in the order in which they stand in the file.
template <class Statistics, class Visit>
void each_number(Statistics& of, Visit visit) {
    visit(of.disk_hits);
    visit(of.saved_ms);
    visit(of.published);
    visit(of.published_bytes);
    visit(of.evicted);
    visit(of.evicted_bytes);
    for (auto& each : of.misses) visit(each);
}

}  // namespace jit_cache
