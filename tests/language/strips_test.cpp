// Functions of float32 and of 16 bits inside expressions, wherever their elements lie: the bits of one element computed by itself.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/rooms.hpp>

#include <device/cpu/float16_functions.hpp>
#include <device/cpu/float32_functions.hpp>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace k = kiln;

namespace {

const kiln::backend::float32_function& function(const char* name) {
    return kiln::backend::float32_named("baseline")->rows[kiln::emit::row_of(name)];
}
float one(const char* name, float a) { return function(name).of_one(a); }
float two(const char* name, float a, float b) { return function(name).of_two(a, b); }

std::vector<float> arguments(std::int64_t count, unsigned seed = 1) {
    std::vector<float> out = {0.0f,  -0.0f, 1.0f,        -1.0f,        1e-45f,      -1e-40f,
                              3e38f, 90.0f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f, 3e5f};
    std::mt19937 bits(seed);
    std::uniform_real_distribution<float> usual(-5, 5);
    while (out.size() < static_cast<std::size_t>(count)) out.push_back(usual(bits));
    out.resize(static_cast<std::size_t>(count));
    std::shuffle(out.begin(), out.end(), bits);
    return out;
}

template <class Of>
std::vector<float> each(const std::vector<float>& a, Of of) {
    std::vector<float> out;
    for (const float x : a) out.push_back(of(x));
    return out;
}

template <class T>
void check_same(const std::vector<T>& got, const std::vector<T>& expected) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        const float a = static_cast<float>(got[i]);
        const float b = static_cast<float>(expected[i]);
        CAPTURE(i);
        CAPTURE(a);
        CAPTURE(b);
        REQUIRE(((a != a && b != b) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b)));
    }
}

bool on_gpu() { return tests::device().is_cuda; }

}  // namespace

TEST_CASE("functions of float32 have the bits of one element at every length") {
    if (on_gpu()) return;
    for (const std::int64_t count : {1, 2, 15, 16, 17, 255, 256, 257, 511, 513, 5000}) {
        const std::vector<float> a = arguments(count);
        const k::array<float> x = k::from_host<float>(a);
        check_same(k::array<float>(k::exp(x)).to_host(), each(a, [](float v) { return one("exp", v); }));
        check_same(k::array<float>(k::sin(x)).to_host(), each(a, [](float v) { return one("sin", v); }));
        check_same(k::array<float>(k::gelu(x) + 1.0f).to_host(),
                   each(a, [](float v) { return one("gelu", v) + 1.0f; }));
        check_same(k::array<float>(k::sigmoid(x * 2.0f)).to_host(),
                   each(a, [](float v) { return one("sigmoid", v * 2.0f); }));
        check_same(k::array<float>(k::pow(k::abs(x), 2.5f)).to_host(),
                   each(a, [](float v) { return two("pow", std::fabs(v), 2.5f); }));
        check_same(k::array<float>(k::atan2(x, x + 1.0f)).to_host(),
                   each(a, [](float v) { return two("atan2", v, v + 1.0f); }));
        check_same(k::array<float>(k::lgamma(x)).to_host(), each(a, [](float v) { return one("lgamma", v); }));
    }
}

TEST_CASE("functions of functions, and what is made of them beside their arguments, are computed strip by strip") {
    if (on_gpu()) return;
    const std::vector<float> a = arguments(1000);
    const k::array<float> x = k::from_host<float>(a);
    check_same(k::array<float>(k::tanh(k::exp(x) * 0.5f) + x * k::log1p(k::abs(x))).to_host(),
               each(a, [](float v) { return one("tanh", one("exp", v) * 0.5f) + v * one("log1p", std::fabs(v)); }));
    check_same(k::array<float>(k::where(x > 0.0f, k::log(x), k::exp(x))).to_host(),
               each(a, [](float v) { return v > 0.0f ? one("log", v) : one("exp", v); }));
    check_same(k::array<float>(k::sin(x) * k::cos(x) + k::sin(x)).to_host(),
               each(a, [](float v) { return one("sin", v) * one("cos", v) + one("sin", v); }));
    const auto [s, c, both] = k::eval(k::sin(x), k::exp(x), x + k::exp(x));
    check_same(s.to_host(), each(a, [](float v) { return one("sin", v); }));
    check_same(c.to_host(), each(a, [](float v) { return one("exp", v); }));
    check_same(both.to_host(), each(a, [](float v) { return v + one("exp", v); }));
    const float rate = 0.37f;
    check_same(k::array<float>(x * k::exp(k::from_host<float>({rate}))).to_host(),
               each(a, [rate](float v) { return v * one("exp", rate); }));
}

