// Rows by segments (k::segment_sum and the others where a row of values has one id) against the same values told apart one by one,
// to the bit, and integers against a loop. There are as many as it takes for rows to be put in order on a GPU.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/operations.hpp>
#include <support/sample.hpp>

#include <capture/segments.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

/// Some that are large, small, 0, -0, infinite and NaN.
template <class T>
std::vector<T> values_of(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t bits = random();
        if constexpr (std::is_integral_v<T>) {
            out.push_back(static_cast<T>(std::is_same_v<T, bool> ? bits & 1 : bits * 2654435769u));
        } else {
            const float value = static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-31f;
            out.push_back(T(bits % 97 == 0 ? value * 0x1p-9f : bits % 89 == 0 ? -0.0f : value * 8));
        }
    }
    if constexpr (!std::is_integral_v<T>) {
        const float infinity = std::numeric_limits<float>::infinity();
        const float special[] = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e-40f, -0.0f, 60000.0f};
        for (std::size_t i = 0; i < std::size(special); ++i) out[out.size() / 9 * (i + 1) % out.size()] = T(special[i]);
        // Two infinities of one column and segment: 0, as all ids of some tests are.
        out[0] = T(infinity);
        out[out.size() / 2] = T(-infinity);
    }
    return out;
}

enum class ids_are { random, sorted, one, sparse };

std::vector<int> ids_of(std::int64_t rows, std::int64_t count, ids_are what) {
    std::mt19937 random(static_cast<unsigned>(rows));
    std::vector<int> out;
    for (std::int64_t i = 0; i < rows; ++i) {
        const int any = static_cast<int>(random() % static_cast<unsigned>(count + 4)) - 2;  // two below, two beyond
        out.push_back(what == ids_are::one      ? static_cast<int>(count) - 1
                      : what == ids_are::sparse ? any / 50 * 50
                                                : any);
    }
    if (what == ids_are::sorted) std::sort(out.begin(), out.end());
    return out;
}

/// Each value with a number of its own, which is what rows stand for.
template <class I>
std::vector<std::int64_t> numbers_of_values(const std::vector<I>& ids, std::int64_t inside, std::int64_t count) {
    std::vector<std::int64_t> out;
    for (const I id : ids)
        for (std::int64_t c = 0; c < inside; ++c)
            out.push_back(id >= 0 && std::cmp_less(id, count) ? static_cast<std::int64_t>(id) * inside + c : -1);
    return out;
}

template <class T>
void check_rows(std::int64_t rows, std::int64_t inside, std::int64_t count, ids_are what) {
    CAPTURE(rows);
    CAPTURE(inside);
    CAPTURE(count);
    CAPTURE(static_cast<int>(what));
    const std::vector<T> values = values_of<T>(rows * inside, static_cast<unsigned>(inside));
    const std::vector<int> ids = ids_of(rows, count, what);
    const k::array<T> flat = k::from_host<T>(values, {rows * inside});
    const k::array<T> x = k::from_host<T>(values, {rows, inside});
    const k::array<int> of = k::from_host<int>(ids, {rows});
    const k::array<std::int64_t> each = k::from_host<std::int64_t>(numbers_of_values(ids, inside, count));
    using R = k::value_t<decltype(k::segment_sum(x, of, count))>;
    const k::array<R> sums = k::segment_sum(x, of, count);
    CHECK(sums.shape() == k::shape{count, inside});
    CHECK_SAME(sums.to_host(), k::array<R>(k::segment_sum(flat, each, count * inside)).to_host());
    CHECK_SAME(k::array<T>(k::segment_min(x, of, count)).to_host(),
               k::array<T>(k::segment_min(flat, each, count * inside)).to_host());
    CHECK_SAME(k::array<T>(k::segment_max(x, of, count)).to_host(),
               k::array<T>(k::segment_max(flat, each, count * inside)).to_host());
}

constexpr std::int64_t enough = std::int64_t{1} << 18;

}  // namespace

TEST_CASE_TEMPLATE("rows by segments of every type are what their values are one by one", T, KILN_TEST_TYPES) {
    tests::sample chosen(2, static_cast<int>(oracle::type_for<T>) % 2);  // of each type one, of the next the other
    if (chosen.takes_next()) check_rows<T>(enough / 64, 64, 100, ids_are::random);
    if (chosen.takes_next()) check_rows<T>(enough / 33 + 1, 33, 9, ids_are::sparse);
}

TEST_CASE_TEMPLATE("rows by segments: widths, long segments and short ones, in order and not", T, float, double) {
    // What one type leaves out, the other has.
    const int first = std::is_same_v<T, float> ? 0 : 1;
    tests::sample widths(2, first);
    for (const std::int64_t inside : {8, 16, 65, 66, 1000})
        if (widths.takes_next()) check_rows<T>(enough / inside + 1, inside, 37, ids_are::random);
    tests::sample lengths(2, first);
    for (const ids_are what : {ids_are::random, ids_are::sorted, ids_are::one})
        for (const std::int64_t count : {1, 3, 4000})
            if (lengths.takes_next()) check_rows<T>(enough / 64 + 3, 64, count, what);
}

