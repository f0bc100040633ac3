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
        for (const double edge :
             {0.0, 255.0, 256.0, 2147483647.0, 2147483648.0, -2147483648.0, 0x1p63, -0x1p63, 0x1p53}) {
            const T at = static_cast<T>(edge);
            for (const T near : {at, std::nextafter(at, std::numeric_limits<T>::infinity()),
                                 std::nextafter(at, -std::numeric_limits<T>::infinity())})
                for (const T part : {T(0), T(0.5), T(-0.5)}) out.push_back(near + part);
        }
    } else if constexpr (sizeof(T) == 8) {
        // Half way between two floats, and between two doubles, and next to that.
        for (const std::int64_t half :
             {(std::int64_t{1} << 24) + 1, (std::int64_t{1} << 54) + 2, (std::int64_t{1} << 54) + 6})
            for (std::int64_t near = half - 1; near <= half + 1; ++near) out.insert(out.end(), {near, -near});
    }
    return out;
}

}  // namespace

TEST_CASE_TEMPLATE("a cast to every type is exact, saturates from floats and wraps from integers", T, KILN_TEST_TYPES) {
    const std::vector<T> values = cast_values<T>();
    const k::array<T> x = k::from_host<T>(values);
    auto [b8, u8, i32, i64, f32, f64] = k::eval(k::cast<bool>(x), k::cast<std::uint8_t>(x), k::cast<std::int32_t>(x),
                                                k::cast<std::int64_t>(x), k::cast<float>(x), k::cast<double>(x));
    const auto say = [&](std::size_t i) { return " of " + oracle::to_string(oracle::from<T>(values[i])); };
    CHECK_SAME(b8.to_host(), converted<bool>(values), say);
    CHECK_SAME(u8.to_host(), converted<std::uint8_t>(values), say);
    CHECK_SAME(i32.to_host(), converted<std::int32_t>(values), say);
    CHECK_SAME(i64.to_host(), converted<std::int64_t>(values), say);
    CHECK_SAME(f32.to_host(), converted<float>(values), say);
    CHECK_SAME(f64.to_host(), converted<double>(values), say);
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
