// tests/jit_cache/soak_processes: programs with their output in files, and what they wrote.
// in: a command   out: how it ended, what it said   knows nothing of: stores, kernels
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace soak {

/// Its output goes into `output`.out and `output`.err. Throws std::runtime_error when it cannot be started.
::pid_t start(const std::vector<std::string>& command, const std::filesystem::path& output);

/// As waitpid()'s.
int wait_for(::pid_t child);
/// False: it still runs. Asks for this one alone, for other threads wait for theirs.
bool has_ended(::pid_t child, int& status);

/// "" if it left with 0; else "signal 9" or "exit status 1".
std::string how_it_failed(int status);

struct said {
    std::string output;
    std::string errors;
};
/// Of a program that has ended; its files are deleted.
said take_output(const std::filesystem::path& output);

/// In which this program lies.
std::filesystem::path own_folder();

}  // namespace soak
