// kiln-cache/find_key: one scan by prefix; another of the whole folder only where that finds nothing.
#include "find_key.hpp"

#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace kiln_cache {

namespace {

using jit_cache::depth;
using jit_cache::printable;

constexpr std::size_t most_candidates = 10;

std::size_t digits_in_common(std::string_view left, std::string_view right) {
    const auto apart = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    return static_cast<std::size_t>(apart.first - left.begin());
}

/// Those that hold the text, else those whose keys begin most alike.
void collect_candidates(const request& asked, const std::string& typed, found_key& found) {
    std::vector<entry> holding;
    std::vector<entry> alike;
    std::size_t most_alike = 1;
    const jit_cache::scan_result scanned =
        jit_cache::scan_each(asked.folder.path, depth::described, [&](jit_cache::entry_info&& info) {
            entry one(std::move(info));
            const std::size_t common = digits_in_common(one.key(), typed);
            if (matches(one, typed)) {
                holding.push_back(std::move(one));
            } else if (common >= most_alike) {
                if (common > most_alike) alike.clear();
                most_alike = common;
                alike.push_back(std::move(one));
            }
        });
    found.candidates = std::move(holding.empty() ? alike : holding);
    if (!scanned.trouble.empty()) found.trouble = printable(scanned.trouble);
}

}  // namespace

found_key find_key(const request& asked, const std::string& prefix) {
    found_key found;
    found.trouble = why_no_folder(asked);
    if (!found.trouble.empty()) return found;
    const std::string typed = lower_case(prefix);
    std::vector<entry> matching;
    jit_cache::scan_result scanned = jit_cache::scan_each(
        asked.folder.path, depth::described,
        [&](jit_cache::entry_info&& info) { matching.emplace_back(std::move(info)); }, typed);
    for (jit_cache::broken_file& each : scanned.broken)
        if (each.file.filename().native().starts_with(typed)) found.damaged.push_back(std::move(each));

    const std::size_t count = matching.size() + found.damaged.size();
    if (matching.size() == 1 && found.damaged.empty()) {
        found.one = std::move(matching.front());
        return found;
    }
    found.candidates = std::move(matching);
    if (!scanned.trouble.empty()) {
        found.trouble = fmt::format("{}: {}", printable(asked.folder.path.native()), printable(scanned.trouble));
    } else if (count == 1) {
        found.trouble =
            fmt::format("{}: {}", printable(found.damaged.front().file.native()), printable(found.damaged.front().why));
    } else if (count > 1) {
        found.trouble = fmt::format("'{}' begins {} keys", printable(prefix), count);
    } else {
        collect_candidates(asked, typed, found);
        if (found.trouble.empty()) found.trouble = fmt::format("no entry's key begins with '{}'", printable(prefix));
    }
    std::sort(found.candidates.begin(), found.candidates.end(), [](const entry& left, const entry& right) {
        return std::tie(right.last_used_unix_s, left.name.high, left.name.low) <
               std::tie(left.last_used_unix_s, right.name.high, right.name.low);
    });
    return found;
}

int fail_for_key(const request& asked, const found_key& found) {
    const std::size_t shown = std::min(found.candidates.size(), most_candidates);
    if (asked.json) {
        json out = head_json(asked, found.trouble);
        out["candidates"] = json::array();
        for (const entry& one : found.candidates) out["candidates"].push_back(entry_json(one));
        print_json(out);
    }
    complain(found.trouble + (shown > 0 ? "; there are" : ""));
    std::vector<jit_cache::hash128> names;
    for (const entry& one : found.candidates) names.push_back(one.name);
    const std::size_t digits = telling_digits(std::move(names));
    for (std::size_t i = 0; i < shown; ++i) {
        const entry& one = found.candidates[i];
        complain(fmt::format("  {}  {}  {}", one.key().substr(0, digits), cut_printable(title_of(one), 60),
                             cut_printable(one.field("target").value_or("-"), 30)));
    }
    if (found.candidates.size() > shown)
        complain(
            fmt::format("  and {} more; 'kiln-cache ls --filter TEXT' lists them", found.candidates.size() - shown));
    return found_wanting;
}

}  // namespace kiln_cache
