// What users' text may hold: nothing that a compiler would have to look up elsewhere, however it is written.
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <capture/put_together.hpp>
#include <capture/self_contained.hpp>

#include <kiln/error.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using kiln::detail::user_text;

namespace {

/// The text as it goes into a kernel, where "helper.h" and "it is.h" were given; or what is said against it.
std::string kept(const std::string& text) {
    const std::vector<std::string> headers = {"helper.h", "it is.h"};
    try {
        const std::string made = kiln::detail::self_contained(text, {"f"}, headers);
        const user_text all[] = {{{"f"}, made}};
        kiln::detail::check_put_together(all);
        return made;
    } catch (const kiln::compile_error& thrown) {
        return std::string("refused: ") + thrown.what();
    }
}

bool is_refused(const std::string& text) { return kept(text).starts_with("refused: kiln: function f, line "); }
bool is_kept(const std::string& text) { return kept(text) == text; }

}  // namespace

TEST_CASE("case 46: an #include of a file is refused, with its line, its name and what to do instead") {
    CHECK(kept("float b = a;\n#include \"x.h\"\nreturn b;") ==
          "refused: kiln: function f, line 2: #include \"x.h\" reads a file; a kernel holds all that it is made of. "
          "Give its text with the function: k::function(..., {{\"x.h\", text}})");
    CHECK(kept("#include <sys/x.h>").find("#include <sys/x.h> reads a file") != std::string::npos);
    CHECK(kept("#include <sys/x.h>").find("{{\"sys/x.h\", text}}") != std::string::npos);
    CHECK(kept("#include <math.h>").find("leave it out") != std::string::npos);
    CHECK(kept("#include \"\x1b[2J.h\"").find("#include \"\\x1b[2J.h\"") != std::string::npos);
    CHECK(kept("#embed \"x.bin\"").find("into an array") != std::string::npos);
    CHECK(is_refused("#include \"x.h"));
    CHECK(is_refused("#include <x.h"));
    CHECK(is_refused("#include \""));
    CHECK(is_refused("#include \"\""));
}

TEST_CASE("case 46: ... however it is written") {
    for (const char* const text : {
             "#include<x.h>",
             " \t\v\f#\t\finclude\v\"x.h\"",
             "#in\\\nclude \"x.h\"",
             "#in\\ \t\nclude \"x.h\"",
             "#\\\n\\\ninclude \"x.h\"",
             "#include \\\n\"x.h\"",
             "#include \"x\\\n.h\"",
             "/**/ # /* */ include /*\n*/ \"x.h\"",
             "int b; /*\n*/ #include \"x.h\"",
             "// a comment\n#include \"x.h\"",
             "// a comment ?\?/\n#include \"x.h\"",
             "%:include \"x.h\"",
             "%\\\n:include \"x.h\"",
             "#include_next \"x.h\"",
             "#include_next \"helper.h\"",
             "#include_macros \"x.h\"",
             "#import \"x.h\"",
             "#embed <helper.h>",
             "#if 0\n#include \"x.h\"\n#endif",
             "#ifdef __CUDACC_RTC__\n#include \"x.h\"\n#endif",
             "f(\n#include \"x.h\"\n)",
             "don't\n#include \"x.h\"",
             "#error don't /*\n#include \"x.h\"\n/* */",
             "1'000;\n#include \"x.h\"\n'a'",
             "R\"(a)\"\n#include \"x.h\"\nR\"(b)\"",
             "R\"x()\" )x\"\n#include \"x.h\"",
             "\"\\\"\n#include \"x.h\"",
             "#\xc2\xa0include \"x.h\"",
             "\xc2\xa0#include \"x.h\"",
             "#include \"Helper.h\"",
             "#include \" helper.h\"",
             "a\r\n#include \"x.h\"\r\n",
         })
        CHECK_MESSAGE(is_refused(text), text, " gives ", kept(text));
}

TEST_CASE("case 46: a computed #include is refused, since only the compiler could say what it names") {
    CHECK(
        kept("\n#include HEADER").find("line 2: #include does not say which file it names before the compiler runs") !=
        std::string::npos);
    CHECK(is_refused("#define H \"helper.h\"\n#include H"));
    CHECK(is_refused("#include"));
    CHECK(is_refused("#include\n\"helper.h\""));
    CHECK(is_refused("#include L\"helper.h\""));
    CHECK(is_refused("#include (\"helper.h\")"));
}

