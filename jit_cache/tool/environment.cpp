// kiln-cache/environment: the table as values, and a value held to its row.
#include "environment.hpp"

#include "text.hpp"

#include <jit_cache/folder.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace kiln_cache {

namespace {

bool is_number(std::string_view text) {
    const auto value = integer(text);
    return value && *value >= 0;
}

/// "1-4096": from the first number to the second; none of other forms.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view form) {
    const std::size_t dash = form.find('-');
    if (dash == std::string_view::npos) return {};
    const auto first = integer(form.substr(0, dash));
    const auto last = integer(form.substr(dash + 1));
    if (!first || !last) return {};
    return std::pair(std::int64_t{*first}, std::int64_t{*last});
}

bool is_taken(std::string_view form, std::string_view value) {
    if (form == "*") return true;
    if (const auto range = range_of(form)) {
        const auto number = integer(value);
        return number && *number >= range->first && *number <= range->second;
    }
    if (form == "SIZE") return jit_cache::parse_size(value).has_value();
    if (!form.ends_with('#')) return form == value;
    form.remove_suffix(1);
    return value.starts_with(form) && is_number(value.substr(form.size()));
}

std::string words_for(std::string_view form) {
    if (form == "SIZE") return "a size such as 1073741824, 512M or 2G";
    if (const auto range = range_of(form))
        return fmt::format("a whole number from {} to {}", range->first, range->second);
    std::string words(form);
    std::replace(words.begin(), words.end(), '#', 'N');
    return words;
}

}  // namespace

const std::vector<setting>& all_settings() {
    static const std::vector<setting> all{
#define KILN_SETTING(name, takes, unset, meaning) {#name, takes, unset, meaning},
#include "environment_table.def"
    };
    return all;
}

std::string why_not_taken(const setting& one, std::string_view value) {
    std::string words;
    for (std::size_t begin = 0; begin <= one.takes.size();) {
        const std::size_t end = std::min(one.takes.find('|', begin), one.takes.size());
        const std::string_view form = one.takes.substr(begin, end - begin);
        if (is_taken(form, value)) return {};
        words += (words.empty() ? "" : " or ") + words_for(form);
        begin = end + 1;
    }
    return "is not " + words;
}

std::vector<std::string> unread_variables() {
    std::vector<std::string> names;
    for (char** each = environ; each && *each; ++each) {
        const std::string_view variable(*each);
        const std::string_view name = variable.substr(0, variable.find('='));
        // KILN_TEST_... are those of kiln's own tests.
        if (!name.starts_with("KILN_") || name.starts_with("KILN_TEST_")) continue;
        if (std::none_of(all_settings().begin(), all_settings().end(),
                         [&](const setting& s) { return s.name == name; }))
            names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string without_backticks(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '`');
    return plain;
}

std::string environment_help() {
    std::string text = "Environment:\n";
    for (const setting& one : all_settings())
        text += fmt::format("  {}\n      {}\n      unset: {}\n", one.name, without_backticks(one.meaning),
                            without_backticks(one.unset));
    return text;
}

}  // namespace kiln_cache
