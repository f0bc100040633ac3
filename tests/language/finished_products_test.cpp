// What is made of the values of a product of 16-bit matrices, one by one: a GPU's kernel that has them on its tensor cores goes on with them.
// The results are those of the product as an array and then the rest: to the bit, whatever is read beside.
#include "random_numbers.hpp"

#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace k = kiln;
using tests::random_numbers;

namespace {

bool has_tensor_cores() { return k::current_device().kind() == k::device_kind::cuda; }

/// Made at once, of a product that is an array, and unfused. `make`: of the product.
template <class R, class T, class Make>
void check_finish(const k::array<T>& a, const k::array<T>& b, Make make) {
    const k::array<T> product = k::matmul(a, b);
    const std::vector<R> wanted = k::array<R>(make(product)).to_host();
    CHECK_SAME(k::array<R>(make(k::matmul(a, b))).to_host(), wanted);
    CHECK_SAME(k::array<R>(make(k::matmul(a, b))).to_host(), wanted);
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<R>(make(k::matmul(a, b))).to_host(), wanted);
}

template <class T>
struct layer {
    k::array<T> a, b, bias, scale, residual;
};
template <class T>
layer<T> layer_of(std::int64_t m, std::int64_t depth, std::int64_t n) {
    std::mt19937 random(static_cast<unsigned>(m * 3 + depth * 5 + n));
    return {random_numbers<T>(random, {m, depth}) * T(0.1f), random_numbers<T>(random, {depth, n}) * T(0.1f),
            random_numbers<T>(random, {n}), random_numbers<T>(random, {m, 1}), random_numbers<T>(random, {m, n})};
}

}  // namespace

TEST_CASE_TEMPLATE("finished products: a bias, a scale, a residual and an activation, of whole tiles and not", T,
                   k::float16, k::bfloat16) {
    for (const auto& of : {std::array<std::int64_t, 3>{16, 16, 16},
                           {17, 31, 65},
                           {129, 40, 127},
                           {63, 129, 255},
                           {128, 64, 256},
                           {200, 17, 33},
                           {7, 40, 50},
                           {40, 1, 50}}) {
        const std::int64_t m = of[0], depth = of[1], n = of[2];
        CAPTURE(m);
        CAPTURE(depth);
        CAPTURE(n);
        const layer<T> l = layer_of<T>(m, depth, n);
        check_finish<T>(l.a, l.b, [&](const auto& c) { return k::max(c + l.bias, T(0.0f)) * T(1.5f); });
        check_finish<T>(l.a, l.b, [&](const auto& c) { return c * l.scale + l.residual; });
        check_finish<float>(l.a, l.b,
                            [&](const auto& c) { return k::tanh(k::cast<float>(c) + k::cast<float>(l.bias)); });
    }
}

TEST_CASE("finished products: many values, made by groups of warps") {
    using T = k::float16;
    if (!has_tensor_cores()) return;
    for (const auto& of :
         {std::array<std::int64_t, 3>{2050, 72, 2056}, {2049, 67, 2057}, {2304, 200, 2048}, {4097, 129, 1031}}) {
        const std::int64_t m = of[0], depth = of[1], n = of[2];
        CAPTURE(m);
        const layer<T> l = layer_of<T>(m, depth, n);
        check_finish<T>(l.a, l.b, [&](const auto& c) { return k::max(c + l.bias, T(0.0f)) * l.scale; });
        check_finish<float>(l.a, l.b, [&](const auto& c) { return k::cast<float>(c) * 0.5f + 1.0f; });
    }
}

