// Repeated elements and reshaped views of what has strides, beside other operands: each element is where the view says, whether axes are cut
// where quotients go up (plan/split_axes.hpp) or not.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace k = kiln;

namespace {

k::array<float> ramp(const k::shape& extents, float first = 0) {
    std::vector<float> out(static_cast<std::size_t>(extents.size()));
    std::iota(out.begin(), out.end(), first);
    return k::from_host<float>(out, extents);
}

/// Where element `number` of repeat(x, count, along) is in x.
std::int64_t repeated_from(const k::shape& extents, std::int64_t count, int along, std::int64_t number) {
    std::int64_t below = 1;
    for (int axis = along + 1; axis < extents.rank(); ++axis) below *= extents[axis];
    return number / (below * count) * below + number % below;
}

std::vector<float> repeated(const k::shape& extents, std::int64_t count, int along, const std::vector<float>& of) {
    std::vector<float> out;
    for (std::int64_t i = 0; i < extents.size() * count; ++i)
        out.push_back(of[static_cast<std::size_t>(repeated_from(extents, count, along, i))]);
    return out;
}

std::vector<float> added(std::vector<float> a, const std::vector<float>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

k::shape times(const k::shape& extents, std::int64_t count, int along) {
    std::vector<std::int64_t> out;
    for (int axis = 0; axis < extents.rank(); ++axis) out.push_back(extents[axis] * (axis == along ? count : 1));
    return k::shape(out);
}

void check(const k::shape& extents, std::int64_t count, int along) {
    CAPTURE(extents);
    CAPTURE(count);
    CAPTURE(along);
    const k::array<float> x = ramp(extents);
    const std::vector<float> once = x.to_host();
    const std::vector<float> all = repeated(extents, count, along, once);
    const k::shape whole = times(extents, count, along);
    CHECK_SAME(k::array<float>(k::repeat(x, count, k::axis(along))).to_host(), all);
    const k::array<float> other = ramp(whole, 7);
    CHECK_SAME(k::array<float>(k::repeat(x, count, k::axis(along)) + other).to_host(), added(all, other.to_host()));
    // Twice, by numbers of which one divides the other, and of which none does.
    CHECK_SAME(k::array<float>(k::repeat(k::repeat(x, count, k::axis(along)), 2, k::axis(along)) * 1.0f).to_host(),
               repeated(whole, 2, along, all));
    const std::int64_t more = count + 1;
    const k::array<float> crossed = k::repeat(ramp(times(extents, more, along)), count, k::axis(along)) +
                                    k::repeat(ramp(whole), more, k::axis(along));
    CHECK_SAME(crossed.to_host(),
               added(repeated(times(extents, more, along), count, along, ramp(times(extents, more, along)).to_host()),
                     repeated(whole, more, along, ramp(whole).to_host())));
    // By a function that is called for strips, and beside positions.
    CHECK_SAME(k::array<float>(k::exp(k::repeat(x * 0.01f, count, k::axis(along)))).to_host(),
               repeated(extents, count, along, k::array<float>(k::exp(x * 0.01f)).to_host()));
    const auto numbers = k::reshape(k::arange<float>(whole.size()), whole);
    CHECK_SAME(k::array<float>(k::repeat(x, count, k::axis(along)) + numbers).to_host(),
               added(all, ramp(whole).to_host()));
    k::array<float> target = ramp(whole, 1);
    target = target + k::repeat(x, count, k::axis(along));
    CHECK_SAME(target.to_host(), added(ramp(whole, 1).to_host(), all));
}

}  // namespace

TEST_CASE("split axes: repeated along each axis") {
    for (const std::int64_t count : {1, 2, 3, 8, 9, 40})
        for (const k::shape& extents : {k::shape{37}, k::shape{5, 7}, k::shape{300, 3}, k::shape{4, 5, 3}})
            for (int along = 0; along < extents.rank(); ++along) check(extents, count, along);
}

TEST_CASE("split axes: an image made as large in both directions, and a part of one flattened") {
    const k::array<float> x = ramp({9, 11, 3});
    const std::vector<float> of = x.to_host();
    const k::array<float> twice = k::repeat(k::repeat(x, 2, k::axis(0)), 3, k::axis(1));
    CHECK_SAME(twice.to_host(), repeated({18, 11, 3}, 3, 1, repeated({9, 11, 3}, 2, 0, of)));
    const k::array<float> flat = k::reshape(k::slice(x, k::range(1, 8), k::range(2, 9)), k::shape{147}) + 1.0f;
    std::vector<float> expected;
    for (int i = 1; i < 8; ++i)
        for (int j = 2; j < 9; ++j)
            for (int c = 0; c < 3; ++c) expected.push_back(of[static_cast<std::size_t>((i * 11 + j) * 3 + c)] + 1);
    CHECK_SAME(flat.to_host(), expected);
    const k::array<float> tiled = k::tile(k::slice(x, k::all, k::all, 0), {2, 2}) * 1.0f;
    std::vector<float> tiles;
    for (int i = 0; i < 18; ++i)
        for (int j = 0; j < 22; ++j) tiles.push_back(of[static_cast<std::size_t>((i % 9 * 11 + j % 11) * 3)]);
    CHECK_SAME(tiled.to_host(), tiles);
}

TEST_CASE("split axes: more than there is room for, and quotients of other steps, are divided") {
    const k::shape extents{2, 2, 2, 2, 2, 2, 3};
    const k::array<float> x = ramp(extents);
    std::vector<float> all = x.to_host();
    const k::array<float> made = k::repeat(x, 2, k::axis(6)) + ramp(times(extents, 2, 6));
    CHECK_SAME(made.to_host(), added(repeated(extents, 2, 6, all), ramp(times(extents, 2, 6)).to_host()));
    const k::array<float> row = ramp({12});
    const k::array<float> rolled = k::repeat(k::roll(row, 5), 3) + 0.0f;
    CHECK_SAME(rolled.to_host(), repeated({12}, 3, 0, k::array<float>(k::roll(row, 5)).to_host()));
    const k::array<float> turned = k::roll(k::repeat(row, 3), 5) + 0.0f;
    std::vector<float> expected = repeated({12}, 3, 0, row.to_host());
    std::rotate(expected.begin(), expected.end() - 5, expected.end());
    CHECK_SAME(turned.to_host(), expected);
}
