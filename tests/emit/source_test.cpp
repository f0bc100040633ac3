// What stands in generated source, and what does not.
#include <support/child.hpp>
#include <support/device_under_test.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <cctype>
#include <complex>

namespace k = kiln;
using tests::occurrences;

namespace {

const tests::how cuda{};
const tests::how host{.on = k::plan::host_target, .fuse = true, .outputs = {}};

template <class E>
std::string text(const tests::how& as, const E& e) {
    const std::vector<k::emit::source> made = tests::sources(as, e);
    REQUIRE(made.size() == 1);
    return made[0].text;
}

template <class E>
std::string name(const tests::how& as, const E& e) {
    return tests::sources(as, e).at(0).name;
}

}  // namespace

TEST_CASE("x + x + x + x + x loads x once per vector and stores y once") {
    const k::array<float> x = k::ones<float>({100});
    const std::string source = text(cuda, x + x + x + x + x);
    CHECK(occurrences(source, "= load_f32x4(x0 + first)") == 1);
    CHECK(occurrences(source, "store(y0 + first") == 1);
    CHECK(occurrences(source, " + ") >= 4);
    CHECK(source.find("extern \"C\" __global__") != std::string::npos);
}

TEST_CASE("no kernel includes anything, and only what is used is defined") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({100});
    for (const tests::how& as : {cuda, host}) {
        CHECK(text(as, k::sin(x) + k::sqrt(x)).find("#include") == std::string::npos);
        CHECK(text(as, u + x).find("#include") == std::string::npos);
        CHECK(text(as, x + x).find("sin") == std::string::npos);
    }
    CHECK(text(cuda, x + x).find("typedef") == std::string::npos);
}

TEST_CASE("scalars and sizes are parameters: their values are not in the text") {
    const k::array<float> x = k::ones<float>({12345});
    for (const tests::how& as : {cuda, host}) {
        const std::string source = text(as, x * 67.125f);
        CHECK(source.find("67") == std::string::npos);
        CHECK(source.find("12345") == std::string::npos);
        CHECK(source == text(as, k::array<float>(k::ones<float>({3, 7})) * -1.0f));
    }
}

TEST_CASE("pointers are __restrict__, unless the output is an input's memory") {
    k::array<float> x = k::ones<float>({100});
    const k::array<float> y = k::ones<float>({100});
    CHECK(occurrences(text(cuda, y + 1.0f), "__restrict__") == 2);
    const tests::how in_place{.outputs = {tests::into(x)}};
    CHECK(occurrences(text(in_place, x + 1.0f), "__restrict__") == 0);
    const std::string here = name(in_place, x + 1.0f);  // one at a time: a second expression would be another owner
    CHECK(here == "kiln_add_f32_v4_inplace");
    CHECK(name(cuda, x + 1.0f) == "kiln_add_f32_v4");
}

TEST_CASE("kernels are named for what they do, their type, their width and their layout") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<double> d = k::ones<double>({100});
    CHECK(name(cuda, x + x + x + x + x) == "kiln_add4_f32_v4");
    CHECK(name(cuda, d * d + d) == "kiln_mul_add_f64_v2");
    CHECK(name(cuda, k::full<float>({3}, 1.0f)).find("fill") != std::string::npos);
    CHECK(name(cuda, x(k::range(0, 100, 2))).find("copy_f32_axes1") != std::string::npos);
    const std::string long_name =
        name(cuda, k::sqrt(k::abs(k::exp(k::log(k::sin(k::cos(k::tanh(x % d)))))) - d * d / d));
    CHECK(long_name.size() < 80);
    for (const char each : long_name) CHECK((std::isalnum(static_cast<unsigned char>(each)) || each == '_'));
}

TEST_CASE("a kernel's text depends on its own steps, not on where they stand in the program") {
    const k::array<float> x = k::ones<float>({100});
    const std::vector<k::emit::source> made = tests::sources({.fuse = false, .outputs = {}}, x + x + x + x + x);
    REQUIRE(made.size() == 4);
    CHECK(made[1].text == made[2].text);
    CHECK(made[2].text == made[3].text);
}

