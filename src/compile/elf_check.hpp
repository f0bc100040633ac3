// kiln/compile/elf_check: whether dlopen() can take a shared object without harm to the process.
//
// A loader believes what it reads: glibc's follows offsets out of the file, walks lists without an end, and aborts on
// assertions. So all that it reads before the object's own code runs is held against the file first. What the code itself
// does is beyond this; whether the bytes are those that a compiler wrote, the store's checksum says.
// in: the bytes of a shared object   out: what is wrong with them   knows nothing of: kernels
#pragma once

#include <string>
#include <string_view>

namespace kiln::compile {

/// "its symbol table is not in the file"; empty: it can be loaded. Linear in the tables, 3 us for a kernel of 16 KB
/// (EPYC, 2026-11).
std::string why_not_loadable(std::string_view bytes);

}  // namespace kiln::compile
