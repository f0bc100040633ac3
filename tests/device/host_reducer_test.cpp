// Rows taken side by side, and those that ask for memory on the way, have the bits of rows taken one by one, and by every instruction set
// the same.
#include <device/cpu/host_reducer.hpp>

#include <kiln/float16.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using kiln::element_type;
using kiln::detail::reduction_kind;

/// Of all sizes, with zeros of both signs, infinities, NaN and equal neighbours.
template <class T>
std::vector<T> values_of(std::size_t count) {
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
            const float value = chosen % 11 < 5 ? special[chosen % 11] : static_cast<float>(chosen) * 0.37f - 9000.0f;
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
                             std::int64_t rows, std::int64_t extent) {
    const std::vector<T> source = values_of<T>(static_cast<std::size_t>(rows * extent));
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
    CHECK(finished(asking) == out);
    return out;
}

template <class T>
void check(reduction_kind what, element_type type, std::int64_t rows, std::int64_t extent) {
    kiln::plan::reduced_output of;
    of.what = what;
    of.accumulated = type;
    of.result = type;
    CAPTURE(static_cast<int>(what));
    CAPTURE(static_cast<int>(type));
    CAPTURE(extent);
    CAPTURE(rows);
    std::vector<std::byte> of_baseline;
    for (const char* const set : instruction_sets) {
        const kiln::backend::reducer_table* const by = kiln::backend::reducers_named(set);
        if (!by) continue;
        CAPTURE(set);
        const std::vector<std::byte> out = check<T>((*by)(of), of, rows, extent);
        if (of_baseline.empty()) of_baseline = out;
        CHECK(out == of_baseline);
    }
}

template <class T>
void check_all(element_type type, std::initializer_list<reduction_kind> kinds) {
    for (const reduction_kind what : kinds)
        for (std::int64_t extent = 1; extent <= 18; ++extent)
            for (const std::int64_t rows : {1, 63, 64, 65, 200}) check<T>(what, type, rows, extent);
    for (const reduction_kind what : kinds)
        for (const std::int64_t extent : {100, 256, 600, 2047, 2048}) check<T>(what, type, 2, extent);
}

}  // namespace

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
