// tests/bench/hand_written: what one would write without kiln, as the measure for what kiln makes.
#pragma once

#include <cstdint>

namespace kiln::bench {

/// y[i] = x[i] + x[i] + x[i] + x[i] + x[i] for i in [begin, end).
void five_x(float* __restrict__ y, const float* __restrict__ x, std::int64_t begin, std::int64_t end);

/// The same on a GPU: one 16-byte streaming load and store per thread, to be launched in blocks of 256 as one grid.
/// Parameters: y, x, count (unsigned).
inline constexpr const char* five_x_name = "five_x";
inline constexpr const char* five_x_source = R"(
extern "C" __global__ void __launch_bounds__(256)
five_x(float* __restrict__ y, const float* __restrict__ x, unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first + 4 <= count) {
        float4 v = __ldcs(reinterpret_cast<const float4*>(x + first));
        v.x = v.x + v.x + v.x + v.x + v.x;
        v.y = v.y + v.y + v.y + v.y + v.y;
        v.z = v.z + v.z + v.z + v.z + v.z;
        v.w = v.w + v.w + v.w + v.w + v.w;
        __stcs(reinterpret_cast<float4*>(y + first), v);
    } else {
        for (unsigned int i = first; i < count; ++i) y[i] = x[i] + x[i] + x[i] + x[i] + x[i];
    }
}
)";

}  // namespace kiln::bench
