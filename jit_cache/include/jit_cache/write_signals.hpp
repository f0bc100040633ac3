// jit_cache/write_signals: a library's write must not end the program that it is part of, nor run its handlers.
// in: a scope   out: writes in it fail with an error instead of a signal   knows nothing of: what is written
#pragma once

#include <csignal>

namespace jit_cache {

/// Beyond RLIMIT_FSIZE a write raises SIGXFSZ, and into a pipe that nobody reads SIGPIPE; both end a process that has not
/// asked for something else. While this lives, the calling thread's writes fail with EFBIG and EPIPE instead. A signal that
/// waits afterwards is taken away, unless it waited before.
class write_signals_held_back {
public:
    write_signals_held_back() noexcept;
    ~write_signals_held_back();
    write_signals_held_back(const write_signals_held_back&) = delete;
    write_signals_held_back& operator=(const write_signals_held_back&) = delete;

private:
    ::sigset_t taken_{};   // those that did not wait before
    ::sigset_t before_{};  // the mask
};

}  // namespace jit_cache
