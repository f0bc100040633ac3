// Shapes broadcast as NumPy's do, between arrays, expressions, generators and targets.
#include <support/check.hpp>
#include <support/positions.hpp>

#include <kiln/kiln.hpp>

namespace k = kiln;
using tests::distinct;
using tests::each_position;
using tests::position;

namespace {

template <class T>
void check_sum(const k::shape& left, const k::shape& right, const k::shape& together) {
    CAPTURE(k::to_string(left));
    CAPTURE(k::to_string(right));
    const auto a = distinct<T>(left);
    const auto b = distinct<T>(right, 1000);
    const k::array<T> sum = a.on_device() + b.on_device();
    REQUIRE(sum.shape() == together);
    CHECK_SAME(sum.to_host(), each_position(together, [&](const position& p) {
                   return static_cast<T>(a.at(p, together.rank()) + b.at(p, together.rank()));
               }));
    const k::array<T> other_way = b.on_device() + a.on_device();
    CHECK_SAME(other_way.to_host(), sum.to_host());
}

}  // namespace

TEST_CASE("arrays of different shapes broadcast from the right") {
    check_sum<float>({4}, {3, 4}, {3, 4});
    check_sum<float>({3, 1}, {3, 4}, {3, 4});
    check_sum<float>({3, 1}, {4}, {3, 4});
    check_sum<float>({1, 4}, {3, 1}, {3, 4});
    check_sum<float>({1}, {5}, {5});
    check_sum<float>({1, 1}, {5}, {1, 5});
    check_sum<float>({}, {7}, {7});
    check_sum<float>({}, {}, {});
    check_sum<double>({4, 5}, {6, 4, 5}, {6, 4, 5});
    check_sum<double>({2, 1, 3}, {5, 1}, {2, 5, 3});
    check_sum<std::int32_t>({2, 1, 3, 1}, {4, 1, 5}, {2, 4, 3, 5});
    check_sum<std::uint8_t>({16, 16}, {16}, {16, 16});
    check_sum<std::int64_t>({1, 2, 1, 3, 1, 2, 1, 2}, {2, 1, 2, 1, 2, 1, 2, 1}, {2, 2, 2, 3, 2, 2, 2, 2});
    check_sum<float>({8, 64}, {8, 1}, {8, 64});
    check_sum<float>({8, 64}, {64}, {8, 64});
    check_sum<float>({8, 63}, {8, 1}, {8, 63});
    check_sum<float>({3, 1000}, {1000}, {3, 1000});
    check_sum<float>({700, 1}, {1, 900}, {700, 900});
}

TEST_CASE("an axis of no elements broadcasts with one of one") {
    check_sum<float>({0}, {1}, {0});
    check_sum<float>({3, 0}, {1}, {3, 0});
    check_sum<float>({0, 1}, {5}, {0, 5});
}

TEST_CASE("shapes that do not broadcast are an error that names both") {
    const k::array<float> a = k::ones<float>({3, 4});
    const k::array<float> b = k::ones<float>({3});
    CHECK_THROWS_WITH_AS(k::eval(a + b),
                         "kiln: add: shapes (3, 4) and (3,) do not broadcast: from the right, 4 meets 3",
                         k::shape_error);
    const k::array<float> none = k::ones<float>({0});
    CHECK_THROWS_AS(k::eval(none + k::ones<float>({2})), k::shape_error);
}

TEST_CASE("three operands, scalars, generators and positions broadcast together") {
    const auto row = distinct<float>({5});
    const auto column = distinct<float>({4, 1}, 100);
    const auto matrix = distinct<float>({4, 5}, 1000);
    const k::array<float> sum = row.on_device() + column.on_device() + matrix.on_device() * 2.0f;
    CHECK_SAME(sum.to_host(), each_position({4, 5}, [&](const position& p) {
                   return row.at(p, 2) + column.at(p, 2) + matrix.at(p, 2) * 2.0f;
               }));
    const k::array<float> counted = column.on_device() + k::arange<float>(5);
    CHECK_SAME(counted.to_host(),
               each_position({4, 5}, [&](const position& p) { return column.at(p, 2) + static_cast<float>(p[1]); }));
    const k::array<float> filled = k::ones<float>({3, 1, 1}) + matrix.on_device();
    CHECK(filled.shape() == k::shape{3, 4, 5});
    CHECK_SAME(filled.to_host(), each_position({3, 4, 5}, [&](const position& p) { return 1.0f + matrix.at(p, 3); }));
}

