// Functions of the user's that are wrong: by their names, at once; in their body, where the compiler says so.
#include <support/child.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

namespace k = kiln;

TEST_CASE("names that are no identifiers, or mean something else, throw type_error and say which") {
    const auto with = [](const char* name, std::initializer_list<std::string_view> parameters, const char* body) {
        return k::function<float(float, float)>(name, parameters, body);
    };
    CHECK_THROWS_WITH_AS(with("two words", {"a", "b"}, "return a;"), doctest::Contains("'two words'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("", {"a", "b"}, "return a;"), doctest::Contains("''"), k::type_error);
    CHECK_THROWS_WITH_AS(with("2f", {"a", "b"}, "return a;"), doctest::Contains("'2f'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("f\"\n", {"a", "b"}, "return a;"), doctest::Contains("no C identifier"), k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"a", "b-c"}, "return a;"), doctest::Contains("'b-c'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"a", "int"}, "return a;"), doctest::Contains("'int'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"u8", "b"}, "return b;"), doctest::Contains("'u8'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"a", "a"}, "return a;"), doctest::Contains("two parameters are named 'a'"),
                         k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"a"}, "return a;"), doctest::Contains("2 parameters and 1 name for them"),
                         k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"a", "b"}, " \n"), doctest::Contains("the body is empty"), k::type_error);
}

