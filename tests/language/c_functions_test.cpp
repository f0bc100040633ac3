// C's functions in the bodies of users' functions, on the CPU, where kernels include no <math.h>: each expression once as a
// kernel's text and once compiled here, where <math.h> is.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <math.h>

#include <algorithm>
#include <limits>

namespace k = kiln;

namespace {

/// Of a and b; the same for float and double.
// clang-format off
#define KILN_TEST_EXPRESSIONS(each)                                                                                 \
    each(acos(a)) each(acosh(a)) each(asin(a)) each(asinh(a)) each(atan(a)) each(atan2(a, b)) each(atanh(a))        \
    each(cbrt(a)) each(ceil(a)) each(copysign(a, b)) each(cos(a)) each(cosh(a)) each(erf(a)) each(erfc(a))          \
    each(exp(a)) each(exp2(a)) each(expm1(a)) each(fabs(a)) each(fdim(a, b)) each(floor(a)) each(fma(a, b, a))      \
    each(fmax(a, b)) each(fmin(a, b)) each(fmod(a, b)) each(hypot(a, b)) each(ilogb(a)) each(ldexp(a, 3))           \
    each(lgamma(a)) each(llrint(a)) each(llround(a)) each(log(a)) each(log10(a)) each(log1p(a)) each(log2(a))       \
    each(logb(a)) each(lrint(a)) each(lround(a)) each(nearbyint(a)) each(nextafter(a, b)) each(nexttoward(a, 1.0L)) \
    each(pow(a, b)) each(remainder(a, b)) each(rint(a)) each(round(a)) each(scalbln(a, 3L)) each(scalbn(a, -3))     \
    each(sin(a)) each(sinh(a)) each(sqrt(a)) each(tan(a)) each(tanh(a)) each(tgamma(a)) each(trunc(a))              \
    each([&] { int exponent; return frexp(a, &exponent) + exponent; }())                                            \
    each([&] { auto whole = a; return modf(a, &whole) - whole; }())                                                 \
    each([&] { int quotient; return remquo(a, b, &quotient) + quotient; }())                                        \
    each(acosf(a)) each(atan2f(a, b)) each(cbrtf(a)) each(expf(a)) each(fabsf(a)) each(fmaf(a, b, a))               \
    each(log1pf(a)) each(powf(a, b)) each(roundf(a)) each(sqrtf(a)) each(exp10f(a)) each(j0f(a)) each(ynf(2, b))    \
    each(expl(a)) each(sqrtl(a)) each(powl(a, b)) each(fmal(a, b, a)) each(exp10(a)) each(j1(a)) each(lgammaf(a))   \
    each([&] { double s, c; sincos(a, &s, &c); return s - c; }())                                                   \
    each(std::acos(a)) each(std::pow(a, b)) each(std::sqrt(a)) each(std::fma(a, b, a)) each(std::round(a))          \
    each(std::hypot(a, b)) each(std::hypot(a, b, a + b)) each(hypot(a, b, 3)) each(std::log1pf(a))                  \
    each(::std::exp(a)) each(::exp(a)) each(std::abs(a)) each(abs(a)) each(abs(int(b)))                             \
    each(std::abs((long long)b)) each(labs(long(b))) each(llabs((long long)b)) each(abs(short(b)))                  \
    each(isnan(a)) each(isinf(a)) each(isfinite(a)) each(isnormal(a)) each(signbit(a)) each(fpclassify(a))          \
    each(std::isnan(a / 0)) each(std::isfinite(b)) each(std::signbit(-a)) each(isnan(3)) each(isfinite(3))          \
    each(isgreater(a, b)) each(isgreaterequal(a, 1)) each(isless(a, b)) each(std::islessequal(a, b))                \
    each(islessgreater(a, b)) each(isunordered(a, b))                                                               \
    each(fpclassify(a) == FP_NAN) each(fpclassify(a) == FP_INFINITE) each(fpclassify(a) == FP_ZERO)                 \
    each(fpclassify(a) == FP_SUBNORMAL) each(fpclassify(a) == FP_NORMAL) each(FP_ILOGB0) each(FP_ILOGBNAN)          \
    each(pow(a, 3)) each(pow(2, b)) each(pow(2, 3)) each(std::pow(a, 3L)) each(pow(a, 2.5)) each(pow(2.5f, b))      \
    each(cos(1)) each(sqrt(2u)) each(std::sqrt(3LL)) each(atan2(a, 1)) each(fmax(a, 1)) each(fmin(1.5f, b))         \
    each(sizeof(sqrt(a))) each(sizeof(pow(a, b))) each(sizeof(pow(a, 3))) each(sizeof(sqrt(3)))                     \
    each(sizeof(sqrt(1.0L))) each(sizeof(fmax(a, 1.0f))) each(sizeof(abs(a))) each(sizeof(abs(3L)))                 \
    each(M_PI) each(M_E) each(M_LOG2E) each(M_LOG10E) each(M_LN2) each(M_LN10) each(M_PI_2) each(M_PI_4)            \
    each(M_1_PI) each(M_2_PI) each(M_2_SQRTPI) each(M_SQRT2) each(M_SQRT1_2)                                        \
    each(INFINITY) each(-INFINITY) each(NAN) each(HUGE_VAL) each(HUGE_VALF) each(nan("")) each(nanf(""))            \
    each(sizeof(INFINITY)) each(sizeof(HUGE_VAL)) each(sizeof(NAN))                                                 \
    each(sizeof(int8_t)) each(sizeof(std::int16_t)) each(uint32_t(fabs(b))) each(int64_t(b)) each(size_t(-1))       \
    each(std::uint8_t(int(b) & 255)) each(sizeof(ptrdiff_t)) each(sizeof(float_t) + sizeof(double_t))               \
    each(std::max(a, b)) each(std::min(a, b)) each(std::max(1, 2))                                                  \
    each(std::numeric_limits<float>::max()) each(std::numeric_limits<float>::epsilon())                             \
    each(std::numeric_limits<double>::min()) each(std::numeric_limits<double>::quiet_NaN())                         \
    each(std::numeric_limits<double>::infinity()) each(std::numeric_limits<double>::lowest())                       \
    each(std::numeric_limits<int>::min()) each(std::numeric_limits<int>::max())                                     \
    each(std::numeric_limits<unsigned char>::max()) each(std::numeric_limits<short>::lowest())                      \
    each(std::numeric_limits<unsigned long long>::max()) each(std::numeric_limits<long long>::digits)               \
    each(std::numeric_limits<float>::digits) each(std::numeric_limits<float>::denorm_min())
// clang-format on

// The expressions mix types as a body may.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wabsolute-value"
#endif
template <class T>
std::vector<T> expected_of(T a, T b) {
    std::vector<T> out;
#define KILN_TEST_EACH(...) out.push_back(static_cast<T>(__VA_ARGS__));
    KILN_TEST_EXPRESSIONS(KILN_TEST_EACH)
#undef KILN_TEST_EACH
    return out;
}
#pragma GCC diagnostic pop

constexpr const char* texts[] = {
#define KILN_TEST_EACH(...) #__VA_ARGS__,
    KILN_TEST_EXPRESSIONS(KILN_TEST_EACH)
#undef KILN_TEST_EACH
};

/// One kernel for all of them: each element says which.
template <class T>
std::vector<T> computed_of(T a, T b) {
    std::string body = "switch (which) {\n";
    for (std::size_t i = 0; i < std::size(texts); ++i)
        body += "case " + std::to_string(i) + ": return " + texts[i] + ";\n";
    const auto all = k::function<T(T, T, int)>("all", {"a", "b", "which"}, body + "}\nreturn 0;");
    const k::array<int> which = k::arange<int>(static_cast<std::int64_t>(std::size(texts)));
    // Arrays, so that nothing is known of the values when the kernel is compiled.
    return k::array<T>(all(k::full<T>({1}, a), k::full<T>({1}, b), which)).to_host();
}

}  // namespace

