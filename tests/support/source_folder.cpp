#include <support/source_folder.hpp>

namespace tests {

// The one file that is compiled with the path in it: the others are the same for every checkout, and a compiler cache
// finds them.
std::string source_folder() { return KILN_SOURCE_FOLDER; }

}  // namespace tests
