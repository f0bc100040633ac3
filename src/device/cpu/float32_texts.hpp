// kiln/device/cpu/float32_texts: the float32 functions of emit/helpers/float32 as a C++ or CUDA translation unit has them.
// Included once per instruction set; a piece uses only pieces before it.
#pragma once

#if defined(__CUDACC__)
#define KILN_HELPER static __device__ __forceinline__
#define KILN_RARE_HELPER static __device__ __noinline__
#define KILN_HELPER_TABLE static __device__ const
#else
#define KILN_HELPER [[maybe_unused]] static inline __attribute__((always_inline))
#define KILN_RARE_HELPER [[maybe_unused]] static __attribute__((noinline))
#define KILN_HELPER_TABLE [[maybe_unused]] static const
#endif

namespace {
// clang-format off
#if defined(__CUDACC__)
template <class R> KILN_HELPER R rounded(R a) { return a; }
KILN_HELPER unsigned int bits_of(float a) { return __float_as_uint(a); }
KILN_HELPER unsigned long long bits_of(double a) { return static_cast<unsigned long long>(__double_as_longlong(a)); }
KILN_HELPER float float_of(unsigned int bits) { return __uint_as_float(bits); }
KILN_HELPER double double_of(unsigned long long bits) { return __longlong_as_double(static_cast<long long>(bits)); }
#else
#include "../../emit/helpers/bits_host.inc"
#endif
#include "../../emit/helpers/bits_odd.inc"
#include "../../emit/helpers/float32/arithmetic.inc"
#include "../../emit/helpers/float32/polynomials.inc"
#include "../../emit/helpers/float32/exceptions.inc"
#include "../../emit/helpers/float32/exp_parts.inc"
#include "../../emit/helpers/float32/exp.inc"
#include "../../emit/helpers/float32/exp2.inc"
#include "../../emit/helpers/float32/expm1.inc"
#include "../../emit/helpers/float32/sigmoid.inc"
#include "../../emit/helpers/float32/sinh.inc"
#include "../../emit/helpers/float32/cosh.inc"
#include "../../emit/helpers/float32/tanh.inc"
#include "../../emit/helpers/float32/log_parts.inc"
#include "../../emit/helpers/float32/log.inc"
#include "../../emit/helpers/float32/log2.inc"
#include "../../emit/helpers/float32/log10.inc"
#include "../../emit/helpers/float32/log1p.inc"
#include "../../emit/helpers/float32/asinh.inc"
#include "../../emit/helpers/float32/acosh.inc"
#include "../../emit/helpers/float32/atanh.inc"
#include "../../emit/helpers/float32/angle_table.inc"
#include "../../emit/helpers/float32/angle_parts.inc"
#include "../../emit/helpers/float32/sin.inc"
#include "../../emit/helpers/float32/cos.inc"
#include "../../emit/helpers/float32/tan.inc"
#include "../../emit/helpers/float32/asin_parts.inc"
#include "../../emit/helpers/float32/asin.inc"
#include "../../emit/helpers/float32/acos.inc"
#include "../../emit/helpers/float32/atan.inc"
#include "../../emit/helpers/float32/erf.inc"
#include "../../emit/helpers/float32/erfc.inc"
#include "../../emit/helpers/float32/erfinv.inc"
#include "../../emit/helpers/float32/normcdf.inc"
#include "../../emit/helpers/float32/gelu.inc"
#include "../../emit/helpers/float32/tgamma.inc"
#include "../../emit/helpers/float32/lgamma_table.inc"
#include "../../emit/helpers/float32/lgamma.inc"
#include "../../emit/helpers/float32/cbrt.inc"
#include "../../emit/helpers/float32/rsqrt.inc"
#include "../../emit/helpers/float32/hypot.inc"
#include "../../emit/helpers/float32/pair_parts.inc"
#include "../../emit/helpers/float32/long_numbers.inc"
#include "../../emit/helpers/float32/pow.inc"
#include "../../emit/helpers/float32/atan2.inc"
#include "../../emit/helpers/float32/rounded_twice.inc"
#include "../../emit/helpers/float32/rounded_pairs.inc"
// clang-format on
}  // namespace
