// Rows taken side by side, and those that ask for memory on the way, have the bits of rows taken one by one, and by every instruction set
// the same; so have columns whose rows are taken together. Positions are NumPy's.
#include <device/cpu/host_reducer.hpp>

#include <kiln/float16.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace {

using kiln::element_type;
using kiln::detail::reduction_kind;

/// Of all sizes, with zeros of both signs, infinities, NaN and equal neighbours; `plain`: numbers that any sum has room for.
template <class T>
std::vector<T> values_of(std::size_t count, bool plain = false) {
    std::vector<T> out;
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        const std::uint32_t chosen = state >> 16;
        if constexpr (std::is_same_v<T, bool>) {
            out.push_back(chosen % 3 == 0);
        } else if constexpr (std::is_integral_v<T>) {
            out.push_back(static_cast<T>(chosen % 5 == 0 ? std::numeric_limits<T>::max() : static_cast<T>(chosen)));
        } else {
            const float special[] = {0.0f, -0.0f, std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
            const float value = plain             ? static_cast<float>(chosen) * 0.00037f - 9.0f
                                : chosen % 11 < 5 ? special[chosen % 11]
                                                  : static_cast<float>(chosen) * 0.37f - 9000.0f;
            if constexpr (std::is_same_v<T, std::complex<float>>) out.emplace_back(value, 0.5f * value);
            else out.push_back(static_cast<T>(value));
        }
    }
    return out;
}

constexpr const char* instruction_sets[] = {"baseline", "avx2", "avx512"};

/// What the rows come to, taken together and one by one.
template <class T>
std::vector<std::byte> check(const kiln::backend::host_reducer& by, const kiln::plan::reduced_output& of,
                             std::int64_t rows, std::int64_t extent, bool plain) {
    const std::vector<T> source = values_of<T>(static_cast<std::size_t>(rows * extent), plain);
    std::vector<std::byte> bytes(source.size() * sizeof(T) + 1);
    for (std::size_t i = 0; i < source.size(); ++i) {
        const T each = source[i];
        std::memcpy(bytes.data() + i * sizeof(T), &each, sizeof(T));
    }
    const auto size = static_cast<std::size_t>(rows * by.accumulator_bytes());
    std::vector<std::byte> together(size);
    std::vector<std::byte> one_by_one(size);
    std::vector<std::byte> asking(size);
    by.clear(together.data(), rows);
    by.clear(one_by_one.data(), rows);
    by.clear(asking.data(), rows);
    by.take_rows(together.data(), bytes.data(), rows, extent);
    std::vector<std::byte> called(size);
    by.clear(called.data(), rows);
    REQUIRE(static_cast<bool>(by.rows()));
    by.rows()(called.data(), bytes.data(), rows, extent);
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::byte* const values = bytes.data() + row * extent * static_cast<std::int64_t>(sizeof(T));
        by.take_run(one_by_one.data() + row * by.accumulator_bytes(), values, extent, 0);
        by.take_run_asking(asking.data() + row * by.accumulator_bytes(), values, extent, 0,
                           {{{values, sizeof(T)}, {}}});
    }
    // Results, for the bytes between an accumulator's members are anybody's; one NaN is as good as another.
    const auto finished = [&](const std::vector<std::byte>& accumulators) {
        std::vector<std::byte> out(static_cast<std::size_t>(rows) * 16);
        by.finish(accumulators.data(), rows, extent, out.data());
        if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::complex<float>>) {
            using part = std::conditional_t<std::is_same_v<T, double>, double, float>;
            for (std::size_t at = 0; at < out.size() && !of.finds_position(); at += sizeof(part)) {
                part each;
                std::memcpy(&each, out.data() + at, sizeof each);
                if (each != each) std::memset(out.data() + at, 0xff, sizeof each);
            }
        }
        return out;
    };
    const std::vector<std::byte> out = finished(one_by_one);
    CHECK(finished(together) == out);
    CHECK(finished(called) == out);
    CHECK(finished(asking) == out);
    return out;
}

/// What `results` are by the reducer of each instruction set: the same bytes.
template <class Results>
void same_by_every_set(reduction_kind what, element_type type, Results results) {
    kiln::plan::reduced_output of;
    of.what = what;
    of.accumulated = type;
    of.result = type;
    CAPTURE(static_cast<int>(what));
    CAPTURE(static_cast<int>(type));
    std::vector<std::byte> of_baseline;
    for (const char* const set : instruction_sets) {
        const kiln::backend::reducer_table* const by = kiln::backend::reducers_named(set);
        if (!by) continue;
        CAPTURE(set);
        const std::vector<std::byte> out = results((*by)(of), of);
        if (of_baseline.empty()) of_baseline = out;
        CHECK(out == of_baseline);
    }
}

template <class T>
void check(reduction_kind what, element_type type, std::int64_t rows, std::int64_t extent) {
    CAPTURE(extent);
    CAPTURE(rows);
    for (const bool plain : {false, true})
        same_by_every_set(what, type, [&](const kiln::backend::host_reducer& by, const kiln::plan::reduced_output& of) {
            return check<T>(by, of, rows, extent, plain);
        });
}

template <class T>
void check_all(element_type type, std::initializer_list<reduction_kind> kinds) {
    for (const reduction_kind what : kinds)
        for (std::int64_t extent = 1; extent <= 18; ++extent)
            for (const std::int64_t rows : {1, 63, 64, 65, 200}) check<T>(what, type, rows, extent);
    for (const reduction_kind what : kinds)
        for (const std::int64_t extent : {19, 31, 32, 33, 47, 63, 127, 128, 129})
            for (const std::int64_t rows : {1, 15, 16, 17, 40}) check<T>(what, type, rows, extent);
    for (const reduction_kind what : kinds)
        for (const std::int64_t extent : {100, 256, 600, 2047, 2048}) check<T>(what, type, 2, extent);
}

/// Columns, their rows taken together and one by one.
template <class T>
std::vector<std::byte> check_columns(const kiln::backend::host_reducer& by, std::int64_t rows, std::int64_t columns) {
    const std::vector<T> source = values_of<T>(static_cast<std::size_t>(rows * columns));
    // Exactly as long: a sanitiser sees what is read beyond.
    const std::unique_ptr<T[]> values(new T[source.size()]);
    std::copy(source.begin(), source.end(), values.get());
    const auto* const bytes = reinterpret_cast<const std::byte*>(values.get());
    const auto size = static_cast<std::size_t>(columns * by.accumulator_bytes());
    std::vector<std::byte> together(size), one_by_one(size);
    by.clear(together.data(), columns);
    by.clear(one_by_one.data(), columns);
    by.take_each(together.data(), bytes, columns, rows, 0);
    for (std::int64_t row = 0; row < rows; ++row)
        by.take_each(one_by_one.data(), bytes + row * columns * static_cast<std::int64_t>(sizeof(T)), columns, 1, row);
    const auto finished = [&](const std::vector<std::byte>& accumulators) {
        const auto count = static_cast<std::size_t>(columns);
        const std::unique_ptr<T[]> out(new T[count]);
        by.finish(accumulators.data(), columns, rows, reinterpret_cast<std::byte*>(out.get()));
        if constexpr (std::is_floating_point_v<T>)
            for (std::size_t i = 0; i < count; ++i)
                if (out[i] != out[i]) out[i] = std::numeric_limits<T>::quiet_NaN();
        std::vector<std::byte> made(count * sizeof(T));
        std::memcpy(made.data(), out.get(), made.size());
        return made;
    };
    const std::vector<std::byte> out = finished(one_by_one);
    CHECK(finished(together) == out);
    return out;
}

template <class T>
void check_columns(element_type type, std::initializer_list<reduction_kind> kinds) {
    for (const reduction_kind what : kinds)
        for (std::int64_t columns = 1; columns <= 70; ++columns)
            for (const std::int64_t rows : {1, 2, 3, 33, 64}) {
                CAPTURE(columns);
                CAPTURE(rows);
                same_by_every_set(what, type,
                                  [&](const kiln::backend::host_reducer& by, const kiln::plan::reduced_output&) {
                                      return check_columns<T>(by, rows, columns);
                                  });
            }
}

/// NumPy's: the first NaN, else the first of those that none is better than.
template <class T>
std::int64_t position_of_best(bool largest, const std::vector<T>& values) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[best] != values[best]) break;
        const bool is_better = largest ? values[i] > values[best] : values[i] < values[best];
        if (is_better || values[i] != values[i]) best = i;
    }
    return static_cast<std::int64_t>(best);
}

