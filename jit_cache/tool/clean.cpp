// kiln-cache/clean: gc, clear and rm: what deletes entries.
#include "commands.hpp"
#include "entry.hpp"
#include "find_key.hpp"
#include "folder_words.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace kiln_cache {

namespace {

using jit_cache::doing;
using jit_cache::printable;
using jit_cache::sweep_result;

constexpr std::size_t most_files_named = 10;

json swept_json(const request& asked, const sweep_result& swept, std::string_view trouble, bool dry_run) {
    json out = head_json(asked, trouble);
    out["dry_run"] = dry_run;
    out["entries_removed"] = swept.entries_removed - swept.damaged_removed;
    out["damaged_removed"] = swept.damaged_removed;
    out["bytes_removed"] = swept.bytes_removed;
    out["entries_left"] = swept.entries_left;
    out["bytes_left"] = swept.bytes_left;
    out["temporaries_removed"] = swept.temporaries_removed;
    out["newer_format_count"] = swept.newer_format_count;
    return out;
}

void print_swept(const request& asked, const sweep_result& swept, bool dry_run) {
    const std::string damaged =
        swept.damaged_removed > 0 ? " and " + counted(swept.damaged_removed, "damaged file", "damaged files") : "";
    print(fmt::format("{} {}{}, {}, from {}\n", dry_run ? "would remove" : "removed",
                      counted(swept.entries_removed - swept.damaged_removed, "entry", "entries"), damaged,
                      human_size(swept.bytes_removed), printable(asked.folder.path.native())));
    if (swept.temporaries_removed > 0)
        print(fmt::format("{} {} that dead processes left\n", dry_run ? "would remove" : "removed",
                          counted(swept.temporaries_removed, "temporary", "temporaries")));
    print(fmt::format("{} {}, {}\n", dry_run ? "would leave" : "left", counted(swept.entries_left, "entry", "entries"),
                      human_size(swept.bytes_left)));
    if (swept.newer_format_count > 0) print(fmt::format("kept {} of a newer format\n", swept.newer_format_count));
}

std::string sweep_trouble(const request& asked, const sweep_result& swept) {
    if (swept.trouble.empty()) return {};
    return fmt::format("{}: {}", printable(asked.folder.path.native()), printable(swept.trouble));
}

/// What clear does not touch: files that the store did not write.
std::vector<std::filesystem::path> foreign_files(const request& asked) {
    jit_cache::scan_result left =
        jit_cache::scan_each(asked.folder.path, jit_cache::depth::described, [](jit_cache::entry_info&&) {});
    std::vector<std::filesystem::path> files = std::move(left.strangers);
    for (jit_cache::broken_file& each : left.broken)
        if (each.fault == jit_cache::file_fault::foreign) files.push_back(std::move(each.file));
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int gc(const request& asked, const gc_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    const sweep_result swept = jit_cache::sweep(asked.folder.path, how.max_bytes.value, how.max_entries.value,
                                                how.dry_run ? doing::nothing : doing::it);
    const std::string trouble = sweep_trouble(asked, swept);
    if (asked.json) {
        json out = swept_json(asked, swept, trouble, how.dry_run);
        out["max_bytes"] = how.max_bytes.value;
        out["max_bytes_set_by"] = how.max_bytes.set_by;
        out["max_entries"] = how.max_entries.value;
        out["max_entries_set_by"] = how.max_entries.set_by;
        print_json(out);
    } else {
        print_swept(asked, swept, how.dry_run);
    }
    if (!trouble.empty()) complain(trouble);
    return trouble.empty() ? fine : found_wanting;
}

int clear(const request& asked, const clear_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    const sweep_result swept = jit_cache::sweep(asked.folder.path, 0, 0, how.dry_run ? doing::nothing : doing::it);
    const std::string trouble = sweep_trouble(asked, swept);
    const std::vector<std::filesystem::path> foreign = foreign_files(asked);
    if (asked.json) {
        json out = swept_json(asked, swept, trouble, how.dry_run);
        out["foreign"] = json::array();
        for (const auto& each : foreign) out["foreign"].push_back(printable(each.native()));
        print_json(out);
    } else {
        print_swept(asked, swept, how.dry_run);
        const std::size_t named = std::min(foreign.size(), most_files_named);
        for (std::size_t i = 0; i < named; ++i)
            print(fmt::format("kept {}: kiln did not write it\n", printable(foreign[i].native())));
        if (foreign.size() > named) print(fmt::format("kept {} more of that kind\n", foreign.size() - named));
    }
    if (!trouble.empty()) complain(trouble);
    return trouble.empty() ? fine : found_wanting;
}

int remove(const request& asked, const remove_request& how) {
    // All are found before the first one goes: a mistyped key removes nothing.
    std::vector<found_key> all;
    for (const std::string& typed : how.keys) {
        found_key found = find_key(asked, typed);
        const bool is_one_damaged = !found.one && found.candidates.empty() && found.damaged.size() == 1 &&
                                    found.damaged.front().fault == jit_cache::file_fault::damaged;
        if (!found.one && !is_one_damaged) return fail_for_key(asked, found);
        all.push_back(std::move(found));
    }
    std::string trouble;
    json removed = json::array();
    for (const found_key& each : all) {
        const std::string key = each.one ? each.one->key() : each.damaged.front().file.filename().string();
        jit_cache::scan_result damaged;
        damaged.broken = each.damaged;
        const auto remove_it = [&] {
            return each.one ? jit_cache::remove(asked.folder.path, each.one->name)
                            : jit_cache::remove_broken(asked.folder.path, damaged) == 1;
        };
        if (!how.dry_run && !remove_it()) {
            const std::string why = fmt::format("{}: not removed: it cannot be deleted, or has just gone", key);
            if (trouble.empty()) trouble = why;
            complain(why);
            continue;
        }
        removed.push_back(each.one ? entry_json(*each.one) : json{{"key", key}});
        if (!asked.json)
            print(fmt::format("{} {}  {}\n", how.dry_run ? "would remove" : "removed", key,
                              each.one      ? cut_printable(title_of(*each.one), 60)
                              : how.dry_run ? "(it is damaged)"
                                            : "(it was damaged)"));
    }
    if (asked.json) {
        json out = head_json(asked, trouble);
        out["dry_run"] = how.dry_run;
        out["removed"] = std::move(removed);
        print_json(out);
    }
    return trouble.empty() ? fine : found_wanting;
}

}  // namespace kiln_cache
