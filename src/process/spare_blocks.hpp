// kiln/process/spare_blocks: memory for small objects of one type, which come and go with every call: a thread keeps some of
// those that it gave back, and takes them again without a lock. malloc and free are 140 of a call's thousand instructions.
// in: nothing   out: sizeof(T) bytes   knows nothing of: what they are for
#pragma once

#include <process/thread_state.hpp>

#include <new>

namespace kiln::process {

/// Whether blocks are taken again. Not where a tool must see each object begin and end.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool keeps_spare_blocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool keeps_spare_blocks = false;
#else
inline constexpr bool keeps_spare_blocks = true;
#endif
#else
inline constexpr bool keeps_spare_blocks = true;
#endif

/// The calling thread's. A block may be given back on another thread than it was taken on.
template <class T>
class spare_blocks {
public:
    static void* take() {
        if constexpr (keeps_spare_blocks) {
            spare_blocks& mine = thread_state<spare_blocks, T>();
            if (mine.first_) {
                --mine.count_;
                return std::exchange(mine.first_, mine.first_->next);
            }
        }
        return ::operator new(sizeof(T));
    }

    static void give_back(void* block) noexcept {
        if constexpr (keeps_spare_blocks) {
            // Made by this thread's first take(); a thread that only gives back keeps none.
            spare_blocks* const mine = thread_state_if_made<spare_blocks, T>();
            if (mine && mine->count_ < most) {
                ++mine->count_;
                mine->first_ = new (block) spare{mine->first_};
                return;
            }
        }
        ::operator delete(block);  // clang++ before 19 knows none with a size
    }

    spare_blocks() = default;
    spare_blocks(const spare_blocks&) = delete;
    spare_blocks& operator=(const spare_blocks&) = delete;
    ~spare_blocks() {
        while (first_) ::operator delete(std::exchange(first_, first_->next));
    }

private:
    struct spare {
        spare* next;
    };
    static_assert(sizeof(T) >= sizeof(spare) && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    static constexpr int most = 64;

    spare* first_ = nullptr;
    int count_ = 0;
};

}  // namespace kiln::process
