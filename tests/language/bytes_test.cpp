// Bytes and 16-bit integers that become fractions, and fractions that become them: of every pair of a rounding and a cast, of whole numbers
// by scalars of every size, of counts of conditions. Against C++ on this machine, and to the bit against the same without fusing.
#include "unfused.hpp"

#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace k = kiln;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class E>
void check_unfused(const E& e) {
    tests::same_unfused<k::value_t<E>>([&] { return k::expr<k::value_t<E>>(e); });
}

/// Around all that rounds or saturates; 4 k + 3 of them, so that vectors have a rest.
std::vector<float> edges() {
    std::vector<float> out = {nan,    -nan,    infinity,    -infinity,  0.0f,       -0.0f,
                              1e-45f, -1e-45f, 0.49999997f, 8388609.0f, -8388607.5f};
    for (const double edge : {0.0, 1.0, 2.0, 127.0, 128.0, 129.0, 254.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0,
                              65536.0, 2147483648.0, 4294967296.0, 1e20})
        for (const double step : {-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0})
            for (const double sign : {-1.0, 1.0}) out.push_back(static_cast<float>(sign * (edge + step)));
    while (out.size() % 4 != 3) out.push_back(0.5f);
    return out;
}

template <class T>
T saturated(float rounded) {
    if (rounded != rounded) return 0;
    const auto value = static_cast<double>(rounded);
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    return value <= least  ? std::numeric_limits<T>::min()
           : value >= most ? std::numeric_limits<T>::max()
                           : static_cast<T>(value);
}

template <class T, class Round, class Expected>
void check_rounding(const char* what, Round round, Expected expected) {
    CAPTURE(what);
    const std::vector<float> x = edges();
    std::vector<T> wanted;
    for (const float each : x) wanted.push_back(saturated<T>(expected(each)));
    const k::array<float> a = k::from_host<float>(x);
    CHECK_SAME(k::array<T>(k::cast<T>(round(a))).to_host(), wanted);
    // What is rounded is wanted, too.
    const auto [rounded, whole] = k::eval(round(a), k::cast<T>(round(a)));
    CHECK_SAME(whole.to_host(), wanted);
    CHECK_SAME(rounded.to_host(), k::array<float>(round(a)).to_host());
    const k::scoped_options off({.fuse = false});
    CHECK_SAME(k::array<T>(k::cast<T>(round(a))).to_host(), wanted);
}

template <class T>
void check_roundings() {
    check_rounding<T>(
        "rint", [](const auto& x) { return k::rint(x); }, [](float x) { return std::nearbyint(x); });
    check_rounding<T>(
        "floor", [](const auto& x) { return k::floor(x); }, [](float x) { return std::floor(x); });
    check_rounding<T>(
        "ceil", [](const auto& x) { return k::ceil(x); }, [](float x) { return std::ceil(x); });
    check_rounding<T>(
        "trunc", [](const auto& x) { return k::trunc(x); }, [](float x) { return std::trunc(x); });
    check_rounding<T>(
        "none", [](const auto& x) { return x * 1.0f; }, [](float x) { return std::trunc(x); });
}

template <class T>
void check_quotients(const std::vector<T>& whole) {
    const k::array<T> a = k::from_host<T>(whole);
    for (const float by : {255.0f, 1.0f, -3.0f, 0.1f, 1e-20f, 1e20f, 1e38f, 3e38f, -1e38f, 1e-38f, 1e-45f, 0.0f, -0.0f,
                           infinity, -infinity, nan}) {
        CAPTURE(by);
        std::vector<float> wanted;
        for (const T each : whole) wanted.push_back(static_cast<float>(each) / by);
        CHECK_SAME(k::array<float>(k::cast<float>(a) / by).to_host(), wanted);
        const k::scoped_options off({.fuse = false});
        CHECK_SAME(k::array<float>(k::cast<float>(a) / by).to_host(), wanted);
    }
}

template <class T>
std::vector<T> every(int count) {
    std::vector<T> out(static_cast<std::size_t>(count));
    std::iota(out.begin(), out.end(), std::numeric_limits<T>::min());
    return out;
}

/// Colours of `pixels` pixels, each another byte.
k::array<std::uint8_t> colours(std::int64_t pixels, std::int64_t channels, std::int64_t step) {
    return k::cast<std::uint8_t>(
        k::reshape(k::arange<std::int64_t>(pixels * channels) * step % 256, {pixels, channels}));
}

}  // namespace

