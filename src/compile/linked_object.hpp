// kiln/compile/linked_object: a compiler's object file to a shared object, here, without a linker's process.
//
// Of 42 ms that g++ 12 took for a small kernel, collect2 and ld took 8 (EPYC, 2026-11): they are started, look for
// libraries and scripts, and copy what one function and its constants are. A kernel hardly ever needs more: no library, no
// memory that it writes, relocations that are known once its sections have their places. What does is left to the real
// linker.
// in: the bytes of an object file   out: those of a shared object   knows nothing of: compilers, kernels, files
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln::compile {

/// Whether this machine's objects are known here.
#if defined(__x86_64__)
constexpr bool links_objects = true;
#else
constexpr bool links_objects = false;
#endif

/// The shared object: its global functions, with section headers, so that objdump and gdb find their way. Nothing where it
/// takes a linker: undefined symbols but memcpy and its like, memory that is written, thread-local memory, groups, debugging information,
/// relocations of another kind. Throws elf_damage for what no assembler writes.
std::optional<std::string> link_object(std::string_view object);

}  // namespace kiln::compile