TEST_CASE("functions of elements that do not lie side by side, of rows, and in an argument's place") {
    if (on_gpu()) return;
    const std::vector<float> a = arguments(30 * 70);
    const k::array<float> flat = k::from_host<float>(a);
    const k::array<float> m = k::reshape(flat, {30, 70});
    std::vector<float> turned, second, misaligned, beside;
    for (int j = 0; j < 70; ++j)
        for (int i = 0; i < 30; ++i) turned.push_back(one("exp", a[static_cast<std::size_t>(i * 70 + j)]));
    check_same(k::array<float>(k::exp(k::transpose(m))).to_host(), turned);
    for (std::size_t i = 0; i < a.size(); i += 2) second.push_back(one("tanh", a[i]));
    check_same(k::array<float>(k::tanh(flat(k::range(0, k::range::open, 2)))).to_host(), second);
    for (std::size_t i = 3; i < 1000; ++i) misaligned.push_back(one("erf", a[i]) * 2.0f);
    check_same(k::array<float>(k::erf(flat(k::range(3, 1000))) * 2.0f).to_host(), misaligned);
    const k::array<float> column = m(k::all, k::range(0, 1));
    for (int i = 0; i < 30; ++i)
        for (int j = 0; j < 70; ++j)
            beside.push_back(one("exp", a[static_cast<std::size_t>(i * 70 + j)] - a[static_cast<std::size_t>(i * 70)]));
    check_same(k::array<float>(k::exp(m - column)).to_host(), beside);
    std::vector<float> rolled(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) rolled[(i + 5) % a.size()] = a[i];
    for (std::size_t i = 0; i < a.size(); ++i) rolled[i] = one("exp", a[i]) + one("sin", rolled[i]);
    check_same(k::array<float>(k::exp(flat) + k::sin(k::roll(flat, 5, k::axis(0)))).to_host(), rolled);
    k::array<float> own = k::from_host<float>(a);
    own = k::exp(own);
    check_same(own.to_host(), each(a, [](float v) { return one("exp", v); }));
    own *= k::log(k::abs(own));
    check_same(own.to_host(), each(a, [](float v) {
                   const float e = one("exp", v);
                   return e * one("log", std::fabs(e));
               }));
}

TEST_CASE("short rows with functions: their elements pass through strips as others do") {
    if (on_gpu()) return;
    for (const std::int64_t columns : {1, 3, 7, 16, 33}) {
        const std::vector<float> a = arguments(columns * 700);
        const k::array<float> m = k::reshape(k::from_host<float>(a), {700, columns});
        const k::array<float> row = m(0);
        std::vector<float> expected;
        for (std::size_t i = 0; i < a.size(); ++i)
            expected.push_back(one("exp", a[i] * a[i % static_cast<std::size_t>(columns)]));
        check_same(k::array<float>(k::exp(m * row)).to_host(), expected);
    }
}

TEST_CASE("functions of 16 bits have the bits of one element") {
    if (on_gpu()) return;
    const auto check = [](auto zero) {
        using T = decltype(zero);
        std::vector<T> a, gelus, powers;
        for (const float each : arguments(777)) a.push_back(T(each));
        const auto function = [](const char* name) {
            return k::backend::function_of_small(k::emit::row_of(name), k::type_of<T>);
        };
        for (const T each : a) {
            gelus.push_back(T::from_bits(function("gelu").of_one(each.bits)));
            powers.push_back(T::from_bits(function("pow").of_two(each.bits, T(2.0f).bits)));
        }
        const k::array<T> x = k::from_host<T>(a);
        check_same(k::array<T>(k::gelu(x)).to_host(), gelus);
        check_same(k::array<T>(k::pow(x, T(2.0f))).to_host(), powers);
    };
    check(k::float16());
    check(k::bfloat16());
}

