// tests/support/poison: outputs whose memory holds rubbish before an evaluation, so that an element that no kernel
// wrote shows.
#pragma once

#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <cstring>
#include <vector>

namespace tests {

/// An array of which every byte is `byte`; of bool, every element is whether `byte` is odd.
template <class T>
kiln::array<T> poisoned(const kiln::shape& extents, unsigned char byte) {
    if constexpr (std::is_same_v<T, bool>) {
        return kiln::full<bool>(extents, byte & 1);
    } else {
        std::vector<T> rubbish(static_cast<std::size_t>(extents.size()));
        if (!rubbish.empty()) std::memset(static_cast<void*>(rubbish.data()), byte, rubbish.size() * sizeof(T));
        return kiln::from_host<T>(rubbish, extents);
    }
}

/// Leaves blocks of rubbish of this size for the next allocations to find.
template <class T>
void poison_free_memory(const kiln::shape& extents, unsigned char byte) {
    const kiln::array<T> first = poisoned<T>(extents, byte);
    const kiln::array<T> second = poisoned<T>(extents, byte);
    first.wait();
}

/// The elements of e evaluated into rubbish of two kinds, reused and new; all four must agree, so each was written.
template <class E>
std::vector<kiln::value_t<E>> evaluated(const E& e, const kiln::shape& extents) {
    using T = kiln::value_t<E>;
    std::vector<std::vector<T>> results;
    for (const unsigned char byte : {0xab, 0x54}) {
        kiln::array<T> reused = poisoned<T>(extents, byte);
        reused = e;
        results.push_back(reused.to_host());
        poison_free_memory<T>(extents, byte);
        const kiln::array<T> fresh = e;
        results.push_back(fresh.to_host());
    }
    for (std::size_t i = 1; i < results.size(); ++i) CHECK_SAME(results[i], results[0]);
    return results.front();
}

}  // namespace tests
