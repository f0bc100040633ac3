// The sources of the most telling expressions, against the committed ones (support/golden.hpp).
#include <support/build_paths.hpp>
#include <support/golden.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace k = kiln;

namespace {

/// name.cu and name.host.cc.
template <class... Es>
void check_both(const std::string& name, const Es&... es) {
    tests::check_golden(name + ".cu", tests::sources({}, es...));
    tests::check_golden(name + ".host.cc", tests::sources({.on = k::plan::host_target, .outputs = {}}, es...));
}

}  // namespace

TEST_CASE("golden: five x, the seed of the manual") {
    const k::array<float> x = k::ones<float>({100});
    check_both("five_x", x + x + x + x + x);
    // The project's first page shows it.
    std::ifstream file(tests::source_folder() + "/README.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    CHECK(page.find("```cuda\n" + tests::sources({}, x + x + x + x + x).at(0).text + "```") != page.npos);
}

TEST_CASE("golden: a scalar and two arrays") {
    const k::array<double> x = k::ones<double>({100});
    const k::array<double> y = k::ones<double>({100});
    check_both("axpy", 2.5 * x + y);
}

TEST_CASE("golden: integer division and remainder") {
    const k::array<std::int32_t> x = k::ones<std::int32_t>({100});
    const k::array<std::int32_t> y = k::ones<std::int32_t>({100});
    check_both("integer_division", x / y + x % y);
}

TEST_CASE("golden: narrow and wide types in one kernel") {
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({100});
    const k::array<double> d = k::ones<double>({100});
    check_both("mixed_widths", (u + u) * d);
}

TEST_CASE("golden: where, with the position") {
    const k::array<float> x = k::ones<float>({100});
    check_both("where_index", k::where(x > 0.5f, k::sqrt(x), k::cast<float>(k::arange<int>(100)) * 1e-6f));
}

TEST_CASE("golden: library functions") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<float> y = k::ones<float>({100});
    check_both("library", k::exp(-x * x) * k::sin(y) + k::pow(x, y));
}

TEST_CASE("golden: several outputs of several types") {
    const k::array<float> f = k::ones<float>({100});
    const k::array<float> g = k::ones<float>({100});
    check_both("outputs", f + g, f - g, f < g);
}

TEST_CASE("golden: a saturating cast, min and max") {
    const k::array<float> x = k::ones<float>({100});
    check_both("saturating_cast", k::cast<std::uint8_t>(k::min(k::max(x, 0.0f), 300.0f)));
}

TEST_CASE("golden: 16-bit floats round after every operation") {
    const k::array<k::float16> x = k::ones<k::float16>({100});
    const k::array<k::bfloat16> y = k::ones<k::bfloat16>({100});
    check_both("float16", x * x + k::exp(x));
    check_both("bfloat16_cast", k::cast<k::bfloat16>(k::cast<double>(y) * 0.1));
}

TEST_CASE("golden: complex numbers, with a scalar by value") {
    const k::array<std::complex<float>> x = k::ones<std::complex<float>>({100});
    const k::array<std::complex<double>> z = k::ones<std::complex<double>>({100});
    check_both("complex64", x * std::complex<float>(0, 1) + x);
    check_both("complex128", k::abs(z) * z);
}

TEST_CASE("golden: a fill reads nothing") { check_both("fill", k::full<std::int64_t>({100}, std::int64_t{7})); }

TEST_CASE("golden: a slice of two axes and a contiguous array") {
    const k::array<float> x = k::ones<float>({10, 40});
    const k::array<float> y = k::ones<float>({5, 40});
    const k::range back{k::range::open, k::range::open, -1};
    check_both("slice", x(k::range(0, 10, 2), back) * y);
}

TEST_CASE("golden: writing through a slice") {
    k::array<float> y = k::ones<float>({10, 20});
    const k::array<float> x = k::ones<float>({10, 10});
    const auto part = y(k::all, k::range(0, 20, 2));
    tests::check_golden("into_slice.cu", tests::sources({.outputs = {tests::through(part)}}, x * x));
    tests::check_golden("into_slice.host.cc",
                        tests::sources({.on = k::plan::host_target, .outputs = {tests::through(part)}}, x * x));
}

TEST_CASE("golden: in place") {
    k::array<float> x = k::ones<float>({100});
    tests::check_golden("in_place.cu", tests::sources({.outputs = {tests::into(x)}}, x * x + x));
}

TEST_CASE("golden: a view that begins at any element") {
    const k::array<float> x = k::ones<float>({101});
    const k::array<float> y = k::ones<float>({100});
    tests::check_golden("misaligned.cu", tests::sources({}, x(k::range(1, 101)) + y));
}