TEST_CASE("an #include of a header that was given is left out, and no line moves") {
    CHECK(kept("#include \"helper.h\"\nreturn a;") == "#\nreturn a;");
    CHECK(kept("# include <helper.h> // it helps\nreturn a;") == "# // it helps\nreturn a;");
    CHECK(kept("%:import \"it is.h\"") == "%:");
    CHECK(kept("#in\\\nclude \"helper.h\"\nb") == "#\\\n\nb");
    CHECK(kept("#in\\  \nclude \"helper.h\"\nb") == "#\\\n\nb");
    CHECK(kept("# /*\n\n*/ include \"helper.h\" /* a\n*/\nb") == "#\\\n\\\n /* a\n*/\nb");
    CHECK(kept("#if 0\n#include \"helper.h\"\n#endif") == "#if 0\n#\n#endif");
}

TEST_CASE("#pragma once is left out, since a header stands once; guards do what they do") {
    CHECK(kept("#pragma once\nint b;") == "#\nint b;");
    CHECK(kept(" # pragma /* */ once // a\n") == " # // a\n");
    CHECK(is_kept("#ifndef B_H\n#define B_H\nint b;\n#endif\n"));
    CHECK(is_kept("#pragma unroll\nfor (;;) {}"));
    CHECK(is_kept("_Pragma(\"once\") _Pragma(\"GCC ivdep\")"));
}

TEST_CASE("what only looks like an #include is text like any other") {
    for (const char* const text : {
             "const char* b = \"#include <x.h>\";",
             "const char* b = \"\\\n#include <x.h>\";",
             "const char* b = R\"(\n#include <x.h>\n)\";",
             "const char* b = R\"x(\n#include <x.h>)\"\n)x\";",
             "// #include <x.h>",
             "// a \\\n#include <x.h>\nb",
             "/*\n#include <x.h>\n*/",
             "/* \" */ \"/*\" // */ '\n",
             "#define TEXT(include) #include",
             "#define TEXT(include) %:include",
             "#define TEXT(include) \\\n  #include",
             "int include = 3; b = include < a > 1;",
             "x #include <a>",
             "#define include \"x.h\"",
             "#undef include",
             "##include \"x.h\"",
             "#includes \"x.h\"",
             "#line 7 \"x.h\"",
             "#",
             "",
         })
        CHECK_MESSAGE(is_kept(text), text, " gives ", kept(text));
}

TEST_CASE("case 46: what asks for the time, for files or for the source's name is refused by its name") {
    for (const auto& each : kiln::detail::asking_words) {
        const std::string word(each.word);
        CHECK(kept("a;\nb = " + word + ";").find("line 2: " + word + " asks " + std::string(each.asks)) !=
              std::string::npos);
        CHECK(is_refused("#ifdef " + word));
        CHECK(is_refused("#define S(x) #x\nS(" + word + ")"));
        CHECK(is_refused("x(" + word.substr(0, 3) + "\\\n" + word.substr(3) + ")"));
        CHECK(is_refused("\xc3\xa9" + word));
        CHECK(is_kept("b" + word + " + " + word + "b"));
        CHECK(is_kept("\"" + word + "\" // " + word));
    }
    CHECK(is_kept("__FILE__ __LINE__ __COUNTER__ __func__"));
}

TEST_CASE("case 46: ... also where ## could put the name together") {
    const std::string paste = "#define PASTE(a, b) a##b\n";
    CHECK(kept(paste + "PASTE(__DA, TE__)").find("line 1: ## could make __DATE__ of the words here") !=
          std::string::npos);
    CHECK(is_refused("#define PASTE(a, b) a%:%:b\nPASTE(__DA, TE__)"));
    CHECK(is_refused("#define PASTE(a, b) a#\\\n#b\nPASTE(__DA, TE__)"));
    CHECK(is_refused("#define X __##TI##ME__"));
    CHECK(is_refused("#define X _ TIME\n" + paste));  // of _ twice and of TIME
    CHECK(is_refused(paste + "#if PASTE(__has_, include)(\"x.h\")\n#endif"));
    CHECK(is_refused(paste + "PASTE(_Pra, gma)(\"GCC dependency \\\"x\\\"\")"));
    CHECK(is_kept(paste + "PASTE(f, 32) PASTE(DA, TE)"));
    CHECK(is_kept("__DA TE__"));  // nothing puts them together
}

