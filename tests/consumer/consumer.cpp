// What a first program of a user looks like. Exits 0 if the five-fold sum is right.
#include <jit_cache/store.hpp>
#include <kiln/kiln.hpp>
#if __has_include(<fmt/format.h>)
#include <kiln/format.hpp>
#endif

#include <cstdio>
#include <vector>

namespace k = kiln;

int main() {
    const std::vector<float> values{1.0f, -2.5f, 0.0f, 1e30f, 0.1f};
    k::array<float> x = k::from_host<float>(values, {5});
    k::array<float> y = x + x + x + x + x;
    const std::vector<float> result = y.to_host();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float v = values[i];
        if (result.size() != values.size() || result[i] != v + v + v + v + v) {
            std::printf("element %zu is wrong\n", i);
            return 1;
        }
    }
#if __has_include(<fmt/format.h>)
    fmt::print("shape {}\n", y.shape());
#endif
    std::printf("five sums right; kernels kept in %s\n", jit_cache::default_directory().c_str());
}