TEST_CASE_TEMPLATE("C's functions, C++'s overloads and constants are those of <math.h>, to the bit", T, float, double) {
    if (!tests::device().compiles || tests::device().is_cuda || tests::cubins_wanted()) return;
    const std::pair<T, T> values[] = {{T(0.3), T(2.7)},
                                      {T(-1.7), T(0.6)},
                                      {T(19.25), T(-3.5)},
                                      {T(1e-40), T(1e5)},
                                      {std::numeric_limits<T>::infinity(), T(1)},
                                      {T(-0.0), T(7)}};
    for (const std::pair<T, T>& each : values) {
        const T a = each.first;
        const T b = each.second;
        const std::vector<T> expected = expected_of(a, b);
        const std::vector<T> computed = computed_of(a, b);
        REQUIRE(computed.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            CHECK_MESSAGE(tests::difference(std::vector<T>{computed[i]}, std::vector<T>{expected[i]}) == "",
                          std::string(texts[i]), " of ", a, " and ", b, " is ", computed[i], ", here ", expected[i]);
    }
}

TEST_CASE("memcpy and memset are there, too") {
    if (!tests::device().compiles) return;
    const auto bits = k::function<std::uint32_t(float)>(
        "bits", {"a"}, "unsigned b;\nmemset(&b, 255, sizeof b);\nmemcpy(&b, &a, sizeof b);\nreturn b;");
    const k::array<float> x = k::from_host<float>({1.0f, -2.0f});
    const tests::compiling_only no_launch;
    k::prepare(bits(x));
    if (!tests::cubins_wanted()) CHECK_SAME(k::array<std::uint32_t>(bits(x)).to_host(), {0x3f800000u, 0xc0000000u});
}

TEST_CASE("functions of which IEEE fixes the result become instructions, and fuse into the loop as they did") {
    if (!tests::device().compiles || tests::device().is_cuda || tests::cubins_wanted()) return;
    const auto f = k::function<float(float)>("f", {"a"}, "return sqrt(fabs(a)) + sqrtf(fabsf(a)) + std::floor(a);");
    const k::array<float> x = k::from_host<float>({-4.0f, 2.25f});
    CHECK_SAME(k::array<float>(f(x)).to_host(), {0.0f, 5.0f});
    const std::string source = k::explain(f(x)).kernels.at(0).source;
    CHECK(source.find("static inline float floor(float a) { return __builtin_floorf(a); }") != std::string::npos);
}
