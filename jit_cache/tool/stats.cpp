// kiln-cache/stats: stats: how full the folder is, with what, and what it was good for.
#include "commands.hpp"
#include "entry.hpp"
#include "folder_words.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/store.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <unordered_map>
#include <vector>

namespace kiln_cache {

namespace {

using jit_cache::printable;

constexpr std::size_t most_shares = 10;  // of one field, for people

struct share {
    std::string name;  // as it was stored
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
};

/// Sums by one field of the key.
class shares {
public:
    explicit shares(const char* field) : field_(field) {}

    [[nodiscard]] const char* field() const { return field_; }

    void add(const jit_cache::entry_info& one) {
        const auto [place, is_new] =
            by_name_.try_emplace(std::string(one.entry_key.field(field_).value_or("")), all_.size());
        if (is_new) all_.push_back({.name = place->first});
        share& sum = all_[place->second];
        ++sum.entries;
        sum.bytes += one.file_bytes;
    }

    /// The largest first.
    [[nodiscard]] std::vector<share> sorted() const {
        std::vector<share> result = all_;
        std::sort(result.begin(), result.end(), [](const share& left, const share& right) {
            return left.bytes != right.bytes ? left.bytes > right.bytes : left.name < right.name;
        });
        return result;
    }

private:
    const char* field_;
    std::unordered_map<std::string, std::size_t> by_name_;
    std::vector<share> all_;
};

struct sums {
    std::uint64_t entries = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t payload_bytes = 0;
    double compile_us = 0;  // whole ones: a sum of fractions would depend on the order
    std::int64_t newest_use = std::numeric_limits<std::int64_t>::min();
    std::int64_t oldest_use = std::numeric_limits<std::int64_t>::max();
    std::vector<shares> by{shares("target"), shares("compiler"), shares("generator"), shares("options")};

    [[nodiscard]] double compile_ms() const { return compile_us / 1000; }

