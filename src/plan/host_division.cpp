#include <plan/host_division.hpp>

#include <plan/host_parts.hpp>

namespace kiln::plan {

host_division::host_division(const shape& whole, std::uint8_t axes) {
    bool is_first = true;
    bool is_inner = true;
    for (int axis = whole.rank(); axis-- > 0;) {
        if (whole[axis] == 1) continue;
        const bool goes = axes >> axis & 1;
        if (is_first) along_rows = goes;
        is_first = false;
        is_inner = is_inner && goes == along_rows;
        if (is_inner) inner *= whole[axis];
        (goes ? reduced : kept) *= whole[axis];
        if (goes) outermost = axis;
    }
    const host_parts parts = host_parts_of(along_rows, inner, reduced);
    steps = parts.steps;
    steps_of_part = parts.steps_of_part;
}

}  // namespace kiln::plan
