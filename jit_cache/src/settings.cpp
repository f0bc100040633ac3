// jit_cache/settings: where the folders are and how large one may grow, from the environment.
// in: environment variables, the passwd entry   out: settings   knows nothing of: what is in a folder
#include <jit_cache/folder.hpp>
#include <jit_cache/store.hpp>
#include <jit_cache/trust.hpp>

#include <pwd.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>
#include <optional>

namespace jit_cache {

namespace {

std::string passwd_home() {
    std::string buffer(4096, '\0');
    ::passwd entry{};
    ::passwd* found = nullptr;
    int error = 0;
    while ((error = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found)) == ERANGE &&
           buffer.size() < (std::size_t{1} << 20)) {
        buffer.resize(buffer.size() * 2);
    }
    return error == 0 && found != nullptr && found->pw_dir != nullptr ? found->pw_dir : "";
}

/// "kiln", "_CACHE_DIR": "KILN_CACHE_DIR".
std::string variable(std::string_view application, std::string_view rest) {
    std::string name(application);
    for (char& each : name)
        if (each >= 'a' && each <= 'z') each = static_cast<char>(each - 'a' + 'A');
    return name.append(rest);
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
    std::uint64_t count = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, count);
    if (parsed.ec != std::errc{}) return std::nullopt;
    std::string_view unit(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
    // 1.5G: the fraction in millionths, so that that of a terabyte fits 64 bits.
    std::uint64_t millionths = 0;
    const bool has_fraction = unit.starts_with('.');
    if (has_fraction) {
        const std::size_t digits = std::min(unit.find_first_not_of("0123456789", 1), unit.size()) - 1;
        if (digits < 1 || digits > 6) return std::nullopt;
        for (std::size_t i = 1; i <= 6; ++i)
            millionths = millionths * 10 + (i <= digits ? static_cast<std::uint64_t>(unit[i] - '0') : 0);
        unit.remove_prefix(1 + digits);
        if (unit.empty()) return std::nullopt;  // a part of a byte
    }
    int shift = 0;
    if (!unit.empty()) {
        constexpr std::string_view letters = "KMGT";
        const char letter =
            unit.front() >= 'a' && unit.front() <= 'z' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
        const std::size_t place = letters.find(letter);
        unit.remove_prefix(1);
        if (place == std::string_view::npos || !(unit.empty() || unit == "B" || unit == "iB")) return std::nullopt;
        shift = 10 * (static_cast<int>(place) + 1);
    }
    // The fraction is less than one of the unit, so that the sum fits, too.
    if (count > (std::numeric_limits<std::uint64_t>::max() >> shift)) return std::nullopt;
    return (count << shift) + (millionths << shift) / 1'000'000;
}

named_directory find_default_directory(std::string_view application) {
    const std::string own = variable(application, "_CACHE_DIR");
    if (std::string chosen = trust::environment(own.c_str()); !chosen.empty()) return {std::move(chosen), own};
    // The XDG specification asks that a relative path be ignored.
    if (const std::string base = trust::environment("XDG_CACHE_HOME"); base.starts_with('/'))
        return {std::filesystem::path(base) / application, "XDG_CACHE_HOME"};
    named_directory result;
    std::string home = trust::environment("HOME");
    result.named_by = "HOME";
    if (!home.starts_with('/') && !trust::has_raised_privileges()) {
        home = passwd_home();
        result.named_by = "the passwd entry";
    }
    if (!home.starts_with('/')) return {};
    result.path = std::filesystem::path(home) / ".cache" / application;
    return result;
}

std::filesystem::path default_directory(std::string_view application) {
    return find_default_directory(application).path;
}

settings settings_from_environment(std::string_view application) {
    settings result;
    result.directory = default_directory(application);
    if (trust::has_raised_privileges()) {
        result.troubles.emplace_back(
            "this program runs with raised privileges, and so takes no folder from its environment; binaries are kept "
            "in "
            "memory only");
    } else if (result.directory.empty()) {
        result.troubles.push_back("no folder for the kernel cache: " + variable(application, "_CACHE_DIR") +
                                  ", XDG_CACHE_HOME and HOME name none, and uid " + std::to_string(::geteuid()) +
                                  " has no home; binaries are kept in memory only");
    }
    const std::string size = variable(application, "_CACHE_MAX_SIZE");
    if (const std::string text = trust::environment(size.c_str()); !text.empty()) {
        if (const auto bytes = parse_size(text)) {
            result.max_bytes = *bytes;
        } else {
            result.troubles.push_back(size + "=" + text +
                                      " is not a size such as 1073741824, 512M or 2G; the bound stays " +
                                      std::to_string(result.max_bytes) + " bytes");
        }
    }
    const std::string folders = trust::environment(variable(application, "_CACHE_READONLY").c_str());
    for (std::size_t begin = 0; begin < folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        if (end > begin) result.read_only_directories.emplace_back(folders.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

}  // namespace jit_cache
