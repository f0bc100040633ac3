// kiln/device/cpu/float16_functions: the functions of emit/library.hpp of float16 and bfloat16, of one element and of a block of them.
// in: those of float32, and conversions   out: functions for this processor   knows nothing of: kernels
#pragma once

#include <kiln/element_type.hpp>

#include <cstdint>

namespace kiln::backend {

/// One row of the library; elements are the bits of float16 or bfloat16. `out` may be an argument's memory, element for element.
struct small_function {
    std::uint16_t (*of_one)(std::uint16_t) = nullptr;
    std::uint16_t (*of_two)(std::uint16_t, std::uint16_t) = nullptr;
    void (*block_of_one)(const std::uint16_t* a, std::uint16_t* out, long long count) = nullptr;
    void (*block_of_two)(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out, long long count) = nullptr;
};

/// `small`: float16 or bfloat16. Each result is the one nearest to the true one.
small_function function_of_small(int row, element_type small);

/// Of a block, 16-bit floats as floats.
using widening = void (*)(const std::uint16_t* from, float* to, long long count);
widening widening_of(element_type small);

}  // namespace kiln::backend
