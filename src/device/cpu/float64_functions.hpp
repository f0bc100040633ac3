// kiln/device/cpu/float64_functions: the float64 functions of emit/library.hpp, of one element and of a block of them, compiled for
// several instruction sets. What kiln has itself gives the same bits with all of them: emit/helpers/float64/README.md says why; what is
// libm's is called one element at a time.
// in: nothing   out: functions for this processor   knows nothing of: kernels
//
// Included by files that are compiled for one instruction set each, so it declares nothing that such a file could define again for
// everybody: no inline functions.
#pragma once

#include <emit/library.hpp>

namespace kiln::backend {

/// One row of the library. `out` may be an argument's memory, element for element.
struct float64_function {
    double (*of_one)(double) = nullptr;
    double (*of_two)(double, double) = nullptr;
    void (*block_of_one)(const double* a, double* out, long long count) = nullptr;
    void (*block_of_two)(const double* a, const double* b, double* out, long long count) = nullptr;
};

struct float64_functions {
    const char* instruction_set;  // "AVX-512"
    float64_function rows[emit::library_rows];
};

// nullptr: this build was not compiled for it.
extern const float64_functions* const float64_baseline;
extern const float64_functions* const float64_avx2;
extern const float64_functions* const float64_avx512;

/// The best of them for this processor.
const float64_functions& float64_for_this_processor();
/// One of them: `name` is "avx512", "avx2" or "baseline". nullptr where the processor or the build has no such functions.
const float64_functions* float64_named(const char* name);

}  // namespace kiln::backend
