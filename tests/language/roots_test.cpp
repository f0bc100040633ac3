// Roots, reciprocals and quotients that stand together, whose bits are those of each by itself, near the limits of float as
// anywhere; and what k::assume says of values, which changes no bit.
#include <language/elementwise.hpp>
#include <support/device_under_test.hpp>

#include <kiln/assume.hpp>

#include <cmath>
#include <cstring>

namespace k = kiln;

namespace {

/// All magnitudes and both signs, many at the ends, with denormals, zeros, infinities and NaN between them.
std::vector<float> all_magnitudes(std::size_t count, std::uint32_t seed) {
    std::vector<float> out(count);
    std::uint64_t state = seed;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        auto bits = static_cast<std::uint32_t>(state >> 32);
        if (i % 5 == 1) bits = (bits & 0x807fffffu) | (0x00800000u * ((bits >> 8) % 3));  // least, and denormal
        if (i % 5 == 2)
            bits = (bits & 0x807fffffu) | (0x7e000000u + 0x00800000u * ((bits >> 8) % 4));  // largest, and none
        if (i % 5 == 3) bits = (bits & 0x807fffffu) | 0x3f800000u;
        if (i % 31 == 0) bits &= 0x80000000u;
        std::memcpy(&out[i], &bits, sizeof bits);
    }
    return out;
}

oracle::tree op(oracle::op code, const oracle::tree& a, const oracle::tree& b) {
    return oracle::operation(code, {a, b});
}
oracle::tree root(const oracle::tree& a) { return oracle::operation(oracle::op::sqrt, {a}); }
oracle::tree reciprocal(const oracle::tree& a) { return oracle::operation(oracle::op::reciprocal, {a}); }

void check_steps(const std::vector<float>& a, const std::vector<float>& b) {
    const auto says = [&](const oracle::tree& of) { return tests::typed<float>(oracle::evaluate(of, a.size())); };
    const oracle::tree x = oracle::elements(a);
    const oracle::tree y = oracle::elements(b);
    const k::array<float> p = k::from_host<float>(a);
    const k::array<float> q = k::from_host<float>(b);

    const oracle::tree cube = op(oracle::op::mul, x, root(x));
    CHECK_SAME(k::array<float>(q / (p * k::sqrt(p))).to_host(), says(op(oracle::op::div, y, cube)));
    const oracle::tree inverse = reciprocal(root(x));
    CHECK_SAME(k::array<float>(k::reciprocal(k::sqrt(p))).to_host(), says(inverse));
    // Steps between the tests that depend on none of them, and results of all.
    const oracle::tree sum = op(oracle::op::add, op(oracle::op::div, x, y), op(oracle::op::mul, x, y));
    auto [first, second, third] = k::eval(k::sqrt(p), p / q, k::sqrt(p / q + p * q) / (k::sqrt(p) - 1.0f));
    CHECK_SAME(first.to_host(), says(root(x)));
    CHECK_SAME(second.to_host(), says(op(oracle::op::div, x, y)));
    const oracle::tree one = oracle::elements(std::vector<float>(a.size(), 1.0f));
    CHECK_SAME(third.to_host(), says(op(oracle::op::div, root(sum), op(oracle::op::sub, root(x), one))));
    CHECK_SAME(k::array<float>(p / q / p / q).to_host(),
               says(op(oracle::op::div, op(oracle::op::div, op(oracle::op::div, x, y), x), y)));
    CHECK_SAME(k::array<float>(q / k::abs(p)).to_host(),
               says(op(oracle::op::div, y, oracle::operation(oracle::op::abs, {x}))));
}

template <class E>
std::vector<float> bits_unfused(const E& of) {
    const k::scoped_options off({.fuse = false});
    return k::array<float>(of).to_host();
}

/// All that a range may be known of, with and without.
template <class A, class B>
void check_same_bits(const k::array<float>& x, const k::array<float>& y, const A& p, const B& q) {
    CHECK_SAME(k::array<float>(k::sqrt(p)).to_host(), k::array<float>(k::sqrt(x)).to_host());
    CHECK_SAME(k::array<float>(1.0f / p).to_host(), k::array<float>(1.0f / x).to_host());
    CHECK_SAME(k::array<float>(k::reciprocal(p)).to_host(), k::array<float>(k::reciprocal(x)).to_host());
    CHECK_SAME(k::array<float>(k::rsqrt(p)).to_host(), k::array<float>(k::rsqrt(x)).to_host());
    CHECK_SAME(k::array<float>(p / q).to_host(), k::array<float>(x / y).to_host());
    CHECK_SAME(k::array<float>(q / (p * k::sqrt(p))).to_host(), k::array<float>(y / (x * k::sqrt(x))).to_host());
    CHECK_SAME(k::array<float>(q / (p + k::square(q))).to_host(), k::array<float>(y / (x + k::square(y))).to_host());
    CHECK_SAME(bits_unfused(q / (p * k::sqrt(p))), k::array<float>(y / (x * k::sqrt(x))).to_host());
}

}  // namespace

