// bench_float64 [FUNCTION]...: ns an element of each float64 function, one core, 4096 elements, the least of 60 rounds: C's, called
// for each element, and kiln's by instruction set, by turns.
#include <device/cpu/float64_functions.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace {

using kiln::backend::float64_function;
using kiln::backend::float64_functions;
using kiln::backend::float64_named;

constexpr long long count = 4096;
std::vector<double> a(count), b(count), out(count);

template <class Work>
double ns_an_element(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i) work();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / 4 / count;
}

void fill(double from, double to) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(from, to);
    for (double& x : a) x = any(random);
    for (double& x : b) x = any(random);
}

/// `called` computes all by C's function.
template <class Called>
void row(const char* name, Called called) {
    const float64_functions* const sets[] = {float64_named("avx512"), float64_named("avx2"), float64_named("baseline")};
    double best[4] = {1e30, 1e30, 1e30, 1e30};
    for (int round = 0; round < 60; ++round) {
        best[0] = std::min(best[0], ns_an_element(called));
        for (int set = 0; set < 3; ++set) {
            if (sets[set] == nullptr) continue;
            const float64_function& of = sets[set]->rows[kiln::emit::row_of(name)];
            best[set + 1] = std::min(best[set + 1], ns_an_element([&] {
                                         if (of.block_of_one) of.block_of_one(a.data(), out.data(), count);
                                         else of.block_of_two(a.data(), b.data(), out.data(), count);
                                     }));
        }
    }
    std::printf("%-10s", name);
    for (const double each : best)
        if (each < 1e30) std::printf("%8.2f", each);
        else std::printf("       -");
    std::printf("\n");
    std::fflush(stdout);
}

void row_of_one(const char* name, double from, double to, double (*function)(double)) {
    fill(from, to);
    double (*volatile called)(double) = function;
    row(name, [&] {
        for (std::size_t i = 0; i < a.size(); ++i) out[i] = called(a[i]);
    });
}

void row_of_two(const char* name, double from, double to, double (*function)(double, double)) {
    fill(from, to);
    double (*volatile called)(double, double) = function;
    row(name, [&] {
        for (std::size_t i = 0; i < a.size(); ++i) out[i] = called(a[i], b[i]);
    });
}

double lgamma_of_c(double x) {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

}  // namespace

int main(int words, char** word) {
    const auto asked = [&](const char* name) {
        return words == 1 ||
               std::any_of(word + 1, word + words, [&](const char* each) { return std::strcmp(each, name) == 0; });
    };
    std::printf("ns an element  C     512     256    SSE2\n");
    struct {
        const char* name;
        double from, to;
        double (*function)(double);
    } const ones[] = {
        {"exp", -10, 10, ::exp},
        {"exp2", -10, 10, ::exp2},
        {"expm1", -2, 2, ::expm1},
        {"log", 0.01, 10, ::log},
        {"log2", 0.01, 10, ::log2},
        {"log10", 0.01, 10, ::log10},
        {"log1p", -0.5, 10, ::log1p},
        {"asinh", -10, 10, ::asinh},
        {"acosh", 1, 10, ::acosh},
        {"atanh", -0.99, 0.99, ::atanh},
        {"sin", -10, 10, ::sin},
        {"cos", -10, 10, ::cos},
        {"tan", -10, 10, ::tan},
        {"sinh", -4, 4, ::sinh},
        {"cosh", -4, 4, ::cosh},
        {"tanh", -4, 4, ::tanh},
        {"asin", -1, 1, ::asin},
        {"acos", -1, 1, ::acos},
        {"atan", -10, 10, ::atan},
        {"cbrt", -10, 10, ::cbrt},
        {"erf", -4, 4, ::erf},
        {"erfc", -4, 4, ::erfc},
        {"sigmoid", -8, 8, [](double x) { return 1 / (1 + ::exp(-x)); }},
        {"normcdf", -4, 4, [](double x) { return 0.5 * ::erfc(x * -0x1.6a09e667f3bcdp-1); }},
        {"gelu", -4, 4, [](double x) { return x * 0.5 * ::erfc(x * -0x1.6a09e667f3bcdp-1); }},
        {"tgamma", -4, 20, ::tgamma},
        {"lgamma", 0.01, 20, lgamma_of_c},
        {"lgamma", -4, 20, lgamma_of_c},  // most vectors have one below 0
    };
    for (const auto& each : ones)
        if (asked(each.name)) row_of_one(each.name, each.from, each.to, each.function);
    if (asked("pow")) row_of_two("pow", 0.1, 5, ::pow);
    if (asked("atan2")) row_of_two("atan2", -10, 10, ::atan2);
    if (asked("hypot")) row_of_two("hypot", -10, 10, ::hypot);
}
