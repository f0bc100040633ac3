// Variances that are read once, against two passes in long double: far from 0, with what is far from the rest as the first
// element, constants, and what is not finite.
#include <language/unfused.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

constexpr float statistics_inf = std::numeric_limits<float>::infinity();
constexpr float statistics_nan = std::numeric_limits<float>::quiet_NaN();

/// Of n elements, each reached by its number: the sum of squares about the mean.
template <class At>
long double squares_of_distances(std::int64_t n, At at) {
    long double mean = 0;
    for (std::int64_t i = 0; i < n; ++i) mean += at(i);
    mean /= static_cast<long double>(n);
    long double squares = 0, left = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const long double off = at(i) - mean;
        squares += off * off;
        left += off;  // 0, but for the mean's own rounding
    }
    return squares - left * left / static_cast<long double>(n);
}

/// A rounding, and next to nothing beside it.
bool is_rounded(float got, long double exact) {
    if (std::isnan(exact)) return std::isnan(got);
    return std::fabs(got - exact) <= exact * 0x1.02p-24L + 0x1p-150L;
}

/// What two passes in float may lose: a unit in the last place for each addition, and the mean's own rounding.
class two_passes {
public:
    two_passes(std::int64_t n, long double size, long double exact) {
        const auto count = static_cast<long double>(n);
        const long double off = (count + 2) * 0x1p-24L * size / count;
        bound_ = (count + 12) * 0x1p-24L * (exact + off * off) + off * off + 0x1p-140L;
    }
    [[nodiscard]] bool near(long double got, long double exact) const { return std::fabs(got - exact) <= bound_; }

private:
    long double bound_;
};

/// How elements lie: value v's element i is at v * of_value + i * of_element.
struct statistics_layout {
    k::shape of;
    std::vector<int> axes;  // that go
};

std::vector<statistics_layout> statistics_layouts() {
    return {{{1}, {0}},
            {{5}, {0}},
            {{16}, {0}},
            {{33}, {0}},
            {{2048}, {0}},
            {{100003}, {0}},
            {{7, 1}, {1}},
            {{70, 3}, {1}},
            {{150, 64}, {1}},
            {{40, 1000}, {1}},
            {{3, 70000}, {1}},
            {{133, 8300}, {1}},
            {{9, 5}, {0}},
            {{300, 40}, {0}},
            {{1000, 1030}, {0}},
            {{3000, 3}, {0}},
            {{4, 6, 5}, {1}},
            {{3, 500, 70}, {1}},
            {{5, 3, 8, 9}, {0, 2, 3}},
            {{40, 5, 33}, {0, 2}},
            {{6, 7, 8}, {1, 2}},
            {{9000, 11}, {0}},
            {{3, 8200, 3}, {1}},
            {{40, 5, 330}, {0, 2}}};
}

/// Of n elements each: whether they are rows or columns that stay on chip.
bool in_two_passes(const statistics_layout& each, std::int64_t n) {
    int axis = each.of.rank() - 1;
    while (axis > 0 && each.of[axis] == 1) --axis;
    const bool along_rows = std::find(each.axes.begin(), each.axes.end(), axis) != each.axes.end();
    return n <= (along_rows && each.of.size() / n >= 132 ? 32768 : 8192);
}

k::axis_list statistics_axes(const statistics_layout& each) { return k::axes(each.axes); }

/// The numbers of each value's elements.
std::vector<std::vector<std::int64_t>> elements_of_values(const statistics_layout& each) {
    std::int64_t values = 1;
    const auto goes = [&](int axis) {
        for (const int one : each.axes)
            if (one == axis) return true;
        return false;
    };
    for (int axis = 0; axis < each.of.rank(); ++axis)
        if (!goes(axis)) values *= each.of[axis];
    std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(values));
    for (std::int64_t i = 0; i < each.of.size(); ++i) {
        std::int64_t rest = i, value = 0, weight = 1;
        for (int axis = each.of.rank(); axis-- > 0;) {
            if (!goes(axis)) {
                value += rest % each.of[axis] * weight;
                weight *= each.of[axis];
            }
            rest /= each.of[axis];
        }
        out[static_cast<std::size_t>(value)].push_back(i);
    }
    return out;
}

using floats = std::vector<float>;

