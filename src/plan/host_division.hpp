// kiln/plan/host_division: a reduction on the CPU as values and what they are of, as far as its order (host_order.hpp) knows them.
// in: a shape and which of its axes go   out: sizes   knows nothing of: threads, terms
#pragma once

#include <kiln/shape.hpp>

#include <cstdint>

namespace kiln::plan {

struct host_division {
    host_division(const shape& whole, std::uint8_t axes);

    [[nodiscard]] bool has_parts() const noexcept { return steps > steps_of_part; }

    bool along_rows = true;
    std::int64_t kept = 1;
    std::int64_t reduced = 1;
    std::int64_t inner = 1;  // neighbours of one value, or values side by side
    std::int64_t steps = 1;
    std::int64_t steps_of_part = 1;
    int outermost = -1;  // of the axes that go; -1: none has elements to add up
};

}  // namespace kiln::plan
