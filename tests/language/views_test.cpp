// Slices, as operands and as targets: steps, negative steps, several axes.
#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;

namespace {

constexpr std::int64_t open = k::range::open;

/// Python's slice.indices, by walking: every position that the slice visits.
std::vector<std::int64_t> positions(const k::range& slice, std::int64_t extent) {
    std::vector<std::int64_t> out;
    const auto bound = [extent](std::int64_t at) { return at < 0 ? at + extent : at; };
    if (slice.step > 0) {
        std::int64_t at = slice.begin == open ? 0 : bound(slice.begin);
        const std::int64_t end = slice.end == open ? extent : bound(slice.end);
        for (at = at < 0 ? 0 : at; at < end && at < extent; at += slice.step) out.push_back(at);
    } else {
        std::int64_t at = slice.begin == open ? extent - 1 : bound(slice.begin);
        const std::int64_t end = slice.end == open ? -1 : bound(slice.end);
        for (at = at > extent - 1 ? extent - 1 : at; at > end && at >= 0; at += slice.step) out.push_back(at);
    }
    return out;
}

const k::range slices_of_10[] = {
    {},           {0, 10},       {0, 0},        {3, 3},           {3, 2},
    {2, 7},       {0, 10, 2},    {1, 10, 3},    {-3, 10},         {0, -1},
    {-100, 100},  {5, 100, 4},   {9, open, -1}, {open, open, -1}, {open, open, -3},
    {8, 2, -2},   {-1, -11, -1}, {100, 3, -1},  {2, 8, -1},       {0, 10, 100},
    {9, 0, -100}, {4, 5},        {-1, open},    {open, -9},
};

}  // namespace

TEST_CASE("a slice visits the positions that Python's would") {
    const std::vector<float> values = tests::ordinary_values<float>(10);
    const k::array<float> x = k::from_host<float>(values);
    for (const k::range& slice : slices_of_10) {
        CAPTURE(slice.begin);
        CAPTURE(slice.end);
        CAPTURE(slice.step);
        std::vector<float> expected;
        for (const std::int64_t at : positions(slice, 10)) expected.push_back(values[static_cast<std::size_t>(at)]);
        CHECK(x(slice).shape() == k::shape{static_cast<std::int64_t>(expected.size())});
        CHECK_SAME(x(slice).to_host(), expected);
        std::vector<float> squared;
        for (const float value : expected) squared.push_back(value * value);
        CHECK_SAME(k::array<float>(x(slice) * x(slice)).to_host(), squared);
    }
}

TEST_CASE("a slice as a target writes the positions that it would read, and no other") {
    const std::vector<std::int32_t> before = tests::ordinary_values<std::int32_t>(10);
    for (const k::range& slice : slices_of_10) {
        CAPTURE(slice.begin);
        CAPTURE(slice.end);
        CAPTURE(slice.step);
        const std::vector<std::int64_t> at = positions(slice, 10);
        k::array<std::int32_t> y = k::from_host<std::int32_t>(before);
        y(slice) = k::arange<std::int32_t>(static_cast<std::int64_t>(at.size())) + 100;
        std::vector<std::int32_t> expected = before;
        for (std::size_t i = 0; i < at.size(); ++i)
            expected[static_cast<std::size_t>(at[i])] = static_cast<std::int32_t>(i) + 100;
        CHECK_SAME(y.to_host(), expected);
        y(slice) = -1;
        for (const std::int64_t each : at) expected[static_cast<std::size_t>(each)] = -1;
        CHECK_SAME(y.to_host(), expected);
    }
}

