#include <plan/host_order.hpp>

#include <plan/schedule.hpp>

namespace kiln::plan {

bool host_row_fits(const shape& whole, std::uint8_t axes, int bytes) {
    constexpr std::int64_t most_bytes = 64 * 1024;
    std::int64_t reduced = 1;
    bool outside = false;  // of the innermost axes that go
    for (int axis = whole.rank(); axis-- > 0;) {
        if (whole[axis] == 1) continue;
        const bool goes = axes >> axis & 1;
        if (goes && outside) return false;
        outside = outside || !goes;
        if (goes) reduced *= whole[axis];
    }
    return reduced > longest_short_row && reduced <= host_order::piece * host_order::pieces_of_part &&
           reduced * bytes <= most_bytes;
}

}  // namespace kiln::plan
