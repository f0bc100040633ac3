// kiln-cache/list: ls: a line for each entry.
#include "commands.hpp"
#include "entry.hpp"
#include "folder_words.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <tuple>

namespace kiln_cache {

namespace {

void sort(std::vector<entry>& entries, sort_key by) {
    // What is equal comes in the order of use, then of names: two runs over the same folder print the same.
    std::sort(entries.begin(), entries.end(), [by](const entry& left, const entry& right) {
        double first = 0;
        double second = 0;
        if (by == sort_key::size) {
            first = static_cast<double>(left.file_bytes);
            second = static_cast<double>(right.file_bytes);
        } else if (by == sort_key::compile) {
            first = figure(left.fact("compile_ms")).value_or(-1);
            second = figure(right.fact("compile_ms")).value_or(-1);
        }
        return std::tie(second, right.last_used_unix_s, left.name.high, left.name.low) <
               std::tie(first, left.last_used_unix_s, right.name.high, right.name.low);
    });
}

std::string lines_for(const std::vector<entry>& entries, std::size_t digits) {
    const std::size_t columns = terminal_columns();
    const std::int64_t now = std::time(nullptr);
    table lines(columns);
    lines.column("KEY", cells::exact);
    lines.column("KERNEL", cells::text, 2);
    lines.column("TARGET", cells::text);
    lines.column("COMPILER", cells::text);
    lines.column("SIZE", cells::number);
    lines.column("COMPILE", cells::number);
    lines.column("LAST USED", cells::number);
    for (const entry& one : entries) {
        lines.row({one.key().substr(0, digits), cut_printable(title_of(one), columns),
                   cut_printable(one.field("target").value_or("-"), columns),
                   cut_printable(short_compiler(one), columns), human_size(one.file_bytes), compile_time(one),
                   human_age(one.last_used_unix_s, now)});
    }
    return lines.text();
}

}  // namespace

int list(const request& asked, const list_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    std::vector<entry> entries;
    std::vector<jit_cache::hash128> names;
    const jit_cache::scan_result scanned =
        jit_cache::scan_each(asked.folder.path, jit_cache::depth::described, [&](jit_cache::entry_info&& info) {
            names.push_back(info.name);
            if (entry one(std::move(info)); matches(one, how.filter)) entries.push_back(std::move(one));
        });
    const std::size_t all = names.size();
    const std::size_t matching = entries.size();
    sort(entries, how.sort);
    if (how.limit)
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(std::min(*how.limit, matching)), entries.end());

    if (asked.json) {
        json out = head_json(asked, scan_trouble(asked, scanned));
        out["matching"] = matching;
        out["entries"] = json::array();
        for (const entry& one : entries) out["entries"].push_back(entry_json(one));
        out["broken"] = broken_json(scanned.broken);
        out["newer_format_count"] = scanned.newer_format_count;
        print_json(out);
        return complain_of(asked, scanned);
    }
    const std::string place = jit_cache::printable(asked.folder.path.native());
    if (!entries.empty()) print(lines_for(entries, telling_digits(std::move(names))));
    if (scanned.trouble.empty() && all == 0) print(fmt::format("no entries in {}\n", place));
    if (all > 0 && matching == 0)
        print(fmt::format("none of {} in {} matches '{}'\n", counted(all, "entry", "entries"), place,
                          jit_cache::printable(how.filter)));
    if (entries.size() < matching) print(fmt::format("and {} more\n", matching - entries.size()));
    return complain_of(asked, scanned);
}

}  // namespace kiln_cache
