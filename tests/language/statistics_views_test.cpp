// Variances and what is made of them, seen through views: what a view sees is computed before, by kernels of its own.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace {

namespace k = kiln;

template <class E>
auto host(const E& of) {
    return k::array<k::value_t<E>>(of).to_host();
}

k::array<float> some(std::int64_t rows, std::int64_t columns) {
    return k::reshape(k::sin(k::cast<float>(k::arange<std::int64_t>(rows * columns)) * 1.7f), {rows, columns});
}

}  // namespace

TEST_CASE("what is divided by its deviation may be read as it is and through a view") {
    for (const auto& of : {std::array{2, 3}, {5, 1}, {3, 100}, {4, 3000}}) {
        const int rows = of[0], columns = of[1];
        CAPTURE(rows);
        CAPTURE(columns);
        const k::array<float> y = some(rows, columns);
        for (const int axis : {0, 1}) {
            CAPTURE(axis);
            const auto x = y / (k::stddev(y, k::axis(axis), k::keep_dims) + 0.5f);
            const k::array<float> deviation = k::stddev(y, k::axis(axis), k::keep_dims);
            const k::array<float> stored = y / (deviation + 0.5f);
            CHECK_SAME(host(x - k::shift(x, {0, 1})), host(stored - k::shift(stored, {0, 1})));
            CHECK_SAME(host(x - k::roll(x, 1, k::axis(0))), host(stored - k::roll(stored, 1, k::axis(0))));
            const auto [here, there] = k::eval(x, k::flip(x, k::axis(1)));
            CHECK_SAME(host(here), host(stored));
            CHECK_SAME(host(there), host(k::flip(stored, k::axis(1))));
            const k::scoped_options apart({.fuse = false});
            CHECK_SAME(host(x - k::shift(x, {0, 1})), host(stored - k::shift(stored, {0, 1})));
        }
    }
}

TEST_CASE("one number may stand for all elements of rows that are kept") {
    const auto same = k::full<float>({3, 100}, 2.0f);
    CHECK_SAME(host(k::var(same, k::axis(1))), {0.0f, 0.0f, 0.0f});
    CHECK_SAME(host(k::stddev(same)), {0.0f});
    CHECK_SAME(host(k::var(k::zeros<double>({2, 1000}), k::axis(1))), {0.0, 0.0});
    CHECK_SAME(host(k::var(k::zeros<float>({2, 64}) + k::constant<2>, k::axis(1))), {0.0f, 0.0f});
    const auto exponential = k::exp(same - k::max(same, k::axis(1), k::keep_dims));
    CHECK_SAME(host(k::sum(exponential, k::axis(1))), {100.0f, 100.0f, 100.0f});
    const k::array<float> stored = same;
    CHECK_SAME(host(k::logsumexp(same, k::axis(1))), host(k::logsumexp(stored, k::axis(1))));
}
