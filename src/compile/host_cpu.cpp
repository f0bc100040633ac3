// kiln/compile/host_cpu: the first core's description in /proc/cpuinfo.
#include <compile/host_cpu.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

namespace kiln::compile {

namespace {

// The kernel writes this file core by core as it is read, and may ask each core for its clock: one core is enough.
std::string first_core_of_cpuinfo() {
    std::string text;
    const int file = ::open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    if (file < 0) return text;
    char buffer[4096];
    while (text.find("\n\n") == std::string::npos && text.size() < 4 * sizeof(buffer)) {
        const ssize_t count = ::read(file, buffer, sizeof(buffer));
        if (count <= 0) break;
        text.append(buffer, static_cast<std::size_t>(count));
    }
    ::close(file);
    return text.substr(0, text.find("\n\n"));
}

std::string_view field(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::size_t colon = line.find(':');
        if (line.starts_with(name) && colon != std::string_view::npos &&
            line.substr(name.size(), colon - name.size()).find_first_not_of(" \t") == std::string_view::npos)
            return line.substr(line.size() > colon + 1 ? colon + 2 : colon + 1);
        text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    }
    return {};
}

// FNV-1a, 64 bits: tells processors apart; nothing is trusted because of it.
std::uint64_t hash_with(std::uint64_t hash, std::string_view text) {
    for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3u;
    return (hash ^ 0xffu) * 0x100000001b3u;  // an end mark: ("a", "bc") is not ("ab", "c")
}

host_cpu read_host_cpu() {
    host_cpu cpu;
#if defined(__x86_64__)
    cpu.architecture = "x86-64";
#elif defined(__aarch64__)
    cpu.architecture = "aarch64";
#else
    cpu.architecture = "generic";
#endif
    const std::string text = first_core_of_cpuinfo();
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char* name : {"vendor_id", "cpu family", "model", "flags", "CPU implementer", "CPU part", "Features"})
        hash = hash_with(hash, field(text, name));
    char digits[17];
    std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
    cpu.target = cpu.architecture + "+" + digits;
    cpu.model = field(text, "model name");
    if (cpu.model.empty()) cpu.model = cpu.architecture + " CPU";
    return cpu;
}

}  // namespace

const host_cpu& this_host_cpu() {
    static const host_cpu cpu = read_host_cpu();
    return cpu;
}

}  // namespace kiln::compile
