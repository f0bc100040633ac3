// jit_cache/statistics: two copies in one file, written in turn, each with a sequence number and a checksum: one of them is
// whole whenever a process is killed. A file in which neither is counts from 0 again.
#include "statistics.hpp"

#include "note_file.hpp"
#include "statistics_bytes.hpp"

#include <jit_cache/write_signals.hpp>

#include <ctime>
#include <optional>
#include <string>
#include <utility>

namespace jit_cache {

namespace {

/// The newer of the two that are whole.
std::optional<statistics_copy> newest(const file_descriptor& note) {
    std::optional<statistics_copy> best;
    for (std::uint64_t i = 0; i < 2; ++i) {
        std::optional<statistics_copy> one =
            parse_statistics(read_at(note, i * statistics_copy_bytes, statistics_copy_bytes));
        if (one && (!best || one->sequence > best->sequence)) best = one;
    }
    return best;
}

void add(statistics& to, const statistics& more) {
    to.disk_hits += more.disk_hits;
    to.saved_ms += more.saved_ms;
    to.published += more.published;
    to.published_bytes += more.published_bytes;
    to.evicted += more.evicted;
    to.evicted_bytes += more.evicted_bytes;
    for (std::size_t i = 0; i < miss_reason_count; ++i) to.misses[i] += more.misses[i];
}

bool is_nothing(const statistics& counted) {
    std::uint64_t any = 0;
    each_number(counted, [&](std::uint64_t number) { any |= number; });
    return any == 0;
}

bool add_to_file(const file_descriptor& root, const statistics& counted) {
    const file_descriptor note = open_note_to_write(root, statistics_file);
    if (!note || !lock_note(note)) return false;
    statistics_copy next = newest(note).value_or(statistics_copy{});
    ++next.sequence;
    if (next.totals.since_unix_s == 0) next.totals.since_unix_s = static_cast<std::int64_t>(::time(nullptr));
    add(next.totals, counted);
    const write_signals_held_back held_back;
    return write_at(note, next.sequence % 2 * statistics_copy_bytes, bytes_of(next));
}

}  // namespace

void tally::count_hit(std::uint64_t saved_ms) {
    const std::lock_guard lock(mutex_);
    ++counted_.disk_hits;
    counted_.saved_ms += saved_ms;
}

void tally::count_miss(miss_reason why) {
    const std::lock_guard lock(mutex_);
    ++counted_.misses[static_cast<std::size_t>(why)];
}

void tally::count_published(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    ++counted_.published;
    counted_.published_bytes += bytes;
}

void tally::count_evicted(std::uint64_t entries, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    counted_.evicted += entries;
    counted_.evicted_bytes += bytes;
}

void tally::write_to(const file_descriptor& root) {
    statistics counted;
    {
        const std::lock_guard lock(mutex_);
        counted = std::exchange(counted_, {});
    }
    if (is_nothing(counted) || add_to_file(root, counted)) return;
    const std::lock_guard lock(mutex_);
    add(counted_, counted);
}

statistics read_statistics(const std::filesystem::path& directory) {
    const opened_folder root = open_root(directory, access::inspect);
    if (!root.folder) return {};
    const file_descriptor note = open_note(root.folder, statistics_file);
    if (!note) return {};
    const std::optional<statistics_copy> best = newest(note);
    return best ? best->totals : statistics{};
}

}  // namespace jit_cache
