// kiln/plan/ceil_div: how many parts of a size cover a count.
#pragma once

#include <cstdint>

namespace kiln::plan {

/// count / by, rounded up. Of numbers that are not negative, `by` not 0, whose sum an int64 holds.
constexpr std::int64_t ceil_div(std::int64_t count, std::int64_t by) noexcept { return (count + by - 1) / by; }

}  // namespace kiln::plan
