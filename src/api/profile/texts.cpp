#include <api/profile/texts.hpp>

#include <jit_cache/printable.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace kiln::inline v0_1::detail {

std::string json_text(std::string_view text) {
    constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = jit_cache::first_utf8_length(text);
        const std::string_view next = text.substr(0, std::max<std::size_t>(length, 1));
        const auto byte = static_cast<unsigned char>(next.front());
        if (length == 0) out += replacement;
        else if (byte < 0x20) out += text::format("\\u{:04x}", byte);
        else if (byte == '"' || byte == '\\') (out += '\\') += next;
        else out += next;
        text.remove_prefix(next.size());
    }
    return out + "\"";
}

void require_name(const std::string& path, const char* who) {
    if (path.empty()) throw error(text::format("kiln: {}: no file name is given", who));
}

void write_whole(const std::string& path, const std::string& text) {
    const std::string beside = path + ".part";
    const auto fail = [&](int why) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        throw error(
            text::format("kiln: profile: {} cannot be written: {}", path, std::generic_category().message(why)));
    };
    std::FILE* const file = std::fopen(beside.c_str(), "wb");
    if (!file) fail(errno);
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int trouble = errno;
    if (std::fclose(file) != 0 || !is_written) fail(is_written ? errno : trouble);
    std::error_code moved;
    std::filesystem::rename(beside, path, moved);
    if (moved) fail(moved.value());
}

}  // namespace kiln::inline v0_1::detail
