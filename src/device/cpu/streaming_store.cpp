// kiln/device/cpu/streaming_store: SSE2's streaming stores, and the caches' sizes as Linux tells them.
#include <device/cpu/streaming_store.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace kiln::backend {

namespace {

#if defined(__x86_64__)
constexpr std::uintptr_t cache_line = 64;  // bytes

void stream(void* to, const void* from, long long bytes) {
    // A line that is written in two parts costs more than it saves, and only memory of the user's is not aligned.
    const long long whole = reinterpret_cast<std::uintptr_t>(to) % cache_line == 0 ? bytes / 64 * 64 : 0;
    auto* out = static_cast<__m128i*>(to);
    const auto* in = static_cast<const __m128i*>(from);
    for (long long done = 0; done < whole; done += 64, out += 4, in += 4) {
        const __m128i a = _mm_loadu_si128(in);
        const __m128i b = _mm_loadu_si128(in + 1);
        const __m128i c = _mm_loadu_si128(in + 2);
        const __m128i d = _mm_loadu_si128(in + 3);
        _mm_stream_si128(out, a);
        _mm_stream_si128(out + 1, b);
        _mm_stream_si128(out + 2, c);
        _mm_stream_si128(out + 3, d);
    }
    if (whole < bytes) std::memcpy(out, in, static_cast<std::size_t>(bytes - whole));
}
#endif

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// "32768K"
std::int64_t size_in_bytes(const std::string& text) {
    char* unit = nullptr;
    const long long number = std::strtoll(text.c_str(), &unit, 10);
    return number * (*unit == 'K' ? 1 << 10 : *unit == 'M' ? 1 << 20 : 1);
}

/// "0-7,96-103" names 16.
int count_in_list(const std::string& text) {
    int count = 0;
    for (const char* at = text.c_str(); *at;) {
        char* end = nullptr;
        const long first = std::strtol(at, &end, 10);
        if (end == at) break;
        long last = first;
        if (*end == '-') last = std::strtol(end + 1, &end, 10);
        count += static_cast<int>(last - first + 1);
        at = *end == ',' ? end + 1 : end;
    }
    return std::max(1, count);
}

// Of a cache that many processors share each has as much as it can fill, and yet it is slow to come by: a softmax of 2048 x 2048 floats that
// are in it takes two cores of a Xeon (Emerald Rapids, 300 MiB; 2026-11) 3.6 ms past the caches and 4.9 through them.
std::int64_t most_of_threads(int thread_count) {
    constexpr std::int64_t bytes_of_thread = std::int64_t{12} << 20;
    constexpr std::int64_t bytes_of_one = std::int64_t{16} << 20;
    return std::max(bytes_of_one, bytes_of_thread * thread_count);
}

}  // namespace

store_function streaming_store() noexcept {
#if defined(__x86_64__)
    return stream;
#else
    return nullptr;
#endif
}

void finish_streaming() noexcept {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

std::int64_t last_cache_bytes(int thread_count) {
    const std::string last_cache = "/sys/devices/system/cpu/cpu0/cache/index3/";
    const std::int64_t each = size_in_bytes(first_line(last_cache + "size"));
    const int sharing = count_in_list(first_line(last_cache + "shared_cpu_list"));
    return each * ((thread_count + sharing - 1) / sharing);
}

std::int64_t streaming_threshold(int thread_count) {
    const std::int64_t all = last_cache_bytes(thread_count);
    return all > 0 ? std::min(all / 2, most_of_threads(thread_count)) : std::int64_t{16} << 20;
}

std::int64_t cached_reach(int thread_count) {
    const std::int64_t all = last_cache_bytes(thread_count);
    const std::int64_t threshold = streaming_threshold(thread_count);
    if (all / 2 > threshold) return threshold;  // a large one that is slow to come by
    return std::max(threshold, thread_count > 1 ? all / 4 * 5 : all / 8 * 5);
}

}  // namespace kiln::backend
