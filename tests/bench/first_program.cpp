// The first program of the manual, as a user would write it; compile_time measures how long the compiler takes for it.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <vector>

namespace k = kiln;

int main() {
    k::array<float> x = k::random::uniform<float>({1'000'000}, /*seed=*/7);
    auto e = x + x + x + x + x;          // lazy: nothing allocated, nothing launched
    k::array<float> y = e;               // one fused kernel, asynchronous
    std::vector<float> h = y.to_host();  // waits
    std::printf("%g %g\n", static_cast<double>(h.front()), static_cast<double>(h.back()));
}
