#include <api/profile/columns.hpp>

#include <api/amounts.hpp>
#include <jit_cache/printable.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

namespace {

/// A byte of UTF-8 that begins a character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }

std::size_t character_count(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/// Of the first `count` characters.
std::size_t byte_count(std::string_view text, std::size_t count) {
    std::size_t at = 0;
    while (at < text.size() && (!begins_character(text[at]) || count-- > 0)) ++at;
    return at;
}

}  // namespace

std::string shown(std::string_view text, std::size_t most_characters) {
    constexpr std::string_view left_out = "...";
    std::string out = jit_cache::printable(text);
    const std::size_t count = character_count(out);
    if (count <= most_characters) return out;
    // Labels that a program numbers differ at their ends.
    const std::size_t tail = most_characters / 4;
    const std::size_t head = most_characters - left_out.size() - tail;
    const std::size_t tail_begin = byte_count(out, count - tail);
    return out.substr(0, byte_count(out, head)) + std::string(left_out) + out.substr(tail_begin);
}

std::string time_cell(std::int64_t ns) { return ns > 0 ? time_text(static_cast<double>(ns)) : std::string(); }

std::string bytes_cell(std::int64_t bytes) { return bytes > 0 ? bytes_text(bytes) : std::string(); }

std::string percent_cell(std::int64_t part, std::int64_t whole) {
    return part > 0 && whole > 0
               ? text::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole))
               : std::string();
}

std::string place_cell(const profile_event& of) {
    std::string out = shown(of.label, widest_label);
    if (of.where.line == 0) return out;
    const std::string_view path = of.where.file;
    if (!out.empty()) out += ' ';
    return out + text::format("{}:{}", shown(path.substr(path.rfind('/') + 1), widest_label), of.where.line);
}

std::string laid_out(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], character_count(row[i]));
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            line += std::string(widths[i] - character_count(row[i]), ' ') + row[i] + "  ";
        line += row.back();
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail
