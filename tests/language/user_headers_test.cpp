// Headers of users' functions: what they compute with, one text for every device. What is wrong with one is in
// errors/user_function_test.cpp.
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <cstdlib>
#include <iostream>

namespace k = kiln;

namespace {

/// Where a compiler's kernels run; elsewhere the compile is all that there is to see.
bool runs_user_functions() { return tests::device().compiles && !tests::cubins_wanted(); }

template <class T, class E>
void check_values(E&& e, const std::vector<T>& expected) {
    // Where nothing computes, it is compiled all the same if it can be: errors of a compiler are others than this one.
    if (runs_user_functions()) CHECK_SAME(k::array<T>(std::forward<E>(e)).to_host(), expected);
    else
        CHECK_THROWS_WITH_AS(k::array<T>(std::forward<E>(e)),
                             doctest::Contains("only a compiler can turn into a kernel"), k::error);
}

const k::array<float>& two_three() {
    static const k::array<float>* const values = new k::array<float>(k::from_host<float>({2.0f, 3.0f}));
    return *values;
}

}  // namespace

TEST_CASE("a body calls what its headers define, and headers call one another in the order given") {
    const auto f =
        k::function<float(float)>("f", {"a"}, "#include <cubes.h>\nreturn cube(a) + one;",
                                  {{"squares.h",
                                    "#pragma once\n"
                                    "__device__ __forceinline__ float square(float a) { return a * a; }\n"
                                    "enum { one = 1 };"},
                                   {"cubes.h",
                                    "#ifndef CUBES_H\n#define CUBES_H\n"
                                    "#include \"squares.h\"\n"
                                    "__host__ __device__ inline float cube(float a) { return square(a) * a; }\n"
                                    "#endif"}});
    check_values<float>(f(two_three()), {9.0f, 28.0f});
}

TEST_CASE("classes, templates, namespaces and tables, under a namespace of their own") {
    const auto f = k::function<float(float)>(
        "f", {"a"}, "namespace m = mine;\nreturn m::dot(m::pair{a, 1}, m::pair{2, m::table[1]});",
        {{"mine.h",
          "namespace mine {\n"
          "template <class T> struct two { T x, y; };\n"
          "using pair = two<float>;\n"
          "__device__ float dot(const pair& a, const pair& b) { return a.x * b.x + a.y * b.y; }\n"
          "__constant__ float table[2] = {5, 7};\n"
          "}  // namespace mine"}});
    check_values<float>(f(two_three()), {11.0f, 13.0f});
}

TEST_CASE("two functions of one kernel bring the same header, and others beside it") {
    const char* const shared = "__device__ float half(float a) { return a / 2; }";
    const auto f = k::function<float(float)>("f", {"a"}, "return half(a);", {{"half.h", shared}});
    const auto g = k::function<float(float)>(
        "g", {"a"}, "return quarter(a);",
        {{"half.h", shared},
         {"quarter.h", "#include \"half.h\"\n__device__ float quarter(float a) { return half(half(a)); }"}});
    check_values<float>(f(two_three()) + g(two_three()), {1.5f, 2.25f});
    check_values<float>(g(two_three()) + f(two_three()), {1.5f, 2.25f});
}

TEST_CASE("a function with another text of its header is another function") {
    const auto with = [](const char* text) {
        return k::function<float(float)>("f", {"a"}, "return b(a);", {{"b.h", text}});
    };
    const auto twice = with("__device__ float b(float a) { return 2 * a; }");
    const auto thrice = with("__device__ float b(float a) { return 3 * a; }");
    check_values<float>(twice(two_three()), {4.0f, 6.0f});
    check_values<float>(thrice(two_three()), {6.0f, 9.0f});
    check_values<float>(twice(two_three()), {4.0f, 6.0f});
    if (tests::device().compiles)
        CHECK(k::explain(twice(two_three())).kernels.at(0).cache_key !=
              k::explain(thrice(two_three())).kernels.at(0).cache_key);
}

TEST_CASE("constants and fixed-width integers are on every device") {
    const auto f = k::function<float(float)>(
        "f", {"a"},
        "const uint32_t one = 1;\nstatic_assert(sizeof(int64_t) == 8 && sizeof(std::int16_t) == 2, \"\");\n"
        "return a < INFINITY && !(a < NAN) && a < HUGE_VAL ? floor(a * float(M_PI) + M_SQRT2f) + one : -one;");
    check_values<float>(f(two_three()), {8.0f, 11.0f});
    const auto all = k::function<float(float)>("all", {"a"}, "return C(M_P, I) > 3 ? C(a, ) : C(uint, 8_t)(0);",
                                               {{"c.h", "#define C(a, b) a##b"}});
    check_values<float>(all(two_three()), {2.0f, 3.0f});
}

