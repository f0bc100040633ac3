// kiln/plan/policy/host_column_parts: plan/host_parts.hpp of columns, in a kernel of the host, which knows their number as it runs.
// in: a nest   out: a value of it   knows nothing of: elements
#pragma once

#include <plan/host_order.hpp>
#include <plan/nest/builder.hpp>

namespace kiln::plan {

/// Rows of a part, of so many columns side by side.
inline nest::value rows_of_column_part(nest::builder& to, nest::value columns) {
    namespace types = nest::types;
    using order = host_order;
    const nest::value wide = to.let("wide", types::index, to.least(columns, order::columns));
    const nest::value rows =
        to.let("rows_of_piece", types::index,
               to.least(to.constant(order::piece * order::pieces_of_part) / wide, order::most_rows_of_part));
    return to.select(rows < order::least_rows_of_part, to.constant(order::least_rows_of_part, types::index), rows);
}

}  // namespace kiln::plan
