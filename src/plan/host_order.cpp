#include <plan/host_order.hpp>

#include <plan/schedule.hpp>

namespace kiln::plan {

bool host_row_fits(const shape& whole, std::uint8_t axes, int bytes) {
    constexpr std::int64_t most_bytes = 64 * 1024;
    std::int64_t reduced = 1;
    int reduced_axes = 0;
    bool outside = false;  // of the innermost axes that go
    for (int axis = whole.rank(); axis-- > 0;) {
        if (whole[axis] == 1) continue;
        const bool goes = axes >> axis & 1;
        if (goes && outside) return false;
        outside = outside || !goes;
        if (!goes) continue;
        reduced *= whole[axis];
        ++reduced_axes;
    }
    // Short ones are taken many at a time, where they are along one axis.
    const bool is_long = reduced > longest_short_row || (outside && reduced_axes == 1 && reduced > 1);
    return is_long && reduced <= host_order::piece * host_order::pieces_of_part && reduced * bytes <= most_bytes;
}

bool host_columns_fit(const shape& whole, std::uint8_t axes, int bytes) {
    constexpr int most_bytes = 8;            // of an element, of all that takes part
    constexpr std::int64_t least_rows = 16;  // of fewer, a thread has what it read before in its caches anyway
    constexpr std::int64_t least_columns = 128;
    int axis = whole.rank() - 1;
    while (axis >= 0 && whole[axis] == 1) --axis;
    if (axis < 1 || (axes >> axis & 1) || whole[axis] < least_columns) return false;
    for (--axis; axis >= 0 && whole[axis] == 1;) --axis;
    if (axis < 0 || !(axes >> axis & 1) || whole[axis] < least_rows || whole[axis] > longest_host_column) return false;
    while (--axis >= 0)
        if (whole[axis] != 1 && (axes >> axis & 1)) return false;
    return bytes <= most_bytes;
}

}  // namespace kiln::plan
