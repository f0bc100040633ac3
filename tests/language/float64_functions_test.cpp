// Functions of float64 inside expressions, wherever their elements lie: the bits of one element computed by itself.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/rooms.hpp>

#include <device/cpu/float64_functions.hpp>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace k = kiln;

namespace {

double one(const char* name, double a) {
    return kiln::backend::float64_named("baseline")->rows[kiln::emit::row_of(name)].of_one(a);
}
double two(const char* name, double a, double b) {
    return kiln::backend::float64_named("baseline")->rows[kiln::emit::row_of(name)].of_two(a, b);
}

std::vector<double> arguments(std::int64_t count, unsigned seed = 1) {
    std::vector<double> out = {0.0,   -0.0,  1.0,       -1.0,       5e-324,    -1e-310,
                               1e308, 710.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 3e7};
    std::mt19937 bits(seed);
    std::uniform_real_distribution<double> usual(-5, 5);
    while (out.size() < static_cast<std::size_t>(count)) out.push_back(usual(bits));
    out.resize(static_cast<std::size_t>(count));
    std::shuffle(out.begin(), out.end(), bits);
    return out;
}

template <class Of>
std::vector<double> each(const std::vector<double>& a, Of of) {
    std::vector<double> out;
    for (const double x : a) out.push_back(of(x));
    return out;
}

void check_same(const std::vector<double>& got, const std::vector<double>& expected) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double a = got[i];
        const double b = expected[i];
        CAPTURE(i);
        CAPTURE(a);
        CAPTURE(b);
        REQUIRE(((a != a && b != b) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)));
    }
}

bool on_gpu() { return tests::device().is_cuda; }

}  // namespace

TEST_CASE("functions of float64 have the bits of one element at every length, fused and not") {
    if (on_gpu()) return;
    for (const bool fuse : {true, false}) {
        const kiln::scoped_options options({.fuse = fuse});
        for (const std::int64_t count : {0, 1, 7, 8, 9, 16, 17, 255, 256, 257, 513, 5000}) {
            const std::vector<double> a = arguments(count);
            const k::array<double> x = k::from_host<double>(a, {count});
            check_same(k::array<double>(k::exp(x)).to_host(), each(a, [](double v) { return one("exp", v); }));
            check_same(k::array<double>(k::sin(x)).to_host(), each(a, [](double v) { return one("sin", v); }));
            check_same(k::array<double>(k::lgamma(x)).to_host(), each(a, [](double v) { return one("lgamma", v); }));
            check_same(k::array<double>(k::pow(k::abs(x), 2.5)).to_host(),
                       each(a, [](double v) { return two("pow", std::fabs(v), 2.5); }));
            check_same(
                k::array<double>(k::tanh(k::exp(x) * 0.5) + x * k::log1p(k::abs(x))).to_host(),
                each(a, [](double v) { return one("tanh", one("exp", v) * 0.5) + v * one("log1p", std::fabs(v)); }));
            check_same(k::array<double>(k::where(x > 0.0, k::log(x), k::normcdf(x))).to_host(),
                       each(a, [](double v) { return v > 0.0 ? one("log", v) : one("normcdf", v); }));
        }
    }
}

TEST_CASE("functions of float64 of elements that lie apart, are misaligned, or are written over") {
    if (on_gpu()) return;
    const std::vector<double> a = arguments(30 * 70);
    const k::array<double> flat = k::from_host<double>(a);
    std::vector<double> turned, second, misaligned;
    for (int j = 0; j < 70; ++j)
        for (int i = 0; i < 30; ++i) turned.push_back(one("exp", a[static_cast<std::size_t>(i * 70 + j)]));
    check_same(k::array<double>(k::exp(k::transpose(k::reshape(flat, {30, 70})))).to_host(), turned);
    for (std::size_t i = 0; i < a.size(); i += 2) second.push_back(one("cos", a[i]));
    check_same(k::array<double>(k::cos(flat(k::range(0, k::range::open, 2)))).to_host(), second);
    for (std::size_t i = 3; i < 1000; ++i) misaligned.push_back(one("erf", a[i]) * 2.0);
    check_same(k::array<double>(k::erf(flat(k::range(3, 1000))) * 2.0).to_host(), misaligned);
    k::array<double> own = k::from_host<double>(a);
    own = k::sin(own);
    check_same(own.to_host(), each(a, [](double v) { return one("sin", v); }));
    // Next to its zeros lgamma looks at its arguments again.
    std::vector<double> near_zeros;
    for (const double v : a) near_zeros.push_back(-2.0 - 0.17 * std::fabs(v));
    own = k::from_host<double>(near_zeros);
    own = k::lgamma(own);
    check_same(own.to_host(), each(near_zeros, [](double v) { return one("lgamma", v); }));
}

TEST_CASE("functions of float64 are called for strips") {
    if (on_gpu()) return;
    const k::array<double> x = k::ones<double>({100});
    const std::vector<k::emit::source> made =
        tests::sources({.on = k::plan::host_target, .fuse = true, .outputs = {}}, k::exp(x) + k::lgamma(x));
    REQUIRE(made.size() == 1);
    CHECK(made[0].text.find("block_exp_f64") != std::string::npos);
    CHECK(made[0].text.find("block_lgamma_f64") != std::string::npos);
}

TEST_CASE("softmax and logsumexp of float64 have the bits of what is computed apart") {
    if (on_gpu()) return;
    for (const std::int64_t columns : {5, 100, 3000}) {
        const k::array<double> m = k::reshape(k::from_host<double>(arguments(columns * 9, 7)), {9, columns});
        const k::array<double> x = k::where(k::isfinite(m), m, 1.0);
        const auto softmax = [&] {
            const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
            return k::array<double>(e / k::sum(e, k::axis(1), k::keep_dims)).to_host();
        };
        const auto sums = [&] { return k::array<double>(k::sum(k::sin(x) * 2.0, k::axis(1))).to_host(); };
        const auto logs = [&] { return k::array<double>(k::logsumexp(x, k::axis(1))).to_host(); };
        const std::vector<double> fused = softmax();
        const std::vector<double> summed = sums();
        const std::vector<double> logged = logs();
        const kiln::scoped_options apart({.fuse = false});
        check_same(fused, softmax());
        check_same(summed, sums());
        check_same(logged, logs());
    }
}
