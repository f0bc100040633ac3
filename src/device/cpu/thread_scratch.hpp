// kiln/device/cpu/thread_scratch: memory that a thread computes in.
// knows nothing of: kernels
#pragma once

#include <cstddef>
#include <new>

namespace kiln::backend {

/// Memory of a thread's own, kept between launches and grown when more is asked for.
class thread_scratch {
public:
    std::byte* get(std::size_t bytes) {
        if (bytes > size_) {
            release();
            memory_ = static_cast<std::byte*>(::operator new(bytes, alignment));
            size_ = bytes;
        }
        return memory_;
    }
    thread_scratch() = default;
    thread_scratch(const thread_scratch&) = delete;
    thread_scratch& operator=(const thread_scratch&) = delete;
    ~thread_scratch() { release(); }

private:
    static constexpr std::align_val_t alignment{4096};

    void release() noexcept {
        if (memory_) ::operator delete(memory_, alignment);
        memory_ = nullptr;
        size_ = 0;
    }

    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace kiln::backend
