// put: writing at positions that an expression gives, against a loop on the host.
#include <support/check.hpp>
#include <support/far_device.hpp>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

/// As the manual says it, one position after the other.
template <class T>
std::vector<T> put_one_by_one(std::vector<T> y, const std::vector<std::int64_t>& index, const std::vector<T>& values) {
    const auto size = static_cast<std::int64_t>(y.size());
    for (std::size_t i = 0; i < index.size(); ++i) {
        if (index[i] >= size || index[i] < -size) continue;
        y[static_cast<std::size_t>((index[i] + size) % size)] = values[i];
    }
    return y;
}

}  // namespace

TEST_CASE("put writes at positions, from the front and from the end; those outside are ignored") {
    k::array<float> y = k::zeros<float>({6});
    k::put(y, k::from_host<int>({0, -1, 6, -7, 3}), k::from_host<float>({1, 2, 3, 4, 5}, {5}));
    CHECK_SAME(y.to_host(), {1, 0, 0, 5, 0, 2});
    k::put(y,
           k::from_host<std::int64_t>(
               {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), -6}),
           9.0f);
    CHECK_SAME(y.to_host(), {9, 0, 0, 5, 0, 2});
    // Not -1.
    k::put(y, k::from_host<std::uint64_t>({~std::uint64_t{0}, std::uint64_t{1} << 63, 1}), 8.0f);
    CHECK_SAME(y.to_host(), {9, 8, 0, 5, 0, 2});
    k::put(y, k::from_host<std::uint8_t>({2}), 7);
    CHECK_SAME(y.to_host(), {9, 8, 7, 5, 0, 2});
}

TEST_CASE("where positions repeat the last one wins, whatever the size") {
    // Of more elements than a block's table has words, too.
    for (const auto& [size, count] :
         {std::pair<std::int64_t, std::int64_t>{512, 1}, {512, 10}, {512, 1000}, {512, 100'000}, {9001, 30'000}}) {
        const std::int64_t beyond = size + 88;
        const k::array<std::int64_t> index = k::random::integers<std::int64_t>({count}, -beyond, beyond, 3);
        const k::array<double> values = k::random::uniform<double>({count}, 4);
        k::array<double> y = k::random::normal<double>({size}, 5);
        const std::vector<double> expected = put_one_by_one(y.to_host(), index.to_host(), values.to_host());
        k::put(y, index, values);
        CHECK_SAME(y.to_host(), expected);
    }
}

TEST_CASE("put into memory that the host does not reach: the same elements") {
    const k::scoped_device far(tests::far_device());
    // Of more elements than a block's table has words, too.
    for (const auto& [size, count] :
         {std::pair<std::int64_t, std::int64_t>{512, 1}, {512, 10}, {512, 1000}, {512, 100'000}, {9001, 30'000}}) {
        const std::int64_t beyond = size + 88;
        const k::array<std::int64_t> index = k::random::integers<std::int64_t>({count}, -beyond, beyond, 3);
        const k::array<double> values = k::random::uniform<double>({count}, 4);
        k::array<double> y = k::random::normal<double>({size}, 5);
        const k::array<double> shares = y;
        const std::vector<double> before = y.to_host();
        const std::vector<double> expected = put_one_by_one(before, index.to_host(), values.to_host());
        k::put(y, index, values);
        CHECK_SAME(y.to_host(), expected);
        k::put(y, index, 3.0);
        CHECK_SAME(y.to_host(), put_one_by_one(expected, index.to_host(),
                                               std::vector<double>(expected.size() + index.to_host().size(), 3.0)));
        CHECK_SAME(shares.to_host(), before);
    }
}

TEST_CASE("put of few positions into many elements leaves the others, and arrays that share them") {
    k::array<std::uint8_t> y = k::ones<std::uint8_t>({7, std::int64_t{1} << 20});
    const k::array<std::uint8_t> shares = y;
    k::put(y, k::from_host<int>({-1, 1 << 20}), k::from_host<std::uint8_t>({5, 6}));
    CHECK(y(6, (1 << 20) - 1).item() == 5);
    CHECK(y(1, 0).item() == 6);
    CHECK(k::sum(k::cast<std::int64_t>(y)).item() == (7 << 20) + 4 + 5);
    CHECK(k::sum(k::cast<std::int64_t>(shares)).item() == 7 << 20);
}

TEST_CASE("put counts row-major in y and in the index, and values broadcast to the index") {
    k::array<float> y = k::zeros<float>({2, 3});
    k::put(y, k::from_host<int>({5, 0, 1, 4}, {2, 2}), k::from_host<float>({10, 20}, {2}));
    CHECK_SAME(y.to_host(), {20, 10, 0, 0, 20, 10});
    CHECK(y.shape() == k::shape{2, 3});
    k::put(y, k::arange<int>(3) * 2, k::cast<float>(k::arange<int>(3)) + 0.5f);
    CHECK_SAME(y.to_host(), {0.5f, 10, 1.5f, 0, 2.5f, 10});
    CHECK_THROWS_AS(k::put(y, k::arange<int>(3), k::arange<float>(2)), k::shape_error);
}

TEST_CASE("arrays that share the buffer keep their values, and values may be made of y itself") {
    k::array<float> y = k::arange<float>(6);
    const k::array<float> before = y;
    k::put(y, k::arange<int>(6), k::flip(y) * 10);
    CHECK_SAME(y.to_host(), {50, 40, 30, 20, 10, 0});
    CHECK_SAME(before.to_host(), {0, 1, 2, 3, 4, 5});
    const void* const buffer = static_cast<const k::array<float>&>(y).data();
    k::put(y, k::arange<int>(2), 1.0f);
    CHECK(static_cast<const void*>(static_cast<const k::array<float>&>(y).data()) == buffer);
}

TEST_CASE("put of every kind, of nothing, and into nothing") {
    k::array<bool> flags = k::zeros<bool>({3});
    k::put(flags, k::from_host<int>({1}), true);
    CHECK(flags.to_host() == std::vector<bool>{false, true, false});
    k::array<std::complex<double>> z = k::zeros<std::complex<double>>({2});
    k::put(z, k::from_host<int>({1}), std::complex<double>(1, 2));
    CHECK(z.to_host()[1] == std::complex<double>(1, 2));
    k::array<double> wide = k::zeros<double>({3});
    k::put(wide, k::from_host<int>({2, 0}), k::from_host<float>({0.5f, 1.5f}, {2}));
    CHECK_SAME(wide.to_host(), {1.5, 0, 0.5});
    k::put(wide, k::zeros<int>({0}), 3.0);
    CHECK_SAME(wide.to_host(), {1.5, 0, 0.5});
    k::array<double> nothing = k::zeros<double>({0});
    k::put(nothing, k::zeros<int>({2}), 3.0);
    CHECK(nothing.size() == 0);
}
