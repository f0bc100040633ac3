// Functions on the CPU, and whole workloads made of them: ns of one core an element, the least of seven runs, on one thread. Beside a
// function of float32 what C's takes, called for each element. Built in two trees, and run in turns, it compares them.
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

namespace {

namespace k = kiln;

template <class Run>
double ns_of_core(std::int64_t elements, Run run) {
    run();
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 7; ++round) {
        const std::clock_t before = std::clock();
        run();
        least = std::min(least, static_cast<double>(std::clock() - before));
    }
    return least * 1e9 / CLOCKS_PER_SEC / static_cast<double>(elements);
}

template <class E>
void workload(const char* name, std::int64_t elements, const E& e) {
    std::printf("%-34s %8.2f\n", name, ns_of_core(elements, [&] { k::eval(e); }));
}

template <class E>
void function(const char* name, const std::vector<float>& of, const E& e, float (*c)(float)) {
    std::vector<float> out(of.size());
    const auto elements = static_cast<std::int64_t>(of.size());
    const double own = ns_of_core(elements, [&] { k::eval(e); });
    const double other = ns_of_core(elements, [&] {
        for (std::size_t i = 0; i < of.size(); ++i) out[i] = c(of[i]);
    });
    std::printf("%-34s %8.2f   C %8.2f\n", name, own, other);
}

}  // namespace

int main() try {
    ::setenv("KILN_DEVICE", "cpu", 1);
    ::setenv("KILN_CPU_THREADS", "1", 1);
    const std::int64_t count = std::int64_t{4} << 20;
    std::vector<float> any, positive;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto number = static_cast<float>(i * 7919 % 65536) / 65536;
        any.push_back(number * 8 - 4);
        positive.push_back(number * 2 + 0.05f);
    }
    const k::array<float> x = k::from_host<float>(any);
    const k::array<float> y = k::from_host<float>(positive);
    std::printf("%s\n%-34s ns an element\n", kiln::bench::processor().c_str(), "");
    function("exp", any, k::exp(x), ::expf);
    function("log", positive, k::log(y), ::logf);
    function("sin", any, k::sin(x), ::sinf);
    function("tanh", any, k::tanh(x), ::tanhf);
    function("erf", any, k::erf(x), ::erff);
    function("log1p", positive, k::log1p(y), ::log1pf);
    workload("pow(y, x)", count, k::pow(y, x));
    workload("hypot(x, y)", count, k::hypot(x, y));
    workload("exp, double", count, k::exp(k::cast<double>(x)));
    workload("sum(exp(x))", count, k::sum(k::exp(x)));
    workload("sin(x) * cos(y)", count, k::sin(x) * k::cos(y));
    workload("gelu", count, k::gelu(x));
    workload("gelu, by erf", count, x * 0.5f * (1.0f + k::erf(x * 0.70710678f)));
    const k::array<k::float16> half = k::cast<k::float16>(x);
    workload("gelu, float16", count, k::gelu(half));
    k::expr<k::float16> chain = half;
    for (int i = 0; i < 10; ++i) chain = k::expr<k::float16>(chain * half + k::float16(0.25f));
    workload("20 steps of float16", count, chain);
    workload("x * exp(s)", count, x * k::exp(k::from_host<float>({0.3f})));
    workload("exp(normal)", count, k::exp(k::random::normal<float>({count}, 7) * 0.2f));
    k::expr<float> steps = x;
    for (int i = 0; i < 12; ++i)
        steps = k::expr<float>(k::exp(steps * y - x) * 0.5f + k::sin(steps) * y - steps * 0.1f);
    workload("24 functions in 96 steps", count, steps);
    const auto spot = y * 50.0f;
    const auto strike = y + 40.0f;
    const auto root = 0.3f * k::sqrt(y);
    const auto d = (k::log(spot / strike) + 0.05f * y) / root;
    workload("Black-Scholes", count, spot * k::normcdf(d) - strike * k::exp(-0.05f * y) * k::normcdf(d - root));
    for (const std::int64_t columns : {32, 1024}) {
        const k::array<float> m = k::reshape(x, {count / columns, columns});
        const auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
        workload(columns == 32 ? "softmax, rows of 32" : "softmax, rows of 1024", count,
                 e / k::sum(e, k::axis(1), k::keep_dims));
    }
    return 0;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_functions", trouble);
}