TEST_CASE("the text is the same at every emission") {
    const k::array<float> x = k::ones<float>({100});
    const auto e = k::where(x > 0.5f, k::sqrt(x), k::cast<float>(k::arange<int>(100)) * 1e-6f);
    CHECK(text(cuda, e) == text(cuda, e));
    CHECK(text(host, e) == text(host, e));
}

TEST_CASE("a long expression is shortened in the heading and whole in the steps") {
    const k::array<float> x = k::ones<float>({100});
    k::expr<float> e = x;
    for (int i = 0; i < 200; ++i) e = e * x + x;
    const k::explanation plan = k::explain(e);
    REQUIRE(plan.kernels.size() == 1);
    CHECK(plan.kernels[0].expression.size() < 2000);
    CHECK(plan.kernels[0].expression.find("...") != std::string::npos);
    CHECK(plan.kernels[0].operation_count == 400 * 100);
}

TEST_CASE("positions of strided operands are found without a division, but for wide ones") {
    const k::array<float> x = k::ones<float>({10, 10, 10});
    const k::range back{k::range::open, k::range::open, -1};
    const auto reversed = x(k::range(0, 10, 2), back, k::range(0, 10, 3));
    const std::string source = text(cuda, reversed + 1.0f);
    CHECK(source.find("__umulhi") != std::string::npos);
    CHECK(source.find(" / ") == std::string::npos);
    CHECK(source.find(" % ") == std::string::npos);
}

TEST_CASE("division of unsigned integers has no tests for what they cannot be") {
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({100});
    const k::array<std::int32_t> i = k::ones<std::int32_t>({100});
    for (const tests::how& as : {cuda, host}) {
        CHECK(text(as, u / u).find("-1") == std::string::npos);
        CHECK(text(as, k::floor_mod(u, u)).find("x0 == u8(0) ? u8(0) : u8(x0 % x0)") != std::string::npos);
        CHECK(text(as, i / i).find("int(-1) < int(0)") == std::string::npos);
    }
    CHECK(text(host, u / u).find("x0 == u8(0) ? u8(0) : u8(x0 / x0)") != std::string::npos);
    const k::array<std::uint32_t> wide = k::ones<std::uint32_t>({100});
    CHECK(text(cuda, wide / wide).find("= u32(unsigned_quotient(u32(x0), u32(x0)));") != std::string::npos);
    CHECK(text(cuda, u / u).find("= u8(narrow_quotient(int(x0), int(x0)));") != std::string::npos);
}

TEST_CASE("a cast rounds as the step before it says, which stands in the text only where something else reads it") {
    const k::array<float> x = k::ones<float>({100});
    const std::string bytes = text(cuda, k::cast<std::uint8_t>(k::rint(x * 2.0f)));
    CHECK(occurrences(bytes, "CONVERTED(\"rni.u8\", t0)") == 1);
    CHECK(occurrences(bytes, "rintf") == 0);
    CHECK(occurrences(text(cuda, k::cast<std::int16_t>(k::floor(x))), "CONVERTED(\"rmi.s16\", x0)") == 1);
    CHECK(occurrences(text(cuda, k::cast<std::int32_t>(k::ceil(x))), "CONVERTED(\"rpi.s32\", x0)") == 1);
    CHECK(occurrences(text(cuda, k::cast<std::int64_t>(k::rint(x))), "rintf(x0)") == 1);
    const std::string both = text(cuda, k::cast<float>(k::cast<std::uint8_t>(k::rint(x))) + k::rint(x));
    CHECK(occurrences(both, "rintf(x0)") == 1);
    CHECK(occurrences(both, "CONVERTED(\"rni.u8\", x0)") == 1);
    // On the host compilers see it themselves.
    CHECK(occurrences(text(host, k::cast<std::uint8_t>(k::rint(x))), "rintf") == 1);
}

