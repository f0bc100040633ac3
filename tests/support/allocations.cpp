// operator new, counted.
#include <support/allocations.hpp>

#include <cstdlib>
#include <new>

namespace {

thread_local constinit std::int64_t allocations = 0;

void* allocate(std::size_t bytes) {
    ++allocations;
    if (void* const memory = std::malloc(bytes ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
    ++allocations;
    const auto multiple = static_cast<std::size_t>(alignment);
    if (void* const memory = std::aligned_alloc(multiple, (bytes + multiple - 1) / multiple * multiple)) return memory;
    throw std::bad_alloc();
}

}  // namespace

std::int64_t tests::allocation_count() noexcept { return allocations; }

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
// std::stable_partition asks so; AddressSanitizer's own would not match what follows.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return ++allocations, std::malloc(bytes | 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return ++allocations, std::malloc(bytes | 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, alignment); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, alignment); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
