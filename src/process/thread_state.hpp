// kiln/process/thread_state: what a thread keeps from call to call. Like a thread_local object, but one that may be asked for
// after thread_local objects are gone: the main thread's end before the destructors of static objects, and those may evaluate.
// in: a type and a tag   out: the calling thread's object   knows nothing of: what it is for
#pragma once

#include <utility>

namespace kiln::process {

namespace detail {

template <class T, class Tag>
struct thread_slot {
    static inline thread_local constinit T* made = nullptr;
    static inline thread_local constinit bool ended = false;

    struct at_end {
        ~at_end() {
            ended = true;
            delete std::exchange(made, nullptr);
        }
    };

    [[gnu::noinline]] static T& make() {
        made = new T();
        // Asked for once more while the thread ends, it stays: nobody comes later who could delete it.
        if (!ended) {
            static thread_local at_end deletes;
            static_cast<void>(&deletes);
        }
        return *made;
    }
};

}  // namespace detail

/// The calling thread's T of that tag, made at the first call.
template <class T, class Tag>
T& thread_state() {
    T* const made = detail::thread_slot<T, Tag>::made;
    return made ? *made : detail::thread_slot<T, Tag>::make();
}

/// The same without making it: nullptr before the first call of thread_state(), and once the thread ended.
template <class T, class Tag>
T* thread_state_if_made() noexcept {
    return detail::thread_slot<T, Tag>::made;
}

}  // namespace kiln::process
