// jit_cache/settings: where the folder is and how large it may grow, from the environment.
// in: environment variables, the passwd entry   out: settings   knows nothing of: what is in the folder
#include <jit_cache/store.hpp>

#include <pwd.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>

namespace jit_cache {

namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view{} : std::string_view{value};
}

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

// "1073741824", "512M", "2G", also "2GiB" and "2GB", all in powers of 1024.
std::optional<std::uint64_t> parse_size(std::string_view text) {
    std::uint64_t count = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, count);
    if (parsed.ec != std::errc{}) return std::nullopt;
    std::string_view unit(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
    int shift = 0;
    if (!unit.empty()) {
        constexpr std::string_view letters = "KMG";
        const char letter =
            unit.front() >= 'a' && unit.front() <= 'z' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
        const std::size_t place = letters.find(letter);
        unit.remove_prefix(1);
        if (place == std::string_view::npos || !(unit.empty() || unit == "B" || unit == "iB")) return std::nullopt;
        shift = 10 * (static_cast<int>(place) + 1);
    }
    if (count > (std::numeric_limits<std::uint64_t>::max() >> shift)) return std::nullopt;
    return count << shift;
}

}  // namespace

std::filesystem::path default_directory() {
    if (const auto chosen = environment("KILN_CACHE_DIR"); !chosen.empty()) return chosen;
    // The XDG specification asks that a relative path be ignored.
    if (const auto base = environment("XDG_CACHE_HOME"); base.starts_with('/')) {
        return std::filesystem::path(base) / "kiln";
    }
    if (const auto home = environment("HOME"); home.starts_with('/')) {
        return std::filesystem::path(home) / ".cache" / "kiln";
    }
    if (const std::string home = passwd_home(); home.starts_with('/')) {
        return std::filesystem::path(home) / ".cache" / "kiln";
    }
    return {};
}

settings settings_from_environment() {
    settings result;
    result.directory = default_directory();
    if (result.directory.empty()) {
        result.troubles.push_back(
            "no folder for the kernel cache: KILN_CACHE_DIR, XDG_CACHE_HOME and HOME name none, "
            "and uid " +
            std::to_string(::geteuid()) + " has no home; binaries are kept in memory only");
    }
    if (const auto text = environment("KILN_CACHE_MAX_SIZE"); !text.empty()) {
        if (const auto bytes = parse_size(text)) {
            result.max_bytes = *bytes;
        } else {
            result.troubles.push_back("KILN_CACHE_MAX_SIZE=" + std::string(text) +
                                      " is not a size such as 1073741824, 512M or 2G; the bound stays " +
                                      std::to_string(result.max_bytes) + " bytes");
        }
    }
    return result;
}

}  // namespace jit_cache
