// tests/support/processes: a process for a test's own, and whether those that it has started are still there.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace tests {

/// Whether it is there and no zombie: whoever inherits an orphan may be slow to take its status.
bool runs(pid_t process);

/// False: it still runs after so many seconds.
bool ends_within(pid_t process, double seconds);

/// False: the file is still not there.
bool appears_within(const std::string& file, double seconds);

/// Runs `body` in a fork() of this process: limits, and what is remembered of folders, are a process's own. What it gave
/// (0: all was well), or the signal that ended it, negated.
int in_child(const std::function<int()>& body);

/// Whether the processor is stood in for by qemu-user, which starts programs by a plain fork: what cannot be started is one
/// that ends with 127, and none has raised privileges.
bool is_emulated();

/// The process numbers that a file holds, and its first.
std::vector<pid_t> pids_in(const std::string& file);
pid_t pid_in(const std::string& file);

}  // namespace tests
