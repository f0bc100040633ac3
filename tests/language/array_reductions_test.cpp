// Reductions of arrays as they are, which the CPU reads where they are, have the bits of reductions of the same elements computed first:
// of all of them, of rows and of columns, whole and of views that begin anywhere, around the lengths at which they are cut.
#include <support/check.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

template <class T>
k::array<T> numbers(k::shape extents, unsigned seed) {
    std::vector<T> out;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float edges[] = {0.0f, -0.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
    for (std::int64_t i = 0; i < extents.size(); ++i) {
        seed = seed * 1664525u + 1013904223u;
        const unsigned chosen = seed >> 16;
        const float value = chosen % 2003 < 5 ? edges[chosen % 2003] : static_cast<float>(chosen) * 0.00037f - 9.0f;
        if constexpr (std::is_integral_v<T>) out.push_back(static_cast<T>(chosen));
        else out.push_back(static_cast<T>(value));
    }
    return k::from_host<T>(out, extents);
}

template <class Array, class Reduce>
void check(const Array& x, Reduce reduce) {
    using T = k::value_t<Array>;
    const auto as_it_is = k::eval(reduce(x));
    const auto computed = k::eval(reduce(x * T(1)));
    CHECK_SAME(as_it_is.to_host(), computed.to_host());
}

/// Of seven lengths, of twelve sizes, and of five reductions, which go on from type to type: what one type leaves out, another has.
struct array_samples {
    tests::sample lengths{5}, sizes{7}, reductions{3};
};

array_samples& samples_of_all_types() {
    static array_samples all;
    return all;
}

template <class Array>
void check_all(const Array& x, const k::axis_list& over) {
    tests::sample& chosen = samples_of_all_types().reductions;
    if (chosen.takes_next()) check(x, [&](const auto& of) { return k::sum(of, over); });
    if (chosen.takes_next()) check(x, [&](const auto& of) { return k::mean(of, over); });
    if (chosen.takes_next()) check(x, [&](const auto& of) { return k::max(of, over); });
    if (chosen.takes_next()) check(x, [&](const auto& of) { return k::min(of, over); });
    if (chosen.takes_next()) check(x, [&](const auto& of) { return k::var(of, over); });
}

template <class T>
void check_type() {
    tests::sample& lengths = samples_of_all_types().lengths;
    tests::sample& sizes = samples_of_all_types().sizes;
    for (const std::int64_t count : {1, 16, 17, 2047, 2049, 65537, 300001}) {
        if (!lengths.takes_next()) continue;
        CAPTURE(count);
        const k::array<T> x = numbers<T>({count + 3}, static_cast<unsigned>(count));
        const auto part = x(k::range(3, count + 3));
        check_all(x, {0});
        check_all(part, {0});
        check(part, [](const auto& of) { return k::argmax(of); });
        check(part, [](const auto& of) { return k::argmin(of); });
    }
    for (const std::int64_t rows : {3, 65, 3000})
        for (const std::int64_t columns : {1, 7, 33, 1100}) {
            if (!sizes.takes_next()) continue;
            CAPTURE(rows);
            CAPTURE(columns);
            const k::array<T> m = numbers<T>({rows, columns}, 7);
            const k::array<T> wide = numbers<T>({rows + 1, columns + 1}, 8);
            const auto part = wide(k::range(1, rows + 1), k::range(1, columns + 1));
            for (const int over : {0, 1}) {
                check_all(m, {over});
                check_all(part, {over});
                check(m, [&](const auto& of) { return k::argmax(of, k::axis(over)); });
                check(part, [&](const auto& of) { return k::argmin(of, k::axis(over)); });
            }
        }
}

}  // namespace

TEST_CASE_TEMPLATE("reductions of arrays as they are: the bits of the same elements computed first", T, float, double,
                   std::int32_t, std::uint8_t, k::float16) {
    check_type<T>();
}
