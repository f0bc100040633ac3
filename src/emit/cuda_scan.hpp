// kiln/emit/cuda_scan: the kernels of a cumulative sum or product's steps. Of one type and operation there are four, for every
// shape.
// in: a step of plan/scan.hpp   out: its kernel's source   knows nothing of: sizes
#pragma once

#include <emit/source.hpp>
#include <plan/scan.hpp>

#include <string>

namespace kiln::emit {

/// "kiln_cumsum_f32_rows", "kiln_cumsum_f32_column_totals"
std::string scan_name(const plan::scan_step& of);

/// CUDA C++: extern "C" __global__ void name(to, from, offsets or nullptr, outer, count, inner, part, parts).
source scan_source(const plan::scan_step& of);

}  // namespace kiln::emit
