#include <support/build_paths.hpp>

namespace tests {

// The one file that is compiled with paths in it: the others are the same for every checkout, and a compiler cache finds them.
std::string source_folder() { return KILN_SOURCE_FOLDER; }
std::string late_evaluation_program() { return KILN_LATE_EVALUATION; }
std::string nvtx_listener() { return KILN_NVTX_LISTENER; }

}  // namespace tests
