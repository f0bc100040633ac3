// std::cout << x. Expected texts are what NumPy 2 prints of the same elements.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <limits>
#include <sstream>

namespace k = kiln;

namespace {

template <class E>
std::string printed(const E& e) {
    std::ostringstream out;
    out << e;
    return out.str();
}

template <class T>
std::string printed_list(std::initializer_list<T> elements) {
    return printed(k::from_host<T>(elements));
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("print: floats have as many digits as tell them apart, and one width") {
    CHECK(printed_list<float>({0.5f, 1.0f, 2.25f}) == "[0.5  1.   2.25]");
    CHECK(printed_list<float>({1, 2, 3}) == "[1. 2. 3.]");
    CHECK(printed_list<float>({0.1f, -0.2f}) == "[ 0.1 -0.2]");
    CHECK(printed_list<double>({1.0 / 3, 2}) == "[0.33333333 2.        ]");
    CHECK(printed_list<float>({100.5f, 0.25f}) == "[100.5    0.25]");
    CHECK(printed_list<double>({0.0, -0.0}) == "[ 0. -0.]");
    CHECK(printed_list<k::float16>({k::float16(0.1f), k::float16(2.0f)}) == "[0.1 2. ]");
    CHECK(printed_list<k::bfloat16>({k::bfloat16(0.1f)}) == "[0.1]");
}

TEST_CASE("print: float32 and float16 in scientific notation have digits of their own") {
    CHECK(printed_list<float>({5.79236e9f, 3}) == "[5.79236e+09 3.00000e+00]");
    CHECK(printed_list<float>({8.77037e8f}) == "[8.77037e+08]");
    CHECK(printed_list<float>({9.175789f, 1.1332609e-34f}) == "[9.1757889e+00 1.1332609e-34]");
    CHECK(printed_list<float>({1e-45f, 1.5f}) == "[1.4e-45 1.5e+00]");
    // What is 1e-04 alone is less, with as many digits as its neighbour.
    CHECK(printed_list<float>({1e-4f, 1.2345678e-4f, 1e8f}) == "[9.9999997e-05 1.2345678e-04 1.0000000e+08]");
    CHECK(printed_list<k::float16>({k::float16(4.8e-7f), k::float16(2e-6f), k::float16(1.4e-6f)}) ==
          "[4.8e-07 2.0e-06 1.4e-06]");
    CHECK(printed_list<double>({5e-324, 1.234e-310, 1.0}) == "[4.941e-324 1.234e-310 1.000e+000]");
    CHECK(printed_list<std::complex<float>>({{1e-4f, 1}, {1.2345678e-4f, 2}, {1e8f, 3}}) ==
          "[9.9999997e-05+1.j 1.2345678e-04+2.j 1.0000000e+08+3.j]");
}

TEST_CASE("print: 16-bit floats have all their digits before the point") {
    CHECK(printed_list<k::float16>({k::float16(-58432.0f)}) == "[-58432.]");
    CHECK(printed_list<k::float16>({k::float16(40000.0f), k::float16(10245.0f)}) == "[40000. 10248.]");
    CHECK(printed_list<k::bfloat16>({k::bfloat16(123456.0f)}) == "[123392.]");
}

TEST_CASE("print: very large, very small and far apart floats are in scientific notation") {
    CHECK(printed_list<double>({1e10, 1.5}) == "[1.0e+10 1.5e+00]");
    CHECK(printed_list<float>({1e-5f, 1.0f}) == "[1.e-05 1.e+00]");
    CHECK(printed_list<double>({1e-5, 1.25, -3}) == "[ 1.00e-05  1.25e+00 -3.00e+00]");
    CHECK(printed_list<double>({1e100, 1}) == "[1.e+100 1.e+000]");
    CHECK(printed_list<double>({1.23456789123e10}) == "[1.23456789e+10]");
    CHECK(printed_list<double>({0.001, 1}) == "[0.001 1.   ]");
    CHECK(printed_list<double>({0.0005, 1}) == "[5.e-04 1.e+00]");
}

TEST_CASE("print: what is not finite takes its place in the column") {
    CHECK(printed_list<float>({not_a_number, 1, -infinity}) == "[ nan   1. -inf]");
    CHECK(printed_list<float>({not_a_number, infinity}) == "[nan inf]");
    CHECK(printed_list<double>({not_a_number, 0.125}) == "[  nan 0.125]");
}

TEST_CASE("print: integers, bool, complex numbers") {
    CHECK(printed_list<std::int8_t>({1, -100, 7}) == "[   1 -100    7]");
    CHECK(printed_list<unsigned long long>({~0ULL, 1}) == "[18446744073709551615                    1]");
    CHECK(printed(k::from_host(std::vector<bool>{true, false}, {2})) == "[ True False]");
    CHECK(printed_list<std::complex<float>>({{1, 2}, {0.5f, -1.25f}}) == "[1. +2.j   0.5-1.25j]");
    CHECK(printed_list<std::complex<double>>({{1, 0}}) == "[1.+0.j]");
}

TEST_CASE("print: brackets nest, a blank line between matrices") {
    CHECK(printed(k::reshape(k::arange<int>(6), {2, 3})) == "[[0 1 2]\n [3 4 5]]");
    CHECK(printed(k::reshape(k::arange<int>(8), {2, 2, 2})) == "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
    CHECK(printed(k::zeros<float>({0, 3})) == "[]");
    CHECK(printed(k::zeros<float>({0})) == "[]");
}

TEST_CASE("print: long rows are broken at 75 characters") {
    CHECK(printed(k::arange<int>(30)) ==
          "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
          " 24 25 26 27 28 29]");
    CHECK(printed(k::reshape(k::arange<int>(60), {2, 30})) ==
          "[[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
          "  24 25 26 27 28 29]\n"
          " [30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53\n"
          "  54 55 56 57 58 59]]");
}

TEST_CASE("print: past 1000 elements the first and last three of each axis, and only they are copied") {
    CHECK(printed(k::arange<int>(1001)) == "[   0    1    2 ...  998  999 1000]");
    CHECK(printed(k::reshape(k::arange<int>(2000), {100, 20})) ==
          "[[   0    1    2 ...   17   18   19]\n"
          " [  20   21   22 ...   37   38   39]\n"
          " [  40   41   42 ...   57   58   59]\n"
          " ...\n"
          " [1940 1941 1942 ... 1957 1958 1959]\n"
          " [1960 1961 1962 ... 1977 1978 1979]\n"
          " [1980 1981 1982 ... 1997 1998 1999]]");
    CHECK(printed(k::reshape(k::arange<int>(2000), {1000, 2})) ==
          "[[   0    1]\n [   2    3]\n [   4    5]\n ...\n [1994 1995]\n [1996 1997]\n [1998 1999]]");
    CHECK(printed(k::reshape(k::arange<int>(1200), {2, 600})) ==
          "[[   0    1    2 ...  597  598  599]\n [ 600  601  602 ... 1197 1198 1199]]");
    // The one that is not shown takes no part in the width.
    CHECK(printed(k::where(k::arange<int>(2000) == 500, 123456, 1)) == "[1 1 1 ... 1 1 1]");
}

TEST_CASE("print: a number alone is written in full") {
    CHECK(printed(k::full<float>({}, 0.1f)) == "0.1");
    CHECK(printed(k::full<double>({}, 1.0 / 3)) == "0.3333333333333333");
    CHECK(printed(k::full<float>({}, 2.0f)) == "2.0");
    CHECK(printed(k::full<double>({}, 1e20)) == "1e+20");
    CHECK(printed(k::full<bool>({}, true)) == "True");
    CHECK(printed(k::full<int>({}, -5)) == "-5");
    CHECK(printed(k::full<std::complex<float>>({}, {1, -2})) == "(1-2j)");
    CHECK(printed(k::full<std::complex<float>>({}, {0, 2})) == "2j");
    CHECK(printed(k::sum(k::ones<float>({3}))) == "3.0");
}

TEST_CASE("print: expressions, views, memory of the user's; shapes; an array without a value throws") {
    const k::array<float> x = k::from_host<float>({1, 2, 3});
    CHECK(printed(x + 0.5f) == "[1.5 2.5 3.5]");
    CHECK(printed(x(k::range(1, 3))) == "[2. 3.]");
    float memory[] = {1, 2};
    CHECK(printed(k::wrap(memory, {2})) == "[1. 2.]");
    CHECK(printed(k::shape{4000, 5}) == "(4000, 5)");
    CHECK_THROWS_AS(printed(k::array<float>()), k::type_error);
    CHECK(printed(x.device()) == x.device().name());
    CHECK(printed(k::explain(x + 0.5f)) == k::to_string(k::explain(x + 0.5f)));
    CHECK(printed(k::counters{}) == k::to_string(k::counters{}));
    CHECK(printed(k::element_type::bfloat16) == "bfloat16");
    k::memory_use_info use{
        .array_bytes = 80'000'000, .spare_bytes = 512, .free_bytes = 130'000'000'000, .total_bytes = 141'000'000'000};
    CHECK(printed(use) == "80.0 MB in arrays, 512 B spare, 130.0 GB free of 141.0 GB");
    use.locked_bytes = 20'000'000;
    CHECK(k::to_string(use) ==
          "80.0 MB in arrays, 512 B spare, 130.0 GB free of 141.0 GB; of the host's memory 20.0 MB locked, 0 B spare");
    std::ostringstream out;
    out.precision(2);
    out.width(30);
    out << k::full<double>({1}, 0.125);
    CHECK(out.str() == "[0.125]");
}

TEST_CASE("to_string: digits, elements and width as options say") {
    const k::array<float> thirds = k::reshape(k::arange<float>(12) / 7, {3, 4});
    CHECK(k::to_string(thirds) == printed(thirds));
    CHECK(k::to_string(k::array<float>(k::full<float>({}, 4.0f / 3)), {.precision = 3}) == "1.333");
    CHECK(k::to_string(k::array<float>(k::full<float>({}, 1.5f)), {.precision = 3}) == "1.5");
    CHECK(k::to_string(k::array<float>(k::full<float>({}, 4.0f / 3))) == "1.3333334");
    CHECK(k::to_string(thirds, {.precision = 3}) ==
          "[[0.    0.143 0.286 0.429]\n [0.571 0.714 0.857 1.   ]\n [1.143 1.286 1.429 1.571]]");
    CHECK(k::to_string(k::from_host<double>({1.0 / 3, 2}), {.precision = 0}) == "[0. 2.]");
    CHECK(k::to_string(k::from_host<double>({1.0 / 3, 2e10}), {.precision = 2}) == "[3.33e-01 2.00e+10]");
    CHECK(k::to_string(k::from_host<double>({1.0 / 3}), {.precision = 20}) == "[0.3333333333333333]");
    CHECK(k::to_string(k::from_host<std::complex<double>>({{1.0 / 3, 2}}), {.precision = 3}) == "[0.333+2.j]");
    CHECK(k::to_string(k::arange<int>(20), {.threshold = 10, .edge_items = 2}) == "[ 0  1 ... 18 19]");
    CHECK(k::to_string(k::arange<int>(20), {.line_width = 30}) ==
          "[ 0  1  2  3  4  5  6  7  8\n  9 10 11 12 13 14 15 16 17\n 18 19]");
    CHECK(k::to_string(k::reshape(k::arange<float>(24) * 1.5f, {4, 6}),
                       {.threshold = 5, .edge_items = 1, .line_width = 20}) ==
          "[[ 0.  ...  7.5]\n ...\n [27.  ... 34.5]]");
    CHECK(k::to_string(k::arange<int>(3), {.line_width = 1}) == "[0\n 1\n 2]");
    CHECK_THROWS_AS((void)k::to_string(thirds, {.precision = -1}), k::error);
    CHECK_THROWS_AS((void)k::to_string(thirds, {.precision = 101}), k::error);
    CHECK_THROWS_AS((void)k::to_string(thirds, {.threshold = -1}), k::error);
    CHECK_THROWS_AS((void)k::to_string(thirds, {.edge_items = 0}), k::error);
    CHECK_THROWS_AS((void)k::to_string(thirds, {.line_width = 0}), k::error);
}

TEST_CASE("summary: type, shape and device of an array, in one line") {
    const k::array<float> x = k::ones<float>({4, 5});
    CHECK(k::summary(x) == "float32 (4, 5) on " + x.device().name());
    CHECK(k::summary(k::array<k::bfloat16>(k::ones<k::bfloat16>({}))) == "bfloat16 () on " + x.device().name());
    CHECK(k::summary(k::array<int>()) == "int32 without a value");
}