TEST_CASE("2-D slices mix steps, negative steps and whole axes") {
    const std::vector<double> values = tests::ordinary_values<double>(7 * 9);
    const k::array<double> x = k::from_host<double>(values, {7, 9});
    const k::range rows[] = {{}, {1, 6}, {open, open, -1}, {6, 0, -2}, {0, 7, 3}, {3, 4}};
    const k::range columns[] = {{}, {0, 9, 2}, {open, open, -1}, {8, 1, -3}, {2, 9}, {8, 9}};
    for (const k::range& row : rows) {
        for (const k::range& column : columns) {
            CAPTURE(row.step);
            CAPTURE(column.step);
            const std::vector<std::int64_t> r = positions(row, 7);
            const std::vector<std::int64_t> c = positions(column, 9);
            std::vector<double> expected;
            for (const std::int64_t i : r)
                for (const std::int64_t j : c) expected.push_back(values[static_cast<std::size_t>(i * 9 + j)] * 3);
            const k::array<double> y = x(row, column) * 3;
            CHECK(y.shape() == k::shape{static_cast<std::int64_t>(r.size()), static_cast<std::int64_t>(c.size())});
            CHECK_SAME(y.to_host(), expected);

            k::array<double> target = k::from_host<double>(values, {7, 9});
            target(row, column) = y + 1;
            std::vector<double> written = values;
            for (std::size_t i = 0; i < r.size(); ++i)
                for (std::size_t j = 0; j < c.size(); ++j)
                    written[static_cast<std::size_t>(r[i] * 9 + c[j])] = expected[i * c.size() + j] + 1;
            CHECK_SAME(target.to_host(), written);
        }
    }
}

TEST_CASE("axes that are not named are whole") {
    const k::array<std::int32_t> x = k::from_host<std::int32_t>(tests::ordinary_values<std::int32_t>(24), {2, 3, 4});
    CHECK(x().shape() == k::shape{2, 3, 4});
    CHECK(x(k::range(1, 2)).shape() == k::shape{1, 3, 4});
    CHECK(x(k::all, k::range(0, 2)).shape() == k::shape{2, 2, 4});
    const std::vector<std::int32_t> all = x.to_host();
    CHECK_SAME(x(k::range(1, 2)).to_host(), std::vector<std::int32_t>(all.begin() + 12, all.end()));
}

TEST_CASE("3-D slices with different layouts meet in one expression") {
    const k::shape extents{5, 6, 7};
    const std::vector<float> a = tests::ordinary_values<float>(5 * 6 * 7, 1);
    const std::vector<float> b = tests::ordinary_values<float>(3 * 4 * 5, 2);
    const k::array<float> x = k::from_host<float>(a, extents);
    const k::array<float> y = k::from_host<float>(b, {3, 4, 5});
    const k::range outer{4, open, -2};
    const k::range middle{1, 5};
    const k::range inner{6, 1, -1};
    std::vector<float> expected;
    std::vector<float> written = a;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            for (int l = 0; l < 5; ++l) {
                const auto at = static_cast<std::size_t>((4 - 2 * i) * 42 + (1 + j) * 7 + (6 - l));
                expected.push_back(a[at] * b[static_cast<std::size_t>(i * 20 + j * 5 + l)] + a[at]);
                written[at] = expected.back();
            }
        }
    }
    const k::array<float> z = x(outer, middle, inner) * y + x(outer, middle, inner);
    CHECK_SAME(z.to_host(), expected);
    k::array<float> target = x;
    target(outer, middle, inner) = z;
    CHECK_SAME(target.to_host(), written);
    CHECK_SAME(x.to_host(), a);
}

TEST_CASE("a stored slice keeps the values that the array had") {
    k::array<float> x = k::ones<float>({6});
    const auto v = x(k::range(0, 6, 2));
    x = x + 1.0f;
    x(k::range(0, 6)) = 9.0f;
    CHECK_SAME(v.to_host(), {1.0f, 1.0f, 1.0f});
    CHECK_SAME(k::array<float>(v + v).to_host(), {2.0f, 2.0f, 2.0f});
    CHECK_SAME(x.to_host(), std::vector<float>(6, 9.0f));
}

TEST_CASE("a slice takes a narrower type, and throws type_error where it cannot be a target") {
    k::array<double> x = k::zeros<double>({4});
    x(k::range(1, 3)) = k::arange<std::int32_t>(2);
    CHECK_SAME(x.to_host(), {0.0, 0.0, 1.0, 0.0});
    x(k::range(0, 1)) = 0.5f;
    CHECK_SAME(x.to_host(), {0.5, 0.0, 1.0, 0.0});
    const auto stored = x(k::range(0, 1));
    auto copy = stored;  // holds values, and names no array
    CHECK_THROWS_AS(std::move(copy) = 1.0, k::type_error);
    CHECK_SAME(x.to_host(), {0.5, 0.0, 1.0, 0.0});
}

