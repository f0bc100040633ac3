// cast<T> between all pairs of types, and the promotion of two arrays.
#include <support/check.hpp>
#include <support/operations.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <cmath>

namespace k = kiln;

namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
    std::vector<To> out;
    for (const From value : values)
        out.push_back(oracle::to<To>(oracle::converted(oracle::from(value), oracle::type_for<To>)));
    return out;
}

/// Values next to the ends of every integer type, seen from floats.
template <class T>
std::vector<T> cast_values() {
    std::vector<T> out = tests::special_values<T>();
    if constexpr (std::is_floating_point_v<T>) {
        for (const double edge : {0.0, 127.0, -128.0, 255.0, 256.0, 32767.0, -32768.0, 65535.0, 2147483647.0,
                                  2147483648.0, -2147483648.0, 4294967295.0, 0x1p63, -0x1p63, 0x1p64, 0x1p53}) {
            const T at = static_cast<T>(edge);
            for (const T near : {at, std::nextafter(at, std::numeric_limits<T>::infinity()),
                                 std::nextafter(at, -std::numeric_limits<T>::infinity())})
                for (const T part : {T(0), T(0.5), T(-0.5)}) out.push_back(near + part);
        }
        // Half way between two 16-bit floats, as near as T comes to that, and where they overflow and vanish.
        for (const double half : {1 + 0x1p-11, 1 + 0x3p-11, 1 + 0x1p-8, 1 + 0x3p-8, 0x1p-25, 0x3p-25, 0x1p-15 + 0x1p-25,
                                  65520.0, 0x1p-134, 0x3p-134, 0x1.ffp127})
            for (const T near : {T(half), std::nextafter(T(half), T(1e38)), std::nextafter(T(half), T(0))})
                out.insert(out.end(), {near, -near});
    } else if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) {
        // Half way between two floats, between two doubles, and between two bfloat16, and next to that.
        for (const std::int64_t half :
             {(std::int64_t{1} << 24) + 1, (std::int64_t{1} << 54) + 2, (std::int64_t{1} << 54) + 6,
              (std::int64_t{1} << 62) + (std::int64_t{1} << 54), (std::int64_t{1} << 33) + (std::int64_t{1} << 25)})
            for (std::int64_t near = half - 1; near <= half + 1; ++near)
                out.insert(out.end(), {static_cast<T>(near), static_cast<T>(-near)});
    }
    return out;
}

template <class From, class... To>
void check_casts(const std::vector<From>& values) {
    const k::array<From> x = k::from_host<From>(values);
    const auto say = [&](std::size_t i) { return " of " + oracle::to_string(oracle::from<From>(values[i])); };
    const auto check = [&]<class T>(const k::array<T>& got) {
        CAPTURE(oracle::name_of(oracle::type_for<T>));
        CHECK_SAME(got.to_host(), converted<T>(values), say);
    };
    std::apply([&](const auto&... got) { (check(got), ...); }, k::eval(k::cast<To>(x)...));
}

}  // namespace

TEST_CASE_TEMPLATE("a cast to every type is exact, saturates from floats and wraps from integers", T, KILN_TEST_TYPES) {
    check_casts<T, KILN_TEST_TYPES, KILN_TEST_COMPLEX>(cast_values<T>());
}

TEST_CASE_TEMPLATE("complex numbers are cast to complex types and to bool", T, KILN_TEST_COMPLEX) {
    check_casts<T, bool, KILN_TEST_COMPLEX>(tests::special_values<T>());
}

TEST_CASE("casting there and back inside one expression loses what the narrow type cannot hold") {
    const k::array<double> x = k::from_host<double>({0.1, 1e300, -1e300, 16777217.0, std::nan("")}, {5});
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_SAME(k::array<double>(k::cast<double>(k::cast<float>(x))).to_host(),
               {static_cast<double>(0.1f), infinity, -infinity, 16777216.0, std::nan("")});
    const k::array<std::int32_t> i = k::from_host<std::int32_t>({300, -1, 255}, {3});
    CHECK_SAME(k::array<std::int32_t>(k::cast<std::int32_t>(k::cast<std::uint8_t>(i))).to_host(), {44, 255, 255});
}

TEST_CASE("float to integer truncates toward zero, saturates, and NaN is 0") {
    const float infinity = std::numeric_limits<float>::infinity();
    const k::array<float> x = k::from_host<float>({1.9f, -1.9f, 3e9f, -3e9f, infinity, -infinity, std::nanf("")}, {7});
    CHECK_SAME(k::array<std::int32_t>(k::cast<std::int32_t>(x)).to_host(),
               {1, -1, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0});
    CHECK_SAME(k::array<std::uint8_t>(k::cast<std::uint8_t>(x)).to_host(), {1, 0, 255, 0, 255, 0, 0});
    CHECK_SAME(k::array<std::int64_t>(k::cast<std::int64_t>(x)).to_host(),
               {1, -1, 3000000000, -3000000000, INT64_MAX, INT64_MIN, 0});
}

TEST_CASE("an assignment to a wider type converts, and a bool array widens to 0 and 1") {
    const k::array<std::int32_t> i = k::from_host<std::int32_t>({INT32_MIN, 7, INT32_MAX}, {3});
    const k::array<std::int64_t> wide = i + i;
    CHECK_SAME(wide.to_host(), {0, 14, -2});
    const k::array<float> f = i;
    CHECK_SAME(f.to_host(), {-2147483648.0f, 7.0f, 2147483648.0f});
    const k::array<bool> b = i > 0;
    const k::array<double> d = b;
    CHECK_SAME(d.to_host(), {0.0, 1.0, 1.0});
}

namespace {

/// 1 / x tells one zero from the other.
template <class Float, class Integer>
void check_zero_of_fractions() {
    for (const std::int64_t count : {1, 9, 64, 1001}) {
        const k::array<Float> x = k::full<Float>({count}, Float(-0.25));
        const k::array<Float> inverse = Float(1) / k::cast<Float>(k::cast<Integer>(x));
        for (const Float each : inverse.to_host()) REQUIRE(each == std::numeric_limits<Float>::infinity());
    }
}

}  // namespace

TEST_CASE_TEMPLATE("casts: a negative fraction is the integer 0, which is no -0 where it is a floating number again",
                   Integer, std::int8_t, std::int16_t, std::int32_t, std::int64_t) {
    check_zero_of_fractions<float, Integer>();
    check_zero_of_fractions<double, Integer>();
}
