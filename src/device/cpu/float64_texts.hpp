// kiln/device/cpu/float64_texts: the float64 functions of emit/helpers/float64 as a C++ translation unit has them. Included once per
// instruction set; a piece uses only pieces before it.
#pragma once

#define KILN_HELPER [[maybe_unused]] static inline __attribute__((always_inline))
#define KILN_HELPER_TABLE [[maybe_unused]] static const

namespace {
// clang-format off
#include "../../emit/helpers/bits_host.inc"
#include "../../emit/helpers/float64/arithmetic.inc"
#include "../../emit/helpers/float64/polynomials.inc"
#include "../../emit/helpers/float64/exp_parts.inc"
#include "../../emit/helpers/float64/exp.inc"
#include "../../emit/helpers/float64/exp2.inc"
#include "../../emit/helpers/float64/expm1.inc"
#include "../../emit/helpers/float64/sigmoid.inc"
#include "../../emit/helpers/float64/sinh.inc"
#include "../../emit/helpers/float64/cosh.inc"
#include "../../emit/helpers/float64/tanh.inc"
#include "../../emit/helpers/float64/log_parts.inc"
#include "../../emit/helpers/float64/log.inc"
#include "../../emit/helpers/float64/log2.inc"
#include "../../emit/helpers/float64/log10.inc"
#include "../../emit/helpers/float64/log1p.inc"
#include "../../emit/helpers/float64/asinh_parts.inc"
#include "../../emit/helpers/float64/asinh.inc"
#include "../../emit/helpers/float64/acosh.inc"
#include "../../emit/helpers/float64/atanh.inc"
#include "../../emit/helpers/float64/angle_table.inc"
#include "../../emit/helpers/float64/angle_parts.inc"
#include "../../emit/helpers/float64/sin.inc"
#include "../../emit/helpers/float64/cos.inc"
#include "../../emit/helpers/float64/tan.inc"
#include "../../emit/helpers/float64/asin_parts.inc"
#include "../../emit/helpers/float64/asin.inc"
#include "../../emit/helpers/float64/acos.inc"
#include "../../emit/helpers/float64/atan_parts.inc"
#include "../../emit/helpers/float64/atan.inc"
#include "../../emit/helpers/float64/atan2.inc"
#include "../../emit/helpers/float64/cbrt.inc"
#include "../../emit/helpers/float64/hypot.inc"
#include "../../emit/helpers/float64/pow.inc"
#include "../../emit/helpers/float64/erf_parts.inc"
#include "../../emit/helpers/float64/erf.inc"
#include "../../emit/helpers/float64/erfc.inc"
#include "../../emit/helpers/float64/erfinv.inc"
#include "../../emit/helpers/float64/normcdf_parts.inc"
#include "../../emit/helpers/float64/normcdf.inc"
#include "../../emit/helpers/float64/gelu.inc"
#include "../../emit/helpers/float64/gamma_parts.inc"
#include "../../emit/helpers/float64/tgamma.inc"
#include "../../emit/helpers/float64/lgamma_table.inc"
#include "../../emit/helpers/float64/lgamma.inc"
// clang-format on
}  // namespace
