// kiln/compile/compiler_log: what a compiler's messages say first, and of what.
// in: a log, the source   out: one line   knows nothing of: how compilers are run
#pragma once

#include <string>
#include <string_view>

namespace kiln::compile {

struct complaint {
    /// "line 7: 'foo' was not declared in this scope", from "kernel.cpp:7:5: error: 'foo' ..."; "function f, line 1: 'foo'
    /// was not declared in this scope: `return foo(a);`" from "f:1:8: error: 'foo' ..."; else the first error, or the log's
    /// first line.
    std::string text;
    bool is_of_source = false;  // of a place in the source, and not of the compiler's own
};

/// In the form of gcc and clang. `source_name`: the file that the source was in.
complaint first_complaint(std::string_view log, std::string_view source_name, const std::string& source);

}  // namespace kiln::compile
