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
#include <filesystem>
#include <system_error>
#include <tuple>

namespace kiln_cache {

namespace {

constexpr std::size_t columns_of_all = 7;

/// What is printed of an entry, and what its place depends on: of 20,000 entries no more than this is kept, for the kernel
/// takes as long to give a page of memory as to read an entry.
struct listed {
    jit_cache::hash128 name;
    std::uint64_t file_bytes = 0;
    std::int64_t last_used_unix_s = 0;
    double compile_ms = -1;
    std::vector<std::string> cells;  // behind the key's
    json object;                     // where that was asked for
};

listed listed_of(const entry& one, bool as_json) {
    const std::size_t columns = terminal_columns();
    static const std::int64_t now = std::time(nullptr);
    listed result{.name = one.name,
                  .file_bytes = one.file_bytes,
                  .last_used_unix_s = one.last_used_unix_s,
                  .compile_ms = figure(one.fact("compile_ms")).value_or(-1),
                  .cells = {},
                  .object = {}};
    if (as_json) {
        result.object = entry_json(one);
        return result;
    }
    result.cells.reserve(columns_of_all);
    result.cells.push_back({});  // the key, as long as all of them need it
    result.cells.push_back(cut_printable(title_of(one), columns));
    result.cells.push_back(cut_printable(one.field("target").value_or("-"), columns));
    result.cells.push_back(cut_printable(short_compiler(one), columns));
    result.cells.push_back(human_size(one.file_bytes));
    result.cells.push_back(compile_time(one));
    result.cells.push_back(human_age(one.last_used_unix_s, now));
    return result;
}

void sort(std::vector<listed>& entries, sort_key by) {
    // What is equal comes in the order of use, then of names: two runs over the same folder print the same.
    std::sort(entries.begin(), entries.end(), [by](const listed& left, const listed& right) {
        double first = 0;
        double second = 0;
        if (by == sort_key::size) {
            first = static_cast<double>(left.file_bytes);
            second = static_cast<double>(right.file_bytes);
        } else if (by == sort_key::compile) {
            first = left.compile_ms;
            second = right.compile_ms;
        }
        return std::tie(second, right.last_used_unix_s, left.name.high, left.name.low) <
               std::tie(first, left.last_used_unix_s, right.name.high, right.name.low);
    });
}

std::string lines_for(std::vector<listed>&& entries, std::size_t digits) {
    table lines(terminal_columns());
    lines.column("KEY", cells::exact);
    lines.column("KERNEL", cells::text, 2);
    lines.column("TARGET", cells::text);
    lines.column("COMPILER", cells::text);
    lines.column("SIZE", cells::number);
    lines.column("COMPILE", cells::number);
    lines.column("LAST USED", cells::number);
    for (listed& one : entries) {
        one.cells.front() = jit_cache::to_hex(one.name).substr(0, digits);
        lines.row(std::move(one.cells));
    }
    return lines.text();
}

}  // namespace

int list(const request& asked, const list_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    std::vector<listed> entries;
    std::vector<jit_cache::hash128> names;
    const jit_cache::scan_result scanned =
        jit_cache::scan_each(asked.folder.path, jit_cache::depth::described, [&](jit_cache::entry_info&& info) {
            names.push_back(info.name);
            if (const entry one(std::move(info)); matches(one, how.filter))
                entries.push_back(listed_of(one, asked.json));
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
        for (listed& one : entries) out["entries"].push_back(std::move(one.object));
        out["broken"] = broken_json(scanned.broken);
        out["newer_format_count"] = scanned.newer_format_count;
        print_json(out);
        return complain_of(asked, scanned);
    }
    const std::string place = jit_cache::printable(asked.folder.path.native());
    const std::size_t shown = entries.size();
    if (shown > 0) print(lines_for(std::move(entries), telling_digits(std::move(names))));
    if (scanned.trouble.empty() && all == 0) {
        std::error_code ignored;
        if (std::filesystem::exists(asked.folder.path, ignored)) print(fmt::format("no entries in {}\n", place));
        else
            print(fmt::format("there is no folder {} ({}); programs make it when they first store a kernel\n", place,
                              asked.folder.named_by));
    }
    if (all > 0 && matching == 0)
        print(fmt::format("none of {} in {} matches '{}'\n", counted(all, "entry", "entries"), place,
                          jit_cache::printable(how.filter)));
    if (shown < matching) print(fmt::format("and {} more\n", matching - shown));
    return complain_of(asked, scanned);
}

}  // namespace kiln_cache
