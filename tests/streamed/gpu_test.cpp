// Host arrays on a GPU: what is carried from chunk to chunk by its kernels, against one piece on the same GPU: every bit.
#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/needs_gpu.hpp>

#include <kiln/host_array.hpp>
#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace k = kiln;

namespace {

std::vector<float> some_noise(std::int64_t count, unsigned seed, bool has_odd) {
    std::mt19937 random(seed);
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& each : out) each = static_cast<float>(random() % 200'001) / 1000.0f - 100.0f;
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(), -0.0f, std::numeric_limits<float>::infinity(),
                         1e-40f};
    for (std::size_t i = 0; has_odd && i < out.size(); i += 99'991) out[i] = odd[i / 99'991 % 4];
    return out;
}

/// Into host memory, so that only chunks are on the GPU.
template <class Make>
void check_on_gpu(const std::vector<float>& elements, const k::shape& extents, const char* memory, Make make,
                  int line = __builtin_LINE()) {
    CAPTURE(line);
    CAPTURE(extents);
    const std::vector<float> used(elements.begin(), elements.begin() + extents.size());
    const k::host_array<float> x(std::span<const float>(used), extents);
    const auto expected = k::eval(make(k::from_host(used, extents))).to_host();
    k::trim_memory();
    const tests::changed_variable little("KILN_DEVICE_MEMORY", memory);
    k::host_array<typename decltype(expected)::value_type> made;
    made = make(x);
    const std::vector<typename decltype(expected)::value_type> got(made.elements().begin(), made.elements().end());
    CHECK_SAME(got, expected);
}

constexpr std::int64_t count = 2'500'003;

}  // namespace

TEST_CASE("host arrays on a GPU: reductions over the axis that is cut, and over others, have the bits of one piece") {
    if (!tests::device().is_cuda) return tests::skip_without_gpu();
    const auto joined = k::reduction<float>(0, "a", "b", "return a + b - 1e-3f * a * b;");
    struct reduced {
        k::shape extents;
        k::axis_list over;
    };
    const reduced shapes[] = {{{count}, {}},
                              {{2500, 1000}, {}},
                              {{2500, 1000}, k::axis(0)},
                              {{2500, 1000}, k::axis(1)},
                              {{7, count / 7}, k::axis(1)},
                              {{count / 3, 3}, k::axis(0)},
                              {{250, 100, 100}, k::axes(0, 2)}};
    for (const bool has_odd : {false, true}) {
        const std::vector<float> elements = some_noise(count, 21, has_odd);
        for (const reduced& of : shapes) {
            const auto check = [&](auto make) { check_on_gpu(elements, of.extents, "8M", make); };
            check([&](const auto& x) { return k::sum(x, of.over); });
            check([&](const auto& x) { return k::mean(x * x, of.over); });
            check([&](const auto& x) { return k::var(x, of.over); });
            check([&](const auto& x) { return k::logsumexp(x * 0.1f, of.over, k::keep_dims); });
            check([&](const auto& x) { return k::max(x + 1.0f, of.over); });
            check([&](const auto& x) { return k::sum(k::cast<double>(x), of.over); });
            check([&](const auto& x) { return joined(x, of.over); });
        }
        check_on_gpu(elements, {count}, "8M", [](const auto& x) { return k::argmax(x); });
        check_on_gpu(elements, {2500, 1000}, "8M", [](const auto& x) { return k::argmin(x * 2.0f, k::axis(0)); });
        check_on_gpu(elements, {2500, 1000}, "8M", [](const auto& x) {
            return (x - k::mean(x, k::axis(1), k::keep_dims)) / k::stddev(x, k::axis(1), k::keep_dims);
        });
        check_on_gpu(elements, {20, 125'000}, "16M",
                     [](const auto& x) { return x / k::sqrt(k::sum(x * x, k::axis(1), k::keep_dims)); });
    }
}

TEST_CASE("host arrays on a GPU: scans along the axis that is cut have the bits of one piece") {
    if (!tests::device().is_cuda) return tests::skip_without_gpu();
    const auto joined = k::reduction<float>(0, "a", "b", "return a + b - 1e-3f * a * b;");
    const std::vector<float> elements = some_noise(count, 22, false);
    for (const k::shape& extents : {k::shape{count}, {2500, 1000}, {count / 3, 3}}) {
        const auto check = [&](auto make) { check_on_gpu(elements, extents, "8M", make); };
        check([](const auto& x) { return k::cumsum(x, k::axis(0)); });
        check([](const auto& x) { return k::cumprod(x * 0.001f + 1.0f, k::axis(0)); });
        check([&](const auto& x) { return k::scan(joined, x * 0.5f, k::axis(0)); });
        check([](const auto& x) { return k::cumsum(x, k::axis(0)) * 0.5f + x; });
    }
    // Along other axes: of fewer lines than the whole has.
    for (const k::shape& extents :
         {k::shape{10, count / 10}, {2500, 1000}, {100, 2500, 10}, {50, 50, 1000}, {count / 5, 5}}) {
        const auto check = [&](auto make) { check_on_gpu(elements, extents, "16M", make); };
        check([](const auto& x) { return k::cumsum(x, k::axis(1)); });
        check([&](const auto& x) { return k::scan(joined, x * 0.5f, k::axis(1)) + 1.0f; });
    }
}
