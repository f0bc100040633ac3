// fma and fast_math: what they allow, and that each has kernels of its own.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>

namespace k = kiln;

namespace {

/// x * y + z is 0 with two roundings and -2^-60 with one.
struct sensitive {
    k::array<double> x = k::full<double>({37}, 1 + 0x1p-30);
    k::array<double> y = k::full<double>({37}, 1 - 0x1p-30);
    k::array<double> z = k::full<double>({37}, -1.0);

    [[nodiscard]] double value() const { return k::array<double>(x * y + z).to_host().at(36); }
};

bool contracts() {
#if defined(__x86_64__)
    const bool has_fma = __builtin_cpu_supports("fma");
#else
    const bool has_fma = true;
#endif
    return tests::device().is_cuda || (tests::device().compiles && !tests::cubins_wanted() && has_fma);
}

}  // namespace

TEST_CASE("fma lets a product and a sum round once where kernels are compiled, and only while it is set") {
    const sensitive of;
    CHECK(of.value() == 0.0);
    {
        const k::scoped_options allowed({.fma = true});
        CHECK(of.value() == (contracts() ? -0x1p-60 : 0.0));
        const k::scoped_options forbidden({.fma = false});
        CHECK(of.value() == 0.0);
    }
    {
        const k::scoped_options allowed({.fast_math = true});
        CHECK(of.value() == (contracts() ? -0x1p-60 : 0.0));
    }
    CHECK(of.value() == 0.0);
}

TEST_CASE("each of exact, fma and fast_math has an entry of its own in the cache") {
    const k::array<float> x = k::ones<float>({10});
    const auto e = x * 3.0f + x;
    const auto key = [&] { return k::explain(e).kernels.at(0).cache_key; };
    const std::string exact = key();
    std::string contracted;
    std::string fast;
    {
        const k::scoped_options allowed({.fma = true});
        contracted = key();
    }
    {
        const k::scoped_options allowed({.fast_math = true});
        fast = key();
    }
    CHECK(key() == exact);
    if (!tests::device().compiles) {
        CHECK(exact.empty());
        return;
    }
    CHECK(contracted != exact);
    CHECK(fast != exact);
    CHECK(fast != contracted);
}

TEST_CASE("fast_math leaves NaN and infinity as they are, in where, min, isnan and the rest") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const k::array<float> x = k::from_host<float>({nan, infinity, -infinity, 1.5f}, {4});
    const k::scoped_options allowed({.fast_math = true});
    auto [chosen, lesser, is_nan, is_inf, is_finite] =
        k::eval(k::where(x > 1.0f, 1.0f, 2.0f), k::min(x, 0.0f), k::isnan(x), k::isinf(x), k::isfinite(x));
    CHECK_SAME(chosen.to_host(), {2.0f, 1.0f, 2.0f, 1.0f});
    CHECK(std::isnan(lesser.to_host()[0]));
    CHECK(lesser.to_host()[2] == -infinity);
    CHECK_SAME(is_nan.to_host(), std::vector<bool>{true, false, false, false});
    CHECK_SAME(is_inf.to_host(), std::vector<bool>{false, true, true, false});
    CHECK_SAME(is_finite.to_host(), std::vector<bool>{false, false, false, true});
}

TEST_CASE("k::fma is one rounding under every option") {
    const sensitive of;
    for (const k::options& each : {k::options{}, k::options{.fma = true}, k::options{.fast_math = true}}) {
        const k::scoped_options chosen(each);
        CHECK(k::array<double>(k::fma(of.x, of.y, of.z)).to_host()[0] == -0x1p-60);
    }
}
