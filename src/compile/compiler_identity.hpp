// kiln/compile/compiler_identity: what a compiler is, through whatever stands in front of it.
//
// It is asked what it would do (-###). The answer holds what a wrapper adds, what -march=native means here, and the
// programs that would run; each of them, and each file that the answer names, goes in by its content (identity.hpp). So a
// wrapper, ccache, a masquerading link or KILN_CXX="ccache g++" that has come to mean another compiler is another
// compiler, and the same one installed again, or elsewhere, is not.
// in: a command   out: a text for keys   knows nothing of: kernels, stores
#pragma once

#include <compile/subprocess.hpp>

#include <string>
#include <vector>

namespace kiln::compile {

struct compiler_identity {
    /// "g++ 12.2.0 (Debian 12.2.0-14+deb12u1) [3f2a...]": for people up to " [", then a hash of all of it.
    std::string fingerprint;
    /// Its assembler is GNU's, in a process of its own: it can say which files it has read.
    bool has_assembler = false;
    /// "it was asked which compiler it is, and it did not end within 10 s"; empty: it could be asked.
    std::string failure;
    /// The files that were looked at: whether it is still the same can be told from them.
    std::vector<std::string> files;
};

/// `command`: program, `leading` arguments of its own, then the options and files of a compile in `how.folder`, which holds
/// the source. Starts the compiler once, and the loader of its parts; of one that does not know -### it asks the version.
/// Throws std::system_error where nothing could be started or read for now.
compiler_identity identify_compiler(const std::vector<std::string>& command, std::size_t leading,
                                    const process_options& how);

}  // namespace kiln::compile