TEST_CASE("roots and quotients in one kernel are exact for every pair of special values") {
    const tests::pairs<float> all = tests::all_pairs(tests::special_values<float>());
    check_steps(all.left, all.right);
}

TEST_CASE("roots and quotients in one kernel are exact for numbers of all magnitudes") {
    check_steps(all_magnitudes(40000, 1), all_magnitudes(40000, 2));
    check_steps(all_magnitudes(7, 3), all_magnitudes(7, 4));
}

TEST_CASE("sums over rows of quotients of roots are the same bits fused or not, with masses of 0 and denormal ones") {
    const std::int64_t n = 1200;
    std::vector<float> masses(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < masses.size(); ++i)
        masses[i] = i % 3 == 0 ? 0.0f : i % 7 == 0 ? 1e-40f : i % 11 == 0 ? -0.0f : static_cast<float>(i) / 1200;
    const k::array<float> x = k::sin(k::cast<float>(k::arange<std::int64_t>(n)));
    const k::array<float> mass = k::from_host<float>(masses);
    for (const float softening : {0.01f, 0.0f, 1e-38f}) {
        const auto apart = x - x(k::all, k::newaxis);
        const auto square = apart * apart + softening;
        const auto force = k::sum(mass / (square * k::sqrt(square)) * apart, k::axis(1));
        CHECK_SAME(k::array<float>(force).to_host(), bits_unfused(force));
    }
}

