// What the CPU keeps of columns, and of rows that columns are made of (plan/policy/host_persistent_columns.cpp, host_crossed_columns.cpp):
// to the bit what a kernel for each operation gives, in one kernel where it is compiled.
#include "unfused.hpp"

#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <tuple>

namespace k = kiln;

namespace {

using k::axis;
using k::keep_dims;

/// In (-4, 4), a few of them special.
template <class T>
k::array<T> values(const k::shape& of, unsigned seed, bool special = false) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) {
        seed = seed * 1664525u + 1013904223u;
        float value = static_cast<float>(static_cast<int>(seed >> 8 & 0xffff) - 0x8000) / 8192;
        if (special && seed >> 24 == 7) {
            constexpr float inf = std::numeric_limits<float>::infinity();
            constexpr float choices[] = {inf, -inf, std::numeric_limits<float>::quiet_NaN(), -0.0f, 1e-44f};
            value = choices[(seed >> 4) % 5];
        }
        each = static_cast<T>(value);
    }
    return k::from_host<T>(out, of);
}

bool keeps_on_host() { return tests::device().persistent_rows && !tests::device().plans_cuda; }

template <class T>
void check(const std::function<k::expr<T>()>& make, bool once = true) {
    const std::int64_t launches = tests::same_unfused<T>(make).launches;
    if (keeps_on_host()) CHECK((launches == 1) == once);
}

template <class T>
k::expr<T> softmax(const k::expr<T>& m, int over) {
    const k::expr<T> e = k::exp(m - k::max(m, axis(over), keep_dims));
    return e / k::sum(e, axis(over), keep_dims);
}

template <class T>
k::expr<T> scores(const k::expr<T>& x, int over) {
    const k::expr<T> centred = x - k::mean(x, axis(over), keep_dims);
    return centred / (k::sqrt(k::mean(k::square(centred), axis(over), keep_dims)) + T(1e-6f));
}

}  // namespace

TEST_CASE("host columns: of many heights and widths, a last few of them, and of what is no number") {
    for (const k::shape& of : {k::shape{3, 40, 130}, k::shape{2, 65, 128}, k::shape{1, 1030, 200},
                               k::shape{2, 2048, 129}, k::shape{1, 129, 2100}, k::shape{5, 16, 191}}) {
        CAPTURE(of);
        const k::array<float> x = values<float>(of, 1);
        check<float>([&] { return softmax<float>(x, 1); });
        check<float>([&] { return scores<float>(x, 1); });
        const k::array<float> odd = values<float>(of, 2, true);
        check<float>([&] { return softmax<float>(odd, 1); });
        check<float>([&] { return scores<float>(odd, 1); });
    }
}

TEST_CASE("host columns: of other types, where they begin anywhere, and with operands of rows and of columns") {
    const k::array<double> wide = values<double>({300, 140}, 3);
    check<double>([&] { return scores<double>(wide, 0); });
    const k::array<k::float16> narrow = values<k::float16>({2, 100, 140}, 4);
    check<k::float16>([&] { return softmax<k::float16>(narrow, 1); });
    const k::array<std::int32_t> whole = values<std::int32_t>({100, 140}, 5);
    check<std::int32_t>([&] { return whole - k::max(whole, axis(0), keep_dims) * k::min(whole, axis(0), keep_dims); });
    const k::array<float> x = values<float>({90, 203}, 6);
    check<float>([&] { return softmax<float>(x(k::all, k::range(1, 202)), 0); });
    check<float>([&] { return softmax<float>(x(k::all, k::range(0, 203, 1))(k::range(3, 90)), 0); });
    const k::array<float> of_row = values<float>({90, 1}, 7);
    const k::array<float> of_column = values<float>({203}, 8);
    check<float>([&] { return scores<float>(x * of_row + of_column, 0) * of_column - of_row; });
    check<float>([&] { return k::exp(k::max(x, axis(0), keep_dims)) * x + of_column; });
    // Of the first phase, after one of the second.
    check<float>([&] { return softmax<float>(x, 0) * k::min(x * of_row, axis(0), keep_dims); });
    const k::array<float> flat = -0.0f * k::ones<float>({90, 203});
    check<float>([&] { return flat + k::sum(flat, axis(0), keep_dims); });
}

TEST_CASE("host columns: large ones, that leave past the caches of few threads, and others that begin between lines") {
    for (const std::int64_t columns : {32768, 32760}) {
        CAPTURE(columns);
        const k::array<float> x = values<float>({130, columns}, 24);
        check<float>([&] { return softmax<float>(x, 0); });
        check<float>([&] { return scores<float>(x, 0); });
        const k::array<double> wide = values<double>({70, columns}, 25);
        check<double>([&] { return scores<double>(wide, 0); });
    }
}

