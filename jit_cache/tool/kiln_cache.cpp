// kiln-cache: looks into the folder of compiled kernels, and empties it. Needs no GPU and no compiler.
// in: argv   out: an exit code   knows nothing of: the format of entries
#include "command_line.hpp"
#include "request.hpp"

#include <jit_cache/printable.hpp>

#include <cstdio>
#include <exception>

int main(int count, char** arguments) try {
    int code = kiln_cache::run_command_line(count, arguments);
    // Output that never arrived (a full disk, a closed pipe) must not pass for an empty cache.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        std::perror("kiln-cache: standard output");
        code = kiln_cache::found_wanting;
    }
    return code;
} catch (const std::exception& error) {
    std::fprintf(stderr, "kiln-cache: %s\n", jit_cache::printable(error.what()).c_str());
    return kiln_cache::found_wanting;
}
