// jit_cache/hash: the only file that includes xxHash, inlined, so that the library links to nothing for it.
// in: bytes   out: 128 bits   knows nothing of: what the bytes mean
#include "hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace jit_cache {

hash128 xxh3_128(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {.high = hash.high64, .low = hash.low64};
}

}  // namespace jit_cache
