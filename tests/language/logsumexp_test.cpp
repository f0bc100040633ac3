// Logarithms of sums of exponentials, of rows on chip and of those that are read once, against long double: spreads of every
// kind, one element far above the rest, what is masked by -inf, and what is not finite.
#include <language/unfused.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

constexpr double logsumexp_inf = std::numeric_limits<double>::infinity();
constexpr double logsumexp_nan = std::numeric_limits<double>::quiet_NaN();

/// Of n elements each, which are `apart` from each other.
struct logsumexp_layout {
    k::shape of;
    std::vector<int> axes;  // that go
    std::int64_t n, apart;
};

/// Read once: columns of more than 2048 elements, and rows longer than those on chip; of 132 rows and more, (133, 8300) are.
std::vector<logsumexp_layout> logsumexp_layouts() {
    return {{{1}, {0}, 1, 1},
            {{5}, {0}, 5, 1},
            {{8192}, {0}, 8192, 1},
            {{8193}, {0}, 8193, 1},
            {{100003}, {0}, 100003, 1},
            {{3, 70000}, {1}, 70000, 1},
            {{7, 9001}, {1}, 9001, 1},
            {{133, 8300}, {1}, 8300, 1},
            {{300, 40}, {0}, 300, 40},
            {{9000, 11}, {0}, 9000, 11},
            {{8200, 130}, {0}, 8200, 130},
            {{20000, 4}, {0}, 20000, 4},
            {{30001, 1}, {0}, 30001, 1},
            {{3, 500, 70}, {1}, 500, 70},
            {{6, 1, 5}, {1}, 1, 5},
            {{40, 3, 7}, {1}, 3, 7}};
}

using logsumexp_data = std::function<double(std::int64_t)>;

double logsumexp_noise(std::int64_t i) {
    const auto hash = static_cast<std::uint32_t>((static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u) >> 40);
    return static_cast<double>(hash % 100003) / 50000.0 - 1;
}

/// By the element's number among its value's.
std::vector<std::pair<std::string, logsumexp_data>> spreads() {
    const auto noise = logsumexp_noise;
    return {{"noise", noise},
            {"probabilities that add up to 1", [noise](std::int64_t i) { return 0.01 * noise(i) - 9; }},
            {"wide", [noise](std::int64_t i) { return 80 * noise(i); }},
            {"rising, slowly", [](std::int64_t i) { return 0.001 * static_cast<double>(i); }},
            {"rising past every anchor", [](std::int64_t i) { return 2.5 * static_cast<double>(i); }},
            {"falling", [](std::int64_t i) { return -0.01 * static_cast<double>(i); }},
            {"the first is far above", [noise](std::int64_t i) { return i == 0 ? 300 : noise(i); }},
            {"around a million", [](std::int64_t i) { return 1e6 + 0.0625 * static_cast<double>(i * 7 % 30); }},
            {"below minus a million", [noise](std::int64_t i) { return -3e6 + 8 * noise(i); }},
            {"past 2^24", [](std::int64_t i) { return 33554432.0 - 4 * static_cast<double>(i * 5 % 3); }},
            {"of all sizes", [](std::int64_t i) { return i % 3 == 0   ? 1e30
                                                         : i % 3 == 1 ? -1e30
                                                                      : 7.0; }},
            {"the least and the largest", [](std::int64_t i) { return i % 2 == 0 ? -3e38 : 3e38; }},
            {"half of it masked", [noise](std::int64_t i) { return i % 2 == 0 ? -logsumexp_inf : noise(i); }},
            {"masked but for the last of eleven", [](std::int64_t i) { return i % 11 < 10 ? -logsumexp_inf : 0.7; }},
            {"all of it masked", [](std::int64_t) { return -logsumexp_inf; }},
            {"an infinity", [noise](std::int64_t i) { return i % 4099 == 4 ? logsumexp_inf : noise(i); }},
            {"infinities of both signs", [](std::int64_t i) { return i % 2 == 0 ? logsumexp_inf : -logsumexp_inf; }},
            {"a constant", [](std::int64_t) { return 0.1; }}};
}

struct exact_logarithm {
    long double value;
    long double largest;
    long double magnitude;  // of what is taken from elements, weighed by what they are of the sum
};

template <class T>
exact_logarithm exactly(std::int64_t n, const std::function<T(std::int64_t)>& at) {
    long double most = -HUGE_VALL;
    for (std::int64_t i = 0; i < n; ++i) {
        if (std::isnan(static_cast<double>(at(i)))) return {logsumexp_nan, logsumexp_nan, 0};
        most = std::max(most, static_cast<long double>(at(i)));
    }
    if (std::isinf(most)) return {most, most, 0};
    long double sum = 0, weighed = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const long double apart = static_cast<long double>(at(i)) - most;
        sum += std::exp(apart);
        if (apart > -11000) weighed += std::exp(apart) * std::fabs(apart);
    }
    return {most + std::log(sum), most, weighed / sum};
}