TEST_CASE("index(axis) is the position in what it meets") {
    const auto m = distinct<float>({4, 5});
    const k::array<float> x = m.on_device();
    const k::array<float> lower = k::where(k::index(0) >= k::index(1), x, 0.0f);
    CHECK_SAME(lower.to_host(),
               each_position({4, 5}, [&](const position& p) { return p[0] >= p[1] ? m.at(p, 2) : 0.0f; }));
    const k::array<std::int64_t> last = k::cast<std::int64_t>(x) * 0 + k::index(-1);
    CHECK_SAME(last.to_host(), each_position({4, 5}, [](const position& p) { return p[1]; }));
    CHECK_THROWS_AS(k::eval(x + k::cast<float>(k::index(2))), k::shape_error);
    const k::array<std::int64_t> line = k::zeros<std::int64_t>({9}) + k::index(0);
    CHECK_SAME(line.to_host(), each_position({9}, [](const position& p) { return p[0]; }));
}

TEST_CASE("broadcasting is one kernel, and no size or stride compiles another") {
    const auto run = [](std::int64_t rows, std::int64_t columns) {
        const k::array<float> row = k::ones<float>({columns});
        const k::array<float> matrix = k::ones<float>({rows, columns});
        const k::counters before = k::counters::now();
        const k::array<float> sum = row * matrix;
        return k::counters::now() - before;
    };
    run(8, 64);
    const k::counters again = run(16, 128);
    CHECK(again.launches == 1);
    CHECK(again.misses == 0);
    CHECK(again.memory_hits == 1);
    CHECK(again.bytes_read == 4 * (128 + 16 * 128));
    CHECK(again.bytes_written == 4 * 16 * 128);
}

TEST_CASE("several outputs of several shapes come from one kernel") {
    const auto row = distinct<float>({5});
    const auto column = distinct<float>({4, 1}, 100);
    const k::array<float> r = row.on_device();
    const k::array<float> c = column.on_device();
    const k::counters before = k::counters::now();
    const auto [doubled, sum, squares] = k::eval(r * 2.0f, r + c, k::cast<double>(c) * c);
    CHECK((k::counters::now() - before).launches == 1);
    CHECK(doubled.shape() == k::shape{5});
    CHECK(sum.shape() == k::shape{4, 5});
    CHECK(squares.shape() == k::shape{4, 1});
    CHECK_SAME(doubled.to_host(), each_position({5}, [&](const position& p) { return 2.0f * row.at(p, 1); }));
    CHECK_SAME(sum.to_host(), each_position({4, 5}, [&](const position& p) { return row.at(p, 2) + column.at(p, 2); }));
    CHECK_SAME(squares.to_host(), each_position({4, 1}, [&](const position& p) {
                   return static_cast<double>(column.at(p, 2)) * static_cast<double>(column.at(p, 2));
               }));
}

TEST_CASE("in place, the right side may broadcast to the left and not the other way") {
    k::array<float> m = k::ones<float>({3, 4});
    const k::array<float> row = k::arange<float>(4);
    m += row;
    CHECK_SAME(m.to_host(), each_position({3, 4}, [](const position& p) { return 1.0f + static_cast<float>(p[1]); }));
    k::array<float> short_one = k::ones<float>({4});
    CHECK_THROWS_AS(short_one += m, k::shape_error);
    CHECK_SAME(short_one.to_host(), std::vector<float>(4, 1.0f));
}

TEST_CASE("a target takes what broadcasts to it") {
    k::array<float> m = k::zeros<float>({3, 4});
    m(k::range(0, 2)) = k::arange<float>(4);
    CHECK_SAME(m.to_host(),
               each_position({3, 4}, [](const position& p) { return p[0] < 2 ? static_cast<float>(p[1]) : 0.0f; }));
    CHECK_THROWS_AS((m(k::range(0, 2)) = k::ones<float>({5})), k::shape_error);
    CHECK_THROWS_AS((m(k::range(0, 2)) = k::ones<float>({2, 2, 4})), k::shape_error);
}

TEST_CASE("a mask as an index writes where it holds") {
    const auto values = distinct<float>({3, 4}, -5);
    k::array<float> m = values.on_device();
    const k::array<float> kept = m;
    m(m < 0.0f) = 0.0f;
    CHECK_SAME(m.to_host(),
               each_position({3, 4}, [&](const position& p) { return values.at(p, 2) < 0 ? 0.0f : values.at(p, 2); }));
    CHECK_SAME(kept.to_host(), values.values);
    k::array<float> six = k::zeros<float>({6});
    const k::array<bool> other = k::zeros<bool>({2, 3});
    CHECK_THROWS_WITH_AS(six(other) = 1.0f, "kiln: a mask: shape (2, 3) does not broadcast to (6,)", k::shape_error);
}