TEST_CASE("what the CPU makes of a byte alone is looked up, the same bits as computed, in every layout") {
    const auto gamma = [](const auto& x) {
        return k::cast<std::uint8_t>(k::rint(k::pow(k::cast<float>(x), 0.45f) * 20.0f));
    };
    for (const std::int64_t count : {1, 63, 255, 256, 257, 4099}) {
        CAPTURE(count);
        const k::array<std::uint8_t> x = k::cast<std::uint8_t>(k::arange<int>(count + 5) % 256);
        const auto part = x(k::range(3, count + 3));
        check_unfused(gamma(x));
        check_unfused(gamma(part));
        check_unfused(k::log(k::cast<float>(part) - 7));  // NaN and infinities
        check_unfused(k::exp(k::cast<double>(x)));
        check_unfused(k::tanh(k::cast<float>(k::cast<std::int8_t>(x)) / 40));
        check_unfused(k::sin(k::cast<float>(k::cast<bool>(x))));
        const k::array<std::int8_t> below = k::cast<std::int8_t>(k::arange<int>(count) % 256 - 128);
        check_unfused(k::cbrt(k::cast<float>(below)));
        const k::array<bool> whether = below > std::int8_t(3);
        check_unfused(k::sqrt(k::exp(k::cast<float>(whether))));
        float scale = 3;
        check_unfused(k::pow(k::cast<float>(part), scale * 0.1f));
        const auto [root, logarithm] = k::eval(k::exp(k::cast<float>(part)), k::log(k::cast<float>(part)));
        CHECK_SAME(root.to_host(), k::array<float>(k::exp(k::array<float>(k::cast<float>(part)))).to_host());
        CHECK_SAME(logarithm.to_host(), k::array<float>(k::log(k::array<float>(k::cast<float>(part)))).to_host());
    }
    const k::array<std::uint8_t> image =
        k::reshape(k::cast<std::uint8_t>(k::arange<int>(67 * 130) * 7 % 256), {67, 130});
    check_unfused(gamma(image(k::range(1, 60), k::range(2, 129))));
    check_unfused(gamma(k::transpose(image)));
    check_unfused(gamma(image(k::all, k::range(k::range::open, k::range::open, 3))));
    k::array<std::uint8_t> own = k::cast<std::uint8_t>(k::arange<int>(1000) % 256);
    const k::array<std::uint8_t> wanted = gamma(own);
    own = gamma(own);
    CHECK_SAME(own.to_host(), wanted.to_host());
}

TEST_CASE("bytes: a cast rounds as rint, floor, ceil and trunc before it do, saturates, and makes 0 of NaN") {
    check_roundings<std::int8_t>();
    check_roundings<std::uint8_t>();
    check_roundings<std::int16_t>();
    check_roundings<std::uint16_t>();
    check_roundings<std::int32_t>();
    check_roundings<std::uint32_t>();
}

TEST_CASE("bytes: whole numbers by a scalar of any size are IEEE 754's quotients") {
    check_quotients(every<std::uint8_t>(256));
    check_quotients(every<std::int8_t>(256));
    check_quotients(every<std::uint16_t>(65536));
    check_quotients<std::int64_t>({0, 1, -1, 16777217, -16777219, std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min()});
    const k::array<std::uint8_t> a = k::from_host<std::uint8_t>(every<std::uint8_t>(256));
    check_unfused(k::cast<float>(a) / k::constant<255>);
}

