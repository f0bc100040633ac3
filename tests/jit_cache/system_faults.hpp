// tests/jit_cache/system_faults: makes system calls of this process fail, come back short, or be its last.
// in: which call, which of them, how   out: nothing; the call behaves so   knows nothing of: the store
#pragma once

namespace system_faults {

enum class call { mkdirat, openat, fstat, fstatat, read, write, close, flock, renameat, unlinkat, utimensat };

/// Calls of `which`, counted from 1, beginning with the `first`-th, fail with `error` as long as this lives.
class fail {
public:
    fail(call which, int error, int first = 1, int how_many = 1'000'000);
    ~fail();
    fail(const fail&) = delete;
    fail& operator=(const fail&) = delete;
    [[nodiscard]] int count() const;  // how many have failed: a test of a fault that never came tests nothing
};

/// Reads and writes move at most three bytes at a time, and every other call is interrupted (EINTR) instead.
class short_and_interrupted {
public:
    short_and_interrupted();
    ~short_and_interrupted();
    short_and_interrupted(const short_and_interrupted&) = delete;
    short_and_interrupted& operator=(const short_and_interrupted&) = delete;
    [[nodiscard]] int count() const;
};

/// From now on the `number`-th of the calls above, of any kind, is not made: the process gets SIGKILL.
void kill_at(int number);

}  // namespace system_faults