/// Data that one pass could lose: each a name and a function of the element's number.
std::vector<std::pair<std::string, std::function<float(std::int64_t)>>> hard_data() {
    const auto noise = [](std::int64_t i) {
        const auto hash = static_cast<std::uint32_t>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u) >> 40);
        return static_cast<float>(hash % 100003) / 50000.0f - 1;
    };
    return {
        {"noise", noise},
        {"a million, and one unit in the last place", [](std::int64_t i) { return 1e6f + 0.0625f * (i * 7 % 3 == 1); }},
        {"2^24 and its neighbours", [](std::int64_t i) { return 16777216.0f - static_cast<float>(i * 5 % 3); }},
        {"the first is far from the rest", [noise](std::int64_t i) { return i == 0 ? 1e7f : noise(i); }},
        {"one in ninety-seven is", [noise](std::int64_t i) { return i % 97 == 5 ? -3e5f : 100 + noise(i); }},
        {"small beside 1", [noise](std::int64_t i) { return 1 + 0x1p-20f * noise(i); }},
        {"as small as floats are", [](std::int64_t i) { return 0x1p-149f * static_cast<float>(i % 5); }},
        {"as large", [](std::int64_t i) { return i % 3 == 0 ? 1e16f : -1e16f; }},
        {"zeros of both signs", [](std::int64_t i) { return i % 2 ? -0.0f : 0.0f; }},
        {"a constant", [](std::int64_t) { return 0.1f; }}};
}

}  // namespace

TEST_CASE(
    "statistics: a variance that is read once is one rounding of the exact one, one of short rows as exact as two "
    "passes") {
    for (const statistics_layout& layout : statistics_layouts()) {
        const auto parts = elements_of_values(layout);
        for (const auto& each : hard_data()) {
            const auto& name = each.first;
            const auto& at = each.second;
            CAPTURE(name);
            CAPTURE(k::to_string(layout.of));
            constexpr std::int64_t large = 100'000;  // which takes the oracle its time
            if (layout.of.size() > large && name != "noise" && name != "the first is far from the rest") continue;
            floats data;
            for (std::int64_t i = 0; i < layout.of.size(); ++i) data.push_back(at(i));
            const k::array<float> x = k::from_host<float>(data, layout.of);
            const k::axis_list over = statistics_axes(layout);
            const floats variance = k::array<float>(k::var(x, over)).to_host();
            const floats deviation = k::array<float>(k::stddev(x, over)).to_host();
            const floats sample = k::array<float>(k::var(x, over, k::ddof(1))).to_host();
            REQUIRE(variance.size() == parts.size());
            for (std::size_t v = 0; v < parts.size(); ++v) {
                const auto n = static_cast<std::int64_t>(parts[v].size());
                const auto squares = squares_of_distances(n, [&](std::int64_t i) -> long double {
                    return data[static_cast<std::size_t>(parts[v][static_cast<std::size_t>(i)])];
                });
                const long double exact = squares / static_cast<long double>(n);
                const long double of_sample = n > 1 ? squares / static_cast<long double>(n - 1) : statistics_nan;
                if (in_two_passes(layout, n)) {
                    long double size = 0;
                    for (const std::int64_t i : parts[v]) size += std::fabs(data[static_cast<std::size_t>(i)]);
                    const two_passes within(n, size, exact);
                    CHECK(within.near(variance[v], exact));
                    CHECK(within.near(static_cast<long double>(deviation[v]) * deviation[v], exact));
                    if (n > 1) CHECK(within.near(sample[v] * static_cast<long double>(n - 1) / n, exact));
                    continue;
                }
                if (!is_rounded(variance[v], exact)) CHECK(static_cast<long double>(variance[v]) == exact);
                if (!is_rounded(deviation[v], std::sqrt(exact)))
                    CHECK(static_cast<long double>(deviation[v]) == std::sqrt(exact));
                if (!is_rounded(sample[v], of_sample)) CHECK(static_cast<long double>(sample[v]) == of_sample);
                if (name == "a constant" || name == "zeros of both signs") {
                    CHECK(variance[v] == 0);
                    CHECK(!std::signbit(variance[v]));
                }
            }
        }
    }
}

