// y(mask) = e of every y that can be written: arrays, slices where they are made, memory behind wrap() and parts of it, host arrays and
// parts of those. All against where() of the same.
#include <support/check.hpp>
#include <support/far_device.hpp>

#include <kiln/kiln.hpp>

#include <vector>

namespace k = kiln;

namespace {

const std::vector<float> masked_begin{3, -1, 4, -1, 5, -9, 2, -6, 5, -3, 5, -8};

}  // namespace

TEST_CASE("memory behind wrap() is written where a mask holds, and nowhere else") {
    std::vector<float> v = masked_begin;
    k::wrap(v)(k::wrap(v) < 0.0f) = 0.0f;
    k::synchronize();
    CHECK_SAME(v, {3, 0, 4, 0, 5, 0, 2, 0, 5, 0, 5, 0});
    const auto m = k::wrap(v.data(), {3, 4});
    m(m > 4.0f) = k::arange<float>(4) + 20;  // broadcasts
    m(k::index(0) == 1) -= 1;                // and so does a mask
    m(k::from_host<int>({0, 1, 0, 0}) == 1) = 9;
    k::synchronize();
    CHECK_SAME(v, {3, 9, 4, 0, 19, 9, 1, -1, 20, 9, 22, 0});
}

TEST_CASE("slices of memory behind wrap() are targets with masks, whatever their strides") {
    std::vector<float> v = masked_begin;
    const auto odd = k::wrap(v.data() + 1, {6}, {2});
    odd(odd < -5.0f) *= 2;
    const auto m = k::wrap(v.data(), {3, 4});
    m(k::range(0, 2), 0)(m(k::range(0, 2), 0) > 3.5f) = -7;
    k::synchronize();
    CHECK_SAME(v, {3, -1, 4, -1, -7, -18, 2, -12, 5, -3, 5, -16});
}

TEST_CASE("a slice is written where a mask holds; arrays that share the buffer keep their values") {
    k::array<float> y = k::from_host<float>(masked_begin, {3, 4});
    const k::array<float> shares = y;
    y(k::range(1, 3))(y(k::range(1, 3)) < 0.0f) = 0.0f;
    CHECK_SAME(y.to_host(), {3, -1, 4, -1, 5, 0, 2, 0, 5, 0, 5, 0});
    y(k::all, k::range(0, 4, 2))(k::range(0, 1))(y(k::range(0, 1), k::range(0, 4, 2)) == 4.0f) -= 4;
    CHECK_SAME(y.to_host(), {3, -1, 0, -1, 5, 0, 2, 0, 5, 0, 5, 0});
    CHECK_SAME(shares.to_host(), masked_begin);
    auto of_const = shares(0);
    CHECK_THROWS_AS(std::move(of_const)(k::index(0) == 0) = 1.0f, k::type_error);
    CHECK_SAME(shares.to_host(), masked_begin);
    CHECK_SAME(y.to_host(), {3, -1, 0, -1, 5, 0, 2, 0, 5, 0, 5, 0});
}

TEST_CASE("a slice of a host array is written where a mask holds") {
    std::vector<float> v = masked_begin;
    k::host_array<float> y(k::wrap(v.data(), {3, 4}));
    y(k::range(0, 2))(y(k::range(0, 2)) < 0.0f) = 0.0f;
    y(y > 4.5f) += 1;
    CHECK_SAME(v, {3, 0, 4, 0, 6, 0, 2, 0, 6, -3, 6, -8});
}

TEST_CASE("masks as targets throw, and write nothing, where the mask or the values do not fit") {
    std::vector<float> v = masked_begin;
    const auto w = k::wrap(v);
    CHECK_THROWS_WITH_AS(w(k::full<bool>({5}, true)) = 1.0f, doctest::Contains("a mask: shape (5,)"), k::shape_error);
    CHECK_THROWS_AS(w(w > 0.0f) = k::zeros<float>({2, 12}), k::shape_error);
    k::array<float> y = k::from_host<float>(masked_begin, {3, 4});
    CHECK_THROWS_WITH_AS(y(k::range(0, 2))(k::full<bool>({3, 4}, true)) = 1.0f,
                         doctest::Contains("a mask: shape (3, 4)"), k::shape_error);
    k::host_array<float> h(k::wrap(v.data(), {3, 4}));
    CHECK_THROWS_WITH_AS(h(k::full<bool>({5}, true)) = 1.0f, doctest::Contains("a mask: shape (5,)"), k::shape_error);
    CHECK_SAME(v, masked_begin);
    CHECK_SAME(y.to_host(), masked_begin);
}

TEST_CASE("memory behind wrap() that a device does not reach is written where a mask holds") {
    const k::scoped_device far(tests::far_device());
    std::vector<float> v = masked_begin;
    k::wrap(v)(k::wrap(v) < 0.0f) += k::ones<float>(12);
    k::synchronize();
    CHECK_SAME(v, {3, 0, 4, 0, 5, -8, 2, -5, 5, -2, 5, -7});
}
