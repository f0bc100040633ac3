// kiln/device/cpu/library_functions: the functions that C has not, or has with a global variable: what the CPU's kernels call
// for erfinv and lgamma. Errors in units in the last place, as tests/support/library_bounds.def holds them to.
#pragma once

namespace kiln::backend::functions {

/// x with erf(x) = a; infinite at -1 and 1, NaN beyond. 4.
double erfinv(double a) noexcept;

/// libm's, which as `lgamma` writes the sign to a global: two threads would race.
float lgammaf(float a) noexcept;
double lgamma(double a) noexcept;

}  // namespace kiln::backend::functions
