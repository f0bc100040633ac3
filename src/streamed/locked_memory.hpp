// kiln/streamed/locked_memory: the host's memory with pages that a device copies without a detour, and while other work goes on. Locking
// takes about as long as copying them several times: what is given back is kept for who asks next.
// in: sizes, a device   out: memory   knows nothing of: arrays, copies
#pragma once

#include <device/device.hpp>

#include <cstddef>
#include <utility>

namespace kiln::streamed {

using kiln::detail::known_device;

/// One block; goes back with its owner.
class locked_memory {
public:
    locked_memory() = default;
    /// At least so many bytes, uninitialised, 256-byte aligned, near the device. Its pages are not locked where the device cannot, or the
    /// system lets nobody lock more. Throws out_of_memory.
    locked_memory(backend::device& on, std::size_t bytes);
    /// The same of memory that nobody locks.
    static locked_memory not_locked(std::size_t bytes);
    locked_memory(locked_memory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          bytes_(other.bytes_),
          made_for_(other.made_for_),
          is_locked_(other.is_locked_) {}
    locked_memory& operator=(locked_memory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(made_for_, other.made_for_);
        std::swap(is_locked_, other.is_locked_);
        return *this;
    }
    ~locked_memory();

    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] bool is_locked() const noexcept { return is_locked_; }

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
    known_device* made_for_ = nullptr;  // nullptr: it is nobody's to keep
    bool is_locked_ = false;
};

/// What is locked for a device, or would be: in use, and kept.
backend::memory_held locked_for(const known_device& on) noexcept;
/// What is kept goes back to the system.
void trim_locked(const known_device& on) noexcept;

}  // namespace kiln::streamed