/// What two passes may lose: a plain sum's roundings, a few of exp and log, those of x - max, and the result's.
template <class T>
bool is_near(T got, const exact_logarithm& exact, std::int64_t n) {
    const auto value = static_cast<long double>(got);
    if (std::isnan(exact.value)) return std::isnan(value);
    if (std::isinf(exact.value)) return value == exact.value;
    constexpr long double u = std::numeric_limits<T>::epsilon() / 2;
    const auto logarithm = exact.value - exact.largest;
    return std::fabs(value - exact.value) <=
           u * (static_cast<long double>(n) + 16 + 2 * exact.magnitude + 3 * logarithm + 2 * std::fabs(exact.value));
}

template <class T>
void check_logsumexp(const logsumexp_layout& layout, const std::string& name, const logsumexp_data& data) {
    CAPTURE(name);
    CAPTURE(k::to_string(layout.of));
    const std::int64_t values = layout.of.size() / layout.n;
    std::vector<T> all(static_cast<std::size_t>(layout.of.size()));
    const auto place = [&](std::int64_t v, std::int64_t i) {
        return static_cast<std::size_t>(v / layout.apart * layout.n * layout.apart + v % layout.apart +
                                        i * layout.apart);
    };
    for (std::int64_t v = 0; v < values; ++v)
        for (std::int64_t i = 0; i < layout.n; ++i) all[place(v, i)] = static_cast<T>(data(i + v));
    const k::array<T> x = k::from_host<T>(std::span<const T>(all), layout.of);
    const std::vector<T> got = k::array<T>(k::logsumexp(x, k::axes(layout.axes))).to_host();
    REQUIRE(got.size() == static_cast<std::size_t>(values));
    for (std::int64_t v = 0; v < values; v += std::max<std::int64_t>(1, values / 5)) {
        const exact_logarithm exact = exactly<T>(layout.n, [&](std::int64_t i) { return all[place(v, i)]; });
        if (!is_near(got[static_cast<std::size_t>(v)], exact, layout.n))
            CHECK(static_cast<long double>(got[static_cast<std::size_t>(v)]) == exact.value);
    }
}

}  // namespace

