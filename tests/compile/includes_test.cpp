// compile/includes: every way of writing a directive that reads a file, and nothing that only looks like one.
#include <compile/includes.hpp>

#include <doctest/doctest.h>

#include <string>

using kiln::compile::first_file_outside;
using kiln::compile::first_include;

TEST_CASE("case 46: a directive that reads a file is found however it is written") {
    CHECK_EQ(first_include("#include <math.h>\n"), "#include <math.h>");
    CHECK_EQ(first_include("int a;\n  #  include \"/x y.h\"  \nint b;"), "#include \"/x y.h\"");
    CHECK_EQ(first_include("%:include <a>"), "#include <a>");
    CHECK_EQ(first_include("#include_next <a>"), "#include_next <a>");
    CHECK_EQ(first_include("#import <a>"), "#import <a>");
    CHECK_EQ(first_include("#embed <a>"), "#embed <a>");
    CHECK_EQ(first_include("#inc\\\nlude <a>"), "#include <a>");
    CHECK_EQ(first_include("/* a */ # /* b\n */ include /* c */ <a>"), "#include <a>");
    CHECK_EQ(first_include("/*\n*/ #include <b>\n"), "#include <b>");
    CHECK_EQ(first_include("#\n#if 1\n#include NAME\n#endif"), "#include NAME");
    CHECK_EQ(first_include("auto a = R\"x(\" /* )x\";\n#include <a>\n// */"), "#include <a>");
    CHECK_EQ(first_include("#include"), "#include");
}

TEST_CASE("what only looks like one is none") {
    CHECK_EQ(first_include(""), "");
    CHECK_EQ(first_include("int include; // #include <a>\n"), "");
    CHECK_EQ(first_include("/*\n#include <a>\n*/\n"), "");
    CHECK_EQ(first_include("auto a = R\"(\n#include <a>\n)\";\n"), "");
    CHECK_EQ(first_include("#define include <a>\n#line 1 \"f\"\n#pragma include\n# 3\n#\n"), "");
    CHECK_EQ(first_include("f(\"#include <a>\");"), "");
}

TEST_CASE("case 46: of a make rule the first file outside the folder is told") {
    const std::string folder = "/tmp/kiln-0/1-1";
    CHECK_EQ(first_file_outside("", folder), "");
    CHECK_EQ(first_file_outside("kernel: kernel.cpp\n", folder), "");
    CHECK_EQ(first_file_outside("kernel: kernel.cpp /usr/include/math.h\n", folder), "/usr/include/math.h");
    CHECK_EQ(first_file_outside("kernel: kernel.cpp \\\n /a\\ b.h \\\n /c.h\n", folder), "/a b.h");
    CHECK_EQ(first_file_outside("kernel: kernel.cpp \\\n  /tmp/kiln-0/1-1/x.h", folder), "");
    CHECK_EQ(first_file_outside("kernel: /tmp/kiln-0/1-1/../1-2/x.h", folder), "/tmp/kiln-0/1-1/../1-2/x.h");
    CHECK_EQ(first_file_outside("kernel: ../../etc/passwd", folder), "../../etc/passwd");
    CHECK_EQ(first_file_outside("/tmp/kiln-0/1-1/cc.o: kernel.cpp kernel.as.d\n\n", folder), "");
    CHECK_EQ(first_file_outside("a: kernel.cpp\nb: /x\n", folder), "/x");
    CHECK_EQ(first_file_outside("a: /x$$y\\#z\n", folder), "/x$y#z");
}
