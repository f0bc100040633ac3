// pad and diff, against loops on the host.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace k = kiln;

namespace {

/// Of three axes; `outside`: instead of the outermost elements.
template <class T>
std::vector<T> padded(const std::vector<T>& from, const std::array<std::int64_t, 3>& extents,
                      const std::array<k::pad_widths, 3>& widths, const T* outside) {
    std::vector<T> out;
    std::array<std::int64_t, 3> at{};
    const auto end = [&](std::size_t axis) { return extents[axis] + widths[axis].after; };
    for (at[0] = -widths[0].before; at[0] < end(0); ++at[0])
        for (at[1] = -widths[1].before; at[1] < end(1); ++at[1])
            for (at[2] = -widths[2].before; at[2] < end(2); ++at[2]) {
                std::int64_t position = 0;
                bool inside = true;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const std::int64_t nearest = std::clamp<std::int64_t>(at[axis], 0, extents[axis] - 1);
                    inside = inside && nearest == at[axis];
                    position = position * extents[axis] + nearest;
                }
                out.push_back(inside || !outside ? from[static_cast<std::size_t>(position)] : *outside);
            }
    return out;
}

template <class T>
void check_pads(const std::array<std::int64_t, 3>& extents, const std::array<k::pad_widths, 3>& widths) {
    const std::vector<T> host = tests::ordinary_values<T>(extents[0] * extents[1] * extents[2]);
    const k::array<T> x = k::from_host<T>(host, {extents[0], extents[1], extents[2]});
    const auto pad = [&](const auto& e, const auto&... how) {
        return k::array<T>(k::pad(e, {widths[0], widths[1], widths[2]}, how...)).to_host();
    };
    const T none = T(0);
    const T seven = T(7);
    CHECK_SAME(pad(x), padded(host, extents, widths, &none));
    CHECK_SAME(pad(x, k::boundary::constant(7)), padded(host, extents, widths, &seven));
    CHECK_SAME(pad(x, k::boundary::clamp), padded<T>(host, extents, widths, nullptr));
    CHECK_SAME(pad(x + x), pad(k::array<T>(x + x)));
}

}  // namespace

TEST_CASE_TEMPLATE("pad puts zeros, a number or the outermost elements around every axis", T, std::int8_t, k::float16,
                   float, double, std::complex<float>) {
    check_pads<T>({4, 5, 6}, {{{1, 2}, {0, 3}, {4, 0}}});
    check_pads<T>({1, 1, 1}, {{{3, 3}, {3, 3}, {3, 3}}});
    check_pads<T>({3, 2, 33}, {{{0, 0}, {0, 0}, {0, 1}}});
    check_pads<T>({2, 3, 4}, {{{0, 0}, {0, 0}, {0, 0}}});
    check_pads<T>({1, 7, 100}, {{{0, 0}, {40, 0}, {1000, 2000}}});
}

TEST_CASE("pad of nothing is what is put around it") {
    const k::array<float> nothing = k::zeros<float>({0});
    CHECK_SAME(k::array<float>(k::pad(nothing, {{2, 1}}, k::boundary::constant(9))).to_host(),
               std::vector<float>{9, 9, 9});
    CHECK(k::array<float>(k::pad(nothing, {{0, 0}})).size() == 0);
    const k::array<float> rows = k::zeros<float>({3, 0});
    CHECK_SAME(k::array<float>(k::pad(rows, {{0, 0}, {0, 2}}, k::boundary::constant(1))).to_host(),
               std::vector<float>(6, 1));
    CHECK_THROWS_WITH_AS(k::pad(rows, {{0, 0}, {0, 2}}, k::boundary::clamp),
                         doctest::Contains("axis 1 of shape (3, 0) has no element"), k::shape_error);
}

TEST_CASE("pad refuses widths that are not one pair for each axis, or below 0") {
    const k::array<float> m = k::zeros<float>({2, 3});
    CHECK_THROWS_WITH_AS(k::pad(m, {{1, 1}}), doctest::Contains("1 pairs of widths for shape (2, 3), which has 2 axes"),
                         k::shape_error);
    CHECK_THROWS_WITH_AS(k::pad(m, {{1, 1}, {0, -1}}),
                         doctest::Contains("axis 1 of shape (2, 3): a width is not negative"), k::shape_error);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK_THROWS_AS(k::pad(m, {{most, most}, {0, 0}}), k::shape_error);
}

TEST_CASE("a padded array is an operand like any other, in the same kernel") {
    const k::array<float> m = k::from_host<float>({1, 2, 3, 4, 5, 6}, {2, 3});
    const auto e = k::pad(m, {{1, 0}, {0, 1}}) * 2.0f + 1.0f;
    CHECK(k::explain(e).kernels.size() == 1);
    CHECK_SAME(k::array<float>(e).to_host(), std::vector<float>{1, 1, 1, 1, 3, 5, 7, 1, 9, 11, 13, 1});
    CHECK_SAME(k::array<float>(k::transpose(k::pad(m, {{0, 0}, {1, 0}}))).to_host(),
               std::vector<float>{0, 0, 1, 4, 2, 5, 3, 6});
    CHECK(k::array<float>(k::sum(k::pad(m, {{5, 5}, {5, 5}}, k::boundary::constant(1)))).item() == 171.0f);
}

TEST_CASE("diff is each element less the one before it, along the last axis or another") {
    const k::array<std::int32_t> m = k::from_host<std::int32_t>({1, 4, 9, 2, 2, 0}, {2, 3});
    const k::array<std::int32_t> along_rows = k::diff(m);
    CHECK(along_rows.shape() == k::shape{2, 2});
    CHECK_SAME(along_rows.to_host(), {3, 5, 0, -2});
    CHECK_SAME(k::array<std::int32_t>(k::diff(m, k::axis(0))).to_host(), {1, -2, -9});
    CHECK_SAME(k::array<std::int32_t>(k::diff(m * 2, k::axis(-2))).to_host(), {2, -4, -18});
    CHECK_SAME(k::array<bool>(k::diff(m > 2)).to_host(), std::vector<bool>{true, false, false, false});
    CHECK(k::array<std::int32_t>(k::diff(m(k::all, k::range(0, 1)))).size() == 0);
    CHECK_THROWS_AS(k::diff(m, k::axis(2)), k::shape_error);
}