TEST_CASE("a sum counts conditions without making numbers of them, unless it may be -0") {
    const k::array<float> x = k::ones<float>({100});
    const auto one = x + k::cast<float>(x > 0.0f);
    const std::string counted = text(cuda, one + k::cast<float>(x > 1.0f));
    CHECK(occurrences(counted, "float(1)") == 1);
    CHECK(occurrences(counted, " + 1.0f : t") == 1);
    CHECK(occurrences(text(cuda, one), "+ 1.0f") == 0);
}

TEST_CASE("whole numbers are divided by a scalar without a test of each, other floats with one") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<std::uint8_t> bytes = k::ones<std::uint8_t>({100});
    CHECK(occurrences(text(cuda, k::cast<float>(bytes) / 255.0f), "= quotient_by_scalar(t0, s0)") == 1);
    CHECK(occurrences(text(cuda, x / 255.0f), "quotient_by_scalar") == 0);
    CHECK(occurrences(text(cuda, k::cast<float>(bytes) / x), "quotient_by_scalar") == 0);
}

TEST_CASE(
    "integers are divided by a scalar by way of a product that the launch brings, by others as the processor does") {
    const k::array<std::int32_t> x = k::ones<std::int32_t>({100});
    const k::array<std::int64_t> wide = k::ones<std::int64_t>({100});
    CHECK(occurrences(text(cuda, x / 365 + x / 7 - x), "= quotient_by_i32(x0, s0, d0)") == 1);
    CHECK(occurrences(text(cuda, x / 365 + x / 7 - x), "= quotient_by_i32(x0, s1, d1)") == 1);
    CHECK(occurrences(text(cuda, k::floor_mod(x, 10) + x),
                      "whole_rest_downwards<u32>(x0, s0, quotient_by_i32(x0, s0, d0))") == 1);
    CHECK(occurrences(text(cuda, wide % std::int64_t{10} + wide),
                      "whole_rest<u64>(x0, s0, quotient_by_i64(x0, s0, d0))") == 1);
    CHECK(occurrences(text(cuda, x / (x + 1)), "quotient_by_") == 0);
    CHECK(occurrences(text(cuda, k::cast<std::int16_t>(x) / std::int16_t{7}), "quotient_by_") == 0);
    CHECK(occurrences(text(host, x / 7), "quotient_by_") == 0);
}

TEST_CASE("a thread's elements of strided operands are loaded before a body that has branches, and with it elsewhere") {
    const k::array<float> m = k::ones<float>({100, 3001});
    const auto left = m(k::all, k::range(0, 1500)), right = m(k::all, k::range(1500, 3000));
    CHECK(occurrences(text(cuda, left * k::sigmoid(right)), "float all_x0[8];") == 1);
    CHECK(occurrences(text(cuda, left / right), "float all_x1[8];") == 1);
    CHECK(occurrences(text(cuda, left * right), "all_x0") == 0);
}

TEST_CASE("64-bit quotients are called where many stand in a kernel, and inlined where few do") {
    const k::array<std::int64_t> x = k::ones<std::int64_t>({100});
    const auto calls = [](const auto& e) {
        return text(cuda, e).find("__noinline__ long long signed_quotient") != std::string::npos;
    };
    CHECK(!calls(x / (x + 1)));
    CHECK(calls(x / (x + 1) / (x + 2) / (x + 3) / (x + 4)));
}

TEST_CASE("of a helper's overloads a kernel has those of its types, and both where it has both types") {
    const k::array<std::complex<float>> x = k::ones<std::complex<float>>({100});
    const k::array<std::complex<double>> d = k::ones<std::complex<double>>({100});
    for (const tests::how& as : {cuda, host}) {
        CHECK(text(as, x / x).find("complex_div(c64 a, c64 b)") != std::string::npos);
        CHECK(text(as, x / x).find("c128") == std::string::npos);
        CHECK(text(as, d / d).find("c64") == std::string::npos);
        const std::string of_both = text(as, k::cast<std::complex<double>>(x / x) / d);
        CHECK(of_both.find("complex_div(c64 a, c64 b)") != std::string::npos);
        CHECK(of_both.find("complex_div(c128 a, c128 b)") != std::string::npos);
    }
}

