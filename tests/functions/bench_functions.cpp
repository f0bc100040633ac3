// bench_functions [FUNCTION]...: ns an element of each float32 function, one core, 4096 elements, the least of 60
// rounds, by instruction set.
#include "functions.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr std::ptrdiff_t count = 4096;
std::vector<float> a(count), b(count), out(count);

template <class Work>
double ns_an_element(Work work) {
    double best = 1e30;
    for (int round = 0; round < 60; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 8; ++i) work();
        best =
            std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
                               8 / count);
    }
    return best;
}

void fill(double from, double to) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(from, to);
    for (float& x : a) x = static_cast<float>(any(random));
    for (float& x : b) x = static_cast<float>(any(random));
}

const loop_set* const sets[] = {
    __builtin_cpu_supports("avx512dq") ? &loops_avx512 : nullptr,
    __builtin_cpu_supports("avx2") ? &loops_avx2 : nullptr,
    &loops_sse2,
};

template <class Work>
void row(const char* name, Work work) {
    std::printf("%-12s", name);
    for (const loop_set* set : sets) {
        if (set == nullptr) std::printf("       -");
        else std::printf("%8.2f", ns_an_element([&] { work(*set); }));
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int words, char** word) {
    const auto asked = [&](const char* name) {
        return words == 1 ||
               std::any_of(word + 1, word + words, [&](const char* each) { return std::strcmp(each, name) == 0; });
    };
    std::printf("ns an element  512     256    SSE2\n");
    for (int i = 0; i < function_count; ++i) {
        if (!asked(facts[i].name)) continue;
        fill(facts[i].bench_from, facts[i].bench_to);
        row(facts[i].name, [i](const loop_set& set) { set.functions[i](a.data(), out.data(), count); });
        if (strips_of(i) < strip_function_count) {
            row("  in strips", [i](const loop_set& set) { set.in_strips[strips_of(i)](a.data(), out.data(), count); });
        }
    }
    for (int i = 0; i < pair_function_count; ++i) {
        if (!asked(pairs[i].name)) continue;
        fill(i == pair_pow ? 0.1 : -10, i == pair_pow ? 5 : 10);
        row(pairs[i].name, [i](const loop_set& set) { set.pairs[i](a.data(), b.data(), out.data(), count); });
    }
}
