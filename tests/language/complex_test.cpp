// Complex functions against std::complex of long double; complex scalars of 16 bytes; what is no operation of theirs.
#include <language/elementwise.hpp>

#include <cmath>
#include <complex>

namespace k = kiln;

namespace {

/// From 1e-6 to 1e6 at all angles, and the axes.
template <class C>
std::vector<C> arguments() {
    using R = typename C::value_type;
    std::vector<C> out;
    for (int power = -6; power <= 6; ++power)
        for (int angle = 0; angle < 24; ++angle) {
            const R size = static_cast<R>(1.3 * std::pow(10.0, power));
            out.push_back(std::polar(size, static_cast<R>(0.26179938779 * angle)));
        }
    for (const R part : {R(0), R(1), R(-1), R(2.5), R(-2.5), R(10), R(-10)}) {
        out.push_back(C(part, 0));
        out.push_back(C(0, part));
    }
    return out;
}

/// The distance in units of the last place of the larger part of what is exact.
template <class R>
long double far(std::complex<R> got, std::complex<long double> exact) {
    const long double size = std::max(std::fabs(exact.real()), std::fabs(exact.imag()));
    if (size == 0) return std::abs(got) == 0 ? 0 : 1e9L;
    const std::complex<long double> off(got.real() - exact.real(), got.imag() - exact.imag());
    return std::abs(off) / (size * std::numeric_limits<R>::epsilon());
}

template <class R, class Got, class Exact>
void check_near(const char* name, const std::vector<std::complex<R>>& values, const Got& got, Exact exact,
                long double bound) {
    long double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::complex<long double> truth = exact(std::complex<long double>(values[i].real(), values[i].imag()));
        if (!(std::abs(truth) < std::numeric_limits<R>::max() && std::abs(truth) > std::numeric_limits<R>::min()))
            continue;
        const long double off = far(std::complex<R>(got[i]), truth);
        if (off > worst || off != off) worst = off, at = i;
    }
    CHECK_MESSAGE(worst <= bound, name, " of ", oracle::to_string(oracle::from(values[at])), " is off by ",
                  static_cast<double>(worst));
}

}  // namespace

TEST_CASE_TEMPLATE("complex functions are near those of std::complex<long double>", C, KILN_TEST_COMPLEX) {
    using R = typename C::value_type;
    using L = std::complex<long double>;
    const std::vector<C> values = arguments<C>();
    const k::array<C> x = k::from_host<C>(values);
    check_near(
        "sqrt", values, k::array<C>(k::sqrt(x)).to_host(), [](L z) { return std::sqrt(z); }, 4);
    check_near(
        "exp", values, k::array<C>(k::exp(x)).to_host(), [](L z) { return std::exp(z); }, 6);
    check_near(
        "log", values, k::array<C>(k::log(x)).to_host(), [](L z) { return std::log(z); }, 6);
    check_near(
        "abs", values, k::array<R>(k::abs(x)).to_host(), [](L z) { return L(std::abs(z)); }, 2);
    check_near(
        "arg", values, k::array<R>(k::arg(x)).to_host(), [](L z) { return L(std::arg(z)); }, 4);
    check_near(
        "polar", values, k::array<C>(k::polar(k::abs(x), k::arg(x))).to_host(), [](L z) { return z; }, 8);
    // The exponent's own error grows with it.
    check_near(
        "pow", values, k::array<C>(k::pow(x, C(R(1.5), R(-0.5)))).to_host(),
        [](L z) { return std::pow(z, L(1.5L, -0.5L)); }, 80);
}

