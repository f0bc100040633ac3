// kiln/device/cpu/library_functions: the functions that C has not, or has with a global variable: what the CPU's kernels call
// for erfinv, normcdf, lgamma and what is made of them. Errors in units in the last place, as tests/support/library_bounds.def holds them to.
#pragma once

namespace kiln::backend::functions {

/// x with erf(x) = a; infinite at -1 and 1, NaN beyond. 4.
double erfinv(double a) noexcept;

/// The standard normal distribution's probability of a value below a: erfc(-a / sqrt 2) / 2, to the last normal number of
/// the lower tail. 6.
double normcdf(double a) noexcept;

/// libm's, which as `lgamma` writes the sign to a global: two threads would race.
float lgammaf(float a) noexcept;
double lgamma(double a) noexcept;

/// 1 / (1 + e^-a), never by way of an exponential that overflows. 4.
double sigmoid(double a) noexcept;

/// a normcdf(a), without the cancellation below 0. 7.
double gelu(double a) noexcept;

}  // namespace kiln::backend::functions
