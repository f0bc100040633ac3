// Whoever calls a kernel of the CPU goes on with code that may know SSE alone: the processor says whether upper halves of vector registers
// are in use (XGETBV of 1, where it has that: bit 2 of XINUSE).
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <device/cpu/upper_halves.hpp>
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>

namespace {

namespace k = kiln;

bool knows_what_is_in_use() {
    unsigned int a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx") && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & 1u << 2);
}

bool upper_halves_are_in_use() {
    std::uint32_t low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    return (low & 1u << 2) != 0;
}

void use_upper_halves() {
    asm volatile("vpcmpeqd %%xmm0, %%xmm0, %%xmm0\n\tvinsertf128 $1, %%xmm0, %%ymm0, %%ymm0" ::: "xmm0");
}

}  // namespace

TEST_CASE("what a kernel leaves in the upper halves of vector registers is cleared before anybody else's code runs") {
    if (!knows_what_is_in_use()) {
        MESSAGE("skipped: this processor does not say what is in use");
        return;
    }
    use_upper_halves();
    const bool is_seen = upper_halves_are_in_use();
    kiln::backend::clear_upper_halves();
    if (!is_seen || upper_halves_are_in_use()) {
        MESSAGE("skipped: this processor, or what stands in for it, says the same of all states");
        return;
    }
    for (const int n : {1, 7, 100, 1000}) {
        const auto side = static_cast<std::int64_t>(n);
        k::array<float> x = k::full({side, 9}, 0.5f), y, m = k::full({side, side}, 0.25f);
        k::array<double> d = k::full({side, 9}, 0.5);
        k::array<std::int64_t> at;
        const auto larger = k::reduction<float>("larger", -1.0f, "a", "b", "return a > b ? a : b;");
        const auto softmax = [&x](k::axis along) {
            const k::expr<float> e = k::exp(x - k::max(x, along, k::keep_dims));
            return k::expr<float>(e / k::sum(e, along, k::keep_dims));
        };
        std::vector<std::pair<std::string, std::function<void()>>> all = {
            {"a chain", [&] { y = x + 1.0f; }},
            {"a chain of functions", [&] { y = k::exp(x) * x; }},
            {"doubles", [&] { d = d * 0.5; }},
            {"a total", [&] { y = k::sum(x * x); }},
            {"rows", [&] { y = softmax(k::axis(1)); }},
            {"columns", [&] { y = softmax(k::axis(0)); }},
            {"positions", [&] { at = k::argmax(x * 2.0f, k::axis(0)); }},
            {"squares that are turned", [&] { y = m + k::transpose(m); }},
            {"a product", [&] { y = k::matmul(m, x); }},
            {"a scan", [&] { y = k::cumsum(x * 2.0f, k::axis(0)); }},
        };
        if (tests::device().compiles && !tests::cubins_wanted())
            all.emplace_back("a user's reduction", [&] { y = larger(x * 2.0f, k::axis(0)); });
        for (const auto& each : all) {
            CAPTURE(each.first);
            CAPTURE(n);
            kiln::backend::clear_upper_halves();
            each.second();
            y.wait();
            CHECK_FALSE(upper_halves_are_in_use());
        }
    }
}
#endif
