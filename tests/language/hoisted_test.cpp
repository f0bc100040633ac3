// What does not change along a row is computed once for it, and bodies of any length are put into their loops: on the host.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/host_text.hpp>

#include <doctest/doctest.h>

#include <kiln/kiln.hpp>

#include <cstring>
#include <limits>

namespace k = kiln;

namespace {

/// The bits of the same expression kernel by kernel.
template <class T, class E>
void check_apart(const E& made) {
    const std::vector<T> fused = k::array<T>(made()).to_host();
    const k::scoped_options apart({.fuse = false});
    const std::vector<T> expected = k::array<T>(made()).to_host();
    REQUIRE(fused.size() == expected.size());
    if (!fused.empty()) CHECK(std::memcmp(fused.data(), expected.data(), fused.size() * sizeof(T)) == 0);
}

}  // namespace

TEST_CASE(
    "a function of what is the same along a row is called where it stands, and its operand is read before the loop") {
    const k::array<float> x = k::ones<float>({100, 1000});
    const k::array<float> s = k::ones<float>({});
    const k::array<float> column = k::ones<float>({100, 1});
    for (const std::string& text : {tests::host_text(x * k::exp(s)), tests::host_text(x * k::exp(column))}) {
        CHECK(text.find("block_exp_f32") == std::string::npos);
        CHECK(text.find("exp_f32(library, x0)") != std::string::npos);
        CHECK(text.find("const float x0_of_row = x0[") != std::string::npos);
    }
    // Beside one that changes, too.
    const std::string both = tests::host_text(k::sin(x) * k::exp(column));
    CHECK(both.find("block_sin_f32") != std::string::npos);
    CHECK(both.find("block_exp_f32") == std::string::npos);
    // What moves along the row is called for strips.
    CHECK(tests::host_text(x * k::exp(k::array<float>(k::ones<float>({1, 1000})))).find("block_exp_f32") !=
          std::string::npos);
}

TEST_CASE("short rows: what is the same along one is another in the next, which a strip has too") {
    const k::array<float> x = k::ones<float>({1000, 5});
    const k::array<float> column = k::ones<float>({1000, 1});
    CHECK(tests::host_text(x * k::exp(column)).find("block_exp_f32") != std::string::npos);
    CHECK(tests::host_text(x * k::exp(k::array<float>(k::ones<float>({})))).find("block_exp_f32") == std::string::npos);
}

TEST_CASE("functions of numbers, rows and columns have the bits that they have by themselves") {
    for (const std::int64_t columns : {0, 1, 5, 17, 300, 1000}) {
        const k::array<float> x = k::random::uniform<float>({70, columns}, 3);
        const k::array<float> column = k::random::uniform<float>({70, 1}, 4);
        const k::array<float> row = k::random::uniform<float>({1, columns}, 5);
        const k::array<float> one = k::from_host<float>({std::numeric_limits<float>::quiet_NaN()});
        check_apart<float>([&] { return x * k::exp(column); });
        check_apart<float>([&] { return x * k::exp(row) + k::log(column); });
        check_apart<float>([&] { return k::sin(x) * k::exp(column) + k::pow(column, 2.5f); });
        check_apart<float>([&] { return k::where(k::isnan(k::exp(one)), x, column); });
        check_apart<double>([&] { return k::cast<double>(x) * k::exp(k::cast<double>(column)); });
    }
    // Into its own operand.
    k::array<float> own = k::random::uniform<float>({70, 300}, 6);
    const std::vector<float> before = own.to_host();
    const k::array<float> first = k::array<float>(own(k::all, k::range(0, 1)));
    own = own * k::exp(first);
    check_apart<float>([&] { return k::reshape(k::from_host<float>(before), {70, 300}) * k::exp(first); });
    CHECK(own.to_host() ==
          k::array<float>(k::reshape(k::from_host<float>(before), {70, 300}) * k::exp(first)).to_host());
}

TEST_CASE("a function of a row that all rows have is called once for many of them") {
    const k::array<float> x = k::ones<float>({100, 1000});
    const k::array<float> row = k::ones<float>({1000});
    const k::array<float> column = k::ones<float>({100, 1});
    const auto before_rows = [](const std::string& text, const char* what) {
        const std::size_t at = text.find(what, text.find("extern \"C\""));
        return at != std::string::npos && at < text.find("for (i64 each");
    };
    CHECK(before_rows(tests::host_text(x * k::exp(row)), "block_exp_f32"));
    CHECK(before_rows(tests::host_text(x * k::log(k::exp(row * 2.0f) + 1.0f)), "block_log_f32"));
    const std::string both = tests::host_text(k::sin(x) * k::exp(row) + k::cos(column));
    CHECK(before_rows(both, "block_exp_f32"));
    CHECK(!before_rows(both, "block_sin_f32"));
    // Of what is another in each row, or has no function, nothing is.
    CHECK(tests::host_text(x * k::exp(row + x)).find("made_once") == std::string::npos);
    CHECK(tests::host_text(x * (row + 1.0f)).find("made_once") == std::string::npos);
    CHECK(tests::host_text(x * k::exp(column)).find("made_once") == std::string::npos);
}

