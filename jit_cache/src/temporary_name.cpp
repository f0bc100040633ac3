// jit_cache/temporary_name: made of numbers, and taken apart again with every character checked.
#include "temporary_name.hpp"

#include "hash.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>

namespace jit_cache {

namespace {

constexpr std::string_view prefix = ".tmp-";
constexpr std::size_t place_digits = 8;

/// Where process numbers mean the same: a boot of one machine and, in it, a namespace. Where neither can be asked, by the
/// machine's name.
std::string this_place() {
    std::string text(256, '\0');
    ::ssize_t length = 0;
    if (const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC); file >= 0) {
        length = ::read(file, text.data(), text.size());
        ::close(file);
    }
    if (length <= 0) length = ::gethostname(text.data(), text.size() - 1) == 0 ? 256 : 0;
    text.resize(static_cast<std::size_t>(length));
    struct ::stat status {};
    if (::stat("/proc/self/ns/pid", &status) == 0) text += std::to_string(status.st_ino);
    return to_hex(xxh3_128(text)).substr(0, place_digits);
}

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 20 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view take_part(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('-'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

}  // namespace

std::string temporary_name() {
    static std::atomic<std::uint64_t> serial{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return std::string(prefix) + this_place() + "-" + std::to_string(::getpid()) + "-" + std::to_string(now) + "-" +
           std::to_string(serial.fetch_add(1, std::memory_order_relaxed));
}

std::optional<temporary_owner> owner_of_temporary(std::string_view name) {
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    const std::string_view place = take_part(name);
    const std::string_view process = take_part(name);
    const std::string_view clock = take_part(name);
    if (place.size() != place_digits || !is_number(process) || !is_number(clock) || !is_number(name))
        return std::nullopt;
    temporary_owner owner{.is_local = place == this_place(), .process = 0};
    std::from_chars(process.data(), process.data() + process.size(), owner.process);
    return owner;
}

}  // namespace jit_cache
