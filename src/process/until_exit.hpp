// kiln/process/until_exit: a library that takes itself apart when the program ends is not called after that, nor during it,
// by another thread than the one that ends the program. A detached thread may evaluate until the very end: NVRTC 13.0 then
// gives nonsense or crashes, and NVIDIA's driver crashes.
// in: calls of such a library   out: whether they may be made   knows nothing of: which library
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kiln::process {

/// constinit until_exit calls{{[] { calls.exit_has_begun(); }}, ...}: one for each library, of static storage.
class until_exit {
public:
    /// What the library does when the thread that ends the program calls it once more, after the library's own end.
    enum class ended_library : bool { refuses, misbehaves };

    /// `handler`: calls exit_has_begun() of this object.
    constexpr until_exit(void (*handler)(), ended_library then) noexcept : handler_(handler), then_(then) {}
    until_exit(const until_exit&) = delete;
    until_exit& operator=(const until_exit&) = delete;

    /// Others' calls of the library end with the main thread, even if it makes none. Where they do not know it, since another thread loaded
    /// kiln and the main one has neither called this nor the library, they end with the handlers of atexit().
    void watch() noexcept;
    /// No call by another thread from here on, of any such library, one that nobody has called yet among them; returns when none is under
    /// way, or when the process has waited for ten seconds in all for each.
    void exit_has_begun() noexcept;

    /// A call, for as long as it lives: an atomic addition at either end, to a word that few threads share.
    class call {
    public:
        explicit call(until_exit& library) noexcept : library_(library) { library_.begin(*this); }
        ~call() {
            if (tally_) library_.end(*this);
        }
        call(const call&) = delete;
        call& operator=(const call&) = delete;

        /// False: the program is ending, the call may not be made.
        explicit operator bool() const noexcept { return tally_ != nullptr; }

    private:
        friend class until_exit;

        until_exit& library_;
        std::atomic<std::uint64_t>* tally_ = nullptr;
        std::uint64_t before_ = 0;
    };

    /// Calls of this thread that belong together, as a copy and the wait for it: who may begin the first may make them all, and the end of
    /// the program waits for the last.
    class together {
    public:
        explicit together(until_exit& library) noexcept;
        ~together();
        together(const together&) = delete;
        together& operator=(const together&) = delete;

    private:
        const call first_;
        until_exit* const before_;
    };

private:
    friend struct main_thread;
    friend struct forgotten_calls;

    // How many calls are under way, in the lower half; how many were made, in the upper one.
    struct alignas(64) tally {
        std::atomic<std::uint64_t> calls{0};
    };

    void begin(call& of) noexcept;
    void end(call& of) noexcept;
    [[nodiscard]] bool may() const noexcept;
    void only_this_thread() noexcept;
    static void end_all() noexcept;

    static constexpr std::size_t count = 32;

    void (*const handler_)();
    const ended_library then_;
    std::atomic<bool> listed_{false};
    std::atomic<long> only_{0};  // the thread that may still call, by its number; 0: all
    std::atomic<bool> over_{false};
    std::atomic<int> patience_ms_{10'000};
    tally tallies_[count];
};

}  // namespace kiln::process
