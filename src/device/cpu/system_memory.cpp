// kiln/device/cpu/system_memory: malloc below 1 MiB, mmap from there on; /proc/meminfo and the container's limit.
#include <device/cpu/system_memory.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace kiln::backend {

namespace {

constexpr std::size_t mapped_from = std::size_t{1} << 20;  // bytes; below, malloc's heap serves
constexpr std::size_t huge_from = std::size_t{4} << 20;    // bytes
constexpr std::size_t huge_page = std::size_t{2} << 20;    // bytes
constexpr std::size_t page = 4096;                         // bytes; the least that mmap gives
constexpr std::size_t unlimited = ~std::size_t{0};

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// The start of a small file, without allocating: memory may have run out.
template <std::size_t size>
bool read_start(const char* path, char (&text)[size]) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t count = ::read(file, text, size - 1);
    ::close(file);
    if (count <= 0) return false;
    text[count] = '\0';
    return true;
}

/// The number after `name`, or `otherwise`.
std::size_t number_after(const char* text, const char* name, std::size_t otherwise) {
    const char* at = std::strstr(text, name);
    if (!at) return otherwise;
    at += std::strlen(name);
    char* end = nullptr;
    const unsigned long long value = std::strtoull(at, &end, 10);
    return end == at ? otherwise : static_cast<std::size_t>(value);
}

std::size_t meminfo_bytes(const char* name) {
    char text[2048];
    if (!read_start("/proc/meminfo", text)) return 0;
    return number_after(text, name, 0) * 1024;
}

std::size_t container_limit() {
    char text[64];
    if (!read_start("/sys/fs/cgroup/memory.max", text)) return unlimited;
    return number_after(text, "", unlimited);  // "max" is no number
}

/// Of the limit, what is neither used nor a cached file that would give way.
std::size_t container_available() {
    const std::size_t limit = container_limit();
    char text[64];
    if (limit == unlimited || !read_start("/sys/fs/cgroup/memory.current", text)) return unlimited;
    std::size_t used = number_after(text, "", 0);
    char statistics[8192];
    if (read_start("/sys/fs/cgroup/memory.stat", statistics))
        used -=
            std::min(used, number_after(statistics, "inactive_file ", 0) + number_after(statistics, "active_file ", 0));
    return limit - std::min(limit, used);
}

std::size_t zero_when_unlimited(std::size_t bytes) { return bytes == unlimited ? 0 : bytes; }

constexpr std::size_t places_of_page = 16;
constexpr std::size_t place_bytes = page / places_of_page;

std::byte* map(std::size_t bytes) {
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

}  // namespace

std::byte* system_allocate(std::size_t bytes) noexcept {
    if (bytes < mapped_from) return static_cast<std::byte*>(std::aligned_alloc(256, round_up(bytes, 256)));
    if (bytes > unlimited / 2) return nullptr;
    const std::size_t needed = round_up(bytes, page);
    if (bytes < huge_from) return map(needed);
    // Mapped larger and trimmed: a huge page needs its own alignment, which the kernel does not promise.
    std::byte* wide = map(needed + huge_page);
    if (!wide) return nullptr;
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(wide) % huge_page) % huge_page;
    if (before > 0) ::munmap(wide, before);
    if (before < huge_page) ::munmap(wide + before + needed, huge_page - before);
    ::madvise(wide + before, needed, MADV_HUGEPAGE);  // a refusal leaves small pages, which work as well
    return wide + before;
}

void system_deallocate(std::byte* memory, std::size_t bytes) noexcept {
    if (bytes < mapped_from) std::free(memory);
    else ::munmap(memory, round_up(bytes, page));
}

std::byte* system_allocate_staggered(std::size_t bytes) noexcept {
    if (bytes < mapped_from || bytes > unlimited / 2) return system_allocate(bytes);
    std::byte* const memory = system_allocate(bytes + page);
    // Far from the places of the last few, too.
    static std::atomic<std::size_t> next{0};
    return memory ? memory + next.fetch_add(5, std::memory_order_relaxed) % places_of_page * place_bytes : nullptr;
}

void system_deallocate_staggered(std::byte* memory, std::size_t bytes) noexcept {
    if (bytes < mapped_from) return system_deallocate(memory, bytes);
    system_deallocate(memory - reinterpret_cast<std::uintptr_t>(memory) % page, bytes + page);
}

std::size_t available_memory() noexcept {
    const std::size_t machine = meminfo_bytes("MemAvailable:") + meminfo_bytes("SwapFree:");
    const std::size_t container = container_available();
    return zero_when_unlimited(std::min(machine == 0 ? unlimited : machine, container));
}

std::size_t total_memory() noexcept {
    const std::size_t machine = meminfo_bytes("MemTotal:");
    return zero_when_unlimited(std::min(machine == 0 ? unlimited : machine, container_limit()));
}

}  // namespace kiln::backend
