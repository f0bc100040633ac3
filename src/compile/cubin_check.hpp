// kiln/compile/cubin_check: whether a CUDA driver may be given a kernel's machine code.
//
// A driver believes what it reads: NVIDIA's (580) follows offsets out of a file that was cut, into whatever lies behind it, and
// crashes on other damage to its tables, too. So the offsets are held against the bytes first. What the sections hold is beyond
// this: whether that is what a compiler wrote, the store's checksum says.
// in: the bytes of an ELF file for CUDA   out: what is wrong with them   knows nothing of: the driver, architectures
#pragma once

#include <string>
#include <string_view>

namespace kiln::compile {

/// "a section is not in the file"; empty: it is whole, and has code under the kernel's name. Linear in its tables.
std::string why_no_cubin(std::string_view bytes, std::string_view kernel);

}  // namespace kiln::compile
