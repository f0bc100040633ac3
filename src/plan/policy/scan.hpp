// kiln/plan/policy/scan: a step of a scan as a nest, its elements divided among threads as plan/scan.hpp says.
// in: a step   out: a nest
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/scan.hpp>

#include <string>
#include <string_view>

namespace kiln::plan {

/// "cumsum"; of a user's reduction "scan_compose".
std::string scan_word(const scan_step& of);

/// "kiln_cumsum_f32_rows": whatever a step's extents are.
std::string scan_name(const scan_step& of);

/// "flip(cumsum(float32(x0)))", whatever is made of it.
std::string scan_expression(const scan_step& of, std::string_view operand = "x0");

/// "cumsum of float32"
std::string scan_text(const scan_step& of);

nest::tree scan_nest(const scan_step& of);

}  // namespace kiln::plan
