// Rows of tables that ids find, normed in the kernel that finds them: the same bits as one kernel for each operation gives, and those of
// rows that were copied on the host.
#include <language/elementwise.hpp>
#include <language/unfused.hpp>
#include <support/device_under_test.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace k = kiln;

namespace {

template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = static_cast<double>(random() % 100003) / 12500.4 - 4;
        if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

/// Of 16-bit floats in float, as layers do.
template <class T>
k::expr<T> normed(const k::expr<T>& of, const k::array<T>& weights) {
    using U = std::conditional_t<k::detail::small_float<T>, float, T>;
    const auto over = k::axis(1);
    const k::expr<U> x = k::cast<U>(of);
    const k::expr<U> spread = k::var(x, over, k::keep_dims);
    return k::cast<T>((x - k::mean(x, over, k::keep_dims)) / k::sqrt(spread + U(1e-3F)) * k::cast<U>(weights));
}

constexpr std::int64_t rows_of_table = 53;

/// Repeated ones, one from the end, and some past both ends, which find the last row and the first.
std::vector<std::int64_t> some_ids(std::int64_t count) {
    std::mt19937 random(5);
    std::vector<std::int64_t> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<std::int64_t>(random() % rows_of_table));
    const std::int64_t special[] = {
        -1, -rows_of_table, -rows_of_table - 1, rows_of_table, 1000, -9000000000000000LL, 9000000000000000LL, 7, 7, 7};
    std::copy(std::begin(special), std::end(special), out.begin());
    return out;
}

std::int64_t row_of(std::int64_t id) {
    return std::clamp<std::int64_t>(id < 0 ? id + rows_of_table : id, 0, rows_of_table - 1);
}

/// `beyond`: elements between the table's rows, and before the first.
template <class T>
void check(std::int64_t n, std::int64_t beyond) {
    CAPTURE(n);
    CAPTURE(beyond);
    const std::int64_t wide = n + beyond;
    std::vector<T> host = numbers<T>(rows_of_table * wide, 3);
    host[static_cast<std::size_t>(7 * wide + beyond + n / 2)] = std::numeric_limits<T>::quiet_NaN();
    const k::array<T> whole = k::from_host<T>(host, {rows_of_table, wide});
    const auto table = whole(k::all, k::range(beyond, wide));
    const k::array<T> weights = k::from_host<T>(numbers<T>(n, 4), {n});
    const std::vector<std::int64_t> ids = some_ids(41);
    const auto count = static_cast<std::int64_t>(ids.size());
    std::vector<T> copied;
    for (const std::int64_t id : ids) {
        const auto from = host.begin() + (row_of(id) * wide + beyond);
        copied.insert(copied.end(), from, from + n);
    }
    const k::array<T> taken = k::from_host<T>(copied, {count, n});
    const std::vector<T> expected = k::array<T>(normed<T>(taken, weights)).to_host();

    const k::array<std::int64_t> where = k::from_host<std::int64_t>(ids, {count});
    const auto found = tests::same_unfused<T>([&] { return normed<T>(k::take(table, where, k::axis(0)), weights); });
    if (tests::device().is_cuda && n <= 8192) CHECK(found.launches == 1);
    CHECK(tests::difference(found.elements, expected) == "");

    // Ids of 32 bits, that something is made of.
    std::vector<std::int32_t> less;
    for (const std::int64_t id : ids) less.push_back(static_cast<std::int32_t>(row_of(id) - 1));
    const k::array<std::int32_t> narrow = k::from_host<std::int32_t>(less, {count});
    const auto from_narrow =
        tests::same_unfused<T>([&] { return normed<T>(k::take(table, narrow + 1, k::axis(0)), weights); });
    if (tests::device().is_cuda && n <= 8192) CHECK(from_narrow.launches == 1);
    CHECK(tests::difference(from_narrow.elements, expected) == "");
}

}  // namespace

TEST_CASE("rows: of tables, that ids find") {
    tests::sample sizes(2);
    for (const std::int64_t n : {2, 31, 64, 257, 768, 1009, 4096, 8191, 8209})
        for (const std::int64_t beyond : {0, 1, 4})
            if (sizes.takes_next()) check<float>(n, beyond);
    tests::sample others(4);  // what one length leaves out of a type, the next has
    for (const std::int64_t n : {32, 67, 768}) {
        for (const std::int64_t beyond : {0, 1, 8}) {
            if (others.takes_next()) check<double>(n, beyond);
            if (others.takes_next()) check<k::float16>(n, beyond);
            if (others.takes_next()) check<k::bfloat16>(n, beyond);
        }
    }
}