/// In one run and in runs of `at_once`.
template <class T>
void check_positions(element_type type, const std::vector<T>& values, std::size_t at_once) {
    for (const bool largest : {false, true}) {
        const std::int64_t expected = position_of_best(largest, values);
        kiln::plan::reduced_output of;
        of.what = largest ? reduction_kind::argmax : reduction_kind::argmin;
        of.accumulated = type;
        of.result = element_type::int64;
        for (const char* const set : instruction_sets) {
            const kiln::backend::reducer_table* const table = kiln::backend::reducers_named(set);
            if (!table) continue;
            const kiln::backend::host_reducer& by = (*table)(of);
            for (const std::size_t piece : {values.size(), at_once}) {
                std::vector<std::byte> accumulator(static_cast<std::size_t>(by.accumulator_bytes()));
                by.clear(accumulator.data(), 1);
                for (std::size_t from = 0; from < values.size(); from += piece)
                    by.take_run(accumulator.data(), reinterpret_cast<const std::byte*>(values.data() + from),
                                static_cast<std::int64_t>(std::min(piece, values.size() - from)),
                                static_cast<std::int64_t>(from));
                std::int64_t found = -1;
                by.finish(accumulator.data(), 1, static_cast<std::int64_t>(values.size()),
                          reinterpret_cast<std::byte*>(&found));
                INFO(set << ", " << values.size() << " elements, runs of " << piece << ", largest: " << largest);
                CHECK(found == expected);
            }
        }
    }
}

template <class T>
void check_positions(element_type type) {
    CAPTURE(static_cast<int>(type));
    for (const std::size_t count : {127u, 128u, 129u, 255u, 256u, 257u, 319u, 1000u}) {
        std::vector<T> values(count);
        // The best at each place, and again behind it.
        for (std::size_t at = 0; at < count; at += count < 300 ? 1 : 7)
            for (const int sign : {1, -1}) {
                if (std::is_unsigned_v<T> && sign < 0) continue;
                for (std::size_t i = 0; i < count; ++i)
                    values[i] = static_cast<T>(sign * static_cast<int>(20 + i * 7 % 13));
                values[at] = static_cast<T>(sign * 100);
                if (at + 40 < count) values[at + 40] = values[at];
                check_positions(type, values, 130);
                if (std::is_unsigned_v<T> || at % 5 != 0) continue;
                values[at] = static_cast<T>(-sign * 100);
                check_positions(type, values, 130);
            }
        std::fill(values.begin(), values.end(), std::numeric_limits<T>::lowest());
        check_positions(type, values, 200);
        std::fill(values.begin(), values.end(), std::numeric_limits<T>::max());
        check_positions(type, values, 200);
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
            for (const T special : {infinity, -infinity, nan, -nan, T(-0.0)})
                for (std::size_t at = 0; at < count; at += 11) {
                    std::fill(values.begin(), values.end(), T(0));
                    values[at] = special;
                    check_positions(type, values, 130);
                    values[count - 1 - at] = -infinity;
                    values[(at + 50) % count] = infinity;
                    check_positions(type, values, 130);
                    values[(at + 100) % count] = nan;
                    check_positions(type, values, 130);
                }
            std::fill(values.begin(), values.end(), -infinity);
            check_positions(type, values, 200);
        }
    }
}

/// The best of a run, whose numbers are compared in any order where that gives no other bits, and by lanes where memory is asked for
/// on the way.
template <class T>
void check_best(element_type type, reduction_kind what, const std::vector<T>& values) {
    same_by_every_set(what, type, [&](const kiln::backend::host_reducer& by, const kiln::plan::reduced_output&) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
        const auto count = static_cast<std::int64_t>(values.size());
        std::vector<std::byte> run(static_cast<std::size_t>(by.accumulator_bytes()));
        std::vector<std::byte> lanes(run.size());
        by.clear(run.data(), 1);
        by.clear(lanes.data(), 1);
        by.take_run(run.data(), bytes, count, 0);
        by.take_run_asking(lanes.data(), bytes, count, 0, {{{bytes, sizeof(T)}, {}}});
        CHECK(run == lanes);
        return run;
    });
}

template <class T>
void check_best(element_type type) {
    constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    for (const reduction_kind what : {reduction_kind::min, reduction_kind::max})
        for (const std::size_t count : {100, 128, 129, 300, 2047, 2048}) {
            CAPTURE(count);
            const T worse = what == reduction_kind::max ? T(-1) : T(1);  // than any zero
            std::vector<T> values(count);
            std::uint32_t state = 7;
            const auto next = [&state] { return (state = state * 1664525u + 1013904223u) >> 16; };
            for (int turn = 0; turn < 8; ++turn) {
                for (T& each : values) each = static_cast<T>(next()) * T(0.37) - T(9000);
                check_best(type, what, values);
                for (T& each : values) each = next() % 16 != 0 ? worse : next() % 2 == 0 ? T(0) : T(-0.0);
                check_best(type, what, values);
                for (const T special : {infinity, -infinity, nan, std::numeric_limits<T>::denorm_min()}) {
                    values[next() % count] = special;
                    check_best(type, what, values);
                }
            }
            for (const T all : {infinity, -infinity, T(0), T(-0.0), T(3)})
                check_best(type, what, std::vector<T>(count, all));
        }
}

}  // namespace