TEST_CASE("host columns: what they come to and what is made of it, stored by one kernel") {
    const k::array<float> x = values<float>({2, 300, 150}, 9, true);
    const auto make = [&] {
        const auto largest = k::max(x, axis(1), keep_dims);
        const auto total = k::sum(k::exp(x - largest), axis(1), keep_dims);
        return k::eval(k::exp(x - largest) / total, total, k::log(total) + largest);
    };
    const auto [share, total, logarithm] = make();
    const k::scoped_options apart({.fuse = false});
    const auto [share_apart, total_apart, logarithm_apart] = make();
    CHECK(tests::difference(share.to_host(), share_apart.to_host()).empty());
    CHECK(tests::difference(total.to_host(), total_apart.to_host()).empty());
    CHECK(tests::difference(logarithm.to_host(), logarithm_apart.to_host()).empty());
}

TEST_CASE("host columns: by several kernels where they are long, few, or of several axes") {
    const auto of = [](const k::shape& of, int over) {
        const k::array<float> x = values<float>(of, 10);
        return [x, over] { return softmax<float>(x, over); };
    };
    check<float>(of({2049, 130}, 0), false);
    check<float>(of({300, 127}, 0), false);
    check<float>(of({15, 200}, 0), false);
    const k::array<float> cube = values<float>({20, 40, 130}, 11);
    check<float>([&]() -> k::expr<float> { return cube - k::mean(cube, k::axes(0, 1), keep_dims); }, false);
}

TEST_CASE("host crossed columns: of rows of many lengths, in one kernel") {
    for (const auto& of : {std::pair{64, 8}, {500, 33}, {3000, 17}, {77, 1024}, {2049, 100}, {70'000, 9}, {300, 260}}) {
        const int rows = of.first;
        const int columns = of.second;
        CAPTURE(rows);
        CAPTURE(columns);
        for (const bool special : {false, true}) {
            const k::array<float> x = values<float>({rows, columns}, 12, special);
            const k::array<float> weights = values<float>({columns}, 13);
            const k::array<float> label = values<float>({rows}, 14);
            const auto wanted = label(k::all, k::newaxis);
            check<float>([&]() -> k::expr<float> {
                return k::mean((k::sigmoid(k::sum(x * weights, axis(1), keep_dims)) - wanted) * x, axis(0));
            });
            // A function of what a row has, of elements on both sides, and what is reduced as it is.
            check<float>([&]() -> k::expr<float> {
                return k::max(k::exp(x) * k::tanh(k::sum(k::exp(-x), axis(1), keep_dims)) + wanted, axis(0));
            });
            check<float>([&]() -> k::expr<float> { return k::sum(x * k::max(x, axis(1), keep_dims), axis(0)); });
            check<float>([&]() -> k::expr<float> {
                return k::sum(k::where(x > wanted, k::sum(x, axis(1), keep_dims), weights), axis(0));
            });
        }
    }
}

TEST_CASE(
    "host crossed columns: of other types, views, and several axes; by two kernels where rows are long or lie across") {
    const k::array<double> wide = values<double>({400, 20}, 15);
    check<double>(
        [&]() -> k::expr<double> { return k::sum(k::exp(k::sum(wide, axis(1), keep_dims)) * wide, axis(0)); });
    const k::array<k::float16> narrow = values<k::float16>({400, 20}, 16);
    check<k::float16>([&]() -> k::expr<k::float16> {
        return k::sum(k::tanh(k::sum(narrow * narrow, axis(1), keep_dims)) * narrow, axis(0));
    });
    const auto of = [](const auto& m) {
        return [m]() -> k::expr<float> { return k::sum(k::sin(k::sum(m, axis(-1), keep_dims)) * m, axis(0)); };
    };
    const k::array<float> x = values<float>({400, 41}, 17);
    check<float>(of(x(k::all, k::range(1, 38))));
    check<float>(of(x(k::range(3, 399, 2))));
    const k::array<float> cube = values<float>({30, 20, 24}, 18);
    const k::array<float> middle = values<float>({20, 1}, 19);
    check<float>(
        [&]() -> k::expr<float> { return k::sum(cube * (k::sum(cube, axis(2), keep_dims) + middle), k::axes(0, 1)); });
    check<float>(of(values<float>({400, 1025}, 20)), false);
    check<float>(of(values<float>({400, 7}, 21)), false);
    check<float>(of(values<float>({63, 20}, 22)), false);
    check<float>([&]() -> k::expr<float> { return of(k::transpose(values<float>({20, 400}, 23)))(); }, false);
    check<float>(
        [&]() -> k::expr<float> {  // of two reductions of a row
            return k::sum((x - k::max(x, axis(1), keep_dims)) * k::sum(x, axis(1), keep_dims), axis(0));
        },
        false);
}