    void add(const jit_cache::entry_info& one) {
        ++entries;
        file_bytes += one.file_bytes;
        payload_bytes += one.payload_bytes;
        for (const jit_cache::fact& each : one.facts)
            if (each.name == "compile_ms") compile_us += std::round(figure(each.value).value_or(0) * 1000);
        newest_use = std::max(newest_use, one.last_used_unix_s);
        oldest_use = std::min(oldest_use, one.last_used_unix_s);
        for (shares& each : by) each.add(one);
    }
};

json counts_json(const jit_cache::statistics& counts) {
    json out;
    out["since"] = counts.since_unix_s == 0 ? json(nullptr) : time_json(counts.since_unix_s);
    out["disk_hits"] = counts.disk_hits;
    out["saved_ms"] = counts.saved_ms;
    out["misses"] = json::array();
    for (std::size_t i = 0; i < jit_cache::miss_reason_count; ++i)
        out["misses"].push_back({{"reason", jit_cache::miss_reason_names[i]},
                                 {"words", jit_cache::miss_reason_words[i]},
                                 {"count", counts.misses[i]}});
    out["published"] = counts.published;
    out["published_bytes"] = counts.published_bytes;
    out["evicted"] = counts.evicted;
    out["evicted_bytes"] = counts.evicted_bytes;
    return out;
}

std::string set_by(const bound& one) { return one.set_by == "default" ? "" : fmt::format(" ({})", one.set_by); }

void print_shares(const shares& of) {
    table lines(terminal_columns());
    std::string title = of.field();
    for (char& each : title) each = static_cast<char>(each - 'a' + 'A');
    lines.column(title, cells::text);
    lines.column("ENTRIES", cells::number);
    lines.column("SIZE", cells::number);
    const std::vector<share> sorted = of.sorted();
    const std::size_t shown = std::min(sorted.size(), most_shares);
    for (std::size_t i = 0; i < shown; ++i) {
        const share& one = sorted[i];
        lines.row({one.name.empty() ? "-" : cut_printable(one.name, terminal_columns()), std::to_string(one.entries),
                   human_size(one.bytes)});
    }
    print("\n" + lines.text());
    if (sorted.size() > shown) print(fmt::format("and {} more; --json lists them\n", sorted.size() - shown));
}

void print_counts(const jit_cache::statistics& counts) {
    if (counts.since_unix_s == 0) {
        print(
            "\nnothing is counted here: programs count in this folder, hits in read-only ones too, once it is there, "
            "and make "
            "it when they first store a kernel\n");
        return;
    }
    print(fmt::format("\ncounted since {} by the programs that used the folder\n", iso_time(counts.since_unix_s)));
    print_field("hits on disk", std::to_string(counts.disk_hits));
    print_field("saved by them", human_duration(static_cast<double>(counts.saved_ms)) + " of compiling");
    print_field("published", fmt::format("{}, {}", counts.published, human_size(counts.published_bytes)));
    print_field("evicted", fmt::format("{}, {}", counts.evicted, human_size(counts.evicted_bytes)));
    std::uint64_t misses = 0;
    for (const std::uint64_t each : counts.misses) misses += each;
    print_field("misses", std::to_string(misses));
    for (std::size_t i = 0; i < jit_cache::miss_reason_count; ++i)
        if (counts.misses[i] > 0)
            print_field("", fmt::format("{}: {}", counts.misses[i], jit_cache::miss_reason_words[i]));
}

}  // namespace

int stats(const request& asked, const stats_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    sums all;
    const jit_cache::scan_result scanned = jit_cache::scan_each(asked.folder.path, jit_cache::depth::described,
                                                                [&](jit_cache::entry_info&& info) { all.add(info); });
    const jit_cache::statistics counts = jit_cache::read_statistics(asked.folder.path);
    if (asked.json) {
        json out = head_json(asked, scan_trouble(asked, scanned));
        out["directory_named_by"] = asked.folder.named_by;
        out["entries"] = all.entries;
        out["max_entries"] = how.max_entries.value;
        out["max_entries_set_by"] = how.max_entries.set_by;
        out["file_bytes"] = all.file_bytes;
        out["max_bytes"] = how.max_bytes.value;
        out["max_bytes_set_by"] = how.max_bytes.set_by;
        out["payload_bytes"] = all.payload_bytes;
        out["compile_ms"] = all.compile_ms();
        out["newest_use"] = all.entries == 0 ? json(nullptr) : time_json(all.newest_use);
        out["oldest_use"] = all.entries == 0 ? json(nullptr) : time_json(all.oldest_use);
        for (const shares& each : all.by) {
            json list = json::array();
            for (const share& one : each.sorted())
                list.push_back({{"name", printable(one.name)}, {"entries", one.entries}, {"file_bytes", one.bytes}});
            out[std::string("by_") + each.field()] = std::move(list);
        }
        out["statistics"] = counts_json(counts);
        out["broken"] = broken_json(scanned.broken);
        out["newer_format_count"] = scanned.newer_format_count;
        print_json(out);
        return complain_of(asked, scanned);
    }
    const std::int64_t now = std::time(nullptr);
    print_field("folder", fmt::format("{} ({})", printable(asked.folder.path.native()), asked.folder.named_by));
    print_field("entries",
                fmt::format("{} of at most {}{}", all.entries, how.max_entries.value, set_by(how.max_entries)));
    print_field("size", fmt::format("{} of at most {}{}", human_size(all.file_bytes), human_size(how.max_bytes.value),
                                    set_by(how.max_bytes)));
    print_field("binaries", human_size(all.payload_bytes));
    print_field("compile time", human_duration(all.compile_ms()) + ", spent once");
    print_field("newest use", all.entries == 0 ? "-" : human_age(all.newest_use, now));
    print_field("oldest use", all.entries == 0 ? "-" : human_age(all.oldest_use, now));
    if (!scanned.broken.empty()) print_field("broken", counted(scanned.broken.size(), "file", "files"));
    if (scanned.newer_format_count > 0)
        print_field("newer format", counted(scanned.newer_format_count, "file", "files"));
    if (how.verbose) print_counts(counts);
    if (all.entries > 0)
        for (std::size_t i = 0; i < all.by.size(); ++i)
            if (how.verbose || i < 2) print_shares(all.by[i]);
    return complain_of(asked, scanned);
}

}  // namespace kiln_cache
