// Black-Scholes on a GPU: S, K and T as arrays, the rate and the volatility as scalars, the price of a call: 16 bytes per
// option. With accurate functions it is bound by arithmetic and is measured against the same
// formulas written by hand; with fast_math by memory, and is measured against a copy of its bytes.
#include "gpu_rows.hpp"
#include "hand_written_gpu.hpp"

#include <cmath>
#include <deque>

namespace {

namespace k = kiln;
using namespace kiln::bench;

constexpr float rate = 0.02f;
constexpr float volatility = 0.3f;

struct market {
    k::array<float> s;
    k::array<float> strike;
    k::array<float> t;
};

/// Prices between 5 and 30, strikes between 1 and 100, times between 0.25 and 10 years, in different cycles: neighbours
/// differ, so that no warp takes one branch of a function alone.
float spread(std::int64_t i, int step, int cycle, float low, float high) {
    return low + static_cast<float>(i * step % cycle) * ((high - low) / static_cast<float>(cycle));
}
k::array<float> spread_array(std::int64_t elements, int step, int cycle, float low, float high) {
    return low + k::cast<float>(k::arange<std::int64_t>(elements) * step % cycle) *
                     ((high - low) / static_cast<float>(cycle));
}

double expected(std::int64_t i) {
    const double s = spread(i, 7919, 10007, 5, 30);
    const double strike = spread(i, 104729, 9973, 1, 100);
    const double t = spread(i, 1299709, 9967, 0.25f, 10);
    const double v = volatility;
    const double d1 = (std::log(s / strike) + (rate + 0.5 * v * v) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t);
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    return s * below(d1) - strike * std::exp(-double{rate} * t) * below(d2);
}

/// Differences of numbers up to 100: an error of each counts in their units.
bool is_close(double found, double wanted) { return std::abs(found - wanted) < 2e-3; }

auto price(const market& of, float r, float v) {
    const auto root = k::sqrt(of.t);
    const auto d1 = (k::log(of.s / of.strike) + (r + 0.5f * v * v) * of.t) / (v * root);
    const auto d2 = d1 - v * root;
    return of.s * k::normcdf(d1) - of.strike * k::exp(-r * of.t) * k::normcdf(d2);
}

void add(gpu_rows& rows, const market& of, bool fast) {
    const std::int64_t elements = of.s.size();
    const k::scoped_options off({.fast_math = fast});
    const auto compiled = [how = fast ? k::compile::arithmetic::fast : k::compile::arithmetic::exact](
                              const k::emit::source& source) { return gpu_toolchain().compile(source, how); };

    k::array<float> own = of.s * 0.0f;
    float* to = own.data();
    const float* s = of.s.data();
    const float* strike = of.strike.data();
    const float* t = of.t.data();
    float r = rate;
    float v = volatility;
    auto count = static_cast<unsigned>(elements);
    void* parameters[] = {&to, &s, &strike, &t, &r, &v, &count};
    std::deque<gpu_kernel> kernels;
    std::vector<by_hand> candidates;
    for (const int per_thread : {1, 4}) {
        const gpu_kernel& kernel =
            kernels.emplace_back(black_scholes_name, compiled({black_scholes_name, black_scholes_source(per_thread)}));
        const std::int64_t per_block = std::int64_t{black_scholes_threads} * per_thread;
        const std::int64_t blocks = (elements + per_block - 1) / per_block;
        candidates.push_back(
            {.what = k::text::format("{} per thread", per_thread),
             .once =
                 [&, blocks](int) { kernel.launch(rows.stream().handle(), blocks, black_scholes_threads, parameters); },
             .registers = kernel.registers()});
    }

    k::array<float> calls;
    const std::string what =
        k::text::format("Black-Scholes, 3 in, 1 out, {}", fast ? "fast_math" : "accurate functions");
    rows.add({.what = what,
              .bytes = 16 * static_cast<double>(elements),
              .at_most = 1.02,
              .against = fast ? gpu_program::measure::copy : gpu_program::measure::hand_written,
              .once = [&](int) { calls = price(of, r, v); },
              .plan = k::explain(price(of, r, v)),
              .compile = compiled,
              .hand_written = candidates});
    rows.check(what, calls, expected, is_close);
    for (const by_hand& each : candidates) {
        own = of.s * 0.0f;
        to = own.data();
        each.once(0);
        rows.check("by hand", own, expected, is_close);
    }
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_black_scholes: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const std::int64_t elements = given.number("--elements", 67'108'864);
    report out("gpu_black_scholes", k::text::format("{}; {} options, spread", gpu_name(), elements), given);
    const gpu_stream stream;
    gpu_rows rows(out, stream, 16 * static_cast<double>(elements), static_cast<int>(given.number("--rounds", 25)));
    const market spread_out{spread_array(elements, 7919, 10007, 5, 30), spread_array(elements, 104729, 9973, 1, 100),
                            spread_array(elements, 1299709, 9967, 0.25f, 10)};
    add(rows, spread_out, /*fast=*/false);
    add(rows, spread_out, /*fast=*/true);
    const bool right = rows.finish();
    const int status = out.finish();
    return right ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_black_scholes", trouble);
}