TEST_CASE_TEMPLATE("complex functions know what has no finite answer", C, KILN_TEST_COMPLEX) {
    using R = typename C::value_type;
    const R inf = std::numeric_limits<R>::infinity();
    const R nan = std::numeric_limits<R>::quiet_NaN();
    const R most = std::numeric_limits<R>::max();
    const auto one = [](auto e) { return k::array<k::value_t<decltype(e)>>(e).item(); };
    const auto at = [](R re, R im) { return k::full<C>({1}, C(re, im)); };
    CHECK(tests::same_bits(one(k::sqrt(at(-0.0, -0.0))), C(0, R(-0.0))));
    CHECK(tests::same_bits(one(k::sqrt(at(nan, inf))), C(inf, inf)));
    CHECK(tests::same_bits(one(k::sqrt(at(-inf, R(-1)))), C(0, -inf)));
    CHECK(tests::same_bits(one(k::sqrt(at(inf, R(-1)))), C(inf, R(-0.0))));
    CHECK(std::isfinite(one(k::sqrt(at(most, most))).real()));
    // Parts so far apart that one of them would vanish if both were scaled.
    for (const R sign : {R(1), R(-1)}) {
        const C far = one(k::sqrt(at(sign * R(1e30), R(1e-19))));
        CHECK(std::abs((sign > 0 ? far.imag() : far.real()) / R(5e-35) - 1) < R(1e-6));
    }
    CHECK(one(k::sqrt(at(std::numeric_limits<R>::denorm_min(), 0))).real() ==
          std::sqrt(std::numeric_limits<R>::denorm_min()));
    CHECK(tests::same_bits(one(k::exp(at(-inf, nan))), C(0, 0)));
    CHECK(tests::same_bits(one(k::exp(at(inf, inf))), C(inf, nan)));
    CHECK(tests::same_bits(one(k::exp(at(inf, 0))), C(inf, 0)));
    CHECK(tests::same_bits(one(k::pow(at(nan, nan), at(0, 0))), C(1, 0)));
    CHECK(tests::same_bits(one(k::pow(at(0, 0), at(2, 1))), C(0, 0)));
    CHECK(std::isfinite(one(k::log(at(most, most))).real()));
    CHECK(one(k::log(at(0, 0))).real() == -inf);
    CHECK(one(k::abs(at(nan, -inf))) == inf);
}

TEST_CASE("complex scalars travel by value, 16 bytes too, and may change from call to call") {
    using C = std::complex<double>;
    const k::array<C> x = k::from_host<C>({C(1, 2), C(-3, 4), C(0, -1)}, {3});
    for (const C s : {C(1, 0), C(0, 1), C(2.5, -3)}) {
        const std::vector<C> got = k::array<C>(x * s + C(0, 7)).to_host();
        const k::expr<C> erased = k::expr<C>(x) * s + C(0, 7);
        const std::vector<C> by_expr = k::array<C>(erased).to_host();
        for (std::size_t i = 0; i < 3; ++i) {
            const C expected = C(x.to_host()[i]) * s + C(0, 7);
            CHECK(got[i] == expected);
            CHECK(by_expr[i] == expected);
        }
    }
    CHECK(k::array<C>(k::full<C>({4}, C(3, -4))).to_host() == std::vector<C>(4, C(3, -4)));
}

TEST_CASE_TEMPLATE("complex numbers in the user's memory may lie where C++ puts them", C, KILN_TEST_COMPLEX) {
    using R = typename C::value_type;
    std::vector<R> memory(2 * 301 + 3);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<R>(i);
    for (const std::size_t shift : {0, 1, 2}) {
        auto* const first = reinterpret_cast<C*>(memory.data() + shift);
        const k::array<C> doubled = k::wrap(first, {301}) + k::wrap(first, {301});
        const k::array<C> slice = k::array<C>(k::wrap(first, {301}))(k::range(0, 301, 3));
        std::vector<C> expected;
        for (int i = 0; i < 301; ++i) expected.push_back(first[i] + first[i]);
        CHECK_SAME(doubled.to_host(), expected);
        CHECK(slice.to_host()[7] == first[21]);
    }
}

TEST_CASE("real and complex meet, and slices of 16-byte elements are moved") {
    using C = std::complex<double>;
    k::array<C> x = k::from_host<C>({C(1, 1), C(2, 2), C(3, 3), C(4, 4), C(5, 5)}, {5});
    x(k::range(0, 5, 2)) = x(k::range(0, 3)) * 2.0;
    CHECK(x.to_host() == std::vector<C>{C(2, 2), C(2, 2), C(4, 4), C(4, 4), C(6, 6)});
    const k::array<double> r = k::from_host<double>({1, 2, 3, 4, 5}, {5});
    CHECK(k::array<C>(r + k::cast<std::complex<float>>(x)).to_host() ==
          std::vector<C>{C(3, 2), C(4, 2), C(7, 4), C(8, 4), C(11, 6)});
    static_assert(std::is_same_v<k::value_t<decltype(k::abs(x))>, double>);
    static_assert(std::is_same_v<k::value_t<decltype(x == x)>, bool>);
    static_assert(std::is_same_v<k::value_t<decltype(k::polar(r, r))>, C>);
}

