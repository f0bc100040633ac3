// kiln-cache/commands: the subcommands, each in a form for people and one for programs.
// in: a folder and how to print   out: text on stdout, complaints on stderr, an exit code   knows nothing of: argv
#include "commands.hpp"

#include "text.hpp"

#include <jit_cache/folder.hpp>
#include <jit_cache/printable.hpp>
#include <jit_cache/store.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace kiln_cache {

namespace {

using json = nlohmann::ordered_json;
using jit_cache::entry_info;
using jit_cache::printable;
using jit_cache::scan_result;

constexpr std::size_t least_key_digits = 10;

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(std::string_view text) { fmt::print(stderr, "kiln-cache: {}\n", text); }

// Stored text goes through printable() on its way into JSON too: bytes that are not UTF-8 have no other form there.
void print_json(const json& value) { print(value.dump(2, ' ', true, json::error_handler_t::replace) + "\n"); }

std::optional<std::string_view> fact_of(const entry_info& entry, std::string_view name) {
    for (const jit_cache::fact& one : entry.facts) {
        if (one.name == name) return one.value;
    }
    return std::nullopt;
}

std::string or_dash(std::optional<std::string_view> text) { return text && !text->empty() ? printable(*text) : "-"; }

std::optional<double> number(std::optional<std::string_view> text) {
    if (!text) return std::nullopt;
    double value = 0;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), value);
    if (parsed.ec != std::errc{} || parsed.ptr != text->data() + text->size()) return std::nullopt;
    return value;
}

std::optional<std::int64_t> integer(std::optional<std::string_view> text) {
    if (!text) return std::nullopt;
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), value);
    if (parsed.ec != std::errc{} || parsed.ptr != text->data() + text->size()) return std::nullopt;
    return value;
}

json text_json(std::optional<std::string_view> text) { return text ? json(printable(*text)) : json(nullptr); }

// A figure that is no number is shown as what it is rather than dropped.
json figure_json(std::optional<std::string_view> text) {
    if (const auto whole = integer(text)) return *whole;
    if (const auto real = number(text)) return *real;
    return text_json(text);
}

std::string compile_time(const entry_info& entry) {
    const auto text = fact_of(entry, "compile_ms");
    const auto value = number(text);
    return value ? fmt::format("{:.1f} ms", *value) : or_dash(text);
}

// "created" is seconds since 1970, or already a date.
std::string created(const entry_info& entry) {
    const auto text = fact_of(entry, "created");
    const auto seconds = integer(text);
    return seconds ? iso_time(*seconds) : or_dash(text);
}

json entry_json(const entry_info& entry) {
    json out;
    out["key"] = jit_cache::to_hex(entry.name);
    out["label"] = text_json(fact_of(entry, "label"));
    out["kernel"] = text_json(fact_of(entry, "kernel"));
    for (const char* name : {"target", "compiler", "options", "generator"})
        out[name] = text_json(entry.entry_key.field(name));
    out["file"] = printable(entry.file.native());
    out["file_bytes"] = entry.file_bytes;
    out["payload_bytes"] = entry.payload_bytes;
    for (const char* name : {"compile_ms", "registers", "shared_bytes", "spill_bytes"}) {
        out[name] = figure_json(fact_of(entry, name));
    }
    out["created"] = fact_of(entry, "created") ? json(created(entry)) : json(nullptr);
    out["last_used"] = iso_time(entry.last_used_unix_s);
    return out;
}

json broken_json(const scan_result& scanned) {
    json out = json::array();
    for (const jit_cache::broken_file& each : scanned.broken)
        out.push_back({{"file", printable(each.file.native())}, {"why", printable(each.why)}});
    return out;
}

// Says on stderr what is wrong with the folder; the exit code that follows from it.
int complain_of(const request& asked, const scan_result& scanned) {
    if (!scanned.trouble.empty())
        complain(fmt::format("{}: {}", printable(asked.directory.native()), printable(scanned.trouble)));
    for (const jit_cache::broken_file& each : scanned.broken)
        complain(fmt::format("{}: {}", printable(each.file.native()), printable(each.why)));
    return scanned.trouble.empty() && scanned.broken.empty() ? fine : found_wanting;
}

json head_json(const request& asked, const std::string& trouble) {
    json out;
    out["directory"] = printable(asked.directory.native());
    out["trouble"] = trouble.empty() ? json(nullptr) : json(printable(trouble));
    return out;
}

scan_result scan_of(const request& asked) {
    return asked.directory.empty() ? scan_result{} : jit_cache::scan(asked.directory);
}

// As many digits as tell all entries apart, and at least so many that the next few entries change nothing.
std::size_t key_digits(const scan_result& scanned) {
    std::vector<std::string> names;
    for (const entry_info& entry : scanned.entries) names.push_back(jit_cache::to_hex(entry.name));
    std::sort(names.begin(), names.end());
    std::size_t digits = least_key_digits;
    for (std::size_t i = 1; i < names.size(); ++i) {
        const auto apart = std::mismatch(names[i - 1].begin(), names[i - 1].end(), names[i].begin());
        digits = std::max(digits, static_cast<std::size_t>(apart.first - names[i - 1].begin()) + 1);
    }
    return std::min(digits, std::size_t{32});
}