namespace {

template <class T>
void check_rows(std::int64_t rows, std::int64_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const k::array<T> x = k::cast<T>(k::random::uniform<float>({rows, columns}, 7));
    const k::array<T> row = k::cast<T>(k::random::uniform<float>({columns}, 8));
    const k::array<T> column = k::cast<T>(k::random::uniform<float>({rows, 1}, 9));
    const k::array<T> wide = k::cast<T>(k::random::uniform<float>({2 * columns}, 10));
    check_apart<T>([&] { return x * k::exp(row); });
    check_apart<T>([&] { return k::sin(x) * k::log(row) + k::pow(row, k::exp(column)); });
    check_apart<T>([&] { return x - k::erf(k::flip(row)) * k::cbrt(wide(k::range(0, 2 * columns, 2))) * x; });
    check_apart<T>([&] { return k::where(k::exp(row) > T(2), x, k::tanh(row) + column); });
    check_apart<T>([&] { return k::broadcast_to(k::exp(row), {rows, columns}) * x; });
    check_apart<T>([&] { return k::sum(x * k::exp(row), k::axis(1)); });
    check_apart<T>([&] { return k::sum(x * k::exp(row), k::axis(0)); });
    // Five values, of which each would be read again for each row.
    check_apart<T>([&] {
        return x * k::exp(row) + x / k::exp2(row) + k::sin(row) * x - k::cos(row) / x + k::max(x, k::tan(row));
    });
    k::array<T> own = +x;
    own *= k::exp(row);
    CHECK_SAME(own.to_host(), k::array<T>(x * k::exp(row)).to_host());
    if (rows == 0) return;
    k::array<T> of_itself = +x;
    of_itself *= k::exp(of_itself(rows / 2));
    const k::array<T> middle = k::array<T>(x(rows / 2));
    CHECK_SAME(of_itself.to_host(), k::array<T>(x * k::exp(middle)).to_host());
}

}  // namespace

TEST_CASE("functions of a row that all rows have give the bits that they have by themselves") {
    for (const std::int64_t rows : {0, 1, 2, 3, 5, 70})
        for (const std::int64_t columns : {1, 33, 300, 2048, 2049, 5000}) check_rows<float>(rows, columns);
    check_rows<double>(41, 2500);
    check_rows<k::float16>(41, 2500);
    check_rows<k::bfloat16>(9, 300);
    // Rows and columns of more axes.
    const k::array<float> block = k::random::uniform<float>({3, 50, 2100}, 11);
    const k::array<float> row = k::random::uniform<float>({2100}, 12);
    const k::array<float> layer = k::random::uniform<float>({50, 2100}, 13);
    const k::array<float> other = k::random::uniform<float>({3, 1, 2100}, 14);
    check_apart<float>([&] { return block * k::exp(row) + k::log(layer); });
    check_apart<float>([&] { return k::transpose(block, {1, 0, 2}) * k::exp(row) * k::sin(other(0)); });
    check_apart<float>([&] { return block * k::exp(row) / k::exp(other); });
}

TEST_CASE("long chains of 16-bit floats stand in their loops, and have the bits of a kernel for each step") {
    const auto chain = [](const auto& x, int steps) {
        using T = typename std::decay_t<decltype(x)>::value_type;
        k::expr<T> out = x;
        for (int i = 0; i < steps; ++i) out = i % 2 ? k::expr<T>(out * x) : k::expr<T>(out + x * T(0.25f));
        return out;
    };
    const auto check = [&chain]<class T>(T) {
        std::vector<T> values;
        const float infinity = std::numeric_limits<float>::infinity();
        for (const float each :
             {0.0f, -0.0f, 1.0f, -1.0f, 6e-8f, -6e-8f, 6e-5f, 65504.0f, -65504.0f, infinity, -infinity})
            values.push_back(T(each));
        for (int i = 0; values.size() < 1003; ++i) values.push_back(T(static_cast<float>(i % 61 - 30) * 0.037f));
        const k::array<T> x = k::from_host<T>(values);
        for (const int steps : {1, 2, 20, 60}) check_apart<T>([&] { return chain(x, steps); });
        const k::array<T> y = k::from_host<T>(values);
        const std::string in_line = "static inline __attribute__((always_inline)) void ";
        CHECK(tests::host_text(x * y + x * y * x - y).find(in_line + "block_body(") != std::string::npos);
        // Without vectors of its own: elements one by one.
        CHECK(tests::host_text(k::round(x * y) + x * y * x - y).find(in_line + "body(") != std::string::npos);
    };
    check(k::float16());
    check(k::bfloat16());
}