TEST_CASE_TEMPLATE("rows by segments of few values each, whose number is read once for all of them", T, float, double,
                   int) {
    tests::sample sizes(3, std::is_same_v<T, float> ? 0 : std::is_same_v<T, double> ? 1 : 2);  // together all
    for (const std::int64_t inside : {2, 3, 5, 7, 8})
        for (const std::int64_t count : {1, 9, 2000, 100'000})
            if (sizes.takes_next())
                check_rows<T>(enough / inside + 1, inside, count, inside == 5 ? ids_are::sorted : ids_are::random);
}

TEST_CASE_TEMPLATE("rows by segments of few values each, of every type", T, KILN_TEST_TYPES) {
    check_rows<T>(enough / 3 + 1, 3, 1000, ids_are::random);
}

TEST_CASE("segments of rows are in the shape that was asked for, beside other results and alone") {
    const std::vector<float> values = values_of<float>(enough, 3);
    const k::array<float> x = k::from_host<float>(values, {enough / 64, 4, 16});
    const k::array<int> of = k::from_host<int>(ids_of(enough / 64, 50, ids_are::random), {enough / 64});
    const auto sums = k::segment_sum(x, of, 50);
    const k::array<float> alone = sums;
    CHECK(alone.shape() == k::shape{50, 4, 16});
    const auto [again, twice] = k::eval(sums, sums + sums);
    CHECK(again.shape() == k::shape{50, 4, 16});
    CHECK(twice.shape() == k::shape{50, 4, 16});
    CHECK_SAME(again.to_host(), alone.to_host());
    CHECK_SAME(twice.to_host(), k::array<float>(alone + alone).to_host());
    const k::array<float> flat = k::reshape(sums, {50 * 64});
    CHECK(flat.shape() == k::shape{50 * 64});
    CHECK_SAME(flat.to_host(), alone.to_host());
    const auto [one, other] = k::eval(k::reshape(sums, {50, 64}), k::reshape(sums, {50, 1, 64})(k::all, 0));
    CHECK(one.shape() == k::shape{50, 64});
    CHECK(other.shape() == k::shape{50, 64});
    CHECK_SAME(one.to_host(), alone.to_host());
    CHECK_SAME(other.to_host(), alone.to_host());
    // What is reshaped is the result itself: no kernel copies it.
    const k::counters before = k::counters::now();
    const k::array<float> once_more = sums;
    CHECK(k::counters::now().launches - before.launches == k::explain(sums).kernels.size());
    for (const auto& each : k::explain(sums).kernels) CHECK(each.name.find("copy") == std::string::npos);
}

TEST_CASE("rows by segments of few values are told apart one by one, and short rows are not put in order") {
    for (const std::int64_t inside : {1, 2, 3}) check_rows<float>(5000, inside, 100, ids_are::random);
    check_rows<float>(100, 64, 7, ids_are::random);
    CHECK_FALSE(k::detail::are_rows_of_segments(100, 64, 7, k::element_type::float32));
    CHECK(k::detail::are_rows_of_segments(1'000'000, 3, 1000, k::element_type::float32));
    CHECK_FALSE(k::detail::are_put_in_order(1'000'000, 3, 1000, k::element_type::float32));
    CHECK_FALSE(k::detail::are_rows_of_segments(1'000'000, 12, 1'000'001, k::element_type::float32));
    CHECK_FALSE(k::detail::are_rows_of_segments(1'000'000, 1, 1000, k::element_type::float32));
    CHECK_FALSE(k::detail::are_rows_of_segments(100'000, 64, 1'000'000, k::element_type::float32));
    CHECK_FALSE(k::detail::are_put_in_order(1'000'000, 8, 200'000, k::element_type::float32));
    CHECK(k::detail::are_put_in_order(1'000'000, 8, 4000, k::element_type::float32));
    CHECK(k::detail::are_rows_of_segments(1'000'000, 16, 200'000, k::element_type::float32));
    CHECK_FALSE(k::detail::are_rows_of_segments(std::int64_t{1} << 31, 64, 1000, k::element_type::float32));
    CHECK(k::detail::are_rows_of_segments(1'000'000, 64, 4000, k::element_type::float32));
    CHECK(k::detail::are_rows_of_segments(1'000'000, 64, 16, k::element_type::float16));
}

TEST_CASE("rows by segments: a GPU puts rows in order, and each value by itself where it is no row") {
    const k::array<float> x = k::ones<float>({enough / 64, 64});
    const k::array<int> of = k::zeros<int>({enough / 64});
    const auto puts_in_order = [](const k::explanation& plan) {
        return std::any_of(plan.kernels.begin(), plan.kernels.end(), [](const auto& each) {
            return each.name.find("kiln_segment_rows_rank") != std::string::npos;
        });
    };
    CHECK(puts_in_order(k::explain(k::segment_sum(x, of, 100))) == tests::device().plans_cuda);
    CHECK(puts_in_order(k::explain(k::segment_max(x + 1.0f, of, 100))) == tests::device().plans_cuda);
    CHECK_FALSE(puts_in_order(k::explain(k::segment_sum(x(k::range(0, 100)), of(k::range(0, 100)), 100))));
    CHECK_FALSE(
        puts_in_order(k::explain(k::segment_sum(x, k::reshape(of, {enough / 64, 1}) + k::zeros<int>({64}), 9))));
}

TEST_CASE("rows by segments inside expressions: views, ids that are computed, broadcast or of several axes") {
    const std::int64_t rows = enough / 64 + 5;
    const std::vector<float> values = values_of<float>(rows * 64 + 1, 3);
    const std::vector<int> ids = ids_of(rows, 50, ids_are::random);
    const k::array<float> longer = k::from_host<float>(values, {rows * 64 + 1});
    const std::vector<float> after_first(values.begin() + 1, values.end());
    const k::array<float> x = k::from_host<float>(after_first, {rows, 64});
    const k::array<int> of = k::from_host<int>(ids, {rows});
    const auto expected = [&](const auto& e, const auto& by, std::int64_t count) {
        const k::array<float> made = e;
        const std::vector<int> host = k::array<int>(by).to_host();
        const std::int64_t inside = made.size() / static_cast<std::int64_t>(host.size());
        const k::array<std::int64_t> each = k::from_host<std::int64_t>(numbers_of_values(host, inside, count));
        return k::array<float>(k::segment_sum(k::reshape(made, {made.size()}), each, count * inside)).to_host();
    };
    const auto misaligned = k::reshape(longer(k::range(1, rows * 64 + 1)), {rows, 64});
    CHECK_SAME(k::array<float>(k::segment_sum(misaligned, of, 50)).to_host(), expected(x, of, 50));
    CHECK_SAME(k::array<float>(k::segment_sum(x * 2.0f + 1.0f, of, 50)).to_host(), expected(x * 2.0f + 1.0f, of, 50));
    CHECK_SAME(k::array<float>(k::segment_sum(x, of % 7 - 1, 5)).to_host(), expected(x, of % 7 - 1, 5));
    const auto same = k::broadcast_to(k::from_host<int>({3}), {rows});
    CHECK_SAME(k::array<float>(k::segment_sum(x, same, 50)).to_host(), expected(x, same, 50));
    const k::array<float> cube = k::reshape(x(k::range(0, rows - 5)), {(rows - 5) / 2, 2, 8, 8});
    const k::array<int> pairs = k::reshape(of(k::range(0, rows - 5)), {(rows - 5) / 2, 2});
    const k::array<float> sums = k::segment_sum(cube, pairs, 50);
    CHECK(sums.shape() == k::shape{50, 8, 8});
    CHECK_SAME(sums.to_host(), expected(cube, pairs, 50));
    const k::array<float> least = k::segment_min(x, of, 50);
    CHECK_SAME(k::array<float>(k::segment_sum(x, of, 50) / (k::segment_min(x, of, 50) + 1.0f)).to_host(),
               k::array<float>(k::array<float>(k::segment_sum(x, of, 50)) / (least + 1.0f)).to_host());
    const std::vector<float> fused = k::array<float>(k::segment_sum(x * 3.0f, of, 50)).to_host();
    const k::scoped_options unfused({.fuse = false});
    CHECK_SAME(k::array<float>(k::segment_sum(x * 3.0f, of, 50)).to_host(), fused);
}

TEST_CASE("rows by segments in the body of a graph: each replay puts them in order anew") {
    const std::int64_t rows = enough / 64;
    const k::array<float> x = k::from_host<float>(values_of<float>(rows * 64, 8), {rows, 64});
    k::array<int> of = k::cast<int>(k::arange<std::int64_t>(rows) % 11);
    k::array<float> sums = k::zeros<float>({12, 64});
    k::graph step({&of, &sums}, [&] {
        sums = k::segment_sum(x, of, 12);
        of = (of + 5) % 12;
    });
    step.replay(3);
    const k::array<float> last = sums;
    const k::array<int> before = k::cast<int>((k::arange<std::int64_t>(rows) % 11 + 10) % 12);
    CHECK_SAME(last.to_host(), k::array<float>(k::segment_sum(x, before, 12)).to_host());
}
