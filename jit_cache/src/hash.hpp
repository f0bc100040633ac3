// jit_cache/hash: the one hash of the format, XXH3-128 with seed 0.
// in: bytes   out: 128 bits   knows nothing of: what the bytes mean
#pragma once

#include <jit_cache/key.hpp>

#include <string_view>

namespace jit_cache {

[[nodiscard]] hash128 xxh3_128(std::string_view bytes);

}  // namespace jit_cache
