// kiln-cache/pack: pack and unpack: entries in one file, for an application or a container to bring along.
#include "commands.hpp"
#include "entry.hpp"
#include "find_key.hpp"
#include "folder_words.hpp"
#include "progress_line.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace kiln_cache {

namespace {

using jit_cache::hash128;
using jit_cache::printable;

int list_pack(const request& asked, const unpack_request& how) {
    jit_cache::pack_contents held = jit_cache::read_pack(how.file);
    const std::string trouble = printable(held.trouble);
    std::vector<entry> entries;
    std::vector<hash128> names;
    for (jit_cache::entry_info& each : held.entries) {
        names.push_back(each.name);
        entries.emplace_back(std::move(each));
    }
    if (asked.json) {
        json out;
        out["file"] = printable(how.file.native());
        out["error"] = trouble.empty() ? json(nullptr) : json(trouble);
        out["file_bytes"] = held.file_bytes;
        out["newer_format_count"] = held.newer_format_count;
        out["entries"] = json::array();
        for (const entry& one : entries) out["entries"].push_back(entry_json(one));
        print_json(out);
    } else if (trouble.empty()) {
        const std::size_t columns = terminal_columns();
        const std::size_t digits = telling_digits(std::move(names));
        table lines(columns);
        lines.column("KEY", cells::exact);
        lines.column("KERNEL", cells::text, 2);
        lines.column("TARGET", cells::text);
        lines.column("COMPILER", cells::text);
        lines.column("SIZE", cells::number);
        for (const entry& one : entries)
            lines.row({one.key().substr(0, digits), cut_printable(title_of(one), columns),
                       cut_printable(one.field("target").value_or("-"), columns),
                       cut_printable(short_compiler(one), columns), human_size(one.file_bytes)});
        if (!entries.empty()) print(lines.text());
        print(fmt::format("{} in {}, {}\n", counted(entries.size(), "entry", "entries"), printable(how.file.native()),
                          human_size(held.file_bytes)));
        if (held.newer_format_count > 0) print(fmt::format("{} of a newer format\n", held.newer_format_count));
    }
    if (!trouble.empty()) complain(trouble);
    return trouble.empty() ? fine : found_wanting;
}

json packed_json(const request& asked, const std::filesystem::path& file, const jit_cache::pack_result& done) {
    json out = head_json(asked, printable(done.trouble));
    out["file"] = printable(file.native());
    out["file_bytes"] = done.file_bytes;
    out["entries"] = done.entries;
    return out;
}

}  // namespace

int pack(const request& asked, const pack_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    std::vector<hash128> named;
    for (const std::string& typed : how.keys) {
        const found_key found = find_key(asked, typed);
        if (!found.one) return fail_for_key(asked, found);
        named.push_back(found.one->name);
    }
    std::vector<hash128> matching;
    jit_cache::scan_result scanned;
    if (how.keys.empty() || !how.filter.empty()) {
        scanned =
            jit_cache::scan_each(asked.folder.path, jit_cache::depth::described, [&](jit_cache::entry_info&& info) {
                if (const entry one(std::move(info)); matches(one, how.filter)) matching.push_back(one.name);
            });
        if (const std::string why = scan_trouble(asked, scanned); !why.empty()) return fail(asked, why);
    }
    if (named.empty() && matching.empty()) {
        complain_of(scanned.broken);
        return fail(asked, how.filter.empty() ? "there is nothing to pack"
                                              : fmt::format("no entry matches '{}'", printable(how.filter)));
    }
    jit_cache::pack_result done = jit_cache::pack(asked.folder.path, named, how.file, matching);
    if (done.trouble.empty()) {
        // What a damaged file would have matched, nobody knows.
        done.left_out.insert(done.left_out.begin(), scanned.broken.begin(), scanned.broken.end());
        std::sort(done.left_out.begin(), done.left_out.end(),
                  [](const auto& left, const auto& right) { return left.file < right.file; });
    }
    if (asked.json) {
        json out = packed_json(asked, how.file, done);
        out["left_out"] = broken_json(done.left_out);
        out["newer_format_count"] = scanned.newer_format_count;
        print_json(out);
    } else if (done.trouble.empty()) {
        print(fmt::format("packed {} into {}, {}\n", counted(done.entries, "entry", "entries"),
                          printable(how.file.native()), human_size(done.file_bytes)));
        if (scanned.newer_format_count > 0)
            print(fmt::format("left out {} of a newer format\n", scanned.newer_format_count));
    }
    if (!done.trouble.empty()) complain(printable(done.trouble));
    if (!done.left_out.empty())
        complain(fmt::format("left out of the pack: {}", counted(done.left_out.size(), "file", "files")));
    complain_of(done.left_out);
    return done.trouble.empty() && done.left_out.empty() ? fine : found_wanting;
}

int unpack(const request& asked, const unpack_request& how) {
    if (how.list) return list_pack(asked, how);
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    const jit_cache::pack_result done = [&] {
        progress_line line("unpacking");
        return jit_cache::unpack(how.file, asked.folder.path,
                                 how.for_all ? jit_cache::readable_by::all : jit_cache::readable_by::user,
                                 [&](std::uint64_t entries, std::uint64_t total) { line.show(entries, total); });
    }();
    if (asked.json) {
        json out = packed_json(asked, how.file, done);
        out["skipped"] = done.skipped;
        print_json(out);
    } else if (done.trouble.empty()) {
        print(fmt::format("unpacked {} into {}\n", counted(done.entries, "entry", "entries"),
                          printable(asked.folder.path.native())));
        if (done.skipped > 0) print(fmt::format("skipped {}: there already, or of a newer format\n", done.skipped));
    }
    if (!done.trouble.empty()) complain(printable(done.trouble));
    return done.trouble.empty() ? fine : found_wanting;
}

}  // namespace kiln_cache
