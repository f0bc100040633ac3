// tests/jit_cache/tool/paths: the one file that is compiled with paths in it: the others are the same for every checkout,
// and a compiler cache finds them.
#include "tool_support.hpp"

namespace support {

std::string tool_path() { return KILN_CACHE_TOOL; }

std::string source_folder() { return KILN_SOURCE_FOLDER; }

}  // namespace support