TEST_CASE("case 46: pragmas that read files are refused, as a directive and as an operator") {
    CHECK(kept("#pragma GCC dependency \"x.h\"").find("#pragma GCC dependency reads a file") != std::string::npos);
    CHECK(is_refused("#pragma /*\n*/ GCC pch_preprocess \"x.gch\""));
    CHECK(is_refused("#pragma include_alias(\"helper.h\", \"x.h\")"));
    CHECK(is_refused("#pragma comment(lib, \"x\")"));
    CHECK(is_refused("_Pragma(\"GCC dependency \\\"x.h\\\"\")"));
    CHECK(is_refused("_Pragma(R\"(GCC dependency \"x.h\")\")"));
    CHECK(is_refused("_Pragma(\"G\\x43\\103 dependency \\\"x.h\\\"\")"));
    CHECK(kept("#define P(x) _Pragma(#x)").find("_Pragma takes one string literal here") != std::string::npos);
    CHECK(is_refused("#define P _Pragma"));
    CHECK(is_refused("_Pragma"));
    CHECK(is_kept("#pragma GCC diagnostic push\n#pragma GCC poison GCC dependency"));
}

TEST_CASE("case 46: assembly that reads files is refused, in one string or in several") {
    CHECK(kept("a;\nasm(\".incbin \\\"x\\\"\");").find("line 2: a string has .incbin") != std::string::npos);
    CHECK(is_refused("__asm__ volatile(\"nop\\n\\t.INCLUDE \\\"x\\\"\");"));
    CHECK(is_refused("__asm(R\"(.incbin \"x\")\");"));
    CHECK(is_refused("asm(\".inc\" \"bin \\\"x\\\"\");"));
    CHECK(is_refused("#define BIN \"cb\"\nasm(\"nop; .in\" BIN \"in \\\"x\\\"\");"));
    CHECK(is_refused("asm(\"\\x2einc\\142in \\\"x\\\"\");"));
    CHECK(is_refused("asm(\".inc{bin|lude} \\\"x\\\"\");"));
    CHECK(is_refused("asm(\".macro m a\\n.inc\\\\a \\\"x\\\"\\n.endm\\nm bin\");"));
    CHECK(is_refused("__attribute__((section(\"a\\n.incbin \\\"x\\\"\\n#\"))) int b;"));
    CHECK(is_refused("[[gnu::section(\"a\\n.incbin \\\"x\\\"\\n#\")]] int b;"));
    CHECK(is_refused("#define PASTE(a, b) a##b\nPASTE(as, m)(\".incbin \\\"x\\\"\");"));
    CHECK(is_kept("asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(b) : \"f\"(a));"));
    CHECK(is_kept("asm(\"{ .reg .pred p; }\" : : \"n\"(3), \"i\"(4));"));
    CHECK(is_kept("const char* b = \".incbin\";"));
}

TEST_CASE("case 46: two texts of one kernel are judged together") {
    const auto check = [](const std::string& one, const std::string& other) {
        const user_text all[] = {{{"f", "helper.h"}, one}, {{"g"}, other}};
        kiln::detail::check_put_together(all);
    };
    CHECK_THROWS_WITH_AS(check("int a;\n#define PASTE(a, b) a##b\n", "return PASTE(__TI, ME__);"),
                         doctest::Contains("function f: header helper.h, line 2: ## could make __TIME__"),
                         kiln::compile_error);
    CHECK_THROWS_WITH_AS(check("#define INC \".inc\"", "asm(INC \"bin\");"),
                         doctest::Contains("function g, line 1: a string has .incbin"), kiln::compile_error);
    CHECK_NOTHROW(check("#define PASTE(a, b) a##b\n", "return PASTE(TI, ME);"));
}

TEST_CASE("text that may not end where it ends is refused: what follows it would be another text") {
    CHECK(is_refused("return a; /* b"));
    CHECK(is_refused("return a; // b \\"));
    CHECK(is_refused("R\"(a"));
    CHECK(is_refused("a\rb"));
    CHECK(kept("a\nb\r\r\nc").find("line 2: a carriage return that no line feed follows") != std::string::npos);
}

TEST_CASE("lines end in a line feed, and nothing stands between a backslash and the end of its line") {
    CHECK(kept("a;\r\nb;\r\n") == "a;\nb;\n");
    CHECK(kept("#define A \\ \t\r\n b") == "#define A \\\n b");
    CHECK(kept("R\"(a \\ \n)\" \\ \nb") == "R\"(a \\ \n)\" \\\nb");
}

