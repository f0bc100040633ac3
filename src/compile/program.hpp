// kiln/compile/program: which program a name or a line of the environment means, and whether it may be started.
// in: names, PATH   out: absolute paths   knows nothing of: what the programs do
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::compile {

/// The words of a line as a shell splits them: at blanks, less the quotes and backslashes. Nothing is expanded. A quote
/// that is not closed reaches to the end.
std::vector<std::string> shell_words(std::string_view line);

/// PATH's absolute folders that nobody can write to who is not trusted, joined again: what a compiler searches for its
/// assembler. Other entries mean the folder that the caller happens to be in, or are somebody else's.
std::string trusted_search_path();

struct program_search {
    std::string path;                  // absolute; empty: none
    std::vector<std::string> refused;  // candidates that exist and are not trusted, each with the reason
};

/// Who named a program: a variable that is kiln's own (KILN_CXX), which nothing else takes the place of, or anybody else.
enum class named : std::uint8_t { for_kiln, in_general };

/// The program that a shell would start for `name`: itself when it holds a '/', else the first executable file of that
/// name in PATH. One that is not trusted is refused; behind it in PATH is looked on, unless it was named for kiln.
program_search find_trusted_program(const std::string& name, named by);

/// The same without asking for trust. Empty when there is none. `search_path`: instead of PATH.
std::string find_program(const std::string& name);
std::string find_program(const std::string& name, const std::string& search_path);

}  // namespace kiln::compile
