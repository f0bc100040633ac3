// kiln/emit/host_persistent_rows: host kernels with persistent rows. Their ranges are of rows: what later phases need of a row is
// in memory of the thread's own, small enough for its caches, so that a row comes from memory once. Which value is computed
// in which phase is said in plan/row_phases.hpp; the order of a reduction, in plan/host_order.hpp.
#pragma once

#include <emit/address.hpp>
#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

struct persistent_rows_text {
    std::string functions;  // that the lines call
    std::string lines;
};

persistent_rows_text host_persistent_rows(const lower::program& program, const plan::kernel& kernel,
                                          const value_names& names, const address_text& addresses, bool uses_library);

}  // namespace kiln::emit