TEST_CASE("bytes: two pictures blended by a third, of every length and alignment") {
    for (const std::int64_t size : {1, 3, 15, 16, 17, 1000, 100'003}) {
        CAPTURE(size);
        const auto picture = [size](std::int64_t step, std::int64_t from) {
            return k::array<std::uint8_t>(k::cast<std::uint8_t>(k::arange<std::int64_t>(size + from) * step % 256));
        };
        for (const std::int64_t from : {0, 1, 4}) {
            CAPTURE(from);
            const auto part = k::range(from, size + from);
            const k::array<std::uint8_t> a = picture(7919, from), b = picture(104729, from), c = picture(1299709, from);
            const auto share = k::cast<float>(c(part)) / 255;
            check_unfused(k::cast<std::uint8_t>(
                k::rint(share * k::cast<float>(a(part)) + (1 - share) * k::cast<float>(b(part)))));
        }
    }
}

namespace {

/// By a table of 256 results on CUDA, in every way that its elements may lie.
template <class T>
void check_tables(std::int64_t size) {
    CAPTURE(size);
    const auto gamma = [](const auto& x) {
        return k::cast<std::uint8_t>(k::rint(k::pow(k::cast<float>(x) / 255.0f, 1 / 2.2f) * 255.0f));
    };
    const auto far = [](const auto& x) { return k::log(k::tgamma(k::pow(k::cast<float>(x) - 3.5f, 1.5f))); };
    const k::array<T> all = k::cast<T>(k::arange<std::int64_t>(size + 5) * 7919 % 256);
    for (const std::int64_t from : {0, 1, 4}) {
        CAPTURE(from);
        const auto x = all(k::range(from, size + from));
        check_unfused(gamma(x));
        check_unfused(far(x));
        check_unfused(k::flip(gamma(x)));
    }
    const k::array<T> x = all(k::range(0, size));
    const auto [bright, dark] = k::eval(gamma(x), far(x));
    CHECK_SAME(bright.to_host(), k::array<std::uint8_t>(gamma(x)).to_host());
    CHECK_SAME(dark.to_host(), k::array<float>(far(x)).to_host());
    const auto rows = k::reshape(all(k::range(0, size / 5 * 5)), {size / 5, 5});
    check_unfused(gamma(rows(k::all, k::range(1, 4))));
    check_unfused(gamma(k::transpose(rows)));
    check_unfused(far(k::broadcast_to(x, {3, size})));
    k::array<std::uint8_t> itself = k::cast<std::uint8_t>(x);
    const auto wanted = k::array<std::uint8_t>(gamma(itself)).to_host();
    itself = gamma(itself);
    CHECK_SAME(itself.to_host(), wanted);
}

}  // namespace

TEST_CASE("bytes: functions of one byte, looked up on CUDA, of every type, length and alignment, rows and in place") {
    for (const std::int64_t size : {0, 1, 17, 255, 257, 1023, 4096, 100'003}) {
        check_tables<std::uint8_t>(size);
        check_tables<std::int8_t>(size);
        check_tables<bool>(size);
    }
    // Every byte, by the C library in double.
    const std::vector<std::uint8_t> bytes = every<std::uint8_t>(256);
    std::vector<std::uint8_t> wanted;
    for (const std::uint8_t each : bytes)
        wanted.push_back(static_cast<std::uint8_t>(std::nearbyint(std::pow(each / 255.0, 0.25) * 255.0)));
    const k::array<std::uint8_t> x = k::from_host<std::uint8_t>(bytes);
    CHECK_SAME(
        k::array<std::uint8_t>(k::cast<std::uint8_t>(k::rint(k::pow(k::cast<float>(x) / 255.0f, 0.25f) * 255.0f)))
            .to_host(),
        wanted);
}

TEST_CASE("bytes: pixels of few colours with what each pixel, and each colour, has one of") {
    for (const std::int64_t channels : {2, 3, 5, 7, 8})
        for (const std::int64_t pixels : {1, 3, 4, 1023, 30'001}) {
            CAPTURE(channels);
            CAPTURE(pixels);
            const k::array<std::uint8_t> a = colours(pixels, channels, 7919), b = colours(pixels, channels, 104729);
            const k::array<std::uint8_t> mask = colours(pixels, 1, 1299709);
            const k::array<float> gain = k::cast<float>(k::arange<int>(static_cast<int>(channels))) * 0.25f + 0.5f;
            const auto share = k::cast<float>(mask) / 255;
            check_unfused(k::cast<std::uint8_t>(k::rint(share * k::cast<float>(a) + (1 - share) * k::cast<float>(b))));
            check_unfused((k::cast<float>(a) / 255 - gain) / (gain + 1));
            check_unfused(k::cast<std::int16_t>(a) - k::cast<std::int16_t>(mask));
            check_unfused(a > mask);
            const k::range back{k::range::open, k::range::open, -1};
            check_unfused(k::cast<std::uint8_t>(k::cast<float>(a(k::all, back)) * gain));
            check_unfused(k::cast<std::int32_t>(a) + k::index(1) * 3 + k::index(0));
            k::array<std::uint8_t> in_place = a + 0;
            in_place = k::cast<std::uint8_t>(k::rint(k::cast<float>(in_place) * gain));
            CHECK_SAME(in_place.to_host(),
                       k::array<std::uint8_t>(k::cast<std::uint8_t>(k::rint(k::cast<float>(a) * gain))).to_host());
        }
    const k::array<std::uint8_t> none = colours(0, 3, 1);
    CHECK(k::array<float>(k::cast<float>(none) * k::ones<float>({3})).size() == 0);
}

TEST_CASE("bytes: sums that count conditions, from -0, infinities and NaN") {
    const k::array<float> x = k::from_host<float>(edges());
    const auto count = [&](auto from) {
        const auto one = from + k::cast<float>(x > 0.0f);
        const auto two = one + k::cast<float>(x > 100.0f);
        return k::cast<float>(x < 40'000.0f) + two;
    };
    check_unfused(count(x * 0.0f));
    check_unfused(count(x));
    check_unfused(k::cast<double>(x > 0.0f) + k::cast<double>(x > 1.0f));
    const k::array<float> counted = k::cast<float>(x > 0.0f) + k::cast<float>(x > 1.0f);
    const std::vector<float> got = counted.to_host();
    const std::vector<float> from = edges();
    for (std::size_t i = 0; i < got.size(); ++i)
        CHECK(got[i] == static_cast<float>(from[i] > 0.0f) + static_cast<float>(from[i] > 1.0f));
}