TEST_CASE("logsumexp: as exact as two passes, of rows on chip and of what is read once") {
    tests::sample chosen(2);
    for (const logsumexp_layout& layout : logsumexp_layouts())
        for (const auto& [name, data] : spreads()) {
            if (!chosen.takes_next()) continue;
            check_logsumexp<float>(layout, name, data);
            if (layout.of.size() < 50'000) check_logsumexp<double>(layout, name, data);
        }
}

TEST_CASE("logsumexp: one element far above the rest is the result to the bit") {
    for (const std::int64_t n : {1, 2, 17, 8193, 70001})
        for (const std::int64_t where : {std::int64_t{0}, n / 3, n - 1})
            for (const float most : {0.3f, -7.7f, 88.1f, -1e30f}) {
                std::vector<float> data(static_cast<std::size_t>(n), -std::numeric_limits<float>::infinity());
                for (std::int64_t i = 0; i < n; i += 3)
                    data[static_cast<std::size_t>(i)] = most - 1000 - std::fabs(most);
                data[static_cast<std::size_t>(where)] = most;
                const k::array<float> x = k::from_host<float>(data, {n});
                CHECK(k::array<float>(k::logsumexp(x)).item() == most);
                CHECK(k::array<float>(k::logsumexp(k::reshape(x, {n, 1}), k::axis(0))).item() == most);
                CHECK(k::array<double>(k::logsumexp(k::cast<double>(x))).item() == static_cast<double>(most));
            }
}

TEST_CASE("logsumexp: a NaN anywhere makes it NaN") {
    for (const std::int64_t n : {1, 2, 17, 300, 9000, 70000})
        for (const std::int64_t where : {std::int64_t{0}, n / 2, n - 1})
            for (const float rest :
                 {1.5f, 1e30f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
                std::vector<float> data(static_cast<std::size_t>(n), rest);
                data[static_cast<std::size_t>(where)] = std::numeric_limits<float>::quiet_NaN();
                const k::array<float> x = k::from_host<float>(data, {n});
                const k::array<float> column = k::reshape(x, {n, 1});
                CHECK(std::isnan(k::array<float>(k::logsumexp(x)).item()));
                CHECK(std::isnan(k::array<double>(k::logsumexp(k::cast<double>(x))).item()));
                CHECK(std::isnan(
                    k::array<float>(k::logsumexp(k::broadcast_to(column, {n, 3}), k::axis(0))).to_host()[2]));
            }
}

TEST_CASE("logsumexp: 16-bit floats are summed up in float and rounded once") {
    for (const std::int64_t n : {100, 20001}) {
        const k::array<k::float16> halves = k::cast<k::float16>(k::cast<float>(k::arange<int>(n) % 100) / 16.0f);
        const k::array<k::bfloat16> brains = k::cast<k::bfloat16>(halves);
        CHECK(k::array<k::float16>(k::logsumexp(halves)).item() ==
              k::float16(k::array<float>(k::logsumexp(k::cast<float>(halves))).item()));
        CHECK(k::array<k::bfloat16>(k::logsumexp(brains)).item() ==
              k::bfloat16(k::array<float>(k::logsumexp(k::cast<float>(brains))).item()));
        static_assert(std::is_same_v<k::value_t<decltype(k::logsumexp(halves))>, k::float16>);
    }
}

TEST_CASE("logsumexp: what feeds it, and what is made of it, change no bit of it") {
    tests::sample chosen(2);  // of five: what one layout leaves out, the next has
    const auto same = [&](const std::function<k::expr<float>()>& make) {
        if (chosen.takes_next()) tests::same_unfused(make);
    };
    for (const logsumexp_layout& layout : logsumexp_layouts()) {
        CAPTURE(k::to_string(layout.of));
        const k::array<float> x =
            k::reshape(k::cast<float>(k::arange<int>(layout.of.size()) * 7 % 1013) / 64.0f, layout.of);
        const k::axis_list over = k::axes(layout.axes);
        const auto e = k::sqrt(x) * x + 1.0f;
        const k::array<float> made = e;
        CHECK_SAME(k::array<float>(k::logsumexp(e, over)).to_host(),
                   k::array<float>(k::logsumexp(made, over)).to_host());
        same([&] { return k::expr<float>(k::logsumexp(e, over)); });
        same([&] { return k::expr<float>(x - k::logsumexp(x, over, k::keep_dims)); });
        same([&] { return k::expr<float>(k::logsumexp(x - k::max(x, over, k::keep_dims), over)); });
        same([&] { return k::expr<float>(k::logsumexp(x, over) + k::mean(x, over)); });
        same([&] { return k::expr<float>(k::logsumexp(x, over) + k::var(x, over)); });
    }
}

TEST_CASE("logsumexp: misaligned arrays, strides and gaps have the bits of arrays without") {
    const k::array<float> x = k::cast<float>(k::arange<int>(40001) * 7 % 1013) / 64.0f;
    for (const std::int64_t first : {1, 2, 3, 5}) {
        const auto part = x(k::range(first, 30000 + first * 3));
        const k::array<float> copy = part + 0.0f;
        CHECK_SAME(k::array<float>(k::logsumexp(part)).to_host(), k::array<float>(k::logsumexp(copy)).to_host());
    }
    const auto back = x(k::range(40000, 7, -3));
    CHECK_SAME(k::array<float>(k::logsumexp(back)).to_host(),
               k::array<float>(k::logsumexp(k::array<float>(back + 0.0f))).to_host());
}

TEST_CASE("logsumexp: of nothing it has no value; what is read once is read by one kernel") {
    const k::array<float> none = k::zeros<float>({3, 0});
    for (const std::int64_t columns : {1, 3, 100'000}) {
        const k::array<float> empty = k::zeros<float>({0, columns});
        CHECK_THROWS_WITH_AS(k::array<float>(k::logsumexp(empty, k::axis(0))),
                             doctest::Contains("kiln: logsumexp of no elements, of an operand of shape (0, "),
                             k::shape_error);
        CHECK_THROWS_WITH_AS(k::array<float>(k::logsumexp(k::transpose(empty), k::axis(1)) * 2),
                             doctest::Contains(", 0): it has no value there"), k::shape_error);
    }
    CHECK_THROWS_WITH_AS(k::array<float>(k::logsumexp(none)),
                         "kiln: logsumexp of no elements, of an operand of shape (3, 0): it has no value there",
                         k::shape_error);
    CHECK(k::array<float>(k::logsumexp(none, k::axis(0))).shape() == k::shape{0});
    const k::array<float> x = k::zeros<float>({1 << 20});
    const k::explanation flat = k::explain(k::logsumexp(x));
    CHECK(flat.kernels.size() == 1);
    const k::explanation columns = k::explain(k::logsumexp(k::reshape(x, {1 << 16, 16}), k::axis(0)));
    CHECK(columns.kernels.size() == 1);
}
