// kiln-cache/command_line: argv to a command and what it is asked.
// in: argv, the environment's bounds   out: an exit code   knows nothing of: entries, folders
#pragma once

namespace kiln_cache {

/// Parses, runs the command, and gives its exit code. Says on stderr what is wrong with the words, or on stdout the help
/// that was asked for.
int run_command_line(int count, char** arguments);

}  // namespace kiln_cache