namespace {

/// Masses among which are zeros of both signs, denormal ones, the largest and, at the end, those that are no number.
std::vector<float> masses_of(std::int64_t n) {
    std::vector<float> out(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = i % 3 == 0    ? 0.0f
                 : i % 7 == 0  ? 1e-40f
                 : i % 11 == 0 ? -0.0f
                 : i % 97 == 0 ? 3e38f
                               : static_cast<float>(i) / static_cast<float>(n);
    return out;
}

/// Three sums of one pull, as accelerations of bodies are; some bodies are at one place, one is at infinity.
void check_accelerations(std::int64_t bodies, std::int64_t points, std::initializer_list<float> softenings) {
    std::vector<float> masses = masses_of(bodies);
    const auto places = [](std::int64_t count, float step) {
        return k::array<float>(k::sin(k::cast<float>(k::arange<std::int64_t>(count) % std::int64_t{701}) * step));
    };
    k::array<float> x = places(bodies, 1.0f);
    const k::array<float> y = places(bodies, 0.7f);
    const k::array<float> mass = k::from_host<float>(masses);
    const k::array<float> at_x = places(points, 1.0f);
    const k::array<float> at_y = places(points, 0.7f);
    const auto check = [&](const k::array<float>& from, float softening) {
        CAPTURE(softening);
        const auto dx = from - at_x(k::all, k::newaxis);
        const auto dy = y - at_y(k::all, k::newaxis);
        const auto square = dx * dx + dy * dy + softening;
        const auto check_pull = [&](const auto& pull) {
            const auto sums =
                k::sum(pull * dx, k::axis(1)) + k::sum(pull * dy, k::axis(1)) + k::sum(pull * square, k::axis(1));
            CHECK_SAME(k::array<float>(sums).to_host(), bits_unfused(sums));
        };
        check_pull(mass / (square * k::sqrt(square)));
        for (const float numerator : {1.0f, -3.0f, 1e-30f, 0.0f}) {
            const auto inverse = numerator / k::sqrt(square);
            check_pull(mass * (inverse * inverse * inverse));
        }
        const auto inverse = k::reciprocal(k::sqrt(square));
        check_pull(k::where(square > 0.0f, mass * inverse, 0.0f));
    };
    for (const float softening : softenings) check(x, softening);
    const k::array<float> far = k::where(x > 0.999f, INFINITY, x);
    check(far, 0.01f);
}

}  // namespace

TEST_CASE("accelerations of bodies are the same bits fused or not: masses of 0, bodies at one place, no softening") {
    check_accelerations(261, 1060, {0.01f, 0.0f, 1e-38f, -1e-40f});
    check_accelerations(203, 37, {0.0f});
}

TEST_CASE("so are those of more bodies than a first cache holds, at as many points") {
    if (!tests::device().is_cuda) return;  // 84 million pairs each
    check_accelerations(8203, 10245, {0.01f, 0.0f});
}

TEST_CASE("quotients by a root are exact for scalars of all magnitudes") {
    const std::vector<float> a = all_magnitudes(20000, 6);
    const k::array<float> x = k::from_host<float>(a);
    for (const float scalar : {1.0f, -2.0f, 3.0f, 1e-30f, 1e30f, 1e-45f, 0.0f, -0.0f, INFINITY, NAN}) {
        CAPTURE(scalar);
        const oracle::tree numerator = oracle::elements(std::vector<float>(a.size(), scalar));
        CHECK_SAME(
            k::array<float>(scalar / k::sqrt(x)).to_host(),
            tests::typed<float>(oracle::evaluate(op(oracle::op::div, numerator, root(oracle::elements(a))), a.size())));
    }
}

TEST_CASE("what is assumed changes no bit, and costs no step") {
    std::vector<float> a;
    std::vector<float> b;
    for (const float each : all_magnitudes(20000, 5)) {
        if (!std::isfinite(each) || each == 0) continue;
        a.push_back(std::ldexp(1.0f + std::abs(std::ldexp(each, -std::ilogb(each)) - 1.0f) / 4, std::ilogb(each) % 40));
        b.push_back(a.size() % 9 == 0 ? 0.0f : std::copysign(a.back() * 0.7f, each));
    }
    const k::array<float> x = k::from_host<float>(a);
    const k::array<float> y = k::from_host<float>(b);
    check_same_bits(x, y, k::assume(x, 0x1p-50, 0x1p50), k::assume(y, -0x1p50, 0x1p50));
    check_same_bits(x, y, k::assume(x, 0x1p-50, 0x1p50), y);
    check_same_bits(x, y, k::assume(x, 0, INFINITY), y);
    check_same_bits(k::array<float>(-x), y, k::assume(k::array<float>(-x), -0x1p50, -0x1p-50), y);
    const k::array<float> away = k::abs(y) + 1.0f;
    check_same_bits(x, away, k::assume(x, 0x1p-50, 0x1p50), k::assume(away, 1, 0x1p50));
}

TEST_CASE("assume is an expression of the same type, in views, reductions, run-time expressions and fused functions") {
    const k::array<float> m = k::reshape(k::arange<float>(12) + 1.0f, {3, 4});
    static_assert(std::is_same_v<k::value_t<decltype(k::assume(m, 1, 12))>, float>);
    static_assert(std::is_same_v<k::value_t<decltype(k::assume(k::cast<std::uint8_t>(m), 1, 12))>, std::uint8_t>);
    CHECK_SAME(k::array<float>(k::sum(k::assume(m, 1, 12), k::axis(1))).to_host(), {10.0f, 26.0f, 42.0f});
    CHECK_SAME(k::array<float>(k::slice(k::assume(m * 2.0f, 1, 24), k::range(1, 2), 0)).to_host(), {10.0f});
    const k::expr<float> e = k::assume(k::expr<float>(m + 1.0f), 2, 13);
    CHECK_SAME(k::array<float>(1.0f / e + 0.0f * e).to_host(), k::array<float>(1.0f / (m + 1.0f)).to_host());
    const auto inverse = k::fuse([](auto x) { return 1.0f / k::sqrt(k::assume(x, 1, 100)); });
    CHECK_SAME(inverse(m).to_host(), k::array<float>(1.0f / k::sqrt(m)).to_host());
    const k::array<double> none = k::zeros<double>({0});
    CHECK(k::array<double>(k::assume<true>(none, 1, 2)).size() == 0);
    const k::array<std::int64_t> whole = k::arange<std::int64_t>(4);
    CHECK_SAME(k::array<std::int64_t>(k::assume<true>(whole, 0, 3) * 2).to_host(), {0, 2, 4, 6});
}

TEST_CASE(
    "what is assumed and not so is an error where it is checked, which names the line, the bounds and the values") {
    const k::array<float> x = k::from_host<float>({-1.0f, 0.5f, 3.0f, 1.0f}, {4});
    CHECK_NOTHROW(k::assume<true>(x, -1, 3));
    CHECK_NOTHROW(k::assume<false>(x, 0, 1));
    std::string said;
    try {
        k::assume<true>(x * 2.0f, 0, 2);
    } catch (const k::error& problem) {
        said = problem.what();
    }
    CAPTURE(said);
    CHECK(said.find("roots_test.cpp:") != said.npos);
    CHECK(said.find("2 of 4 values are not between 0 and 2: the least is -2, the largest 6") != said.npos);
    const k::array<float> nan = k::from_host<float>({1.0f, NAN}, {2});
    CHECK_THROWS_WITH_AS(k::assume<true>(nan, 0, 2), doctest::Contains("the least is 1, the largest 1; 1 is NaN"),
                         k::error);
    CHECK_THROWS_WITH_AS(k::assume<true>(k::full<float>({2}, NAN), 0, 2),
                         doctest::Contains("between 0 and 2: 2 are NaN"), k::error);
    CHECK_THROWS_AS(k::assume<true>(nan, -INFINITY, INFINITY), k::error);
}

TEST_CASE("bounds that no value is between are refused") {
    const k::array<float> x = k::ones<float>({3});
    CHECK_THROWS_AS(k::assume(x, 2, 1), k::error);
    CHECK_THROWS_AS(k::assume(x, NAN, 1), k::error);
    CHECK_THROWS_AS(k::assume(x, 0, NAN), k::error);
    CHECK_NOTHROW(k::assume(x, 1, 1));
}
