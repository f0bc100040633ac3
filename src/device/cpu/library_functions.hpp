// kiln/device/cpu/library_functions: the functions that C has not, or has with a global variable: what the CPU's kernels call
// for erfinv, normcdf and lgamma. Errors in units in the last place, as tests/support/library_bounds.def holds them to.
#pragma once

namespace kiln::backend::functions {

/// x with erf(x) = a; infinite at -1 and 1, NaN beyond. float 1, double 4.
float erfinvf(float a) noexcept;
double erfinv(double a) noexcept;

/// The standard normal distribution's probability of a value below a: erfc(-a / sqrt 2) / 2, to the last normal number of
/// the lower tail. float 1, double 6.
float normcdff(float a) noexcept;
double normcdf(double a) noexcept;

/// libm's, which as `lgamma` writes the sign to a global: two threads would race.
float lgammaf(float a) noexcept;
double lgamma(double a) noexcept;

}  // namespace kiln::backend::functions
