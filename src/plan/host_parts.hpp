// kiln/plan/host_parts: how many steps the CPU's order (host_order.hpp) takes through what a reduction adds up, and after how many it
// begins another part. A step is a piece of a row, or a row of columns.
// in: extents   out: counts   knows nothing of: threads, terms
#pragma once

#include <plan/ceil_div.hpp>
#include <plan/host_order.hpp>

#include <algorithm>
#include <cstdint>

namespace kiln::plan {

struct host_parts {
    std::int64_t steps;
    std::int64_t steps_of_part;
};

/// `inner` (not 0): neighbours that go, or, of columns, that stay side by side; `reduced`: all that goes.
constexpr host_parts host_parts_of(bool along_rows, std::int64_t inner, std::int64_t reduced) {
    if (along_rows) return {reduced / inner * ceil_div(inner, host_order::piece), host_order::pieces_of_part};
    return {reduced, std::clamp(host_order::piece * host_order::pieces_of_part / std::min(inner, host_order::columns),
                                host_order::least_rows_of_part, host_order::most_rows_of_part)};
}

}  // namespace kiln::plan
