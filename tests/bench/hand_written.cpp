#include "hand_written.hpp"

namespace kiln::bench {

// One copy per vector width, picked when the program starts: it may run on another machine than the one that built it.
#if defined(__x86_64__) && defined(__GLIBC__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
void five_x(float* __restrict__ y, const float* __restrict__ x, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) y[i] = x[i] + x[i] + x[i] + x[i] + x[i];
}

}  // namespace kiln::bench
