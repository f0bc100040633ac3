// C++ text in the tokens of its preprocessor.
#include <capture/source_tokens.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

using kiln::detail::source_token;
using kiln::detail::token_kind;
using kiln::detail::tokenise;
using kiln::detail::tokenised_source;

namespace {

/// "word include; header_name "x.h""; a token that starts its line has a | before it.
std::string told(const std::string& text) {
    constexpr const char* kinds[] = {"word", "number", "literal", "raw", "header", "mark"};
    std::string out;
    for (const source_token& each : tokenise(text).tokens)
        out += (out.empty()        ? ""
                : each.starts_line ? " | "
                                   : "; ") +
               std::string(kinds[static_cast<int>(each.kind)]) + " " + each.spelling;
    return out;
}

std::string trouble(const std::string& text) {
    const tokenised_source made = tokenise(text);
    return made.trouble.empty() ? "" : "line " + std::to_string(made.trouble_line) + ": " + made.trouble;
}

}  // namespace

TEST_CASE("comments are blanks, of one line or of many, and literals hide what looks like one") {
    CHECK(told("a /* b */ c // d\ne") == "word a; word c | word e");
    CHECK(told("a /* b\n c */ d") == "word a; word d");
    CHECK(told("\"/* a\" 'b' \"// c\"") == "literal /* a; literal b; literal // c");
    CHECK(told("/*/ a */ b") == "word b");
    CHECK(told("// a \\\n b\nc") == "word c");
}

TEST_CASE("a backslash at a line's end joins it with the next, blanks behind the backslash or not") {
    CHECK(told("in\\\nclude") == "word include");
    CHECK(told("in\\ \t\nclude") == "word include");
    CHECK(told("\"a\\\nb\"") == "literal ab");
    CHECK(told("/\\\n/ a\nb") == "word b");
    CHECK(told("/\\\n* a *\\\n/ b") == "word b");
    CHECK(told("#\\\n#") == "mark ##");
    CHECK(tokenise("a\\\nb").blanks_before_joints.empty());
    const tokenised_source spaced = tokenise("a\\ \t\nb R\"(\\ \n)\"");
    REQUIRE(spaced.blanks_before_joints.size() == 1);  // the raw literal keeps its own
    CHECK(spaced.blanks_before_joints[0].begin == 2);
    CHECK(spaced.blanks_before_joints[0].end == 4);
}

TEST_CASE("raw string literals end at their own delimiter, and lines are not joined in them") {
    CHECK(told("R\"(a)b\" \\\n \")\" c") == "raw a)b\" \\\n \"; word c");
    CHECK(told("u8R\"x(a)\" )x\" b") == "raw a)\" ; word b");
    CHECK(told("LR\"(a)\" uR\"(b)\" UR\"(c)\"") == "raw a; raw b; raw c");
    // Not a prefix, but a word or number that ends so.
    CHECK(told("xR\"(\" a") == "word xR; literal (; word a");
    CHECK(told("1R\"(\" a") == "number 1R; literal (; word a");
}

TEST_CASE("an apostrophe in a number parts its digits") {
    CHECK(told("1'000'000 a") == "number 1'000'000; word a");
    CHECK(told("0xa'b.cp+3 a") == "number 0xa'b.cp+3; word a");
    CHECK(told(".5e-3'1f'a'") == "number .5e-3'1f'a; literal ");
    CHECK(told("a.5") == "word a; number .5");
    CHECK(told("1 'x'") == "number 1; literal x");
}

TEST_CASE("a literal without an end takes the rest of its line") {
    CHECK(told("don't /* a\nb") == "word don; literal t /* a | word b");
    CHECK(told("\"a // b\nc") == "literal a // b | word c");
    CHECK(told("\"a\\\" b\" c") == "literal a\\\" b; word c");
    CHECK(told("'\\'' a") == "literal \\'; word a");
}

TEST_CASE("digraphs are # and ##") {
    CHECK(told("%: %:%: %:%:%: %") == "mark #; mark ##; mark ##; mark #; mark %");
    CHECK(told("###") == "mark ##; mark #");
}

TEST_CASE("the name of a header is one token, whatever is in it, after the directives that take one") {
    CHECK(told("#include <it's//a.h> b") == "mark #; word include; header <it's//a.h>; word b");
    CHECK(told(" # /* */ include /* */ \"a\\\" b") == "mark #; word include; header \"a\\\"; word b");
    CHECK(told("%:embed <a> b") == "mark #; word embed; header <a>; word b");
    CHECK(told("#include <a\nb") == "mark #; word include; header <a | word b");
    CHECK(told("#include A <b>") == "mark #; word include; word A; mark <; word b; mark >");
    CHECK(told("x # include <b>") == "word x; mark #; word include; mark <; word b; mark >");
    CHECK(told("#define include <b>") == "mark #; word define; word include; mark <; word b; mark >");
}

