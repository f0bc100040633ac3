// kiln-cache/doctor_folder: whose the folder is, what it lies on, what is in it, what programs make of it.
#include "doctor.hpp"

#include "file_system.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/store.hpp>
#include <jit_cache/trust.hpp>

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <ctime>

namespace kiln_cache {

namespace {

using jit_cache::file_fault;
using jit_cache::folder_role;
using jit_cache::judgement;
using jit_cache::printable;
using path = std::filesystem::path;

constexpr std::int64_t day_s = 86'400;
constexpr std::uint64_t least_free_bytes = std::uint64_t{1} << 20;  // less than this holds no kernel for long

std::string words_for(const judgement& verdict) {
    if (!verdict.ignored_because.empty()) return "ignore this folder because " + printable(verdict.ignored_because);
    if (!verdict.not_written_because.empty())
        return fmt::format("{} because {}",
                           verdict.exists ? "read this folder and do not write it" : "cannot make this folder",
                           printable(verdict.not_written_because));
    return verdict.exists ? "read and write this folder" : "will make this folder";
}

json judgement_json(const judgement& verdict) {
    json out;
    out["exists"] = verdict.exists;
    out["ignored_because"] = verdict.ignored_because.empty() ? json(nullptr) : json(printable(verdict.ignored_because));
    out["not_written_because"] =
        verdict.not_written_because.empty() ? json(nullptr) : json(printable(verdict.not_written_because));
    return out;
}

void check_owner(const path& directory, report& into, json& out) {
    struct ::stat status {};
    const bool is_there = ::stat(directory.c_str(), &status) == 0;
    out["owner_uid"] = is_there ? json(status.st_uid) : json(nullptr);
    out["mode"] = is_there ? json(fmt::format("{:04o}", status.st_mode & 07777U)) : json(nullptr);
    if (is_there) into.line("owner", jit_cache::trust::owner_and_mode(status).substr(sizeof "owner " - 1));
}

void check_file_system(const path& directory, report& into, json& out) {
    const std::optional<file_system> on = file_system_of(directory);
    if (!on) return;
    out["file_system"] = printable(on->type);
    out["mount_point"] = on->mount_point.empty() ? json(nullptr) : json(printable(on->mount_point));
    out["mounted_read_only"] = on->is_read_only;
    out["free_bytes"] = on->free_bytes;
    out["free_inodes"] = on->free_inodes ? json(*on->free_inodes) : json(nullptr);
    const std::string inodes = on->free_inodes ? fmt::format(", {} more files", *on->free_inodes) : "";
    into.line("file system", fmt::format("{} on {}, room for {}{}{}", printable(on->type), printable(on->mount_point),
                                         human_size(on->free_bytes), inodes, on->is_read_only ? ", read-only" : ""));
    if (on->is_read_only || !on->has_size) return;  // the first is said as what programs do
    if (on->free_bytes < least_free_bytes || on->free_inodes == 0U)
        into.wrong(fmt::format("{} is full: programs keep new kernels in memory only", printable(on->mount_point)));
}

struct contents {
    std::uint64_t entries = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t from_the_future = 0;
    std::uint64_t ignored = 0;  // whoever can write it: the entry, or its shard
    std::uint64_t ignored_alone = 0;
    std::string ignored_alone_example;
    jit_cache::scan_result scanned;

