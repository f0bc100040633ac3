// tests/support/processes: whether processes that a test has started are still there.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tests {

/// Whether it is there and no zombie: whoever inherits an orphan may be slow to take its status.
bool runs(pid_t process);

/// False: it still runs after so many seconds.
bool ends_within(pid_t process, double seconds);

/// False: the file is still not there.
bool appears_within(const std::string& file, double seconds);

/// The process numbers that a file holds, and its first.
std::vector<pid_t> pids_in(const std::string& file);
pid_t pid_in(const std::string& file);

}  // namespace tests
