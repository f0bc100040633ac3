// kiln-cache/terminal: TIOCGWINSZ, and a walk over code points.
#include "terminal.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/trust.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace kiln_cache {

namespace {

constexpr std::size_t columns_elsewhere = 200;
constexpr std::size_t least_columns = 40;
constexpr std::size_t most_columns = 1000;
constexpr std::string_view ellipsis = "\u2026";

std::size_t ask_columns() {
    const std::string text = jit_cache::trust::environment("COLUMNS");
    std::size_t columns = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() && columns > 0)
        return std::clamp(columns, least_columns, most_columns);
    ::winsize size{};
    if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return columns_elsewhere;
    return std::clamp<std::size_t>(size.ws_col, least_columns, most_columns);
}

struct range {
    char32_t first;
    char32_t last;
};

constexpr range wide[]{{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                       {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                       {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr range combining[]{{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},  {0x200b, 0x200d},
                            {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef}};

template <std::size_t count>
bool holds(const range (&ranges)[count], char32_t value) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [&](range one) { return one.first <= value && value <= one.last; });
}

std::size_t columns_of(char32_t value) {
    if (value < 0x300) return 1;
    if (holds(combining, value)) return 0;
    return holds(wide, value) ? 2 : 1;
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Takes a code point off the front of what printable() made.
char32_t take(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = std::min<std::size_t>(lead < 0x80   ? 1
                                                     : lead < 0xe0 ? 2
                                                     : lead < 0xf0 ? 3
                                                                   : 4,
                                                     text.size());
    char32_t value = length == 1 ? lead : lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
    text.remove_prefix(length);
    return value;
}

}  // namespace

std::size_t terminal_columns() {
    static const std::size_t columns = ask_columns();
    return columns;
}

std::size_t width_of(std::string_view text) {
    if (is_ascii(text)) return text.size();
    std::size_t columns = 0;
    while (!text.empty()) columns += columns_of(take(text));
    return columns;
}

std::string cut(std::string_view text, std::size_t columns) {
    if (text.size() <= columns) return std::string(text);  // no code point takes more columns than bytes
    std::size_t taken = 0;
    std::size_t short_end = 0;  // where it is cut if the rest does not fit
    for (std::string_view rest = text; !rest.empty();) {
        taken += columns_of(take(rest));
        const std::size_t end = text.size() - rest.size();
        if (taken + 1 <= columns) short_end = end;
        if (taken > columns) return std::string(text.substr(0, short_end)).append(columns > 0 ? ellipsis : "");
    }
    return std::string(text);
}

std::string cut_printable(std::string_view raw, std::size_t columns) {
    // What does not fit need not be escaped: 16 bytes a column leave room for whatever takes no column.
    const std::string_view beginning = raw.substr(0, 16 * (columns + 1));
    std::string text = jit_cache::printable(beginning);
    if (beginning.size() < raw.size()) text.append(columns + 1, ' ');  // there is more: in any case too long
    return cut(text, columns);
}

}  // namespace kiln_cache