TEST_CASE("statistics: more than 2^24 elements, the first of them far away") {
    const std::int64_t n = (std::int64_t{1} << 24) + 4097;
    floats data(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
        data[static_cast<std::size_t>(i)] = 1e6f + 0.0625f * static_cast<float>(i * 11 % 5);
    const auto exact = [&] {
        return squares_of_distances(n,
                                    [&](std::int64_t i) -> long double { return data[static_cast<std::size_t>(i)]; }) /
               static_cast<long double>(n);
    };
    CHECK(is_rounded(k::array<float>(k::var(k::from_host<float>(data, {n}))).item(), exact()));
    data[0] = -1e9f;
    CHECK(is_rounded(k::array<float>(k::var(k::from_host<float>(data, {n}))).item(), exact()));
}

TEST_CASE("statistics: an infinity or a NaN anywhere makes a variance NaN") {
    for (const float special : {statistics_inf, -statistics_inf, statistics_nan})
        for (const std::int64_t n : {1, 2, 17, 300, 5000, 70000})
            for (const std::int64_t where : {std::int64_t{0}, n / 2, n - 1}) {
                floats data(static_cast<std::size_t>(n), 1.5f);
                data[static_cast<std::size_t>(where)] = special;
                const k::array<float> x = k::from_host<float>(data, {n});
                CHECK(std::isnan(k::array<float>(k::var(x)).item()));
                CHECK(std::isnan(k::array<float>(k::stddev(x)).item()));
                CHECK(std::isnan(k::array<float>(k::var(x, k::ddof(1))).item()));
                const k::array<float> column = k::reshape(x, {n, 1});
                CHECK(std::isnan(k::array<float>(k::var(column, k::axis(0))).item()));
                CHECK(std::isnan(k::array<float>(k::var(k::broadcast_to(column, {n, 3}), k::axis(0))).to_host()[2]));
            }
}

TEST_CASE("statistics: of nothing NaN, of one element 0 or NaN") {
    const k::array<float> none = k::zeros<float>({3, 0});
    CHECK(std::isnan(k::array<float>(k::var(none)).item()));
    CHECK(std::isnan(k::array<float>(k::stddev(none, k::axis(1))).to_host()[2]));
    CHECK(std::isnan(k::array<float>(k::var(none, k::axis(1), k::ddof(1))).to_host()[0]));
    CHECK(k::array<float>(k::var(none, k::axis(0))).shape() == k::shape{0});
    const k::array<float> one = k::from_host<float>({3e38f}, {1});
    CHECK(k::array<float>(k::var(one)).item() == 0);
    CHECK(std::isnan(k::array<float>(k::var(one, k::ddof(1))).item()));
}

TEST_CASE("statistics: a variance past the largest float is infinite, its root is not") {
    const k::array<float> x = k::from_host<float>({3e38f, -3e38f}, {2, 1});
    const auto many = k::broadcast_to(x, {2, 5000});
    CHECK(k::array<float>(k::var(many)).item() == statistics_inf);
    CHECK(k::array<float>(k::stddev(many)).item() == 3e38f);
    CHECK(k::array<float>(k::stddev(many, k::ddof(0))).item() == 3e38f);
}

namespace {

template <class T>
void check_small_integers() {
    std::mt19937 random(5);
    std::vector<T> data;
    for (int i = 0; i < 70001; ++i) data.push_back(static_cast<T>(random()));
    data[0] = std::numeric_limits<T>::max();
    const auto n = static_cast<std::int64_t>(data.size());
    const long double exact =
        squares_of_distances(n, [&](std::int64_t i) -> long double { return data[static_cast<std::size_t>(i)]; });
    const k::array<T> x = k::from_host<T>(std::span<const T>(data), {n});
    const auto near = [](double got, long double wanted) { return std::fabs(got - wanted) <= wanted * 0x1p-51L; };
    CHECK(near(k::array<double>(k::var(x)).item(), exact / n));
    CHECK(near(k::array<double>(k::var(x, k::ddof(1))).item(), exact / (n - 1)));
    CHECK(near(k::array<double>(k::stddev(x)).item(), std::sqrt(exact / n)));
    static_assert(std::is_same_v<k::value_t<decltype(k::var(x))>, double>);
}

}  // namespace

TEST_CASE("statistics: of integers in double, to its last digits") {
    check_small_integers<std::int8_t>();
    check_small_integers<std::uint8_t>();
    check_small_integers<std::int16_t>();
    check_small_integers<std::uint16_t>();
    const k::array<bool> b = k::arange<int>(1000) % 4 == 0;
    CHECK(k::array<double>(k::var(b)).item() == 0.1875);
    CHECK(k::array<double>(k::var(k::arange<int>(5))).item() == 2);
    CHECK(k::array<double>(k::var(k::arange<std::int64_t>(5))).item() == 2);
    CHECK(k::array<double>(k::var(k::arange<double>(5), k::ddof(1))).item() == 2.5);
}

TEST_CASE("statistics: step by step, 16-bit floats of one type after the other are rounded to their own") {
    const k::scoped_options apart({.fuse = false});
    const auto both = []<class T>(T) {
        std::vector<T> rows;
        for (int i = 0; i < 24; ++i) rows.push_back(T(static_cast<float>(i % 5) - 2));
        const k::array<T> x = k::from_host<T>(rows, {3, 8});
        return k::array<float>(k::cast<float>(k::mean(x, k::axis(1)) + k::var(x, k::axis(1)))).to_host();
    };
    // -0.375 + 1.734375, 0.125 + 2.359375, 0 + 1.5: exact in both.
    const floats expected = {1.359375f, 2.484375f, 1.5f};
    CHECK_SAME(both(k::bfloat16()), expected);
    CHECK_SAME(both(k::float16()), expected);
    CHECK_SAME(both(k::bfloat16()), expected);
}

TEST_CASE("statistics: 16-bit floats are rounded once from double") {
    const k::array<float> one = k::from_host<float>({0, 1, 5, 2, 7, 1, 3}, {7, 1});
    const k::array<float> x = k::broadcast_to(one, {7, 3000});
    const double exact = 262.0 / 49;
    CHECK(k::array<k::float16>(k::var(k::cast<k::float16>(x))).item() == k::float16(static_cast<float>(exact)));
    CHECK(k::array<k::bfloat16>(k::var(k::cast<k::bfloat16>(x))).item() == k::bfloat16(static_cast<float>(exact)));
    CHECK(k::array<k::float16>(k::stddev(k::cast<k::float16>(x))).item() ==
          k::float16(static_cast<float>(std::sqrt(exact))));
    const auto m = k::cast<k::bfloat16>(k::reshape(k::arange<float>(600), {20, 30}));
    CHECK(k::array<k::bfloat16>(k::var(m, k::axis(0))).shape() == k::shape{30});
}

TEST_CASE("statistics: complex numbers by their parts, far from 0") {
    std::vector<std::complex<float>> data;
    for (int i = 0; i < 9001; ++i) data.push_back({1e6f + 0.0625f * (i % 3), -1e5f + static_cast<float>(i % 7) / 128});
    long double exact = 0;
    exact += squares_of_distances(
        9001, [&](std::int64_t i) -> long double { return data[static_cast<std::size_t>(i)].real(); });
    exact += squares_of_distances(
        9001, [&](std::int64_t i) -> long double { return data[static_cast<std::size_t>(i)].imag(); });
    const k::array<std::complex<float>> z = k::from_host<std::complex<float>>(data, {9001});
    CHECK(is_rounded(k::array<float>(k::var(z)).item(), exact / 9001));
    CHECK(is_rounded(k::array<float>(k::stddev(z, k::ddof(1))).item(), std::sqrt(exact / 9000)));
    CHECK(is_rounded(k::array<float>(k::var(k::reshape(z, {9001, 1}), k::axis(0))).item(), exact / 9001));
    static_assert(std::is_same_v<k::value_t<decltype(k::stddev(z))>, float>);
}

namespace {

k::array<float> far_from_zero(const k::shape& of) {
    return k::reshape(1e4f + k::cast<float>(k::arange<int>(of.size()) * 7 % 1013) / 64.0f, of);
}

}  // namespace

TEST_CASE("statistics: what feeds a variance, and what is made of it, change no bit of it") {
    // The same bits with a kernel for each reduction and each operation.
    tests::sample chosen(2);  // of five: what one layout leaves out, the next has
    const auto same = [&](const std::function<k::expr<float>()>& make) {
        if (chosen.takes_next()) tests::same_unfused(make);
    };
    for (const statistics_layout& layout : statistics_layouts()) {
        CAPTURE(k::to_string(layout.of));
        const k::array<float> x = far_from_zero(layout.of);
        const k::axis_list over = statistics_axes(layout);
        const auto e = k::sqrt(x) * x + 1.0f;
        const k::array<float> made = e;
        CHECK_SAME(k::array<float>(k::var(e, over)).to_host(), k::array<float>(k::var(made, over)).to_host());
        same([&] { return k::expr<float>(k::var(e, over)); });
        same([&] {
            return k::expr<float>((x - k::mean(x, over, k::keep_dims)) /
                                  k::sqrt(k::var(x, over, k::keep_dims) + 1e-5f));
        });
        same([&] { return k::expr<float>(k::stddev(x * x, over, k::keep_dims) * 2.0f + x); });
        same([&] { return k::expr<float>(k::var(x / k::sum(x, over, k::keep_dims), over)); });
        same([&] { return k::expr<float>(k::var(x, over, k::ddof(1)) + k::mean(x, over)); });
    }
}

TEST_CASE("statistics: misaligned arrays, strides and gaps have the bits of arrays without") {
    const k::array<float> x = far_from_zero({40001});
    for (const std::int64_t first : {1, 2, 3, 5}) {
        const auto part = x(k::range(first, 30000 + first * 3));
        const k::array<float> copy = part + 0.0f;
        CHECK_SAME(k::array<float>(k::var(part)).to_host(), k::array<float>(k::var(copy)).to_host());
    }
    const auto back = x(k::range(40000, 7, -3));
    CHECK_SAME(k::array<float>(k::var(back)).to_host(),
               k::array<float>(k::var(k::array<float>(back + 0.0f))).to_host());
    const k::array<float> m = far_from_zero({300, 120});
    const auto transposed = k::transpose(m);
    const k::array<float> copy = transposed + 0.0f;
    for (const int axis : {0, 1})
        CHECK_SAME(k::array<float>(k::var(transposed, k::axis(axis))).to_host(),
                   k::array<float>(k::var(copy, k::axis(axis))).to_host());
}

TEST_CASE("statistics: mean, var and stddev of an array read it once") {
    const auto check = [](const k::shape& of, const k::axis_list& over) {
        const k::array<float> x = far_from_zero(of);
        const auto reads = [&](const k::explanation& plan) {
            double out = 0;
            for (const k::kernel_explanation& each : plan.kernels) out += static_cast<double>(each.bytes_read);
            return out / (static_cast<double>(of.size()) * sizeof(float));
        };
        CHECK(reads(k::explain(k::var(x, over))) < 1.1);
        CHECK(k::explain(k::stddev(x, over)).kernels.size() == 1);
        CHECK(reads(k::explain(k::stddev(x, over))) < 1.1);
        CHECK(reads(k::explain(k::var(x, over, k::ddof(1)))) < 1.1);
        CHECK(reads(k::explain(k::mean(x, over) + k::var(x, over))) < 1.1);
        CHECK(reads(k::explain(k::mean(x, over), k::var(x, over), k::stddev(x, over))) < 1.1);
    };
    check({1000000}, {});
    check({200, 5000}, {});
    check({9000, 100}, k::axis(0));
    check({2, 10000, 30}, k::axis(1));
    check({20, 50000}, k::axis(1));
    check({5, 3, 80, 90}, k::axes(0, 2, 3));
    if (tests::device().persistent_rows) check({200, 5000}, k::axis(1));
}

TEST_CASE("statistics: rows that are kept on chip are normalised by one kernel") {
    if (!tests::device().persistent_rows) return;
    const auto scale = far_from_zero({1000});
    const auto norm = [&](const auto& x, const k::axis_list& over) {
        return (x - k::mean(x, over, k::keep_dims)) / k::sqrt(k::var(x, over, k::keep_dims) + 1e-5f);
    };
    const k::array<float> x = far_from_zero({300, 1000});
    CHECK(k::explain(norm(x, k::axis(1)) * scale).kernels.size() == 1);
    CHECK(k::explain(norm(x * scale + 1.0f, k::axis(1))).kernels.size() == 1);
    CHECK(k::explain(norm(norm(x, k::axis(1)), k::axis(1))).kernels.size() == 1);
    const k::array<float> few = far_from_zero({2000});
    CHECK(k::explain(norm(few, k::axis_list())).kernels.size() == 1);
}

TEST_CASE("statistics: fused functions and graphs") {
    const auto norm = k::fuse([](k::expr<float> x) {
        return (x - k::mean(x, k::axis(1), k::keep_dims)) / (k::stddev(x, k::axis(1), k::keep_dims) + 1e-3f);
    });
    for (const std::int64_t rows : {3, 300}) {
        const k::array<float> x = far_from_zero({rows, 500});
        const k::array<float> plain =
            (x - k::mean(x, k::axis(1), k::keep_dims)) / (k::stddev(x, k::axis(1), k::keep_dims) + 1e-3f);
        CHECK_SAME(k::array<float>(norm(x)).to_host(), plain.to_host());
    }
}
