// kiln/compile/say_once: a table of hashes of what was said.
#include <compile/say_once.hpp>

#include <jit_cache/key.hpp>
#include <jit_cache/printable.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

namespace kiln::compile {

namespace {

constinit std::array<std::atomic<std::uint64_t>, 256> said{};  // 0: free

/// Whether it is new, in which case it no longer is.
bool is_new(std::string_view sentence) {
    const std::uint64_t wanted = jit_cache::content_hash(sentence).low | 1u;
    for (std::atomic<std::uint64_t>& each : said) {
        std::uint64_t known = each.load(std::memory_order_relaxed);
        if (known == 0 && each.compare_exchange_strong(known, wanted, std::memory_order_relaxed)) return true;
        if (known == wanted) return false;
    }
    return false;
}

}  // namespace

void say_once(std::string_view sentence) {
    if (!is_new(sentence)) return;
    const std::string line = "kiln: " + jit_cache::printable(sentence) + "\n";
    std::fputs(line.c_str(), stderr);
}

}  // namespace kiln::compile
