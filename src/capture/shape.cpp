#include <text/format.hpp>

#include <kiln/shape.hpp>

namespace kiln::inline v0_1 {

shape::shape(const std::int64_t* extents, int rank) : rank_(rank) {
    if (rank > max_rank)
        throw shape_error(text::format("kiln: shape: rank {} is past the largest, {}", rank, max_rank));
    bool empty = false;
    for (int axis = 0; axis < rank; ++axis) {
        extents_[axis] = extents[axis];
        if (extents[axis] < 0)
            throw shape_error(text::format("kiln: shape: axis {} has the negative extent {}", axis, extents[axis]));
        empty = empty || extents[axis] == 0;
    }
    if (empty) {
        size_ = 0;
        return;
    }
    for (int axis = 0; axis < rank; ++axis)
        if (__builtin_mul_overflow(size_, extents[axis], &size_))
            throw shape_error("kiln: shape: " + to_string(*this) + " has more than 2^63-1 elements");
}

std::string to_string(const shape& extents) {
    if (extents.rank() == 1) return text::format("({},)", extents[0]);
    return text::format("({})", fmt::join(extents.begin(), extents.end(), ", "));
}

}  // namespace kiln::inline v0_1