struct share {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
};

std::map<std::string, share> shares_by(const scan_result& scanned, const char* field) {
    std::map<std::string, share> shares;
    for (const entry_info& entry : scanned.entries) {
        share& one = shares[or_dash(entry.entry_key.field(field))];
        ++one.entries;
        one.bytes += entry.file_bytes;
    }
    return shares;
}

json shares_json(const std::map<std::string, share>& shares) {
    json out = json::object();
    for (const auto& [name, one] : shares) out[name] = {{"entries", one.entries}, {"file_bytes", one.bytes}};
    return out;
}

void print_shares(const char* title, const std::map<std::string, share>& shares) {
    table columns;
    columns.column(title);
    columns.column("ENTRIES", align::right);
    columns.column("SIZE", align::right);
    for (const auto& [name, one] : shares) columns.row({name, std::to_string(one.entries), human_size(one.bytes)});
    print("\n");
    print(columns.text());
}

int print_swept(const request& asked, const jit_cache::sweep_result& swept) {
    if (asked.json) {
        json out = head_json(asked, swept.trouble);
        out["entries_removed"] = swept.entries_removed;
        out["bytes_removed"] = swept.bytes_removed;
        out["temporaries_removed"] = swept.temporaries_removed;
        out["entries_left"] = swept.entries_left;
        out["bytes_left"] = swept.bytes_left;
        out["newer_format_kept"] = swept.newer_format_count;
        print_json(out);
    } else {
        print(fmt::format("removed {} {}, {}, from {}\n", swept.entries_removed,
                          swept.entries_removed == 1 ? "entry" : "entries", human_size(swept.bytes_removed),
                          printable(asked.directory.native())));
        if (swept.temporaries_removed > 0)
            print(fmt::format("removed {} stale temporary files\n", swept.temporaries_removed));
        if (swept.newer_format_count > 0) print(fmt::format("kept {} of a newer format\n", swept.newer_format_count));
        if (swept.entries_left > 0) {
            print(fmt::format("left {} {}, {}\n", swept.entries_left, swept.entries_left == 1 ? "entry" : "entries",
                              human_size(swept.bytes_left)));
        }
    }
    if (swept.trouble.empty()) return fine;
    complain(fmt::format("{}: {}", printable(asked.directory.native()), printable(swept.trouble)));
    return found_wanting;
}

void print_field(const std::string& name, const std::string& value) { print(fmt::format("{:<14}{}\n", name, value)); }

}  // namespace

int list(const request& asked) {
    const scan_result scanned = scan_of(asked);
    if (asked.json) {
        json out = head_json(asked, scanned.trouble);
        out["entries"] = json::array();
        for (const entry_info& entry : scanned.entries) out["entries"].push_back(entry_json(entry));
        out["broken"] = broken_json(scanned);
        out["newer_format_count"] = scanned.newer_format_count;
        print_json(out);
        return complain_of(asked, scanned);
    }
    if (scanned.entries.empty()) {
        if (scanned.trouble.empty()) print(fmt::format("no entries in {}\n", printable(asked.directory.native())));
        return complain_of(asked, scanned);
    }
    const std::size_t digits = key_digits(scanned);
    const std::int64_t now = std::time(nullptr);
    table columns;
    columns.column("KEY");
    columns.column("LABEL");
    columns.column("TARGET");
    columns.column("COMPILER");
    columns.column("SIZE", align::right);
    columns.column("COMPILE", align::right);
    columns.column("LAST USED", align::right);
    for (const entry_info& entry : scanned.entries) {
        columns.row({jit_cache::to_hex(entry.name).substr(0, digits), or_dash(fact_of(entry, "label")),
                     or_dash(entry.entry_key.field("target")), or_dash(entry.entry_key.field("compiler")),
                     human_size(entry.file_bytes), compile_time(entry), human_age(entry.last_used_unix_s, now)});
    }
    print(columns.text());
    return complain_of(asked, scanned);
}

