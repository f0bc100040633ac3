// kiln/compile/until_exit: a library that takes itself apart when the program ends is not called after that, nor during it.
// A detached thread may evaluate until the very end: NVRTC 13.0 then gives nonsense, or crashes.
// in: calls of such a library   out: whether they may be made   knows nothing of: which library
#pragma once

namespace kiln::compile {

/// As long as it lives the program's end waits, for ten seconds at most. False: the program is ending, the call may not be
/// made. In a fork() nothing waits for the threads that stayed behind.
class use_until_exit {
public:
    use_until_exit() noexcept;
    ~use_until_exit();
    use_until_exit(const use_until_exit&) = delete;
    use_until_exit& operator=(const use_until_exit&) = delete;

    explicit operator bool() const noexcept { return may_; }

    /// To be called by the main thread, whose end is the program's, before others use the library; each use by it does, too.
    static void watch_for_exit() noexcept;

private:
    bool may_ = false;
};

}  // namespace kiln::compile
