#include <device/holders.hpp>
#include <device/memory.hpp>
#include <device/user_memory.hpp>

#include <kiln/error.hpp>

namespace kiln::backend {

std::byte* allocate(device& on, std::size_t bytes) {
    try {
        if (user_memory& theirs = on.user(); theirs.is_used()) [[unlikely]]
            if (std::byte* const given = theirs.allocate(on, bytes)) return given;
        return on.allocate(bytes);
    } catch (const out_of_memory& trouble) {
        throw out_of_memory(trouble.what() + holders_of(*on.known()));
    }
}

void deallocate(device& on, std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept {
    if (user_memory& theirs = on.user(); theirs.is_used()) [[unlikely]]
        if (theirs.deallocate(on, memory, streams)) return;
    on.deallocate(memory, bytes, streams);
}

}  // namespace kiln::backend
