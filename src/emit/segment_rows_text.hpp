// kiln/emit/segment_rows_text: a step of rows by segments as CUDA C++: a kernel around the pieces of
// emit/helpers/segment_rows_cuda.inc.
// in: a step   out: its name and its complete source   knows nothing of: extents
#pragma once

#include <emit/source.hpp>
#include <plan/segment_rows.hpp>

namespace kiln::emit {

/// "kiln_segment_rows_sum_f32_16x4", whatever a step's extents are but for how threads share rows.
std::string segment_rows_name(const plan::segment_row_step& of);

/// "rows by segments: sum of float32"
std::string segment_rows_text(const plan::segment_row_step& of);

source segment_rows_source(const plan::segment_row_step& of);

}  // namespace kiln::emit
