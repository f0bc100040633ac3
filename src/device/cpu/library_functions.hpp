// kiln/device/cpu/library_functions: the functions that C has not: what the CPU's kernels call for erfinv of float64. Errors in units
// in the last place, as tests/support/library_bounds.def holds them to.
#pragma once

namespace kiln::backend::functions {

/// x with erf(x) = a; infinite at -1 and 1, NaN beyond. 4.
double erfinv(double a) noexcept;

}  // namespace kiln::backend::functions
