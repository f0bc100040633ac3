// kiln-cache/why: why: in what two keys differ, or one and its nearest relatives.
#include "commands.hpp"
#include "diff.hpp"
#include "entry.hpp"
#include "find_key.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

namespace kiln_cache {

namespace {

using jit_cache::depth;
using jit_cache::entry_info;
using jit_cache::printable;

constexpr std::size_t family_digits = 8;  // of the first field, the expression
constexpr std::size_t most_relatives = 5;
constexpr std::size_t most_diff_lines = 400;

struct keyed_entry {
    jit_cache::key key;
    entry shown;
};

struct difference {
    std::string field;
    std::optional<std::string> first;
    std::optional<std::string> second;
};

std::optional<std::string> value_of(const jit_cache::key& key, std::string_view name) {
    const auto value = key.field(name);
    return value ? std::optional<std::string>(*value) : std::nullopt;
}

/// The fields in which they differ, in the order of the first key, then what only the second has.
std::vector<difference> differences_between(const jit_cache::key& first, const jit_cache::key& second) {
    std::vector<difference> all;
    const auto compare = [&](std::string_view name) {
        difference one{std::string(name), value_of(first, name), value_of(second, name)};
        if (one.first != one.second) all.push_back(std::move(one));
    };
    for (const auto& each : first.fields()) compare(each.name);
    for (const auto& each : second.fields())
        if (!first.field(each.name)) compare(each.name);
    return all;
}

bool is_text(const difference& one) { return one.field == "source" && one.first && one.second; }

json difference_json(const difference& one) {
    json out;
    out["field"] = printable(one.field);
    if (is_text(one)) {
        // Sources are long, and show --source prints them.
        out["first"] = nullptr;
        out["second"] = nullptr;
        const text_difference lines = difference_between(*one.first, *one.second);
        out["diff"] = printable(lines.unified, jit_cache::lines::many);
        out["removed_lines"] = lines.changed.removed;
        out["added_lines"] = lines.changed.added;
    } else {
        out["first"] = text_json(one.first);
        out["second"] = text_json(one.second);
        out["diff"] = nullptr;
        out["removed_lines"] = nullptr;
        out["added_lines"] = nullptr;
    }
    return out;
}

json differences_json(const std::vector<difference>& all) {
    json out = json::array();
    for (const difference& one : all) out.push_back(difference_json(one));
    return out;
}

/// The entry of that name with all of its key, from another look: what the search for it kept has no source.
std::optional<keyed_entry> read_key(const request& asked, const entry& one) {
    std::optional<keyed_entry> result;
    static_cast<void>(jit_cache::scan_each(
        asked.folder.path, depth::described,
        [&](entry_info&& info) {
            jit_cache::key whole = info.entry_key;
            result.emplace(keyed_entry{std::move(whole), entry(std::move(info))});
        },
        one.key()));
    return result;
}

std::string heading(const entry& one, std::size_t digits) {
    const std::string key = one.key().substr(0, digits);
    const std::size_t left = terminal_columns() - std::min(terminal_columns(), digits + 2);
    return key + "  " + cut_printable(title_of(one), left);
}

struct two_texts {
    std::string first;
    std::string second;
};

/// For people, each in at most so many columns. Two values that do not fit one line and begin with the same words (options,
/// say) are shown from where they part.
two_texts texts_of(const difference& one, std::size_t line, std::size_t most) {
    const auto whole = [&](const std::optional<std::string>& value) {
        return value ? cut_printable(*value, most) : "(no such field)";
    };
    if (!one.first || !one.second || std::max(one.first->size(), one.second->size()) <= line)
        return {whole(one.first), whole(one.second)};
    const auto apart = std::mismatch(one.first->begin(), one.first->end(), one.second->begin(), one.second->end());
    const std::string common(one.first->begin(), apart.first);
    const std::size_t begin = common.rfind(' ');
    if (begin == std::string::npos) return {whole(one.first), whole(one.second)};
    const auto rest = [&](const std::string& value) {
        return "\u2026" + cut_printable(std::string_view(value).substr(begin), most - 1);
    };
    return {rest(*one.first), rest(*one.second)};
}

void print_values(const difference& one, const std::string& first_key, const std::string& second_key) {
    const std::size_t columns = terminal_columns() - std::min(first_key.size() + 4, terminal_columns() / 2);
    const two_texts texts = texts_of(one, columns, 4 * columns);
    print(fmt::format("  {}  {}\n  {}  {}\n", first_key, texts.first, second_key, texts.second));
}

void print_diff(const difference& one, const std::string& first, const std::string& second) {
    const text_difference lines = difference_between(*one.first, *one.second);
    if (lines.unified.empty()) {
        print("  only in the line feed at the end\n");
        return;
    }
    print(fmt::format("--- {}\n+++ {}\n", first, second));
    std::size_t end = 0;
    std::size_t shown = 0;
    while (end < lines.unified.size() && shown < most_diff_lines) {
        end = std::min(lines.unified.find('\n', end), lines.unified.size() - 1) + 1;
        ++shown;
    }
    std::string text = printable(std::string_view(lines.unified).substr(0, end), jit_cache::lines::many);
    print(text);
    if (end < lines.unified.size())
        print(fmt::format("(the diff goes on: {} out, {} in; --json prints all of it)\n",
                          counted(lines.changed.removed, "line", "lines"),
                          counted(lines.changed.added, "line", "lines")));
}

int compare_two(const request& asked, const keyed_entry& first, const keyed_entry& second) {
    const std::vector<difference> all = differences_between(first.key, second.key);
    if (asked.json) {
        json out = head_json(asked);
        out["first"] = entry_json(first.shown);
        out["second"] = entry_json(second.shown);
        out["differences"] = differences_json(all);
        print_json(out);
        return fine;
    }
    const std::size_t digits = telling_digits({first.shown.name, second.shown.name});
    const std::string first_key = first.shown.key().substr(0, digits);
    const std::string second_key = second.shown.key().substr(0, digits);
    print(heading(first.shown, digits) + "\n");
    if (first.shown.name == second.shown.name) {
        print("both are this entry\n");
        return fine;
    }
    print(heading(second.shown, digits) + "\n");
    std::string same;
    for (const auto& each : first.key.fields())
        if (const auto other = second.key.field(each.name); other && *other == each.value)
            same += (same.empty() ? "" : ", ") + printable(each.name);
    print("the same in: " + (same.empty() ? "nothing" : same) + "\n");
    for (const difference& one : all) {
        print("\n" + cut_printable(one.field, 40) + "\n");
        if (is_text(one)) {
            print_diff(one, first_key, second_key);
        } else {
            print_values(one, first_key, second_key);
        }
    }
    return fine;
}

struct relative {
    entry shown;
    std::vector<difference> differences;
};

/// Those of the same expression, the ones that differ in fewest fields first, of them those used last.
std::vector<relative> relatives_of(const request& asked, const keyed_entry& one) {
    std::vector<relative> all;
    const auto fields = one.key.fields();
    if (fields.empty()) return all;
    static_cast<void>(jit_cache::scan_each(
        asked.folder.path, depth::described,
        [&](entry_info&& info) {
            // Eight digits of a hash are not the expression itself.
            if (info.name == one.shown.name || info.entry_key.field(fields.front().name) != fields.front().value)
                return;
            std::vector<difference> differences = differences_between(one.key, info.entry_key);
            all.push_back({entry(std::move(info)), std::move(differences)});
        },
        one.shown.key().substr(0, family_digits)));
    std::sort(all.begin(), all.end(), [](const relative& left, const relative& right) {
        if (left.differences.size() != right.differences.size())
            return left.differences.size() < right.differences.size();
        if (left.shown.last_used_unix_s != right.shown.last_used_unix_s)
            return left.shown.last_used_unix_s > right.shown.last_used_unix_s;
        return left.shown.key() < right.shown.key();
    });
    return all;
}

int compare_with_relatives(const request& asked, const keyed_entry& one) {
    const std::vector<relative> relatives = relatives_of(asked, one);
    if (asked.json) {
        json out = head_json(asked);
        out["first"] = entry_json(one.shown);
        out["relatives"] = json::array();
        for (const relative& each : relatives) {
            json item = entry_json(each.shown);
            item["differences"] = differences_json(each.differences);
            out["relatives"].push_back(std::move(item));
        }
        print_json(out);
        return fine;
    }
    std::vector<jit_cache::hash128> names{one.shown.name};
    for (const relative& each : relatives) names.push_back(each.shown.name);
    const std::size_t digits = telling_digits(std::move(names));
    print(heading(one.shown, digits) + "\n");
    if (relatives.empty()) {
        print("nothing else is stored for this expression\n");
        return fine;
    }
    print(fmt::format("{} stored for the same expression\n",
                      counted(relatives.size(), "other kernel is", "other kernels are")));
    const std::size_t shown = std::min(relatives.size(), most_relatives);
    for (std::size_t i = 0; i < shown; ++i) {
        const relative& each = relatives[i];
        const std::string key = each.shown.key().substr(0, digits);
        print(fmt::format("\n{}, last used {}, differs in\n", key,
                          human_age(each.shown.last_used_unix_s, std::time(nullptr))));
        table fields(terminal_columns());
        fields.column("", cells::exact);
        fields.column("HERE", cells::text);
        fields.column("THERE", cells::text);
        for (const difference& field : each.differences) {
            const std::string name = "  " + cut_printable(field.field, 20);
            if (is_text(field)) {
                const line_counts lines = difference_between(*field.first, *field.second).changed;
                fields.row({name, fmt::format("{} not there", counted(lines.removed, "line", "lines")),
                            fmt::format("{} not here", counted(lines.added, "line", "lines"))});
            } else {
                two_texts texts = texts_of(field, terminal_columns() / 3, terminal_columns() / 3);
                fields.row({name, std::move(texts.first), std::move(texts.second)});
            }
        }
        print(fields.text());
    }
    if (relatives.size() > shown) print(fmt::format("\nand {} more; --json lists them\n", relatives.size() - shown));
    print(fmt::format("\n'kiln-cache why {} OTHER' compares two, line by line\n", one.shown.key().substr(0, digits)));
    return fine;
}

}  // namespace

int why(const request& asked, const why_request& how) {
    std::vector<std::string> all_typed{how.key};
    if (!how.other.empty()) all_typed.push_back(how.other);
    std::vector<keyed_entry> keyed;
    for (const std::string& typed : all_typed) {
        const found_key found = find_key(asked, typed);
        if (!found.one) return fail_for_key(asked, found);
        std::optional<keyed_entry> one = read_key(asked, *found.one);
        if (!one) return fail(asked, fmt::format("{} has just gone", found.one->key()));
        keyed.push_back(std::move(*one));
    }
    return keyed.size() == 1 ? compare_with_relatives(asked, keyed[0]) : compare_two(asked, keyed[0], keyed[1]);
}

}  // namespace kiln_cache