TEST_CASE(
    "host reducers: the best of a run has the bits of the one that lanes choose, be it a zero, infinite or no number") {
    check_best<float>(element_type::float32);
    check_best<double>(element_type::float64);
}

TEST_CASE("host reducers: rows side by side have the bits of rows one by one, by every instruction set") {
    const std::initializer_list<reduction_kind> sums = {reduction_kind::sum, reduction_kind::prod};
    const std::initializer_list<reduction_kind> choices = {reduction_kind::min, reduction_kind::max,
                                                           reduction_kind::argmin, reduction_kind::argmax};
    check_all<float>(element_type::float32, sums);
    check_all<float>(element_type::float32, choices);
    check_all<float>(element_type::float32, {reduction_kind::mean});
    check_all<float>(element_type::float32, {reduction_kind::variance, reduction_kind::deviation});
    check_all<float>(element_type::float32, {reduction_kind::logsumexp});
    check_all<double>(element_type::float64, sums);
    check_all<double>(element_type::float64, {reduction_kind::logsumexp});
    check_all<double>(element_type::float64, choices);
    check_all<std::int64_t>(element_type::int64, sums);
    check_all<std::int64_t>(element_type::int64, choices);
    check_all<std::uint8_t>(element_type::uint8, choices);
    check_all<kiln::float16>(element_type::float16, choices);
    check_all<std::complex<float>>(element_type::complex64, sums);
    check_all<bool>(element_type::boolean, {reduction_kind::any, reduction_kind::every});
}

TEST_CASE(
    "host reducers: columns whose rows are taken together have the bits of rows one by one, however few they are") {
    const std::initializer_list<reduction_kind> choices = {reduction_kind::min, reduction_kind::max};
    const std::initializer_list<reduction_kind> all = {reduction_kind::min, reduction_kind::max, reduction_kind::sum,
                                                       reduction_kind::prod};
    check_columns<float>(element_type::float32, all);
    check_columns<double>(element_type::float64, all);
    check_columns<std::int64_t>(element_type::int64, all);
    check_columns<std::int32_t>(element_type::int32, choices);
    check_columns<std::uint8_t>(element_type::uint8, choices);
    check_columns<bool>(element_type::boolean, {reduction_kind::any, reduction_kind::every});
}

TEST_CASE("host reducers: the position of the best is that of the first NaN, else of the first of equals") {
    check_positions<float>(element_type::float32);
    check_positions<double>(element_type::float64);
    check_positions<std::int8_t>(element_type::int8);
    check_positions<std::uint8_t>(element_type::uint8);
    check_positions<std::int16_t>(element_type::int16);
    check_positions<std::int32_t>(element_type::int32);
    check_positions<std::int64_t>(element_type::int64);
    check_positions<std::uint64_t>(element_type::uint64);
}

TEST_CASE("host reducer: positions of rows that begin further on are those of the values before them, too") {
    for (const bool largest : {false, true})
        for (const std::int64_t extent : {1, 2, 3, 5, 20}) {
            CAPTURE(extent);
            constexpr std::int64_t rows = 300;
            const std::vector<float> first = values_of<float>(static_cast<std::size_t>(rows * extent));
            std::vector<float> second = values_of<float>(first.size() + 1);
            second.erase(second.begin());
            const kiln::plan::reduced_output of = {largest ? reduction_kind::argmax : reduction_kind::argmin,
                                                   element_type::float32, element_type::int64};
            for (const char* const set : instruction_sets) {
                const kiln::backend::reducer_table* const table = kiln::backend::reducers_named(set);
                if (!table) continue;
                const kiln::backend::host_reducer& by = (*table)(of);
                std::vector<std::byte> made(static_cast<std::size_t>(rows * by.accumulator_bytes()));
                by.clear(made.data(), rows);
                by.take_rows_from(made.data(), reinterpret_cast<const std::byte*>(first.data()), rows, extent, 0);
                by.take_rows_from(made.data(), reinterpret_cast<const std::byte*>(second.data()), rows, extent, extent);
                std::vector<std::int64_t> places(rows);
                by.finish(made.data(), rows, 2 * extent, reinterpret_cast<std::byte*>(places.data()));
                for (std::int64_t row = 0; row < rows; ++row) {
                    std::vector<float> both(first.begin() + row * extent, first.begin() + (row + 1) * extent);
                    both.insert(both.end(), second.begin() + row * extent, second.begin() + (row + 1) * extent);
                    CHECK(places[static_cast<std::size_t>(row)] == position_of_best(largest, both));
                }
            }
        }
}
