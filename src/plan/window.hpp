// kiln/plan/window: arrays that are views of one memory, each a few elements further on than the first of them, as a moving mean
// has them.
// in: a call   out: which arrays are such views, and how far apart   knows nothing of: programs, kernels
#pragma once

#include <plan/bind.hpp>

#include <vector>

namespace kiln::plan {

struct window {
    int first = 0;          // elements from a multiple of 16 bytes to the first view
    std::vector<int> from;  // of each array, elements from the first view to it; negative: it is no such view
};

/// Whether a thread that reads `width` neighbours of each of so many views, the last of which is `last` elements after the first,
/// is better off with the vectors that hold them all, wherever they begin.
constexpr bool pays_in_vectors(int width, int last, int views) {
    const int vectors = (width - 1 + last + width - 1) / width + 1;
    return views >= 3 && width > 1 && vectors <= views;
}

/// Of a call on a CUDA device whose operands are all contiguous: adds to its class what of() reads, if there is a window that
/// pays in vectors; elsewhere one kernel serves any distance.
std::uint8_t* write_window(bindings& call, std::uint8_t* next);
/// No `from` if there is none.
window window_of(const call_class& kind);

}  // namespace kiln::plan
