// kiln-cache/verify: verify: every byte of the folder, and what else is in it.
#include "commands.hpp"
#include "folder_words.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace kiln_cache {

namespace {

using jit_cache::broken_file;
using jit_cache::file_fault;
using jit_cache::printable;
using jit_cache::scan_result;
using jit_cache::temporary_file;

struct findings {
    scan_result scanned;
    std::uint64_t entries = 0;
    std::uint64_t file_bytes = 0;
    std::string folder_ignored_because;  // all of it
    std::vector<broken_file> ignored;    // whole, and others can write them or their folder
    std::uint64_t damaged_removed = 0;
    std::uint64_t temporaries_removed = 0;

    [[nodiscard]] std::uint64_t count(file_fault fault) const {
        return static_cast<std::uint64_t>(std::count_if(scanned.broken.begin(), scanned.broken.end(),
                                                        [&](const broken_file& each) { return each.fault == fault; }));
    }
    /// Foreign files harm nobody; what else is wrong, and still there, does.
    [[nodiscard]] bool is_all_good() const {
        return scanned.trouble.empty() && count(file_fault::unreadable) == 0 && folder_ignored_because.empty() &&
               ignored.empty() && count(file_fault::damaged) == damaged_removed;
    }
};

findings look(const request& asked) {
    findings found;
    // The laxer rule of the two: the folder may be one that root has filled for others.
    const jit_cache::judgement verdict = jit_cache::judge(asked.folder.path, jit_cache::folder_role::read_only);
    if (verdict.exists) found.folder_ignored_because = verdict.ignored_because;
    found.scanned = jit_cache::scan_each(asked.folder.path, jit_cache::depth::whole, [&](jit_cache::entry_info&& info) {
        ++found.entries;
        found.file_bytes += info.file_bytes;
        if (!info.ignored_because.empty())
            found.ignored.push_back({info.file, "no program uses it: " + info.ignored_because, file_fault::foreign});
    });
    return found;
}

void repair(const request& asked, findings& found) {
    found.damaged_removed = jit_cache::remove_broken(asked.folder.path, found.scanned);
    // Within bounds that nothing passes, a sweep takes what dead writers left, and no more.
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    found.temporaries_removed = jit_cache::sweep(asked.folder.path, any, any).temporaries_removed;
}

json findings_json(const request& asked, const findings& found) {
    json out = head_json(asked, scan_trouble(asked, found.scanned));
    out["entries"] = found.entries;
    out["file_bytes"] = found.file_bytes;
    out["broken"] = broken_json(found.scanned.broken);
    out["ignored_because"] =
        found.folder_ignored_because.empty() ? json(nullptr) : json(printable(found.folder_ignored_because));
    out["ignored"] = json::array();
    for (const broken_file& each : found.ignored)
        out["ignored"].push_back({{"file", printable(each.file.native())}, {"why", printable(each.why)}});
    out["temporaries"] = json::array();
    for (const temporary_file& each : found.scanned.temporaries)
        out["temporaries"].push_back(
            {{"file", printable(each.file.native())}, {"file_bytes", each.bytes}, {"stale", each.is_stale}});
    out["strangers"] = json::array();
    for (const auto& each : found.scanned.strangers) out["strangers"].push_back(printable(each.native()));
    out["other_versions"] = json::array();
    for (const auto& each : found.scanned.versions) out["other_versions"].push_back(printable(each.native()));
    out["newer_format_count"] = found.scanned.newer_format_count;
    out["damaged_removed"] = found.damaged_removed;
    out["temporaries_removed"] = found.temporaries_removed;
    return out;
}

void print_file(const std::filesystem::path& file, std::string_view why) {
    print(fmt::format("  {}: {}\n", printable(file.native()), cut_printable(why, 200)));
}

void print_broken(const findings& found, file_fault fault, std::string_view words) {
    const std::uint64_t count = found.count(fault);
    if (count == 0) return;
    print(fmt::format("{} {}\n", counted(count, "file", "files"), words));
    for (const broken_file& each : found.scanned.broken)
        if (each.fault == fault) print_file(each.file, each.why);
}

void print_findings(const request& asked, const findings& found, bool repaired) {
    const scan_result& scanned = found.scanned;
    print(fmt::format("{} of {} whole in {}\n", counted(found.entries, "entry", "entries"),
                      human_size(found.file_bytes), printable(asked.folder.path.native())));
    if (!found.folder_ignored_because.empty())
        print(fmt::format("programs ignore all of this folder: {}\n", printable(found.folder_ignored_because)));
    print_broken(found, file_fault::damaged,
                 "damaged or of another name than their key's: each is made again when it is wanted");
    print_broken(found, file_fault::unreadable, "not readable now: what is in them, nobody knows");
    print_broken(found, file_fault::foreign, "in an entry's place that kiln did not put there: they stay");
    if (!found.ignored.empty())
        print(fmt::format("{} ignored by programs\n", counted(found.ignored.size(), "entry", "entries")));
    for (const broken_file& each : found.ignored) print_file(each.file, each.why);
    const auto stale = std::count_if(scanned.temporaries.begin(), scanned.temporaries.end(),
                                     [](const temporary_file& each) { return each.is_stale; });
    if (!scanned.temporaries.empty())
        print(fmt::format("{} being written, {} of them left by processes that are gone\n",
                          counted(scanned.temporaries.size(), "entry", "entries"), stale));
    if (scanned.newer_format_count > 0)
        print(
            fmt::format("{} of a newer format: they stay\n", counted(scanned.newer_format_count, "entry", "entries")));
    for (const auto& each : scanned.versions)
        print(fmt::format("{} belongs to another version of kiln: it stays\n", printable(each.native())));
    if (!scanned.strangers.empty())
        print(fmt::format("{} that kiln did not write: nothing touches them\n",
                          counted(scanned.strangers.size(), "other file", "other files")));
    for (const auto& each : scanned.strangers) print(fmt::format("  {}\n", printable(each.native())));
    if (repaired)
        print(fmt::format("removed {} damaged or misnamed and {}\n", counted(found.damaged_removed, "file", "files"),
                          counted(found.temporaries_removed, "temporary", "temporaries")));
    if (!repaired && found.count(file_fault::damaged) > 0) print("'kiln-cache verify --repair' removes them\n");
}

}  // namespace

int verify(const request& asked, const verify_request& how) {
    if (const std::string why = why_no_folder(asked); !why.empty()) return fail(asked, why);
    findings found = look(asked);
    const std::string trouble = scan_trouble(asked, found.scanned);
    if (how.repair && trouble.empty()) repair(asked, found);
    if (asked.json) {
        print_json(findings_json(asked, found));
    } else if (trouble.empty()) {
        print_findings(asked, found, how.repair);
    }
    if (!trouble.empty()) complain(trouble);
    return found.is_all_good() ? fine : found_wanting;
}

}  // namespace kiln_cache