TEST_CASE("a vector of one element has no rest, of two one element, which stands beside the loop over the lanes") {
    const k::array<std::complex<double>> d = k::ones<std::complex<double>>({100});
    const k::array<double> x = k::ones<double>({100});
    CHECK(text(cuda, d + d).find("whole") == std::string::npos);
    CHECK(text(cuda, x + x).find("} else {\n        if (first < count) y0[") != std::string::npos);
    const std::string rolled = text(cuda, x / (x + 1.0) / (x + 2.0) / (x + 3.0) / (x + 4.0) / (x + 5.0) / (x + 6.0));
    CHECK(rolled.find("#pragma unroll 1\n") != std::string::npos);
    CHECK(rolled.find("break;") == std::string::npos);
}

TEST_CASE("a body that is long to compile stands in a loop over the lanes, a short one is unrolled") {
    const k::array<float> x = k::ones<float>({100});
    const auto rolls = [](const auto& e) { return text(cuda, e).find("#pragma unroll 1\n") != std::string::npos; };
    CHECK(!rolls(x / (x + 1.0f)));
    CHECK(rolls(x / (x + 1.0f) / (x + 2.0f) / (x + 3.0f) / (x + 4.0f)));
    CHECK(!rolls(k::exp(x) + k::sin(x) + k::log(x)));
    const auto more = [&x](const auto& e) { return (((e + 1.0f) * x + 2.0f) * x + 3.0f) * x; };
    CHECK(!rolls(more(more(more(more(more(x)))))));
}

TEST_CASE("what takes more than an expression is a function of the kernel, with the table where it needs one") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<double> d = k::ones<double>({100});
    CHECK(occurrences(text(cuda, k::sigmoid(x) + k::sigmoid(x + 1.0f)), "R logistic(R a) {\n") == 1);
    CHECK(text(host, k::sigmoid(x)).find("block_sigmoid_f32(library, ") != std::string::npos);
    CHECK(text(host, k::floor_mod(d, d)).find("rest_downwards(x0, x0)") != std::string::npos);
}

TEST_CASE(
    "on the host functions of floating numbers are called for strips of elements, wherever these lie, others for "
    "each") {
    const k::array<float> x = k::ones<float>({100});
    const k::array<double> d = k::ones<double>({100});
    const k::array<k::float16> h = k::ones<k::float16>({100});
    const k::array<std::int64_t> which = k::ones<std::int64_t>({100});
    const std::string plain = text(host, k::exp(x));
    CHECK(plain.find("block_exp_f32(library, x0 + strip, y0 + strip, ") != std::string::npos);
    CHECK(plain.find("exp_f32(library, x0[") == std::string::npos);
    const std::string two = text(host, k::sin(x) * k::exp(x + 1.0f));
    CHECK(occurrences(two, "    block_sin_f32(library, x0 + ") == 1);
    CHECK(occurrences(two, "    block_exp_f32(library, buffer") == 1);
    CHECK(text(host, k::gelu(h)).find("    block_gelu_f16(library, ") != std::string::npos);
    CHECK(text(host, k::exp(d)).find("block_exp_f64(library, x0 + strip, y0 + strip, ") != std::string::npos);
    CHECK(text(host, k::exp(k::polar(d, d))).find("block_") == std::string::npos);
    CHECK(text(host, k::exp(k::take(x, which, k::axis(0)))).find("    block_exp_f32(library, buffer") !=
          std::string::npos);
    CHECK(text(host, k::rsqrt(x)).find("block_") == std::string::npos);
    CHECK(text(cuda, k::exp(x)).find("block_") == std::string::npos);
}

TEST_CASE("bits are counted by the device's own instructions") {
    const k::array<std::int32_t> i = k::ones<std::int32_t>({100});
    CHECK(text(cuda, k::popcount(i)).find("int(__popcll(u32(x0)))") != std::string::npos);
    CHECK(text(cuda, k::ctz(i)).find("int((__ffsll(u32(x0)) - 1))") != std::string::npos);
    CHECK(text(host, k::popcount(i)).find("int(__builtin_popcountll(u32(x0)))") != std::string::npos);
}