    [[nodiscard]] std::uint64_t count(file_fault fault) const {
        return static_cast<std::uint64_t>(std::count_if(scanned.broken.begin(), scanned.broken.end(),
                                                        [&](const auto& each) { return each.fault == fault; }));
    }
};

contents contents_of(const path& directory) {
    contents result;
    const std::int64_t tomorrow = std::time(nullptr) + day_s;
    result.scanned = jit_cache::scan_each(directory, jit_cache::depth::described, [&](jit_cache::entry_info&& one) {
        ++result.entries;
        result.file_bytes += one.file_bytes;
        if (one.last_used_unix_s > tomorrow) ++result.from_the_future;
        if (one.ignored_because.empty()) return;
        ++result.ignored;
        if (one.is_in_ignored_shard) return;
        std::string example = one.file.string() + ": " + one.ignored_because;
        if (++result.ignored_alone == 1 || example < result.ignored_alone_example)
            result.ignored_alone_example = std::move(example);
    });
    return result;
}

/// What programs pass over in a folder that they read, and what to do about it.
void say_ignored(const contents& in, std::string_view remedy, report& into) {
    if (in.ignored_alone > 0)
        into.wrong(fmt::format("programs ignore {}, such as {}", counted(in.ignored_alone, "entry", "entries"),
                               printable(in.ignored_alone_example)));
    for (const jit_cache::ignored_shard& each : in.scanned.ignored_shards)
        into.wrong(fmt::format("programs ignore {} with {}: {}; {}", printable(each.folder.native()),
                               counted(each.entries, "entry", "entries"), printable(each.why), remedy));
}

json ignored_json(const contents& in) {
    json out = json::array();
    for (const jit_cache::ignored_shard& each : in.scanned.ignored_shards)
        out.push_back(
            {{"path", printable(each.folder.native())}, {"entries", each.entries}, {"why", printable(each.why)}});
    return out;
}

void check_contents(const path& directory, const judgement& verdict, report& into, json& out) {
    const jit_cache::settings bounds = jit_cache::settings_from_environment();
    const contents in = contents_of(directory);
    out["entries"] = in.entries;
    out["max_entries"] = bounds.max_entries;
    out["file_bytes"] = in.file_bytes;
    out["max_bytes"] = bounds.max_bytes;
    out["damaged"] = in.count(file_fault::damaged);
    out["unreadable"] = in.count(file_fault::unreadable);
    out["ignored"] = in.ignored;
    out["ignored_shards"] = ignored_json(in);
    out["from_the_future"] = in.from_the_future;
    out["newer_format_count"] = in.scanned.newer_format_count;
    const auto stale = static_cast<std::uint64_t>(std::count_if(
        in.scanned.temporaries.begin(), in.scanned.temporaries.end(), [](const auto& each) { return each.is_stale; }));
    out["temporaries"] = in.scanned.temporaries.size();
    out["stale_temporaries"] = stale;
    out["foreign"] = in.count(file_fault::foreign) + in.scanned.strangers.size();
    out["other_versions"] = json::array();
    for (const path& each : in.scanned.versions) out["other_versions"].push_back(printable(each.native()));

    into.line("entries", fmt::format("{} of at most {}, {} of at most {}", in.entries, bounds.max_entries,
                                     human_size(in.file_bytes), human_size(bounds.max_bytes)));
    if (in.entries > 0)
        into.line("", "of which headers, keys and facts were read; 'kiln-cache verify' reads binaries, too");
    if (!in.scanned.temporaries.empty())
        into.line("being written", fmt::format("{}, {} of them left by processes that are gone ('kiln-cache gc')",
                                               in.scanned.temporaries.size(), stale));
    if (in.from_the_future > 0)
        into.line("clock", fmt::format("{} last used in the future: a clock is or was wrong; they make room first",
                                       counted(in.from_the_future, "entry was", "entries were")));
    if (in.scanned.newer_format_count > 0)
        into.line("newer format", counted(in.scanned.newer_format_count, "entry", "entries"));
    for (const path& each : in.scanned.versions) into.line("other version", printable(each.native()));
    if (const std::uint64_t foreign = in.count(file_fault::foreign) + in.scanned.strangers.size(); foreign > 0)
        into.line("not kiln's", fmt::format("{}, which nothing touches ('kiln-cache verify' names them)",
                                            counted(foreign, "file", "files")));
    if (const std::uint64_t damaged = in.count(file_fault::damaged); damaged > 0)
        into.wrong(fmt::format("{} damaged; 'kiln-cache verify --repair' removes them",
                               counted(damaged, "entry is", "entries are")));
    if (const std::uint64_t unreadable = in.count(file_fault::unreadable); unreadable > 0)
        into.wrong(
            fmt::format("{} not be read; 'kiln-cache verify' says why", counted(unreadable, "file can", "files can")));
    // Of a folder that is ignored, so is each entry: that is said already.
    if (verdict.ignored_because.empty())
        say_ignored(in,
                    "delete that folder, and its kernels are made again, or, if nobody else has written to it, 'chmod "
                    "go-w' it",
                    into);
}

}  // namespace

void check_folder(const request& asked, report& into) {
    json out;
    out["path"] = asked.folder.path.empty() ? json(nullptr) : json(printable(asked.folder.path.native()));
    out["named_by"] = asked.folder.named_by.empty() ? json(nullptr) : json(asked.folder.named_by);
    if (asked.folder.path.empty()) {
        into.line("folder", "none");
        into.wrong(jit_cache::trust::has_raised_privileges()
                       ? "with raised privileges there is no folder: kernels are kept in memory only"
                       : why_no_folder(asked) + "; kernels are kept in memory only");
        into.data()["folder"] = std::move(out);
        return;
    }
    const path& directory = asked.folder.path;
    const judgement verdict = jit_cache::judge(directory, folder_role::private_one);
    out.update(judgement_json(verdict));
    into.line("folder", fmt::format("{} ({})", printable(directory.native()), asked.folder.named_by));
    const std::string words = words_for(verdict);
    into.line("programs", words);
    if (!verdict.ignored_because.empty() || !verdict.not_written_because.empty())
        into.wrong(fmt::format("programs {} ({})", words, printable(directory.native())));
    check_owner(directory, into, out);
    check_file_system(directory, into, out);
    struct ::stat tag {};
    const bool has_tag = ::lstat((directory / "CACHEDIR.TAG").c_str(), &tag) == 0;
    out["has_tag"] = has_tag;
    if (verdict.exists && !has_tag) into.line("CACHEDIR.TAG", "missing: backup programs will not pass the folder over");
    check_contents(directory, verdict, into, out);
    into.data()["folder"] = std::move(out);
}

void check_read_only_folders(report& into) {
    json list = json::array();
    for (const path& directory : jit_cache::settings_from_environment().read_only_directories) {
        const judgement verdict = jit_cache::judge(directory, folder_role::read_only);
        const contents in = contents_of(directory);
        json out;
        out["path"] = printable(directory.native());
        out["ignored_because"] = judgement_json(verdict)["ignored_because"];
        out["entries"] = in.entries;
        out["file_bytes"] = in.file_bytes;
        out["damaged"] = in.count(file_fault::damaged);
        out["ignored"] = in.ignored;
        out["ignored_shards"] = ignored_json(in);
        list.push_back(std::move(out));
        const std::string place = printable(directory.native());
        if (!verdict.ignored_because.empty()) {
            into.line("read-only", fmt::format("{}: ignored", place));
            into.wrong(fmt::format("programs ignore {} because {}", place, printable(verdict.ignored_because)));
            continue;
        }
        into.line("read-only",
                  fmt::format("{}: {}, {}", place, counted(in.entries, "entry", "entries"), human_size(in.file_bytes)));
        say_ignored(in, "unpack that folder anew, or, if nobody else has written to it, 'chmod go-w' it", into);
        if (const std::uint64_t damaged = in.count(file_fault::damaged); damaged > 0)
            into.wrong(fmt::format("{} damaged in {}", counted(damaged, "entry is", "entries are"), place));
    }
    into.data()["read_only_folders"] = std::move(list);
}

}  // namespace kiln_cache
