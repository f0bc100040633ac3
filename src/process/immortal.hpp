// kiln/process/immortal: an object that is made at its first use and never destroyed. Expressions are evaluated in
// constructors and destructors of static objects, in functions registered with atexit(), in threads that run on while main()
// returns: nothing that an evaluation needs may be missing or gone then. Nor may a child of fork() find it half made.
// in: a type   out: one object of it for the process   knows nothing of: what it is for
#pragma once

#include <atomic>

namespace kiln::process {

namespace detail {

/// Held while one is made, by one thread; making one may use another.
class making_immortal {
public:
    making_immortal() noexcept;
    ~making_immortal();
    making_immortal(const making_immortal&) = delete;
    making_immortal& operator=(const making_immortal&) = delete;
};

}  // namespace detail

/// constinit process::immortal<table> all;  ...  all().find(...)
template <class T>
class immortal {
public:
    constexpr immortal() noexcept = default;
    immortal(const immortal&) = delete;
    immortal& operator=(const immortal&) = delete;

    T& operator()() {
        return (*this)([] { return new T(); });
    }
    /// `make`: gives a new T, for who is first.
    template <class Make>
    T& operator()(Make make) {
        if (T* const made = made_.load(std::memory_order_acquire)) [[likely]]
            return *made;
        const detail::making_immortal alone;
        if (T* const made = made_.load(std::memory_order_relaxed)) return *made;
        T* const made = make();
        made_.store(made, std::memory_order_release);
        return *made;
    }
    /// nullptr before its first use.
    [[nodiscard]] T* if_made() const noexcept { return made_.load(std::memory_order_acquire); }

private:
    std::atomic<T*> made_{nullptr};
};

}  // namespace kiln::process