TEST_CASE("a user's function stands before the body, with the lines as the user counts them") {
    const k::array<float> x = k::ones<float>({100});
    const auto f = k::function<float(float)>("f", {"a"}, "float b = a;\nreturn b;");
    const auto also_f = k::function<float(float)>("f", {"a"}, "return -a;");
    const std::string on_cuda = text(cuda, f(also_f(x)));
    CHECK(on_cuda.find("__device__ __forceinline__ float user0_f(float a)\n{\n#line 1 \"f\"\nreturn -a;\n}\n") !=
          std::string::npos);
    CHECK(on_cuda.find("float user1_f(float a)\n{\n#line 1 \"f (2)\"\nfloat b = a;\nreturn b;\n}\n") !=
          std::string::npos);
    CHECK(on_cuda.find("= user0_f(x0);") != std::string::npos);
    CHECK(on_cuda.find("#include") == std::string::npos);
    const std::string on_host = text(host, f(also_f(x)));
    CHECK(on_host.find("static inline float user0_f(float a)\n{\n#line 1 \"f\"\nreturn -a;\n}\n") != std::string::npos);
    CHECK(on_host.find("#include") == std::string::npos);
}

TEST_CASE("headers stand before the functions, each once, in the order of the first function that brings them") {
    const k::array<float> x = k::ones<float>({100});
    const auto f = k::function<float(float)>("f", {"a"}, "return b(a);", {{"b.h", "// b"}, {"a.h", "// a\n"}});
    const auto g = k::function<float(float)>("g", {"a"}, "return c(a);", {{"a.h", "// a\n"}, {"c.h", "// c"}});
    for (const tests::how& as : {cuda, host}) {
        const std::string source = text(as, g(f(x)));
        CHECK(source.find("\n#line 1 \"b.h\"\n// b\n\n#line 1 \"a.h\"\n// a\n\n\n#line 1 \"c.h\"\n// c\n") !=
              std::string::npos);
        CHECK(occurrences(source, "#line 1 \"a.h\"\n") == 1);
        CHECK(source.find("// c\n") < source.find("user0_f(float a)"));
        CHECK(text(as, f(x)).find("c.h") == std::string::npos);
    }
    CHECK(text(host, f(x)).find("#pragma GCC visibility push(hidden)\n\n#line 1 \"b.h\"") != std::string::npos);
}

TEST_CASE("a kernel on the host declares the names of C that its functions have, and no others") {
    const k::array<float> x = k::ones<float>({100});
    const auto source = [&x](const char* body) { return text(host, k::function<float(float)>("f", {"a"}, body)(x)); };
    CHECK(source("return fabsf(a);").find("extern \"C\" float fabsf(float);\nstatic inline float user0_f") !=
          std::string::npos);
    CHECK(source("return a + a;").find("extern \"C\" float") == std::string::npos);
    CHECK(source("return sqrt(a);").find("static inline float sqrt(float a) { return __builtin_sqrtf(a); }") !=
          std::string::npos);
    CHECK(source("return sqrt(a);").find("namespace std") == std::string::npos);
    CHECK(source("return std::sqrt(a);").find("namespace std { using ::sqrt; }") != std::string::npos);
    CHECK(source("return a * M_PI;").find("#define M_PI 3.14159265358979323846") != std::string::npos);
    CHECK(source("return sq\\\nrtf(a);").find("float sqrtf(float);") != std::string::npos);
    // Which words a macro makes, only the compiler knows.
    CHECK(source("#define F(f) f##f\nreturn F(cos)(a);").find("float cosf(float);") != std::string::npos);
    const std::string on_cuda = text(cuda, k::function<float(float)>("f", {"a"}, "return sqrt(a);")(x));
    CHECK(on_cuda.find("extern \"C\" double sqrt") == std::string::npos);  // NVRTC has it
}
