#include <plan/mirrored.hpp>

#include <plan/reach.hpp>

namespace kiln::plan {

bool is_mirrored(const call_values& call, int rows, int columns) {
    if (call.array_count != 2 || call.extents[rows] != call.extents[columns]) return false;
    const detail::array_node& left = *call.node(0);
    const detail::array_node& right = *call.node(1);
    if (left.data != right.data || left.type != right.type) return false;
    for (const detail::array_node* each : {&left, &right})
        if (each->map || each->owned == detail::ownership::position) return false;
    reach of_left, of_right;
    find_reach(call, 0, of_left);
    find_reach(call, 1, of_right);
    for (int axis = 0; axis < call.rank; ++axis) {
        const int other = axis == rows ? columns : axis == columns ? rows : axis;
        if (merged_coefficient(call, of_left, of_left.strides, axis) !=
            merged_coefficient(call, of_right, of_right.strides, other))
            return false;
    }
    return true;
}

}  // namespace kiln::plan
