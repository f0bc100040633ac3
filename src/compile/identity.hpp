// kiln/compile/identity: what a file is, whatever it is called and whenever it was written.
// in: paths   out: short texts for keys   knows nothing of: compilers
#pragma once

#include <string>

namespace kiln::compile {

/// "build-id 63f8e6e3... 2190440 bytes": the GNU build id that a linker put into an ELF file, and its size; "content
/// 3f2a..." of a file without one (a script, an old wheel); what stat() says of one that cannot be read; "" when there is
/// no such file. Neither path nor time are part
/// of it: the same program installed again, or elsewhere, is the same. 5 us where there is a build id; else the file is
/// read, at 5 GB/s (EPYC, 2026-11). Throws std::system_error where descriptors or memory have run out, or reading failed:
/// then nothing is known, which must not be taken for another file.
std::string file_identity(const std::string& path);

/// The program that loads an ELF program's libraries ("/lib64/ld-linux-x86-64.so.2"); "" when there is none: a script, a
/// static program.
std::string program_loader(const std::string& path);

}  // namespace kiln::compile
