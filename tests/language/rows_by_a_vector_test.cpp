// Rows of a matrix, each with the same vector, as a product of both has them: on a GPU lanes take neighbouring elements where rows begin
// between vectors. The bits of one kernel for each operation.
#include <language/noise.hpp>
#include <language/unfused.hpp>

#include <doctest/doctest.h>

#include <kiln/kiln.hpp>

#include <complex>
#include <type_traits>

namespace k = kiln;

using tests::noise;

namespace {

/// Integers wrap around in products and sums, to the same bits.
template <class T>
k::array<T> numbers(const k::shape& extents, unsigned seed) {
    const k::array<float> some = k::from_host<float>(noise(extents.size(), seed), extents);
    if constexpr (std::is_same_v<T, std::complex<float>>) return some - some * 0.5f * std::complex<float>(0, 1);
    else if constexpr (std::is_integral_v<T>) return k::cast<T>(k::clamp(some, -1e9f, 1e9f));
    else return k::cast<T>(some);
}

}  // namespace

TEST_CASE_TEMPLATE("rows by a vector: sums of products have the bits of sums of what is multiplied first", T, float,
                   double, std::complex<float>, std::int32_t) {
    const auto all = k::all;
    for (const std::int64_t length : {127, 129, 517, 1021, 5003})
        for (const std::int64_t rows : {1, 3, 700}) {
            CAPTURE(length);
            CAPTURE(rows);
            const k::array<T> x = numbers<T>({rows, length}, 1), w = numbers<T>({length}, 2);
            const auto same = [](const auto& make) {
                using R = k::value_t<decltype(make())>;
                tests::same_unfused<R>([&]() -> k::expr<R> { return make(); });
            };
            same([&] { return k::sum(x * w, k::axis(1)); });
            same([&] { return k::sum(x * w); });
            // Of elements from the second on, and of two vectors.
            const k::range rest(1, length);
            same([&] { return k::sum(x(all, rest) * w(rest) + w(k::range(0, length - 1)), k::axis(1)); });
            if constexpr (!std::is_same_v<T, std::complex<float>>) {
                same([&] { return k::max(x * w, k::axis(1)); });
                same([&] { return k::argmin(x * w, k::axis(1)); });
                same([&] { return k::var(x - w, k::axis(1)); });
            }
        }
}
