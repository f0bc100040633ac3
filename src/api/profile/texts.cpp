#include <api/profile/texts.hpp>

#include <text/format.hpp>

#include <kiln/error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace kiln::inline v0_1::detail {

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') out += '\\';
        if (static_cast<unsigned char>(each) < 0x20) out += text::format("\\u{:04x}", static_cast<int>(each));
        else out += each;
    }
    return out + "\"";
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
