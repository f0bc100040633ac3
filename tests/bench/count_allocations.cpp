#include "count_allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace kiln::bench {

namespace {
constinit std::atomic<std::int64_t> count{0};
}

std::int64_t allocation_count() noexcept { return count.load(std::memory_order_relaxed); }

}  // namespace kiln::bench

#ifdef __GLIBC__

namespace {
void count_one() noexcept { kiln::bench::count.fetch_add(1, std::memory_order_relaxed); }
}  // namespace

// glibc keeps its own under these names and lets a program define the standard ones.
// Source: the GNU C Library manual, "Replacing malloc".
extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

void* malloc(std::size_t bytes) {
    count_one();
    return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
    count_one();
    return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
    count_one();
    return __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
    count_one();
    return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    count_one();
    return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
    count_one();
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}
void free(void* memory) { __libc_free(memory); }

}  // extern "C"

#endif
