// kiln-cache/disassemble: a binary of the store as its processor's instructions, by whatever program is there for it.
// in: a payload   out: text, or what was looked for where   knows nothing of: entries, keys
#pragma once

#include <string>
#include <string_view>

namespace kiln_cache {

enum class binary_kind : unsigned char {
    cubin,
    shared_object,
    ptx,  // text that the driver compiles when it is loaded: of an NVRTC that is older than the GPU
    other
};

/// By the ELF header, or by the directives at the front of PTX.
[[nodiscard]] binary_kind kind_of(std::string_view payload);

struct disassembly {
    std::string text;     // as the program printed it: not printable
    std::string program;  // its path
    std::string trouble;  // why there is none; empty: there is
};

/// Cubins by nvdisasm or cuobjdump (PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda*), shared objects by objdump (PATH). The
/// payload is given to the program as a file in a private folder, which goes with it.
[[nodiscard]] disassembly disassemble(std::string_view payload);

}  // namespace kiln_cache