int show(const request& asked, const std::string& key_prefix, bool source) {
    std::string prefix = key_prefix;
    std::transform(prefix.begin(), prefix.end(), prefix.begin(),
                   [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
    const scan_result scanned = scan_of(asked);
    std::vector<const entry_info*> matches;
    for (const entry_info& entry : scanned.entries) {
        if (jit_cache::to_hex(entry.name).starts_with(prefix)) matches.push_back(&entry);
    }
    std::string trouble;
    if (matches.empty()) {
        trouble = fmt::format("no entry's key begins with '{}'; 'kiln-cache ls' lists them", printable(key_prefix));
        for (const jit_cache::broken_file& each : scanned.broken)
            if (each.file.filename().native().starts_with(prefix))
                trouble = printable(each.file.native()) + ": " + printable(each.why);
    } else if (matches.size() > 1) {
        trouble = fmt::format("'{}' begins {} keys:", printable(key_prefix), matches.size());
        for (const entry_info* one : matches) trouble.append(" ").append(jit_cache::to_hex(one->name));
    }
    if (!trouble.empty()) {
        if (asked.json) print_json(json{{"error", trouble}});
        complain(trouble);
        return found_wanting;
    }

    const entry_info& entry = *matches.front();
    const auto text = entry.entry_key.field("source");
    if (asked.json) {
        json out = entry_json(entry);
        json facts = json::object();
        for (const jit_cache::fact& one : entry.facts) facts[printable(one.name)] = printable(one.value);
        out["facts"] = std::move(facts);
        if (source) out["source"] = text ? json(printable(*text, jit_cache::lines::many)) : json(nullptr);
        print_json(out);
        return fine;
    }
    if (source) {
        if (!text) {
            complain("this entry's key has no source");
            return found_wanting;
        }
        std::string shown = printable(*text, jit_cache::lines::many);
        if (!shown.ends_with('\n')) shown += '\n';
        print(shown);
        return fine;
    }
    print_field("key", jit_cache::to_hex(entry.name));
    print_field("label", or_dash(fact_of(entry, "label")));
    print_field("kernel", or_dash(fact_of(entry, "kernel")));
    for (const char* name : {"target", "compiler", "options", "generator"})
        print_field(name, or_dash(entry.entry_key.field(name)));
    print_field("registers", or_dash(fact_of(entry, "registers")));
    print_field("shared bytes", or_dash(fact_of(entry, "shared_bytes")));
    print_field("spill bytes", or_dash(fact_of(entry, "spill_bytes")));
    print_field("compile", compile_time(entry));
    print_field("created", created(entry));
    print_field("last used", fmt::format("{} ({})", iso_time(entry.last_used_unix_s),
                                         human_age(entry.last_used_unix_s, std::time(nullptr))));
    print_field("binary", human_size(entry.payload_bytes));
    print_field("source", text ? fmt::format("{} ('kiln-cache show {} --source' prints it)", human_size(text->size()),
                                             jit_cache::to_hex(entry.name).substr(0, key_digits(scanned)))
                               : "-");
    print_field("file", fmt::format("{} ({})", printable(entry.file.native()), human_size(entry.file_bytes)));
    return fine;
}

int stats(const request& asked) {
    const scan_result scanned = scan_of(asked);
    const jit_cache::settings bounds = jit_cache::settings_from_environment();
    std::uint64_t file_bytes = 0;
    std::uint64_t payload_bytes = 0;
    double compile_ms = 0;
    for (const entry_info& entry : scanned.entries) {
        file_bytes += entry.file_bytes;
        payload_bytes += entry.payload_bytes;
        compile_ms += number(fact_of(entry, "compile_ms")).value_or(0);
    }
    if (asked.json) {
        json out = head_json(asked, scanned.trouble);
        out["entries"] = scanned.entries.size();
        out["file_bytes"] = file_bytes;
        out["payload_bytes"] = payload_bytes;
        out["compile_ms"] = compile_ms;
        out["max_bytes"] = bounds.max_bytes;
        out["max_entries"] = bounds.max_entries;
        out["newest_use"] =
            scanned.entries.empty() ? json(nullptr) : json(iso_time(scanned.entries.front().last_used_unix_s));
        out["oldest_use"] =
            scanned.entries.empty() ? json(nullptr) : json(iso_time(scanned.entries.back().last_used_unix_s));
        out["by_target"] = shares_json(shares_by(scanned, "target"));
        out["by_compiler"] = shares_json(shares_by(scanned, "compiler"));
        out["broken"] = broken_json(scanned);
        out["newer_format_count"] = scanned.newer_format_count;
        print_json(out);
        return complain_of(asked, scanned);
    }
    const std::int64_t now = std::time(nullptr);
    print_field("folder", asked.directory.empty() ? "-" : printable(asked.directory.native()));
    print_field("entries", fmt::format("{} of at most {}", scanned.entries.size(), bounds.max_entries));
    print_field("size", fmt::format("{} of at most {}", human_size(file_bytes), human_size(bounds.max_bytes)));
    print_field("binaries", human_size(payload_bytes));
    print_field("compile time", fmt::format("{:.1f} ms, spent once", compile_ms));
    print_field("newest use", scanned.entries.empty() ? "-" : human_age(scanned.entries.front().last_used_unix_s, now));
    print_field("oldest use", scanned.entries.empty() ? "-" : human_age(scanned.entries.back().last_used_unix_s, now));
    print_field("broken", std::to_string(scanned.broken.size()));
    print_field("newer format", std::to_string(scanned.newer_format_count));
    if (!scanned.entries.empty()) {
        print_shares("TARGET", shares_by(scanned, "target"));
        print_shares("COMPILER", shares_by(scanned, "compiler"));
    }
    return complain_of(asked, scanned);
}

int clear(const request& asked) { return collect(asked, 0, 0); }

int collect(const request& asked, std::uint64_t max_bytes, std::uint64_t max_entries) {
    if (asked.directory.empty()) return print_swept(asked, {});
    return print_swept(asked, jit_cache::sweep(asked.directory, max_bytes, max_entries));
}

}  // namespace kiln_cache
