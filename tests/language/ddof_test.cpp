// ddof: what var and stddev divide by.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <complex>

namespace k = kiln;

TEST_CASE("ddof: the sum of squares is divided by that much less than the number of elements") {
    const k::array<double> x = k::from_host<double>({1, 2, 3, 6});  // mean 3, squares 4 + 1 + 0 + 9
    CHECK(k::var(x).item() == 14.0 / 4);
    CHECK(k::var(x, k::ddof(1)).item() == 14.0 / 3);
    CHECK(k::var(x, k::ddof(0)).item() == 14.0 / 4);
    CHECK(k::stddev(x, k::ddof(1)).item() == std::sqrt(14.0 / 3));
    CHECK(k::var(x, k::keep_dims, k::ddof(2)).to_host() == std::vector<double>{7});
    CHECK(k::var(x, k::keep_dims, k::ddof(2)).rank() == 1);
    CHECK(k::var(k::cast<int>(x), k::ddof(1)).item() == 14.0 / 3);  // of integers in double
}

TEST_CASE("ddof: along axes, which go or stay") {
    const k::array<float> m = k::from_host<float>({1, 2, 3, 3, 5, 10}, {2, 3});
    CHECK(k::var(m, k::axis(0), k::ddof(1)).to_host() == std::vector<float>{2, 4.5f, 24.5f});
    CHECK(k::var(m, k::axis(1), k::ddof(1)).to_host() == std::vector<float>{1, 13});
    const auto kept = k::var(m, k::axis(-1), k::keep_dims, k::ddof(1));
    CHECK(kept.shape() == k::shape{2, 1});
    CHECK(kept.to_host() == std::vector<float>{1, 13});
    CHECK(k::stddev(m, k::axis(1), k::ddof(1)).to_host() == std::vector<float>{1, std::sqrt(13.0f)});
    CHECK(k::stddev(m, k::axis(1), k::keep_dims, k::ddof(1)).shape() == k::shape{2, 1});
    CHECK(k::stddev(m, k::axis(1), k::ddof(1), k::keep_dims).shape() == k::shape{2, 1});
    CHECK(k::var(m, k::axis(-1), k::ddof(1), k::keep_dims).to_host() == std::vector<float>{1, 13});
    CHECK(k::var(m, k::ddof(1), k::keep_dims).shape() == k::shape{1, 1});
    CHECK(k::var(m, k::axes(0, 1), k::ddof(1)).item() == k::var(m, k::ddof(1)).item());
    CHECK_THROWS_AS((void)k::var(m, k::axis(2), k::ddof(1)).shape(), k::shape_error);
}

TEST_CASE("ddof: of as many elements, or fewer, the quotient is by 0, as in NumPy") {
    const k::array<double> x = k::from_host<double>({1, 3});
    CHECK(std::isinf(k::var(x, k::ddof(2)).item()));
    CHECK(std::isinf(k::var(x, k::ddof(3)).item()));
    CHECK(std::isnan(k::var(x(k::range(0, 1)), k::ddof(1)).item()));
}

TEST_CASE("ddof: complex numbers by their magnitudes, 16-bit floats rounded once, functions that are fused") {
    const k::array<std::complex<double>> z = k::from_host<std::complex<double>>({{1, 1}, {-1, -1}});
    CHECK(k::var(z, k::ddof(1)).item() == 4);
    const k::array<k::float16> h = k::cast<k::float16>(k::from_host<float>({1, 2, 3, 6}));
    CHECK(static_cast<float>(k::var(h, k::ddof(1)).item()) == static_cast<float>(k::float16(14.0f / 3)));
    const auto spread = k::fuse([](auto x) { return k::var(x, k::ddof(1)); });
    CHECK(spread(k::from_host<float>({1, 2, 3})).item() == 1);
    CHECK(spread(k::from_host<float>({1, 2, 3, 4, 5})).item() == 2.5f);
}
