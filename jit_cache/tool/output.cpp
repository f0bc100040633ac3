// kiln-cache/output: fwrite to stdout and stderr; main() asks whether it arrived.
#include "output.hpp"

#include "terminal.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace kiln_cache {

using jit_cache::printable;

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_field(std::string_view name, std::string_view value, std::size_t name_columns) {
    constexpr std::size_t most_lines = 6;
    print(fmt::format("{:<{}}{}\n", name, name_columns, cut(value, most_lines * terminal_columns() - name_columns)));
}

void complain(std::string_view text) {
    const std::string line = fmt::format("kiln-cache: {}\n", text);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_json(const json& value) { print(value.dump(2, ' ', false, json::error_handler_t::replace) + "\n"); }

json text_json(std::optional<std::string_view> text) { return text ? json(printable(*text)) : json(nullptr); }

json time_json(std::optional<std::int64_t> unix_s) {
    const std::string text = unix_s ? iso_time(*unix_s) : "-";
    return text == "-" ? json(nullptr) : json(text);
}

json head_json(const request& asked, std::string_view error) {
    json out;
    out["directory"] = asked.folder.path.empty() ? json(nullptr) : json(printable(asked.folder.path.native()));
    out["error"] = error.empty() ? json(nullptr) : json(error);
    return out;
}

int fail(const request& asked, std::string_view why) {
    if (asked.json) print_json(head_json(asked, why));
    complain(why);
    return found_wanting;
}

std::string why_no_folder(const request& asked) {
    if (!asked.folder.path.empty()) return {};
    return "no folder: KILN_CACHE_DIR, XDG_CACHE_HOME and HOME name none; name one with --dir";
}

}  // namespace kiln_cache
