// tests/support/philox: random numbers, worked out a second time: Philox4x32-10 after the paper, on words in an array.
// in: counter, key   out: words   knows nothing of: kiln
#pragma once

#include <array>
#include <cstdint>

namespace oracle {

__extension__ typedef unsigned __int128 uint128;

using philox_counter = std::array<std::uint32_t, 4>;
using philox_key = std::array<std::uint32_t, 2>;

inline philox_counter philox_4x32_10(philox_counter counter, philox_key key) {
    for (int round = 0; round < 10; ++round) {
        const uint128 first = static_cast<uint128>(counter[0]) * 3528531795u;
        const uint128 second = static_cast<uint128>(counter[2]) * 3449720151u;
        const auto high = [](uint128 product) { return static_cast<std::uint32_t>(product / 4294967296u); };
        const auto low = [](uint128 product) { return static_cast<std::uint32_t>(product % 4294967296u); };
        counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1], low(first)};
        key[0] += 2654435769u;
        key[1] += 3144134277u;
    }
    return counter;
}

/// The generator's words as kiln numbers them: word i of the sequence of a seed.
inline std::uint32_t word(std::uint64_t i, std::uint64_t seed) {
    const std::uint64_t block = i / 4;
    return philox_4x32_10({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0},
                          {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)})[i % 4];
}

/// `count` words from 0 on as one number, the first the lowest: draw i of count words.
inline uint128 draw(std::uint64_t i, std::uint64_t seed, unsigned count) {
    const std::uint64_t block = i / (4 / count);
    const philox_counter words =
        philox_4x32_10({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0},
                       {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    uint128 out = 0;
    for (unsigned k = count; k-- > 0;) out = out << 32 | words[i % (4 / count) * count + k];
    return out;
}

}  // namespace oracle
