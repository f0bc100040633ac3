// kiln/compile/includes: whether a compile saw anything that is not in its source, and so not in the kernel's key.
// in: source text; what a compiler says it has read   out: the first file that was not declared
#pragma once

#include <string>
#include <string_view>

namespace kiln::compile {

/// What a compile_error says of such a file.
std::string undeclared_include(const std::string& file);

/// The first directive that asks a preprocessor for a file, in any spelling: "#include <stdio.h>"; "" when there is none.
std::string first_include(std::string_view source);

/// The first file outside `folder` that a make rule depends on, as -MD writes them; "" when there is none. Relative paths
/// are relative to the folder.
std::string first_file_outside(std::string_view make_rule, const std::string& folder);

}  // namespace kiln::compile
