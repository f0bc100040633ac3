// kiln/process/open_library: a shared library that is opened once and never closed, by no other thread while the main one ends
// the program: exit() would run what the library's constructors have registered so far, beside the constructors. NVRTC has
// thousands of them, and crashes in the next.
// in: a library's name or path   out: its handle, or why there is none   knows nothing of: which library
#pragma once

#include <string>

namespace kiln::process {

/// Null, and `why` says it in words, where the loader refuses it or the program is ending.
void* open_library(const char* name, std::string& why);

}  // namespace kiln::process
