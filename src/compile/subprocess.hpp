// kiln/compile/subprocess: starts a program and waits for it, without a shell in between.
// in: a path and its arguments   out: how it ended and all that it printed   knows nothing of: compilers
#pragma once

#include <string>
#include <vector>

namespace kiln::compile {

struct process_result {
    int exit_status = -1;  // -1: it was never started, or a signal ended it
    std::string ended;     // why, in words, where exit_status is not 0
    std::string output;    // standard output and standard error, in the order written
};

/// Runs `arguments[0]` (a path; PATH is not searched) and waits. Standard input is empty. `environment` holds
/// "NAME=value" entries that take the place of the caller's. Never throws for what the program does; thread-safe.
process_result run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

/// The program that a shell would start for `name`: itself when it holds a '/', else the first executable file of that
/// name in PATH. Empty when there is none.
std::string find_program(const std::string& name);

}  // namespace kiln::compile
