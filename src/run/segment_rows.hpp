// kiln/run/segment_rows: the steps of plan/segment_rows.hpp as a stage: what rows come to by segments, on a GPU.
#pragma once

#include <run/array_stage.hpp>

#include <memory>

namespace kiln::inline v0_1::detail {

std::unique_ptr<array_stage> plan_segment_rows(const stage::segments& by);

}  // namespace kiln::inline v0_1::detail
