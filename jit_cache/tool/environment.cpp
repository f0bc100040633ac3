// kiln-cache/environment: the table as values, and a value held to its row.
#include "environment.hpp"

#include "text.hpp"

#include <jit_cache/folder.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace kiln_cache {

namespace {

bool is_number(std::string_view text) {
    const auto value = integer(text);
    return value && *value >= 0;
}

bool is_taken(std::string_view form, std::string_view value) {
    if (form == "*") return true;
    if (form == "SIZE") return jit_cache::parse_size(value).has_value();
    if (!form.ends_with('#')) return form == value;
    form.remove_suffix(1);
    return value.starts_with(form) && is_number(value.substr(form.size()));
}

std::string words_for(std::string_view form) {
    if (form == "SIZE") return "a size such as 1073741824, 512M or 2G";
    if (form == "#") return "a whole number";
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