TEST_CASE("where a line may begin: behind comments, blanks, and characters that some compilers take for blanks") {
    const auto starts = [](const std::string& text, std::size_t token) {
        const source_token at = tokenise(text).tokens.at(token);
        return std::pair(at.starts_line, at.may_start_line);
    };
    CHECK(starts("/* a\n*/ #", 0) == std::pair(true, true));
    CHECK(starts("a /* b\n*/ #", 1) == std::pair(false, true));
    CHECK(starts("a /* b */ #", 1) == std::pair(false, false));
    CHECK(starts("a\n\v\f\t #", 1) == std::pair(true, true));
    CHECK(starts("a\n\xc2\xa0#", 1) == std::pair(true, true));
    CHECK(starts("a \\\n #", 1) == std::pair(false, false));
}

TEST_CASE("tokens know their bytes in the text and the line that they begin in") {
    const std::string text = "a /*\n\n*/ in\\\nclude R\"(\n)\" b";
    const tokenised_source made = tokenise(text);
    REQUIRE(made.tokens.size() == 4);
    CHECK(text.substr(made.tokens[1].begin, made.tokens[1].end - made.tokens[1].begin) == "in\\\nclude");
    CHECK(made.tokens[1].line == 3);
    CHECK(text.substr(made.tokens[2].begin, made.tokens[2].end - made.tokens[2].begin) == "R\"(\n)\"");
    CHECK(made.tokens[2].line == 4);
    CHECK(made.tokens[3].line == 5);
}

TEST_CASE("text that has no end, or that compilers read differently, is said to be so") {
    CHECK(trouble("a\n/* b") == "line 2: a comment begins that has no end");
    CHECK(trouble("\n\nR\"(b\n)x\"") == "line 3: a raw string literal begins that has no end");
    CHECK(trouble("R\"a b(c)a b\"") == "line 1: a raw string literal begins that has no opening parenthesis");
    CHECK(trouble("R\"01234567890123456(a)01234567890123456\"") ==
          "line 1: a raw string literal begins that has no opening parenthesis");
    CHECK(trouble("a\n b \\ ") == "line 2: the last line ends in a backslash");
    CHECK(trouble("// a \\") == "line 1: the last line ends in a backslash");
    for (const char* const before : {"\"a\"", "'a'", "\xc3\xa9", "$", "}", "\\"})
        CHECK(trouble(before + std::string("R\"(a)\"")) == "line 1: put a blank before a raw string literal");
    CHECK(trouble("#define A R\"(\n)\"") == "line 1: a raw string literal of a directive goes on in the next line");
    CHECK(trouble("#define A /*\n*/ R\"(\n)\"") ==
          "line 2: a raw string literal of a directive goes on in the next line");
    CHECK(trouble("1\xc3\xa9'0 a '0'") == "line 1: a number is followed by a character that is not one of C's");
    CHECK(trouble("R\\\n\"(a)\"") == "line 1: a raw string literal's prefix and quotation mark are in two lines");
    CHECK(trouble("don't R\"( /* \" \\\n 'a") == "");
}

TEST_CASE("escapes are what they stand for") {
    using kiln::detail::unescaped;
    CHECK(unescaped("a\\n\\t\\\\\\\"\\'\\?b") == "a\n\t\\\"'?b");
    CHECK(unescaped("\\x2eincb\\151n \\056") == ".incbin .");
    CHECK(unescaped("\\u002e\\U0000002e\\x{2e}\\o{56}\\u{2e}") == ".....");
    CHECK(unescaped("\\xffff\\u00e9\\q\\") == "???\\");
}

TEST_CASE("any bytes are read to their end, token after token") {
    CHECK(rc::check("tokens of bytes", [] {
        const auto any = rc::gen::container<std::string>(
            rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("\"'\\\n/*()R#%:<>u8 .1e+"))));
        const std::string text = *any;
        const tokenised_source made = tokenise(text);
        std::size_t end = 0;
        int line = 1;
        for (const source_token& each : made.tokens) {
            RC_ASSERT(each.begin >= end);
            RC_ASSERT(each.end > each.begin);
            RC_ASSERT(each.end <= text.size());
            RC_ASSERT(each.line >= line);
            end = each.end;
            line = each.line;
        }
        RC_ASSERT(kiln::detail::unescaped(text).size() <= text.size());
    }));
}