TEST_CASE("golden: more than 2^31 elements") {
    const auto many = k::full<float>({std::int64_t{1} << 32}, 1.0f);
    tests::check_golden("wide.cu", tests::sources({}, many + k::arange<float>(std::int64_t{1} << 32)));
}

TEST_CASE("golden: one kernel per operator") {
    const k::array<float> x = k::ones<float>({100});
    tests::check_golden("unfused.cu", tests::sources({.fuse = false, .outputs = {}}, k::sqrt(x * x + 1.0f)));
}

#if __cpp_nontype_template_args >= 201911L  // floating-point constants: not with clang++ before 18
TEST_CASE("golden: a function of the user's and a constant") {
    const k::array<float> x = k::ones<float>({100});
    const auto logaddexp =
        k::function<float(float, float)>("logaddexp", {"a", "b"}, "return fmaxf(a,b) + log1pf(expf(-fabsf(a-b)));");
    check_both("user_function", logaddexp(x, x * k::constant<3>) - k::constant<0.25>);
}
#endif

TEST_CASE("golden: a function of the user's with headers") {
    const k::array<float> x = k::ones<float>({100});
    const auto lennard_jones = k::function<float(float)>(
        "lennard_jones", {"r"}, "#include \"powers.h\"\nreturn 4 * (pow(1 / r, 12.0f) - sixth(1 / r));",
        {{"powers.h",
          "#pragma once\n__device__ __forceinline__ float sixth(float a) { return a * a * a * a * a * a; }\n"}});
    check_both("user_header", lennard_jones(x));
}

TEST_CASE("golden: division downwards and a sigmoid, which take more than an expression") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<float> y = k::ones<float>({100});
    check_both("downwards", k::floor_divide(x, y) * k::sigmoid(x) + k::floor_mod(x, y));
}

TEST_CASE("golden: bits of unsigned and signed integers") {
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({100});
    const k::array<std::int64_t> i = k::ones<std::int64_t>({100});
    check_both("bits", (u >> u) / k::clz(u), (i << 3) / k::popcount(i));
}

TEST_CASE("golden: random numbers: neighbours' positions say that they share a block") {
    check_both("random_uniform", k::random::uniform<float>({100}, 7));
    tests::check_golden("random_normal.cu", tests::sources({}, k::random::normal<double>({100}, 7)));
    tests::check_golden("random_integers.cu", tests::sources({}, k::random::integers<std::uint8_t>({100}, 3, 9, 7)));
}

TEST_CASE("golden: a row, a column and a matrix") {
    const k::array<float> m = k::ones<float>({30, 50});
    const k::array<float> row = k::ones<float>({50});
    const k::array<float> column = k::ones<float>({30, 1});
    check_both("broadcast", m + row + column);
}

TEST_CASE("golden: short rows: a row, a column and a shifted matrix") {
    const k::array<float> x = k::ones<float>({100, 3});
    const k::array<float> row = k::ones<float>({3});
    const k::array<float> column = k::ones<float>({100, 1});
    check_both("short_rows", row * column + k::shift(x, {1, 0}, k::boundary::clamp));
}

TEST_CASE("golden: a matrix and its transpose") {
    const k::array<float> m = k::ones<float>({100, 100});
    check_both("transpose", m + k::transpose(m));
}

TEST_CASE("golden: a stencil whose ends are clamped") {
    const k::array<float> u = k::ones<float>({40, 50});
    check_both("stencil", k::shift(u, {1, 0}, k::boundary::clamp) + k::shift(u, {0, -1}, k::boundary::clamp) - u);
}

TEST_CASE("golden: zeros from past the ends") {
    const k::array<float> u = k::ones<float>({100});
    check_both("shift", k::shift(u, {1}) - u);
}

TEST_CASE("golden: elements where an index says") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<std::int32_t> index = k::ones<std::int32_t>({20});
    check_both("take", k::take(x, index) * 2.0f);
}

TEST_CASE("golden: every second element") {
    const k::array<float> x = k::ones<float>({100});
    check_both("every_second", x(k::range(0, 100, 2)) + 1.0f);
}

TEST_CASE("golden: a reshape that strides cannot say") {
    const k::array<float> m = k::ones<float>({40, 60});
    check_both("reshape", k::reshape(k::transpose(m), {50, 48}) + 1.0f);
}

TEST_CASE("golden: two outputs of two shapes") {
    const k::array<float> m = k::ones<float>({30, 50});
    const k::array<float> row = k::ones<float>({50});
    check_both("two_shapes", m * row, row + row);
}

TEST_CASE("golden: the position along an axis") {
    const k::array<float> m = k::ones<float>({30, 50});
    check_both("index", k::where(k::index(0) >= k::index(1), m, 0.0f));
}