TEST_CASE("a header's name that has no place between quotation marks throws type_error and says which") {
    const auto with = [](std::string_view name, std::string_view text = "int b;") {
        return k::function<float(float)>("f", {"a"}, "return a;", {{"other.h", "int c;"}, {name, text}});
    };
    using namespace std::string_view_literals;
    for (const std::string_view name : {"two\"quotes.h"sv, "an'apostrophe.h"sv, "<x.h"sv, "x>.h"sv, "x\\y.h"sv})
        CHECK_THROWS_WITH_AS(with(name), doctest::Contains("function f: the header's name '"), k::type_error);
    CHECK_THROWS_WITH_AS(with("x\n.h"), doctest::Contains("'x\\x0a.h' has bytes in it that are no printable UTF-8"),
                         k::type_error);
    CHECK_THROWS_WITH_AS(with("x\0.h"sv), doctest::Contains("'x\\x00.h'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("\x1b[2J"), doctest::Contains("'\\x1b[2J'"), k::type_error);
    CHECK_THROWS_WITH_AS(with("\xff.h"), doctest::Contains("'\\xff.h'"), k::type_error);
    CHECK_THROWS_WITH_AS(with(""), doctest::Contains("'' is empty"), k::type_error);
    CHECK_THROWS_WITH_AS(with("  "), doctest::Contains("is empty"), k::type_error);
    CHECK_THROWS_WITH_AS(with(std::string(201, 'x')), doctest::Contains("200 bytes"), k::type_error);
    CHECK_THROWS_WITH_AS(with("x.h", "int b\0;"sv), doctest::Contains("header x.h has a zero byte in it"),
                         k::type_error);
    CHECK_NOTHROW(with(std::string(200, 'x')));
    CHECK_NOTHROW(with("a folder/of-mine/\xc3\xbc.h"));
}

TEST_CASE("two texts of one header's name throw type_error: in one function at once, in one kernel when it is made") {
    const std::initializer_list<k::header> differing = {{"h.h", "int b;"}, {"h.h", "int c;"}};
    CHECK_THROWS_WITH_AS(k::function<float(float)>("f", {"a"}, "return a;", differing),
                         doctest::Contains("function f: two headers are named h.h and differ"), k::type_error);
    CHECK_NOTHROW(k::function<float(float)>("f", {"a"}, "return a;", {{"h.h", "int b;"}, {"h.h", "int b;"}}));
    if (!tests::device().compiles) return;
    const auto one = k::function<float(float)>("one", {"a"}, "return a + h;", {{"h.h", "enum { h = 1 };"}});
    const auto two = k::function<float(float)>("two", {"a"}, "return a + h;", {{"h.h", "enum { h = 2 };"}});
    const k::array<float> x = k::ones<float>({10});
    CHECK_THROWS_WITH_AS(k::array<float>(one(x) * two(x)),
                         doctest::Contains("functions one and two are in one kernel and bring different texts of a "
                                           "header h.h"),
                         k::type_error);
    CHECK_THROWS_AS(static_cast<void>(k::explain(one(x) * two(x))), k::type_error);
    const tests::compiling_only no_launch;
    CHECK_NOTHROW(k::prepare(one(x)));
    CHECK_NOTHROW(k::prepare(two(x)));
}

TEST_CASE("case 46: an #include of what was not given throws compile_error when the function is made") {
    const k::counters before = k::counters::now();
    CHECK_THROWS_WITH_AS(
        k::function<float(float)>("f", {"a"}, "float b = a;\n#include \"x.h\"\nreturn b;", {{"y.h", "int c;"}}),
        doctest::Contains("function f, line 2: #include \"x.h\" reads a file"), k::compile_error);
    CHECK_THROWS_WITH_AS(k::function<float(float)>("f", {"a"}, "return b(a);", {{"y.h", "\n\n#include <x.h>"}}),
                         doctest::Contains("function f: header y.h, line 3: #include <x.h> reads a file"),
                         k::compile_error);
    CHECK_THROWS_WITH_AS(k::reduction<float>("most", 0, "a", "b", "#include \"x.h\"\nreturn a;"),
                         doctest::Contains("function most, line 1: #include \"x.h\""), k::compile_error);
    CHECK_THROWS_WITH_AS(k::reduction<float>(0, "a", "b", "return a;", {{"y.h", "double time = __TIME__;"}}),
                         doctest::Contains("header y.h, line 1: __TIME__ asks when"), k::compile_error);
    const k::counters spent = k::counters::now() - before;
    CHECK(spent.compiles == 0);
    CHECK(spent.misses == 0);
}

TEST_CASE("case 46: a macro of one function's header does not make another's body ask for the time") {
    if (!tests::device().compiles) return;
    const auto pastes =
        k::function<float(float)>("pastes", {"a"}, "return PASTE(a, );", {{"paste.h", "#define PASTE(a, b) a##b"}});
    const auto asks = k::function<float(float)>("asks", {"a"}, "return PASTE(__TI, ME__)[0];");
    const k::array<float> x = k::ones<float>({10});
    CHECK_THROWS_WITH_AS(k::array<float>(pastes(x) + asks(x)),
                         doctest::Contains("function pastes: header paste.h, line 1: ## could make __TIME__"),
                         k::compile_error);
}

TEST_CASE("what the compiler says about a header names the header, its line and what stands there") {
    if (!tests::device().compiles) return;
    const auto calls = k::function<float(float)>("calls", {"a"}, "return twice(a);",
                                                 {{"fine.h", "#pragma once\nenum { fine };\n"},
                                                  {"wrong.h",
                                                   "#include \"fine.h\"\n__device__ float twice(float a) {\n"
                                                   "    return 2 * b;\n}\n"}});
    const k::array<float> x = k::ones<float>({10});
    try {
        const k::array<float> y = calls(x) + 1.0f;
        FAIL("it compiled");
    } catch (const k::compile_error& thrown) {
        const std::string what = thrown.what();
        CAPTURE(what);
        CHECK(what.find("header wrong.h, line 3: ") != std::string::npos);
        CHECK(what.find("`return 2 * b;`") != std::string::npos);
        CHECK(what.find("please report it") == std::string::npos);  // the user's own
    }
}

TEST_CASE("a function is told from a header of its name") {
    if (!tests::device().compiles) return;
    const auto f =
        k::function<float(float)>("wrong", {"a"}, "return b;", {{"wrong", "enum { fine };"}, {"the kernel", ""}});
    const auto g = k::function<float(float)>("fine", {"a"}, "return a;", {{"the kernel", "enum { wrong = b };"}});
    const k::array<float> x = k::ones<float>({10});
    CHECK_THROWS_WITH_AS(k::array<float>(f(x)), doctest::Contains("function wrong (2), line 1: "), k::compile_error);
    CHECK_THROWS_WITH_AS(k::array<float>(g(x)), doctest::Contains("header the kernel (2), line 1: "), k::compile_error);
}

TEST_CASE("what the compiler says about a body names the function, its line and what stands there") {
    if (!tests::device().compiles) return;
    const auto wrong = k::function<float(float)>("wrong", {"a"}, "float twice = 2 * a;\n    return twoce + a;");
    const k::array<float> x = k::ones<float>({10});
    try {
        const k::array<float> y = wrong(x) + 1.0f;
        FAIL("it compiled");
    } catch (const k::compile_error& thrown) {
        const std::string what = thrown.what();
        CAPTURE(what);
        CHECK(what.find("function wrong, line 2: ") != std::string::npos);
        CHECK(what.find("twoce") != std::string::npos);
        CHECK(what.find("`return twoce + a;`") != std::string::npos);
        CHECK(thrown.source().find("return twoce + a;") != std::string::npos);
        CHECK(thrown.log().find("twoce") != std::string::npos);
    }
}

TEST_CASE("a body that may end without a value does not compile") {
    if (!tests::device().compiles) return;
    const k::array<float> x = k::ones<float>({10});
    const auto none = k::function<float(float)>("none", {"a"}, "float b = a * 2;");
    CHECK_THROWS_WITH_AS(k::array<float>(none(x)), doctest::Contains("function none, line 1: "), k::compile_error);
    CHECK_THROWS_WITH_AS(k::array<float>(none(x)), doctest::Contains("`float b = a * 2;`"), k::compile_error);
    const auto some = k::function<float(float)>("some", {"a"}, "if (a > 2) return a * 10;");
    CHECK_THROWS_WITH_AS(k::array<float>(some(x)), doctest::Contains("function some, line 1: "), k::compile_error);
    // The last line that says anything, not what stands behind it; and of two functions, the one that is wrong.
    const auto right = k::function<float(float)>("right", {"a"}, "if (a > 0) {\nreturn a;\n}\nreturn 0;");
    const auto longer = k::function<float(float)>("longer", {"a"}, "if (a > 0) {\n return a;\n}\n\n  \n");
    const auto both = doctest::Contains("function longer, line 3: ");
    CHECK_THROWS_WITH_AS(k::array<float>(longer(right(x))), both, k::compile_error);
    CHECK_THROWS_WITH_AS(k::array<float>(right(longer(x))), both, k::compile_error);
}

TEST_CASE("of two functions with one name, the one that is wrong is named") {
    if (!tests::device().compiles) return;
    const auto right = k::function<float(float)>("f", {"a"}, "return a;");
    const auto wrong = k::function<float(float)>("f", {"a"}, "return b;");
    const k::array<float> x = k::ones<float>({10});
    CHECK_THROWS_WITH_AS(k::array<float>(right(x) + wrong(x)), doctest::Contains("function f (2), line 1: "),
                         k::compile_error);
}

TEST_CASE("child: evaluates a function of the user's" * doctest::skip()) {
    const auto f = k::function<float(float)>("halved", {"a"}, "return half(a);",
                                             {{"half.h", "__device__ float half(float a) { return a / 2; }"}});
    CHECK_THROWS_WITH_AS(k::array<float>(f(k::array<float>(k::ones<float>({10})))),
                         doctest::Contains("halved is a function of the user's"), k::error);
}

TEST_CASE("where the CPU interprets, a function of the user's says that it needs a compiler") {
    const tests::child_result result =
        tests::run_child("child: evaluates a function of the user's",
                         {{"KILN_DEVICE", "cpu"}, {"KILN_CPU", "interpret"}, {"KILN_TEST_QUIET", "1"}});
    CAPTURE(result.output);
    CHECK(result.exit_status == 0);
}