TEST_CASE("finished products: batches, what is read transposed, backwards or from anywhere, numbers, other types") {
    using T = k::float16;
    std::mt19937 random(5);
    const k::array<T> a = random_numbers<T>(random, {3, 40, 33});
    const k::array<T> b = random_numbers<T>(random, {33, 50});
    const k::array<T> bias = random_numbers<T>(random, {120});
    const k::array<T> beside = random_numbers<T>(random, {50, 40});
    const k::array<float> wide = random_numbers<float>(random, {3, 1, 50});
    check_finish<T>(a, b, [&](const auto& c) { return c + bias(k::range(3, 53)) - k::transpose(beside); });
    check_finish<T>(a, b, [&](const auto& c) { return c + k::flip(bias(k::range(0, 50)), k::axis(0)); });
    check_finish<T>(a, b, [&](const auto& c) { return c + bias(k::range(0, 100, 2)); });
    check_finish<float>(a, b, [&](const auto& c) { return k::cast<float>(c) + wide; });
    check_finish<bool>(a, b, [&](const auto& c) { return c > T(0.5f); });
    check_finish<k::bfloat16>(a, b, [&](const auto& c) { return k::cast<k::bfloat16>(c) * k::bfloat16(3.0f); });
    check_finish<double>(a, b, [&](const auto& c) { return k::cast<double>(c) / 3.0; });
    check_finish<std::int8_t>(a, b, [&](const auto& c) { return k::cast<std::int8_t>(c); });
    check_finish<T>(a, b, [&](const auto& c) { return c * c + c; });
    check_finish<T>(a, b, [&](const auto& c) { return k::where(k::isnan(c), T(0.0f), c); });
    // What depends on positions, or is gathered, or sees neighbours, is made of the product as an array.
    check_finish<T>(a, b, [&](const auto& c) { return c + k::cast<T>(k::arange<float>(50)); });
    check_finish<T>(a, b, [&](const auto& c) { return k::flip(c, k::axis(1)) + c; });
    check_finish<float>(a, b, [&](const auto& c) { return k::sum(k::cast<float>(c + T(1.0f)), k::axis(2)); });
    // The result has another shape than the product.
    const k::array<T> planes = random_numbers<T>(random, {2, 1, 40, 50});
    check_finish<T>(a, b, [&](const auto& c) { return c + planes; });
    check_finish<T>(a, b, [&](const auto& c) { return c(k::newaxis) + T(1.0f); });
}

TEST_CASE("finished products: several results, one of them the product") {
    using T = k::float16;
    const layer<T> l = layer_of<T>(70, 48, 90);
    const k::array<T> product = k::matmul(l.a, l.b);
    const k::array<T> sum = product + l.bias;
    const k::array<bool> positive = product > T(0.0f);
    const auto c = k::expr<T>(k::matmul(l.a, l.b));
    auto [plain, with_bias, is_positive] = k::eval(c, c + l.bias, c > T(0.0f));
    CHECK_SAME(plain.to_host(), product.to_host());
    CHECK_SAME(with_bias.to_host(), sum.to_host());
    CHECK_SAME(is_positive.to_host(), positive.to_host());
    k::array<T> target = l.residual;
    const k::array<T> before = target + T(0.0f);
    target = k::matmul(l.a, l.b) + target;
    CHECK_SAME(target.to_host(), k::array<T>(product + before).to_host());
}

TEST_CASE("finished products: what overflows, is infinite or no number") {
    using T = k::float16;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<T> left(32 * 32, T(1.0f));
    left[0] = T(infinity);
    left[32] = T(std::numeric_limits<float>::quiet_NaN());
    for (int i = 64; i < 96; ++i) left[static_cast<std::size_t>(i)] = T(60000.0f);
    const k::array<T> a = k::from_host<T>(left, {32, 32});
    const k::array<T> b = k::ones<T>({32, 32});
    // The product is rounded to float16 before the rest, whose type is another.
    const std::vector<float> got = k::array<float>(k::cast<float>(k::matmul(a, b)) * 0.001f).to_host();
    CHECK(got[5] == infinity);
    CHECK(std::isnan(got[37]));
    CHECK(got[69] == infinity);
    CHECK(got[101] == 32.0f * 0.001f);
    check_finish<T>(a, b, [&](const auto& c) { return k::max(c, T(0.0f)); });
    check_finish<T>(a, b, [&](const auto& c) { return c - c; });
}

TEST_CASE("finished products are one kernel on tensor cores") {
    using T = k::float16;
    if (!has_tensor_cores()) return;
    const layer<T> l = layer_of<T>(64, 64, 64);
    CHECK(k::explain(k::max(k::matmul(l.a, l.b) + l.bias, T(0.0f)) * T(2.0f)).kernels.size() == 1);
    CHECK(k::explain(k::cast<float>(k::matmul(l.a, l.b)) * 2.0f + 1.0f).kernels.size() == 1);
}