namespace {

/// What the preprocessor of `compiler` makes of the text as a function's body, beside a file that it must not read; empty
/// where it is refused.
std::string preprocessed(const std::string& compiler, const std::string& text, const std::string& folder) {
    std::ofstream(folder + "/planted.h") << "PLANTED\n";
    std::ofstream(folder + "/named.cpp", std::ios::binary) << "float f(float a)\n{\n#line 1 \"f\"\n" << text << "\n}\n";
    std::filesystem::last_write_time(folder + "/named.cpp", std::filesystem::file_time_type{});
    const std::string command = "cd '" + folder + "' && LC_ALL=C SOURCE_DATE_EPOCH=0 " + compiler +
                                " -w -std=c++17 -P -E named.cpp -o made 2>said";
    if (std::system(command.c_str()) != 0) return {};
    std::ifstream made(folder + "/made", std::ios::binary);
    return {std::istreambuf_iterator<char>(made), {}};
}

constexpr std::array<const char*, 54> fragments = {"\n#include \"planted.h\"\n",
                                                   "\n%:include <planted.h>\n",
                                                   "\n# include \"planted.h\" //",
                                                   "S(__DATE__)",
                                                   "__TIME__",
                                                   "S(__BASE_FILE__)",
                                                   "\n#include \"helper.h\"\n",
                                                   "\"",
                                                   "'",
                                                   "R\"(",
                                                   ")\"",
                                                   "R\"x(",
                                                   ")x\"",
                                                   "u8R",
                                                   "R",
                                                   "L",
                                                   "/*",
                                                   "*/",
                                                   "//",
                                                   "\\\n",
                                                   "\\ \n",
                                                   "\\",
                                                   "\n",
                                                   "\n",
                                                   " ",
                                                   "(",
                                                   ")",
                                                   "S(",
                                                   "#",
                                                   "##",
                                                   "#if 0\n",
                                                   "#if 1\n",
                                                   "\n#else\n",
                                                   "\n#endif\n",
                                                   "#define X ",
                                                   "#define R\n",
                                                   "#define S(...) #__VA_ARGS__\n",
                                                   "#error ",
                                                   "#pragma ",
                                                   "\n#pragma once\n",
                                                   "1'",
                                                   "'0",
                                                   "1",
                                                   "e+",
                                                   "x",
                                                   "\xc3\xa9",
                                                   "$",
                                                   "?\?/\n",
                                                   "\r\n",
                                                   "\f",
                                                   "<",
                                                   "\\\"",
                                                   "don't",
                                                   "#include <"};

}  // namespace

TEST_CASE("case 46: of whatever is not refused, a preprocessor makes something that is in the text alone") {
    if (!tests::device().compiles) return;  // 8 ms each, and the same in every run of this program
    if (std::system("c++ --version >/dev/null 2>&1") != 0) {
        MESSAGE("skipped: no c++ in PATH");
        return;
    }
    const tests::temporary_folder folder;
    // First that these would be seen.
    CHECK(preprocessed("c++", "#include \"planted.h\"", folder.path()).find("PLANTED") != std::string::npos);
    CHECK(preprocessed("c++", "__DATE__ __TIME__", folder.path()).find("\"Jan  1 1970\" \"00:00:00\"") !=
          std::string::npos);
    CHECK(preprocessed("c++", "__BASE_FILE__", folder.path()).find("named.cpp") != std::string::npos);
    CHECK(rc::check("fragments around what must not be read", [&folder] {
        const auto any = rc::gen::map(rc::gen::pair(rc::gen::inRange<std::size_t>(0, 6),
                                                    rc::gen::container<std::vector<std::size_t>>(rc::gen::resize(
                                                        100, rc::gen::inRange<std::size_t>(0, fragments.size())))),
                                      [](const std::pair<std::size_t, std::vector<std::size_t>>& numbers) {
                                          std::string text = fragments[numbers.first];
                                          for (const std::size_t each : numbers.second)
                                              text.insert(each % 2 ? 0 : text.size(), fragments[each]);
                                          return text;
                                      });
        const std::string text =
            *rc::gen::suchThat(any, [](const std::string& each) { return !kept(each).starts_with("refused: "); });
        const std::string out = preprocessed("c++", kept(text), folder.path());
        for (const char* const sign : {"PLANTED", "Jan  1 1970", "00:00:00", "named.cpp"})
            RC_ASSERT(out.find(sign) == std::string::npos);
    }));
}

TEST_CASE("any bytes are judged, and what is kept is kept again as it is") {
    CHECK(rc::check("bytes", [] {
        const auto any = rc::gen::container<std::string>(
            rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("\"'\\\n/*()R#%:<>u8 .1e+\r"))));
        const std::string text = *any;
        const std::string made = kept(text);
        if (!made.starts_with("refused: ")) RC_ASSERT(kept(made) == made);
    }));
    CHECK(rc::check("fragments", [] {
        const auto any =
            rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, fragments.size()));
        std::string text;
        for (const std::size_t each : *any) text += fragments[each];
        const std::string made = kept(text);
        if (made.starts_with("refused: ")) return;
        RC_ASSERT(kept(made) == made);
        const auto lines = [](const std::string& of) { return std::count(of.begin(), of.end(), '\n'); };
        RC_ASSERT(lines(made) == lines(text));
    }));
}
