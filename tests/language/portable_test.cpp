// options.portable: functions of float32 on a GPU have the CPU's bits. What runs here is compared with the CPU's functions of one element
// wherever it runs; that CUDA's text is theirs is read off it.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <device/cpu/float16_functions.hpp>
#include <device/cpu/float32_functions.hpp>
#include <emit/helpers.hpp>
#include <kiln/kiln.hpp>

#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace k = kiln;

namespace {

template <class E>
std::string text(bool portable, const k::plan::target& on, const E& e) {
    std::string out;
    for (const k::emit::source& each : tests::sources({.on = on, .fuse = true, .outputs = {}, .portable = portable}, e))
        out += each.text;
    return out;
}

/// Any bits, numbers of usual size, and the ends.
std::vector<float> arguments(unsigned seed) {
    std::vector<float> out = {0.0f,    -0.0f, 1.0f,  -1.0f,   2.0f, -2.0f,       3.0f,         0.5f,       1e-45f,
                              -1e-40f, 3e38f, 90.0f, -104.0f, 3e5f, 1.0f / 0.0f, -1.0f / 0.0f, 0.0f / 0.0f};
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> usual(-5, 5);
    while (out.size() < 4000) out.push_back(usual(random));
    while (out.size() < 8003) out.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    return out;
}

bool same(float a, float b) {
    return (a != a && b != b) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

const k::backend::float32_function& function(const std::string& name) {
    return k::backend::float32_named("baseline")->rows[k::emit::row_of(name)];
}

template <class E>
void check_one(const std::string& name, const E& made, const std::vector<float>& a) {
    CAPTURE(name);
    const std::vector<float> got = k::array<float>(made).to_host();
    if (tests::cubins_wanted()) return;  // compiled, not launched
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wrong += !same(got[i], function(name).of_one(a[i]));
    CHECK(wrong == 0);
}

template <class E>
void check_two(const std::string& name, const E& made, const std::vector<float>& a, const std::vector<float>& b) {
    CAPTURE(name);
    const std::vector<float> got = k::array<float>(made).to_host();
    if (tests::cubins_wanted()) return;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wrong += !same(got[i], function(name).of_two(a[i], b[i]));
    CHECK(wrong == 0);
}

/// Of all 65,536 numbers of a type, and as second arguments the same in another order.
template <class T>
struct small_functions {
    k::array<T> x, y;
    std::vector<std::uint16_t> a, b;

    small_functions() {
        std::vector<T> first, second;
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            a.push_back(static_cast<std::uint16_t>(bits));
            b.push_back(static_cast<std::uint16_t>(bits * 40503u + 7u));
            first.push_back(T::from_bits(a.back()));
            second.push_back(T::from_bits(b.back()));
        }
        x = k::from_host<T>(first);
        y = k::from_host<T>(second);
    }

    template <class E>
    void check(const std::string& name, const E& made) const {
        CAPTURE(name);
        const std::vector<T> got = k::array<T>(made).to_host();
        if (tests::cubins_wanted()) return;
        const k::backend::small_function of = k::backend::function_of_small(k::emit::row_of(name), k::type_of<T>);
        std::vector<std::string> wrong;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const T good = T::from_bits(of.of_one ? of.of_one(a[i]) : of.of_two(a[i], b[i]));
            if (same(static_cast<float>(got[i]), static_cast<float>(good))) continue;
            wrong.push_back(fmt::format("{:04x}, {:04x}: {:04x}, not {:04x}", a[i], b[i], got[i].bits, good.bits));
        }
        INFO("the first: ", wrong.empty() ? std::string() : wrong.front());
        CHECK(wrong.size() == 0);
    }
};

}  // namespace