TEST_CASE_TEMPLATE("a real factor and a real divisor act on both parts", C, KILN_TEST_COMPLEX) {
    using R = typename C::value_type;
    const R inf = std::numeric_limits<R>::infinity();
    const std::vector<C> values = {C(inf, 0), C(0, -inf), C(3, R(-0.0)), C(R(-0.0), 1), C(R(1e-3), R(7)), C(-5, 2)};
    const k::array<C> z = k::from_host<C>(values);
    const k::array<R> r = k::full<R>({6}, R(3));
    const k::array<int> n = k::full<int>({6}, -7);
    const auto check = [&](const k::array<C>& got, auto part) {
        std::vector<C> expected;
        for (const C& each : values) expected.push_back(C(part(each.real()), part(each.imag())));
        CHECK_SAME(got.to_host(), expected);
    };
    check(z * r, [](R a) { return a * 3; });
    check(r * z, [](R a) { return a * 3; });
    check(z / r, [](R a) { return a / 3; });
    check(n * z, [](R a) { return a * -7; });
    check(0.1 * z, [](R a) { return a * static_cast<R>(0.1); });
    check(z / 2, [](R a) { return a / 2; });
#if __cpp_nontype_template_args >= 201911L  // floating-point constants: not with clang++ before 18
    check(z * k::constant<0.5f>, [](R a) { return a * R(0.5); });
#endif
    // A complex number is one, whatever its parts; and only a divisor scales.
    CHECK(std::isnan(k::array<C>(z * C(2)).to_host()[0].imag()));
    CHECK(std::abs(k::array<C>(2 / z).to_host()[5] - C(R(-10.0 / 29), R(-4.0 / 29))) < R(1e-6));
    // The sum's type is complex, whose parts the number's kind does not change.
    CHECK(k::array<C>(z + 1).to_host()[5] == C(-4, 2));
    CHECK(k::array<C>(k::pow(z, 2)).to_host()[5].real() == doctest::Approx(21));
    CHECK(k::array<C>(k::where(r > 0, z, 4)).to_host()[5] == C(-5, 2));
    CHECK(k::array<bool>(z == 1).to_host()[5] == false);
}

TEST_CASE_TEMPLATE("complex quotients by what is no number, and near the ends of the range", C, KILN_TEST_COMPLEX) {
    using R = typename C::value_type;
    const R inf = std::numeric_limits<R>::infinity();
    const R nan = std::numeric_limits<R>::quiet_NaN();
    const R most = std::numeric_limits<R>::max();
    const R least = std::numeric_limits<R>::min();
    const auto quotient = [](C a, C b) { return k::array<C>(k::full<C>({1}, a) / k::full<C>({1}, b)).item(); };
    CHECK(tests::same_bits(quotient(C(1, 0), C(0, 0)), C(inf, nan)));
    CHECK(tests::same_bits(quotient(C(-2, 3), C(0, 0)), C(-inf, inf)));
    CHECK(tests::same_bits(quotient(C(1, -1), C(inf, 0)), C(0, R(-0.0))));
    CHECK(quotient(C(most, most), C(most, most)) == C(1, 0));
    CHECK(quotient(C(least, least), C(least, least)) == C(1, 0));
    CHECK(quotient(C(4, 2), C(0, 2)) == C(1, -2));
    const auto product = [](C a, C b) { return k::array<C>(k::full<C>({1}, a) * k::full<C>({1}, b)).item(); };
    CHECK(tests::same_bits(product(C(inf, nan), C(1, 1)), C(nan, nan)));
    CHECK(tests::same_bits(product(C(inf, 0), C(2, 1)), C(inf, inf)));
}

// Where a step of Newton's that comes from below ends half way between two numbers: emit/helpers/bits_cuda.inc.
TEST_CASE("a complex quotient is right to the bit where the divisor's norm is of ones alone") {
    using C = std::complex<double>;
    const C divisor(0x1.bb67ae8584caap-1, 0.5);
    const double inverse = 1.0 / (1.0 - 0x1p-53);
    const C got = k::array<C>(k::full<C>({1}, C(1, 0)) / k::full<C>({1}, divisor)).item();
    CHECK(got == C(divisor.real() * inverse, -divisor.imag() * inverse));
    CHECK(got != C(divisor.real(), -divisor.imag()));
}