TEST_CASE("rows: of two tables, and of a table that changes along a row") {
    constexpr std::int64_t n = 96;
    const k::array<float> words = k::from_host<float>(numbers<float>(rows_of_table * n, 6), {rows_of_table, n});
    const k::array<float> places = k::from_host<float>(numbers<float>(20 * n, 7), {20, n});
    const k::array<float> weights = k::ones<float>({n});
    const k::array<std::int64_t> ids = k::from_host<std::int64_t>(some_ids(60), {3, 20});
    const auto over = k::axis(2);
    const auto found = tests::same_unfused<float>([&] {
        const k::expr<float> x = k::take(words, ids, k::axis(0)) + places;
        return (x - k::mean(x, over, k::keep_dims)) / k::sqrt(k::var(x, over, k::keep_dims));
    });
    if (tests::device().is_cuda) CHECK(found.launches == 1);
    tests::same_unfused<float>([&] {
        const k::array<std::int64_t> flat = k::array<std::int64_t>(k::flatten(ids));
        const k::expr<float> x = k::take(words, flat, k::axis(0));
        const k::expr<float> late = k::take(words, k::clamp(flat, 3, 9), k::axis(0));
        return (x - k::max(x, k::axis(1), k::keep_dims)) * late + x;
    });
    // Each element of a row has an id of its own: what is looked up is no row.
    tests::same_unfused<float>([&] {
        const k::array<std::int64_t> columns = k::from_host<std::int64_t>(some_ids(n), {n});
        const k::expr<float> x = k::take(words, columns, k::axis(1));
        return x - k::mean(x, k::axis(1), k::keep_dims);
    });
}

namespace {

/// A bag of ids for each row: its table's rows added up, one kernel, the same bits as of rows that were copied.
template <class T>
void check_bags(std::int64_t n, tests::sample& sizes) {
    CAPTURE(n);
    std::vector<T> host = numbers<T>(rows_of_table * n, 3);
    if constexpr (!std::is_integral_v<T>) {
        host[static_cast<std::size_t>(n / 2)] = std::numeric_limits<T>::quiet_NaN();
        host[static_cast<std::size_t>(3 * n)] = std::numeric_limits<T>::infinity();
        host[static_cast<std::size_t>(5 * n - 1)] = T(-0.0f);
    }
    const k::array<T> table = k::from_host<T>(host, {rows_of_table, n});
    for (const auto& of : {std::pair<std::int64_t, std::int64_t>{300, 7}, {5, 60}, {1000, 1}, {0, 4}}) {
        if (!sizes.takes_next()) continue;
        const std::int64_t bags = of.first;
        const std::int64_t count = of.second;
        CAPTURE(bags);
        const k::array<std::int64_t> ids = bags == 0
                                               ? k::zeros<std::int64_t>({0, count})
                                               : k::from_host<std::int64_t>(some_ids(bags * count), {bags, count});
        const k::array<T> weights = k::cast<T>(k::arange<std::int64_t>(std::max<std::int64_t>(bags, 1) * count) % 5);
        const k::array<T> copied = k::take(table, ids, k::axis(0));
        const auto found = tests::same_unfused<T>([&] { return k::sum(k::take(table, ids, k::axis(0)), k::axis(1)); });
        if (bags > 0 && tests::device().is_cuda) CHECK(found.launches == 1);
        CHECK(tests::difference(found.elements, k::array<T>(k::sum(copied, k::axis(1))).to_host()) == "");
        if (bags == 0) continue;
        const auto of_each = k::reshape(weights, {bags, count, 1});
        const auto weighed =
            tests::same_unfused<T>([&] { return k::sum(k::take(table, ids, k::axis(0)) * of_each, k::axis(1)); });
        CHECK(tests::difference(weighed.elements, k::array<T>(k::sum(copied * of_each, k::axis(1))).to_host()) == "");
        const auto largest =
            tests::same_unfused<T>([&] { return k::max(k::take(table, ids, k::axis(0)), k::axis(1)); });
        CHECK(tests::difference(largest.elements, k::array<T>(k::max(copied, k::axis(1))).to_host()) == "");
        // What is looked up is another for each column.
        const k::array<std::int64_t> columns =
            k::from_host<std::int64_t>(some_ids(std::max<std::int64_t>(n, 10)), {std::max<std::int64_t>(n, 10)});
        tests::same_unfused<T>(
            [&] { return k::sum(k::take(k::take(table, columns % n, k::axis(1)), ids, k::axis(0)), k::axis(1)); });
    }
}

}  // namespace

TEST_CASE_TEMPLATE("rows: of tables, added up by bags of ids", T, std::int64_t, k::float16, float, double) {
    // What two of the types leave out, the other two have.
    tests::sample lengths(2, std::is_same_v<T, float> || std::is_integral_v<T> ? 0 : 1);
    tests::sample sizes(3);  // of four: what one length leaves out, the next ones have
    for (const std::int64_t n : {1, 4, 12, 127, 128, 256, 1028})
        if (lengths.takes_next()) check_bags<T>(n, sizes);
}