TEST_CASE_TEMPLATE("portable: every function of 16-bit floats has the bits of the CPU's, of any argument", T,
                   k::float16, k::bfloat16) {
    const small_functions<T> all;
    const k::scoped_options on({.portable = true});
#define KILN_ARGUMENTS_1 all.x
#define KILN_ARGUMENTS_2 all.x, all.y
#define KILN_EACH(name, arity, in_double)                                                                   \
    if (!tests::cubins_wanted() || std::string_view("gelu pow cbrt").find(#name) != std::string_view::npos) \
        all.check(#name, k::name(KILN_ARGUMENTS_##arity));
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
#undef KILN_ARGUMENTS_1
#undef KILN_ARGUMENTS_2
}

TEST_CASE("portable: every function of float32 has the bits of the CPU's") {
    const std::vector<float> a = arguments(1), b = arguments(2);
    const k::array<float> x = k::from_host<float>(a), y = k::from_host<float>(b);
    const k::scoped_options on({.portable = true});
#define KILN_ONE(name) check_one(#name, k::name(x), a)
    KILN_ONE(exp);
    KILN_ONE(exp2);
    KILN_ONE(expm1);
    KILN_ONE(log);
    KILN_ONE(log2);
    KILN_ONE(log10);
    KILN_ONE(log1p);
    KILN_ONE(sin);
    KILN_ONE(cos);
    KILN_ONE(tan);
    KILN_ONE(asin);
    KILN_ONE(acos);
    KILN_ONE(atan);
    KILN_ONE(sinh);
    KILN_ONE(cosh);
    KILN_ONE(tanh);
    KILN_ONE(asinh);
    KILN_ONE(acosh);
    KILN_ONE(atanh);
    KILN_ONE(cbrt);
    KILN_ONE(erf);
    KILN_ONE(erfc);
    KILN_ONE(erfinv);
    KILN_ONE(normcdf);
    KILN_ONE(tgamma);
    KILN_ONE(lgamma);
    KILN_ONE(sigmoid);
    KILN_ONE(gelu);
#undef KILN_ONE
    check_two("pow", k::pow(x, y), a, b);
    check_two("hypot", k::hypot(x, y), a, b);
    check_two("atan2", k::atan2(x, y), a, b);
}

TEST_CASE("portable: functions of 16 bits, of complex numbers and the reciprocal of a root are made of the same") {
    const auto results = [](const k::array<float>& x) {
        const k::array<k::float16> h = k::cast<k::float16>(x);
        const auto z = k::polar(k::abs(x), x * 0.5f);
        std::vector<std::vector<float>> out;
        const auto add = [&out](const k::array<float>& each) { out.push_back(each.to_host()); };
        add(k::rsqrt(x));
        add(k::cast<float>(k::gelu(h)));
        add(k::cast<float>(k::sigmoid(k::cast<k::bfloat16>(x))));
        add(k::real(k::exp(z)));
        add(k::imag(k::log(z)));
        add(k::exp(x) * k::sin(x) + k::pow(x, 2.2f));
        return out;
    };
    const k::array<float> x = k::from_host<float>(arguments(3));
    std::vector<std::vector<float>> here;
    {
        const k::scoped_options on({.portable = true});
        here = results(x);
    }
    if (tests::cubins_wanted()) return;
    const std::vector<std::vector<float>> there = results(k::to(k::cpu, x));
    for (std::size_t r = 0; r < here.size(); ++r) {
        CAPTURE(r);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < here[r].size(); ++i) wrong += !same(here[r][i], there[r][i]);
        CHECK(wrong == 0);
    }
}

TEST_CASE("portable: fused or not, the same bits; and kernels of its own where it changes them") {
    const k::array<float> x = k::from_host<float>(arguments(4));
    const auto e = [&x] { return k::array<float>(k::tanh(x * 0.5f) * k::log1p(k::abs(x)) - k::rsqrt(x)); };
    const auto bits = [](const k::array<float>& of) {
        std::vector<float> out = of.to_host();
        for (float& each : out) each = each != each ? 0.0f : each;
        return out;
    };
    const auto key = [&x] { return k::explain(k::exp(x)).kernels.at(0).cache_key; };
    const std::string usual = key();
    k::options portable{.portable = true};
    const k::scoped_options on(portable);
    if (tests::device().compiles) CHECK((key() != usual) == (tests::device().is_cuda || tests::cubins_wanted()));
    const std::vector<float> fused = bits(e());
    portable.fuse = false;
    const k::scoped_options apart(portable);
    CHECK(std::memcmp(fused.data(), bits(e()).data(), fused.size() * sizeof(float)) == 0);
}

TEST_CASE("portable: CUDA's text has the CPU's functions, the CPU's is what it was") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<double> d = k::ones<double>({100});
    const auto e = k::exp(x) + k::sigmoid(x);
    CHECK(text(true, k::plan::cuda_target_of(90), e).find("nearest_exp(x0)") != std::string::npos);
    CHECK(text(true, k::plan::cuda_target_of(90), e).find("nearest_sigmoid(x0)") != std::string::npos);
    CHECK(text(true, k::plan::cuda_target_of(90), e).find("expf") == std::string::npos);
    CHECK(text(false, k::plan::cuda_target_of(90), e).find("nearest_") == std::string::npos);
    CHECK(text(true, k::plan::host_target, e) == text(false, k::plan::host_target, e));
    // What it does not change has one kernel.
    CHECK(text(true, k::plan::cuda_target_of(90), x * 2.0f) == text(false, k::plan::cuda_target_of(90), x * 2.0f));
    CHECK(text(true, k::plan::cuda_target_of(90), k::exp(d)) == text(false, k::plan::cuda_target_of(90), k::exp(d)));
    CHECK(text(true, k::plan::cuda_target_of(90), k::lgamma(x)).find("portable_lgamma(x0)") != std::string::npos);
}

TEST_CASE_TEMPLATE("portable: CUDA's text of functions of 16-bit floats has float32's, not the processor's own", T,
                   k::float16, k::bfloat16) {
    const k::array<T> x = k::ones<T>({100});
    const auto check = [](const std::string& name, const auto& made) {
        CAPTURE(name);
        const std::string kernel = text(true, k::plan::cuda_target_of(90), made);
        CHECK(kernel.find(fmt::format("{}(f32_from_", k::emit::portable_function(name))) != std::string::npos);
    };
#define KILN_ARGUMENTS_1 x
#define KILN_ARGUMENTS_2 x, x
#define KILN_EACH(name, arity, in_double) check(#name, k::name(KILN_ARGUMENTS_##arity));
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
#undef KILN_ARGUMENTS_1
#undef KILN_ARGUMENTS_2
}
