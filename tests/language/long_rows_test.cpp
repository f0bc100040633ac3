// Rows that are too long for a block's registers: the same bits as a kernel for each reduction gives, and right by loops in long double.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace k = kiln;

namespace {

template <class T>
std::vector<T> long_row_numbers(std::int64_t count, unsigned seed, bool special = false) {
    std::mt19937 random(seed);
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        double value = static_cast<double>(random() % 100003) / 12500.4 - 4;
        if (special && random() % 997 == 0) {
            const double inf = std::numeric_limits<double>::infinity();
            const double choices[] = {inf, -inf, std::nan(""), -0.0, 5e-324};
            value = choices[random() % 5];
        }
        if constexpr (k::detail::small_float<T>) out.push_back(T(static_cast<float>(value)));
        else out.push_back(static_cast<T>(value));
    }
    return out;
}

/// In one kernel on a GPU, with the bits of as many as there are operations.
template <class T>
std::vector<T> in_one_kernel(const std::function<k::expr<T>()>& make) {
    const k::counters before = k::counters::now();
    const k::array<T> fused = make();
    if (tests::device().is_cuda) CHECK(k::counters::now().launches - before.launches == 1);
    const std::vector<T> got = fused.to_host();
    {
        const k::scoped_options apart({.fuse = false});
        const std::string trouble = tests::difference(got, k::array<T>(make()).to_host());
        CHECK_MESSAGE(trouble.empty(), trouble);
    }
    const tests::compiling_only compiling;
    if (tests::cubins_wanted()) k::prepare(make());
    return got;
}

template <class E>
auto long_softmax(const E& m) {
    const auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

}  // namespace

TEST_CASE("long rows: cross-entropy, by a mask of positions") {
    for (const k::shape& of : {k::shape{3, 9000}, k::shape{2, 16383}, k::shape{132, 16400}}) {
        CAPTURE(of[0]);
        CAPTURE(of[1]);
        const std::vector<float> host = long_row_numbers<float>(of.size(), 7);
        const k::array<float> logits = k::from_host<float>(host, of);
        std::vector<std::int64_t> labels;
        for (std::int64_t i = 0; i < of[0]; ++i) labels.push_back((i * 7919 + 8999) % of[1]);
        const k::array<std::int64_t> label = k::from_host<std::int64_t>(labels, {of[0]});
        const std::vector<float> got = in_one_kernel<float>([&] {
            const auto shifted = logits - k::max(logits, k::axis(1), k::keep_dims);
            const auto of_label = k::sum(
                k::where(k::arange<std::int64_t>(of[1]) == label(k::all, k::newaxis), shifted, 0.0f), k::axis(1));
            return k::expr<float>(k::log(k::sum(k::exp(shifted), k::axis(1))) - of_label);
        });
        for (std::int64_t row = 0; row < of[0]; ++row) {
            const float* const in = host.data() + row * of[1];
            long double total = 0;
            for (std::int64_t i = 0; i < of[1]; ++i) total += std::exp(static_cast<long double>(in[i]));
            const auto expected = static_cast<double>(std::log(total)) - in[labels[static_cast<std::size_t>(row)]];
            CHECK(std::fabs(got[static_cast<std::size_t>(row)] - expected) < 1e-5);
        }
    }
}

TEST_CASE("long rows: of every width of elements, whole vectors or not, with what is not finite") {
    const auto check = []<class T>(T, std::int64_t extent) {
        CAPTURE(extent);
        const k::shape of{3, extent};
        for (const bool special : {false, true}) {
            const k::array<T> m = k::from_host<T>(long_row_numbers<T>(of.size(), 11, special), of);
            in_one_kernel<T>([&] { return k::expr<T>(long_softmax(m)); });
            in_one_kernel<T>([&] { return k::expr<T>(k::max(m * m, k::axis(1)) - k::sum(m, k::axis(1))); });
        }
    };
    for (const std::int64_t extent : {8196, 8193, 12288, 16380}) {
        check(float(), extent);
        check(k::float16(), extent);
        check(k::bfloat16(), extent);
        if (extent < 12000) check(double(), extent);
    }
}

TEST_CASE("long rows: what is kept leaves its place to what is made of it, or is needed to the end beside it") {
    for (const std::int64_t extent : {9000, 16001}) {
        CAPTURE(extent);
        const k::shape of{4, extent};
        const k::array<float> x = k::from_host<float>(long_row_numbers<float>(of.size(), 13), of);
        const k::array<float> other = k::from_host<float>(long_row_numbers<float>(of.size(), 17), of);
        const k::array<float> scale = k::from_host<float>(long_row_numbers<float>(extent, 19), {extent});
        in_one_kernel<float>([&] {
            const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
            return k::expr<float>(e / k::sum(e, k::axis(1), k::keep_dims) * x + other);
        });
        in_one_kernel<float>([&] {
            const auto centred = x - k::mean(x, k::axis(1), k::keep_dims);
            return k::expr<float>(
                centred * k::rsqrt(k::mean(centred * centred, k::axis(1), k::keep_dims) + 1e-5f) * scale + scale);
        });
        in_one_kernel<float>([&] {
            const auto e = k::exp(k::cast<float>(k::cast<k::float16>(x)) - k::max(x, k::axis(1), k::keep_dims));
            const auto s = k::sum(e * other, k::axis(1), k::keep_dims);
            return k::expr<float>(k::sum(k::square(e - s) * x, k::axis(1)));
        });
    }
}
