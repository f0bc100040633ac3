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
    CHECK_THROWS_WITH_AS(with("f", {"a"}, "return a;"), doctest::Contains("2 parameters and 1 names"), k::type_error);
    CHECK_THROWS_WITH_AS(with("f", {"a", "b"}, " \n"), doctest::Contains("the body is empty"), k::type_error);
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
    CHECK_THROWS_WITH_AS(k::array<float>(none(x)), doctest::Contains("function none, line "), k::compile_error);
    const auto some = k::function<float(float)>("some", {"a"}, "if (a > 2) return a * 10;");
    CHECK_THROWS_WITH_AS(k::array<float>(some(x)), doctest::Contains("function some, line "), k::compile_error);
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
    const auto f = k::function<float(float)>("halved", {"a"}, "return a / 2;");
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