TEST_CASE("a reduction calls what its headers define") {
    const auto farther = k::reduction<float>(
        "farther", 0, "a", "b", "#include \"farther.h\"\nreturn of(a, b);",
        {{"farther.h", "__device__ float of(float a, float b) { return fabsf(a) < fabsf(b) ? b : a; }"}});
    const k::array<float> x = k::from_host<float>({1.0f, -4.0f, 3.0f});
    check_values<float>(farther(x), {-4.0f});
    const auto bits = k::reduction<std::uint32_t>(0, "a", "b", "return joined(a, b);",
                                                  {{"joined.h", "#define joined(a, b) ((a) | (b))"}});
    check_values<std::uint32_t>(bits(k::from_host<std::uint32_t>({1u, 4u, 8u})), {13u});
}

TEST_CASE("names may be spliced into other names, and lines end as they do on any system") {
    const auto f = k::function<float(float)>("f", {"a"}, "return F(fab, s)(-a) + tw\\\r\no;\r\n",
                                             {{"f.h", "#define F(a, b) \\ \r\n  a##b\r\nenum { two = 2 };\r\n"}});
    check_values<float>(f(two_three()), {4.0f, 5.0f});
}

TEST_CASE("what a header defines is the kernel's own, even where the C library has a function of that name") {
    const auto f = k::function<float(float)>("f", {"a"}, "return a + getpagesize();",
                                             {{"own.h", "extern \"C\" __device__ int getpagesize() { return 7; }"}});
    check_values<float>(f(two_three()), {9.0f, 10.0f});
}

namespace {

constexpr const char* evaluates = "child: evaluates a function with the header of the environment";

/// In a process of its own, with kernels in `cache`.
std::string told_by_child(const std::string& cache, const char* header) {
    std::vector<tests::variable> environment = {{"KILN_CACHE_DIR", cache.c_str()},
                                                {"KILN_TEST_HEADER", header},
                                                {"KILN_TEST_QUIET", "1"},
                                                {"KILN_DEVICE", tests::device().is_cuda ? "cuda" : "cpu"}};
    if (tests::cubins_wanted()) environment.push_back({"KILN_TEST_CUBINS", "1"});
    const tests::child_result result = tests::run_child(evaluates, environment);
    CAPTURE(result.output);
    CHECK(result.exit_status == 0);
    const std::size_t at = result.output.find("told: ");
    return at == std::string::npos ? result.output : result.output.substr(at, result.output.find('\n', at) - at);
}

}  // namespace

TEST_CASE("child: evaluates a function with the header of the environment" * doctest::skip()) {
    const auto f = k::function<float(float)>("f", {"a"}, "#include \"b.h\"\nreturn b(a);",
                                             {{"b.h", std::getenv("KILN_TEST_HEADER")}});
    const tests::compiling_only no_launch;
    k::prepare(f(two_three()));
    std::cout << "told: ";
    if (runs_user_functions()) std::cout << k::array<float>(f(two_three())).to_host()[0] << ", ";
    const k::counters counts = k::counters::now();
    std::cout << counts.compiles << " compiled, " << counts.disk_hits << " from disk\n";
}

TEST_CASE("case 46: a header that changed makes another kernel, in the next process too; one that did not is found") {
    if (!tests::device().compiles) return;
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    constexpr const char* twice = "__device__ float b(float a) { return 2 * a; }";
    constexpr const char* thrice = "__device__ float b(float a) { return 3 * a; }";
    const auto value = [](const char* number) { return runs_user_functions() ? std::string(number) + ", " : ""; };
    CHECK(told_by_child(cache, twice) == "told: " + value("4") + "1 compiled, 0 from disk");
    CHECK(told_by_child(cache, twice) == "told: " + value("4") + "0 compiled, 1 from disk");
    CHECK(told_by_child(cache, thrice) == "told: " + value("6") + "1 compiled, 0 from disk");
    CHECK(told_by_child(cache, thrice) == "told: " + value("6") + "0 compiled, 1 from disk");
    CHECK(told_by_child(cache, twice) == "told: " + value("4") + "0 compiled, 1 from disk");
}
