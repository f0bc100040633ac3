// The manual, "From NumPy": each row of its table, as a program.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

using floats = std::vector<float>;
using whole = std::vector<std::int64_t>;

void shapes(const k::array<float>& a) {
    REQUIRE((k::transpose(a).shape() == k::shape{3, 2}));
    REQUIRE((k::reshape(a, {3, -1}).shape() == k::shape{3, 2}));
    REQUIRE((a(k::range(0, 1), k::range(k::range::open, k::range::open, -1)).to_host() == floats{3, 1, 2}));
    REQUIRE((a(k::all, k::newaxis).shape() == k::shape{2, 1, 3}));
    REQUIRE((a(0).shape() == k::shape{3}));
    REQUIRE((k::pad(a, {{1, 1}, {1, 1}}, k::boundary::clamp).shape() == k::shape{4, 5}));
    REQUIRE((k::zeros<float>(a.shape()).shape() == a.shape()));
    REQUIRE((k::concatenate(k::axis(0), a, a).shape() == k::shape{4, 3}));
    const k::array<float> row = a(0);
    REQUIRE(((row(k::all, k::newaxis) * row).shape() == k::shape{3, 3}));
    REQUIRE((k::flatten(a).shape() == k::shape{6}));
    REQUIRE((k::transpose(k::zeros<float>({2, 3, 4}), {1, 2, 0}).shape() == k::shape{3, 4, 2}));
    REQUIRE((k::concatenate(k::axis(1), a, a).shape() == k::shape{2, 6}));
    REQUIRE((k::stack(k::axis(0), a, a).shape() == k::shape{2, 2, 3}));
    REQUIRE((k::flip(a, k::axis(1)).to_host() == floats{3, 1, 2, 5, 6, 4}));
    REQUIRE((k::flip(k::transpose(a), k::axis(0)).to_host() == floats{3, 5, 1, 6, 2, 4}));
    REQUIRE((k::where(k::index(0) >= k::index(1), a, 0).to_host() == floats{2, 0, 0, 4, 6, 0}));
    REQUIRE((k::where(k::index(0) < k::index(1), a, 0).to_host() == floats{0, 1, 3, 0, 0, 5}));
    REQUIRE((k::where(k::eye<bool>(3), row, 0).to_host() == floats{2, 0, 0, 0, 1, 0, 0, 0, 3}));
    const k::array<float> endless = k::from_host<float>({INFINITY, 1});
    REQUIRE((k::where(k::eye<bool>(2), endless, 0).to_host() == floats{INFINITY, 0, 0, 1}));
    REQUIRE(((row(k::newaxis) + row(k::all, k::newaxis)).to_host() == floats{4, 3, 5, 3, 2, 4, 5, 4, 6}));
    REQUIRE((k::tile(row, 2).to_host() == floats{2, 1, 3, 2, 1, 3}));
    REQUIRE((k::repeat(row, 2).to_host() == floats{2, 2, 1, 1, 3, 3}));
    REQUIRE((k::squeeze(a(k::range(0, 1))).shape() == k::shape{3}));
    REQUIRE((k::expand_dims(a, k::axis(2)).shape() == k::shape{2, 3, 1}));
    REQUIRE((k::pow(10, k::linspace(0.0, 3.0, 4)).to_host() == std::vector<double>{1, 10, 100, 1000}));
}

void elements(const k::array<float>& a) {
    REQUIRE((k::clamp(a, 2, 4).to_host() == floats{2, 2, 3, 4, 4, 4}));
    REQUIRE((k::max(a, 3).to_host() == floats{3, 3, 3, 4, 6, 5}));
    REQUIRE((k::rint(a / 2).to_host() == floats{0, 1, 2, 2, 3, 2}));
    REQUIRE(((k::rint(a / 8 * 100) / 100).to_host() == floats{0.12f, 0.25f, 0.38f, 0.5f, 0.75f, 0.62f}));
    const k::array<float> gap = k::from_host<float>({NAN, 1, INFINITY, -INFINITY});
    REQUIRE(
        (k::where(k::isnan(gap), 0, k::clamp(gap, -FLT_MAX, FLT_MAX)).to_host() == floats{0, 1, FLT_MAX, -FLT_MAX}));
    const k::array<float> left = k::from_host<float>({NAN, 1, 5});
    const k::array<float> right = k::from_host<float>({2, NAN, 3});
    REQUIRE((k::where(k::isnan(left), right, k::where(k::isnan(right), left, k::max(left, right))).to_host() ==
             floats{2, 1, 5}));
    REQUIRE((k::where(a > 4, a, k::where(a > 2, -a, 0)).to_host() == floats{0, 0, -3, -4, 6, 5}));
    const auto logaddexp = [](const k::array<float>& x, const k::array<float>& y) {
        return k::max(x, y) + k::log1p(k::exp(-k::abs(k::where(x == y, 0, x - y))));
    };
    REQUIRE(k::allclose(logaddexp(a, a), a + std::log(2.0)).item());
    const k::array<float> one = k::from_host<float>({INFINITY, -INFINITY, INFINITY, -INFINITY});
    const k::array<float> other = k::from_host<float>({INFINITY, -INFINITY, -INFINITY, 1});
    REQUIRE((logaddexp(one, other).to_host() == floats{INFINITY, -INFINITY, INFINITY, 1}));
    REQUIRE(k::all(k::isnan(logaddexp(k::full<float>({4}, NAN), one))).item());
    REQUIRE((k::where(true, a, 0).to_host() == a.to_host()));
    const k::array<int> n = k::from_host<int>({-7, 7});
    REQUIRE((k::floor_divide(n, 2).to_host() == std::vector<int>{-4, 3}));
    REQUIRE((k::floor_mod(n, 2).to_host() == std::vector<int>{1, 1}));
    REQUIRE(((k::cast<double>(n) / 2).to_host() == std::vector<double>{-3.5, 3.5}));
}

