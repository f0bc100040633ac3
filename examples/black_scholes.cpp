// Prices of many options at once, as fast as memory and arithmetic allow, without a kernel of my own.
//
//     black_scholes [options]
//
// European calls and puts after Black and Scholes: two results of one kernel that share their work. Checked by put-call
// parity; what fusing saves; what fast arithmetic would.
#include "measure.hpp"

#include <cmath>

namespace k = kiln;

namespace {

constexpr float rate = 0.03f, volatility = 0.25f;  // per year

/// Shapes broadcast. An lvalue array in an expression costs one reference count.
auto prices(const k::array<float>& spot, const k::array<float>& strike, const k::array<float>& years) {
    auto width = volatility * k::sqrt(years);
    auto d1 = (k::log(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / width;
    auto d2 = d1 - width;
    auto discounted = strike * k::exp(-rate * years);
    return k::eval(spot * k::normcdf(d1) - discounted * k::normcdf(d2),     // call
                   discounted * k::normcdf(-d2) - spot * k::normcdf(-d1));  // put
}

/// Of call - put against spot - discounted strike, the largest difference in units of the strike.
double parity_error(const k::array<float>& call, const k::array<float>& put, const k::array<float>& spot,
                    const k::array<float>& strike, const k::array<float>& years) {
    const k::array<float> off = k::abs((call - put) - (spot - strike * k::exp(-rate * years))) / strike;
    double largest = 0;
    for (const float each : off.to_host()) largest = each <= largest ? largest : each;  // NaN is larger
    return largest;
}

void print(const char* what, std::int64_t count, double ms) {
    // Three numbers in, two out.
    fmt::print("{:<28}{:>10.3f} ms{:>10.0f} million options/s{:>8.0f} GB/s\n", what, ms,
               static_cast<double>(count) / ms * 1e-3, static_cast<double>(count) * 5 * sizeof(float) / ms * 1e-6);
}

void run(std::int64_t count) {
    // Spread over 1,000 prices and 16 terms; made on the device.
    const k::array<float> spot = k::cast<float>(k::arange<std::int64_t>(count) % 1000) * 0.1f + 50.0f;
    const k::array<float> strike = k::full<float>({count}, 100.0f);
    const k::array<float> years = k::cast<float>(k::arange<std::int64_t>(count) % 16) * 0.125f + 0.125f;
    fmt::print("{} options on {}\n\n", count, device_text());

    const k::counters before = k::counters::now();
    const double first_ms = milliseconds([&] { static_cast<void>(prices(spot, strike, years)); });
    const k::counters spent = k::counters::now() - before;
    fmt::print("{:<28}{:>10.3f} ms, {:.1f} of them compiling, {} launch\n", "first call", first_ms,
               static_cast<double>(spent.compile_ns) * 1e-6, spent.launches);
    const auto call_prices = [&] { static_cast<void>(prices(spot, strike, years)); };
    print("one kernel", count, median_milliseconds(call_prices));
    {
        const k::scoped_options off({.fuse = false});
        print("fuse = false", count, median_milliseconds(call_prices));
    }
    {
        // On a GPU approximate division, square root, exp and log: worth it where arithmetic is what a kernel waits for.
        const k::scoped_options fast({.fast_math = true});
        print("fast_math = true", count, median_milliseconds(call_prices));
        auto [call, put] = prices(spot, strike, years);
        fmt::print("    its parity is off by {:.1e} of the strike\n", parity_error(call, put, spot, strike, years));
    }

    fmt::print("\n");
    auto [call, put] = prices(spot, strike, years);
    const double error = parity_error(call, put, spot, strike, years);
    check(error < 1e-6, fmt::format("call - put is spot - discounted strike, to {:.1e} of the strike", error));
    // An option at the money: S = K = 100, T = 1, in double by the same formula.
    const k::array<float> at_money = k::full<float>({1}, 100.0f), one_year = k::ones<float>({1});
    auto [one_call, one_put] = prices(at_money, at_money, one_year);
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const double d1 = (0.03 + 0.5 * 0.25 * 0.25) / 0.25;
    const double expected = 100 * below(d1) - 100 * std::exp(-0.03) * below(d1 - 0.25);
    check(std::abs(one_call.item() - expected) < 1e-4 && one_put.item() < one_call.item(),
          fmt::format("a call at the money, one year, costs {:.4f}", one_call.item()));
}

}  // namespace

int main(int argc, char** argv) try {
    // Enough to outgrow every cache of a GPU; a CPU has enough to do with less.
    run(argc > 1 ? std::atoll(argv[1]) : k::current_device().is_cuda() ? 1 << 26 : 1 << 20);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "black_scholes: {}\n", trouble.what());
    return 1;
}