TEST_CASE("reductions of functions, and rows that stay in the caches, have the bits of what is computed apart") {
    if (on_gpu()) return;
    for (const std::int64_t columns : {5, 100, 3000}) {
        const k::array<float> m = k::reshape(k::from_host<float>(arguments(columns * 9, 7)), {9, columns});
        const k::array<float> x = k::where(k::isfinite(m), m, 1.0f);
        const auto softmax = [](const k::array<float>& of) {
            const auto e = k::exp(of - k::max(of, k::axis(1), k::keep_dims));
            return k::array<float>(e / k::sum(e, k::axis(1), k::keep_dims));
        };
        const auto sums = [](const k::array<float>& of) {
            return k::array<float>(k::sum(k::sin(of) * 2.0f, k::axis(1)));
        };
        const std::vector<float> fused = softmax(x).to_host();
        const std::vector<float> summed = sums(x).to_host();
        const kiln::scoped_options apart({.fuse = false});
        check_same(fused, softmax(x).to_host());
        check_same(summed, sums(x).to_host());
    }
}

TEST_CASE("functions of what is drawn, of what is found by positions, and in long bodies are called for strips") {
    if (on_gpu()) return;
    const auto text = [](const auto& e) {
        const std::vector<k::emit::source> made =
            tests::sources({.on = k::plan::host_target, .fuse = true, .outputs = {}}, e);
        REQUIRE(made.size() == 1);
        return made[0].text;
    };
    const k::array<float> x = k::ones<float>({100});
    const k::array<std::int64_t> ids = k::ones<std::int64_t>({100});
    CHECK(text(k::exp(k::random::uniform<float>({100}, 7))).find("block_exp_f32") != std::string::npos);
    CHECK(text(k::exp(k::random::normal<float>({100}, 7) * 0.5f)).find("block_exp_f32") != std::string::npos);
    CHECK(text(k::exp(k::take(x, ids)) + x).find("block_exp_f32") != std::string::npos);
    const auto chain = [](const k::array<float>& of, int rounds) {
        k::expr<float> e = of;
        for (int i = 0; i < rounds; ++i) e = k::expr<float>(k::exp(e * of - of) * 0.5f + k::sin(e) * of - e * 0.1f);
        return e;
    };
    const k::expr<float> of_96 = chain(x, 12);
    CHECK(k::explain(of_96).kernels.size() == 1);
    if (tests::device().compiles && !tests::cubins_wanted())
        CHECK(k::explain(of_96).kernels[0].source.find("block_sin_f32") != std::string::npos);

    for (const std::int64_t count : {0, 1, 3, 255, 257, 1003}) {
        const auto apart = [](const auto& made) {
            const std::vector<float> fused = k::array<float>(made()).to_host();
            const kiln::scoped_options unfused({.fuse = false});
            check_same(fused, k::array<float>(made()).to_host());
        };
        const k::array<float> some = k::from_host<float>(arguments(count, 5), {count});
        const k::array<float> any = k::where(k::isfinite(some), k::min(k::abs(some), 2.0f), 1.0f);
        apart([&] { return k::exp(k::random::uniform<float>({count}, 7)); });
        apart([&] { return k::exp(k::random::normal<float>({count}, 7) * any) + any; });
        // Positions that do not begin at a block's.
        apart([&] { return k::exp(k::random::uniform<float>({count + 3}, 7)(k::range(3, count + 3))); });
        apart([&] { return k::exp(k::random::uniform<float>({5, count}, 7)) * any; });
        apart([&] { return chain(any, 12); });
        if (count == 0) continue;
        const k::array<std::int64_t> places =
            k::cast<std::int64_t>(k::random::uniform<float>({count}, 9) * static_cast<float>(count));
        apart([&] { return k::exp(k::take(any, places)); });
        apart([&] { return k::sin(any) * k::take(any, k::cast<std::int64_t>(k::exp(any))); });
        apart([&] { return k::exp(k::take(any, places)) + k::random::uniform<float>({count}, 7); });
        const k::array<float> m = k::reshape(k::random::uniform<float>({count * 40}, 3), {count, 40});
        apart([&] { return k::exp(k::take(m, places, k::axis(0))) * k::reshape(any, {count, 1}); });
    }
}