void reductions(const k::array<float>& a) {
    REQUIRE(k::sum(a).item() == 21);
    REQUIRE((k::sum(a, k::axes(0, 1)).item() == 21));
    REQUIRE((k::stddev(a, k::axis(1), k::keep_dims, k::ddof(1)).to_host() == floats{1, 1}));
    REQUIRE((k::all(a > 0).item()));
    REQUIRE((k::quantile(a, 0.5).item() == 3.5f));
    REQUIRE((k::count(a > 2).item() == 4));
    REQUIRE(((k::max(a) - k::min(a)).item() == 5));
    REQUIRE(((k::sum(a * a) / k::sum(a)).item() == 91.0f / 21));
    const k::array<float> gap = k::from_host<float>({2, NAN, 3});
    REQUIRE((k::prod(k::where(k::isnan(gap), 1, gap)).item() == 6));
    REQUIRE((k::argmax(k::where(k::isnan(gap), -INFINITY, gap)).item() == 2));
    REQUIRE((k::sum(k::diagonal(a)).item() == 7));
    const auto equal = [](const k::array<float>& x, const k::array<float>& y) {
        return x.shape() == y.shape() && k::all(x == y).item();
    };
    REQUIRE(equal(a, a));
    REQUIRE(!equal(a, a(k::newaxis)));
    REQUIRE(!equal(a, -a));
    const k::array<float> edges = k::from_host<float>({1, 2, 5});
    const k::array<float> at = k::from_host<float>({2, 0, 3, 9});
    REQUIRE((k::count(edges < at(k::all, k::newaxis), k::axis(1)).to_host() == whole{1, 0, 2, 3}));
    const k::array<std::int64_t> order = k::argsort(a, k::axis(1), {.descending = true});
    REQUIRE((k::take(a, k::index(0) * a.shape()[1] + order).to_host() == floats{3, 2, 1, 6, 5, 4}));
    REQUIRE((k::cummax(a, k::axis(1)).to_host() == floats{1, 2, 3, 4, 6, 6}));
    REQUIRE((k::sort(a, k::axis(1), {.descending = true}).to_host() == floats{3, 2, 1, 6, 5, 4}));
    const auto best = k::topk(a, 1, k::axis(1));
    REQUIRE((best.values.to_host() == floats{3, 6}));
    REQUIRE((best.indices.to_host() == whole{2, 1}));
}

void positions(k::array<float> a) {
    const k::array<int> which = k::from_host<int>({1, 0, 1});
    REQUIRE((k::take(a, which, k::axis(0)).shape() == k::shape{3, 3}));
    a(a > 4) = 0.0f;
    REQUIRE((k::where(a > 1, a, 0).to_host() == floats{0, 2, 3, 4, 0, 0}));
    k::put(a, which, 9.0f);
    REQUIRE((a(0).to_host() == floats{9, 9, 3}));
    REQUIRE((k::segment_sum(k::ones<float>({3}), which, 3).to_host() == floats{1, 2, 0}));
    REQUIRE((k::bincount(which, 3).to_host() == whole{1, 2, 0}));
    REQUIRE((k::histogram(which, 3).to_host() == whole{1, 2, 0}));
    REQUIRE((k::histogram(a, 2, 0, 4).to_host() == whole{2, 2}));
}

template <class T>
k::array<T> one_of(T value) {
    return k::full<T>({1}, value);
}

/// The list below the table.
void what_means_something_else() {
    REQUIRE(!k::all(one_of<std::int32_t>(-1) < one_of<std::uint32_t>(1)).item());
    REQUIRE((k::max(one_of<std::int64_t>(-5), one_of<std::uint64_t>(3)).item() == 18446744073709551611U));
    const k::array<std::uint8_t> wrapped = one_of<std::int8_t>(-3) + one_of<std::uint8_t>(1);
    REQUIRE(wrapped.item() == 254);
    const k::array<float> rounded = one_of<std::int64_t>(16777217) + one_of(0.0f);
    REQUIRE(rounded.item() == 16777216);
    const k::array<std::uint8_t> bytes = one_of<std::uint8_t>(200);
    REQUIRE((std::is_same_v<k::value_t<decltype(k::pow(bytes, 2))>, double>));
    REQUIRE(k::pow(bytes, 2).item() == 40000);
    REQUIRE(k::square(bytes).item() == 64);
    const k::array<float> some = k::from_host<float>({0, 1, 2});
    REQUIRE(((k::count(some) / k::count(some + 1)).item() == 0));
    REQUIRE((std::abs(k::mean(some != 0).item() - 2.0 / 3) < 1e-15));
    REQUIRE((k::take(some, k::from_host<int>({9, -9, -1}), k::axis(0)).to_host() == floats{2, 0, 2}));
    bool threw = false;
    try {
        (void)some(9);
    } catch (const k::shape_error&) {
        threw = true;
    }
    REQUIRE(threw);
}

}  // namespace

int main() {
    const k::array<float> a = k::from_host<float>({1, 2, 3, 4, 6, 5}, {2, 3});
    shapes(k::from_host<float>({2, 1, 3, 4, 6, 5}, {2, 3}));
    elements(a);
    reductions(a);
    positions(a);
    what_means_something_else();
}