TEST_CASE("a large strided copy is right in every row") {
    constexpr std::int64_t rows = 301;
    constexpr std::int64_t columns = 517;
    const k::array<std::int64_t> x = k::from_host<std::int64_t>(
        k::array<std::int64_t>(k::arange<std::int64_t>(rows * columns)).to_host(), {rows, columns});
    const std::vector<std::int64_t> got =
        k::array<std::int64_t>(x(k::range(0, rows, 3), k::range(open, open, -2)) + 0).to_host();
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < rows; i += 3)
        for (std::int64_t j = columns - 1; j >= 0; j -= 2) expected.push_back(i * columns + j);
    CHECK_SAME(got, expected);
}

namespace {

/// Sums of neighbours of each of `count` elements from `first` on, alone and with an array that is no neighbour of them.
template <class T>
void check_neighbours(std::int64_t count, std::int64_t first) {
    CAPTURE(count);
    CAPTURE(first);
    const std::vector<T> values = tests::ordinary_values<T>(static_cast<std::size_t>(first + count + 5));
    const std::vector<T> others = tests::ordinary_values<T>(static_cast<std::size_t>(count + 1), 2);
    const k::array<T> x = k::from_host<T>(values);
    const k::array<T> also = k::from_host<T>(others);
    const auto from = [&](std::int64_t by) { return x(k::range(first + by, first + by + count)); };
    const auto check = [&](const k::array<T>& got, auto expected) {
        std::vector<T> all;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto at = [&](std::int64_t by) { return values[static_cast<std::size_t>(first + i + by)]; };
            const auto other = [&](std::int64_t by) { return others[static_cast<std::size_t>(i + by)]; };
            all.push_back(static_cast<T>(expected(at, other)));
        }
        CHECK_SAME(got.to_host(), all);
    };
    check(from(3) - from(0) + from(1) - from(5), [](auto at, auto) { return at(3) - at(0) + at(1) - at(5); });
    check(from(1) + from(0) + from(1) + from(2), [](auto at, auto) { return at(1) + at(0) + at(1) + at(2); });
    for (const std::int64_t by : {0, 1}) {  // of which one is aligned
        const auto view = also(k::range(by, by + count));
        check(from(1) + view - from(0) - from(2),
              [by](auto at, auto other) { return at(1) + other(by) - at(0) - at(2); });
    }
    k::array<T> target = k::from_host<T>(values);
    target(k::range(first, first + count)) = from(2) - from(0) - from(1);
    check(target(k::range(first, first + count)), [](auto at, auto) { return at(2) - at(0) - at(1); });
    CHECK_SAME(k::array<T>(target(k::range(0, first))).to_host(),
               std::vector<T>(values.begin(), values.begin() + first));
    // The memory that is written is the memory that is read.
    k::array<T> own = k::from_host<T>(values);
    const auto of_own = [&](std::int64_t by) { return own(k::range(first + by, first + by + count)); };
    own(k::range(first, first + count)) = of_own(1) - of_own(2) - of_own(0);
    check(own(k::range(first, first + count)), [](auto at, auto) { return at(1) - at(2) - at(0); });
}

}  // namespace

TEST_CASE("neighbours of elements, from any place on, of any number") {
    for (const std::int64_t count : {1, 2, 3, 4, 5, 15, 16, 17, 1023, 1030, 40'003})
        for (const std::int64_t first : {0, 1, 2, 3, 7, 16}) {
            check_neighbours<float>(count, first);
            check_neighbours<double>(count, first);
            check_neighbours<std::int16_t>(count, first);
        }
    check_neighbours<std::uint8_t>(4099, 5);
    check_neighbours<std::complex<float>>(4099, 5);
}
