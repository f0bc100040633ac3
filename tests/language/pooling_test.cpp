// Reductions over several short axes with others between them, as images are pooled: on the CPU to the bit what each value comes to in the
// order of plan/host_order.hpp, taken here one by one; elsewhere what any order gives.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <plan/host_order.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace k = kiln;

namespace {

template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed) {
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        const unsigned chosen = seed >> 16;
        if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(chosen));
        else out.push_back(static_cast<T>(chosen % 7 == 0 ? -0.0f : static_cast<float>(chosen) * 0.00037f - 9.0f));
    }
    return out;
}

/// Runs of neighbours, in lanes that meet in pairs; what one comes to is put to what those before it did.
template <class T, class Combine>
T in_order(const std::vector<std::vector<T>>& runs, T none, Combine combine) {
    T all = none;
    for (const std::vector<T>& run : runs) {
        constexpr std::size_t lanes = kiln::plan::host_order::lanes;
        std::vector<T> lane(lanes, none);
        for (std::size_t i = 0; i < run.size(); ++i) lane[i % lanes] = combine(lane[i % lanes], run[i]);
        for (std::size_t apart = lanes / 2; apart > 0; apart /= 2)
            for (std::size_t j = 0; j < apart; ++j) lane[j] = combine(lane[j], lane[j + apart]);
        all = combine(all, lane[0]);
    }
    return all;
}

struct windows {
    std::int64_t images, rows, height, columns, width;
    std::int64_t channels;  // last; 0: of one, and nothing is behind a window's elements
};

k::shape whole(const windows& of) {
    if (of.channels == 0) return {of.images, of.rows, of.height, of.columns, of.width};
    return {of.images, of.rows, of.height, of.columns, of.width, of.channels};
}

/// Of each value the runs that are neighbours in memory: a window's lines, or, of one column of them, all of it; where channels are, each
/// element is one.
template <class T>
std::vector<std::vector<std::vector<T>>> runs_of(const windows& of, const std::vector<T>& x) {
    std::vector<std::vector<std::vector<T>>> out;
    const std::int64_t channels = std::max<std::int64_t>(1, of.channels);
    for (std::int64_t outer = 0; outer < of.images * of.rows; ++outer)
        for (std::int64_t column = 0; column < of.columns; ++column)
            for (std::int64_t channel = 0; channel < channels; ++channel) {
                std::vector<std::vector<T>> runs;
                for (std::int64_t i = 0; i < of.height; ++i)
                    for (std::int64_t j = 0; j < of.width; ++j) {
                        const bool goes_on = channels == 1 && (j > 0 || (of.columns == 1 && i > 0));
                        if (!goes_on) runs.emplace_back();
                        const std::int64_t pixel = ((outer * of.height + i) * of.columns + column) * of.width + j;
                        runs.back().push_back(x[static_cast<std::size_t>(pixel * channels + channel)]);
                    }
                out.push_back(std::move(runs));
            }
    return out;
}

template <class T>
void check(const windows& of) {
    CAPTURE(of.columns);
    CAPTURE(of.width);
    CAPTURE(of.channels);
    const std::vector<T> elements = numbers<T>(whole(of).size(), 1);
    const k::array<T> x = k::from_host<T>(elements, whole(of));
    const k::axis_list over = k::axes(2, 4);
    const auto runs = runs_of(of, elements);
    std::vector<T> most, least, sums, products;
    std::vector<std::int64_t> places;
    for (const auto& each : runs) {
        std::vector<T> all;
        for (const auto& run : each) all.insert(all.end(), run.begin(), run.end());
        most.push_back(*std::max_element(all.begin(), all.end()));
        least.push_back(*std::min_element(all.begin(), all.end()));
        places.push_back(std::max_element(all.begin(), all.end()) - all.begin());
        if constexpr (std::is_floating_point_v<T>) {
            sums.push_back(in_order<T>(each, T(-0.0f), [](T a, T b) { return a + b; }));
            products.push_back(in_order<T>(each, T(1), [](T a, T b) { return a * b; }));
        }
    }
    CHECK(k::array<T>(k::max(x, over)).to_host() == most);
    CHECK(k::array<T>(k::min(x, over)).to_host() == least);
    CHECK(k::array<std::int64_t>(k::argmax(x, over)).to_host() == places);
    if constexpr (std::is_floating_point_v<T>) {
        if (tests::device().is_cuda) return;
        CHECK_SAME(k::array<T>(k::sum(x, over)).to_host(), sums);
        CHECK_SAME(k::array<T>(k::prod(x, over)).to_host(), products);
        std::vector<T> means;
        for (const T each : sums) means.push_back(each / static_cast<T>(of.height * of.width));
        CHECK_SAME(k::array<T>(k::mean(x, over)).to_host(), means);
        if (tests::device().compiles && !tests::cubins_wanted()) {
            const auto mine = k::reduction<T>("mine", T(-0.0f), "a", "b", "return a + b;");
            CHECK_SAME(k::array<T>(mine(x, over)).to_host(), sums);
        }
        // Of what is computed, in an order that is not memory's.
        const k::array<T> turned = k::flip(x, k::axis(3));
        CHECK_SAME(k::array<T>(k::sum(k::flip(turned, k::axis(3)) * T(1), over)).to_host(), sums);
    }
}

template <class T>
void check_all() {
    for (const std::int64_t channels : {0, 1, 3, 5, 70})
        for (const std::int64_t columns : {1, 7, 64, 85}) {
            check<T>({2, 5, 2, columns, 2, channels});
            check<T>({1, 3, 3, columns, 3, channels});
        }
    check<T>({1, 2, 2, 1500, 2, 0});
    check<T>({1, 2, 3, 40, 20, 0});
    check<T>({1, 40, 2, 2, 2, 2});
}

}  // namespace

TEST_CASE("pooling: float") { check_all<float>(); }
TEST_CASE("pooling: double") { check_all<double>(); }
TEST_CASE("pooling: bytes") { check_all<std::uint8_t>(); }
TEST_CASE("pooling: int32") { check_all<std::int32_t>(); }

TEST_CASE("pooling: extremes of 16-bit floats are those of the same numbers as float") {
    const std::vector<float> wide = numbers<float>(4 * 6 * 3 * 85 * 3, 3);
    const k::array<float> of_float = k::from_host<float>(wide, {4, 6, 3, 85, 3});
    const k::array<k::float16> x = k::cast<k::float16>(of_float);
    const k::array<float> same = k::cast<float>(x);
    CHECK_SAME(k::array<float>(k::cast<float>(k::max(x, k::axes(2, 4)))).to_host(),
               k::array<float>(k::max(same, k::axes(2, 4))).to_host());
    CHECK_SAME(k::array<float>(k::cast<float>(k::min(x, k::axes(2, 4)))).to_host(),
               k::array<float>(k::min(same, k::axes(2, 4))).to_host());
    for (const int width : {1, 2, 3, 4, 5}) {
        const k::shape rows{18360 / width, width};
        CHECK_SAME(k::array<float>(k::cast<float>(k::max(k::reshape(x, rows), k::axis(1)))).to_host(),
                   k::array<float>(k::max(k::reshape(same, rows), k::axis(1))).to_host());
    }
}
