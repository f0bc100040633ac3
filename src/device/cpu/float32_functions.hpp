// kiln/device/cpu/float32_functions: the float32 functions of emit/library.hpp, of one element and of a block of them, compiled for
// several instruction sets. All give the same bits: emit/helpers/float32/README.md says why.
// in: nothing   out: functions for this processor   knows nothing of: kernels
//
// Included by files that are compiled for one instruction set each, so it declares nothing that such a file could define again for
// everybody: no inline functions.
#pragma once

#include <emit/library.hpp>

namespace kiln::backend {

/// One row of the library. `out` may be an argument's memory, element for element.
struct float32_function {
    float (*of_one)(float) = nullptr;
    float (*of_two)(float, float) = nullptr;
    void (*block_of_one)(const float* a, float* out, long long count) = nullptr;
    void (*block_of_two)(const float* a, const float* b, float* out, long long count) = nullptr;
    /// Of 16-bit arguments, makes `out`, their results, what rounds to the nearest float16 or bfloat16; nullptr where it is already.
    void (*for_f16)(const float* a, const float* b, float* out, long long count) = nullptr;
    void (*for_bf16)(const float* a, const float* b, float* out, long long count) = nullptr;
};

struct float32_functions {
    const char* instruction_set;  // "AVX-512"
    float32_function rows[emit::library_rows];
};

// nullptr: this build was not compiled for it.
extern const float32_functions* const float32_baseline;
extern const float32_functions* const float32_avx2;
extern const float32_functions* const float32_avx512;

/// The best of them for this processor.
const float32_functions& float32_for_this_processor();
/// One of them: `name` is "avx512", "avx2" or "baseline". nullptr where the processor or the build has no such functions.
const float32_functions* float32_named(const char* name);

}  // namespace kiln::backend
