// kiln/device/cpu/reduced_axes: the iteration of a reduction on the CPU as values and what they are of: neighbours that all go or all stay, and
// the axes outside of them.
// in: extents, which axes go   out: sizes, and where elements are among all   knows nothing of: kernels, threads, the order
#pragma once

#include <device/device.hpp>

#include <cstdint>
#include <vector>

namespace kiln::backend {

struct axis_walk {
    std::int64_t extent;
    std::int64_t stride;
};

/// Where element `number` of these axes, row-major, is among all elements.
inline std::int64_t place_of(const std::vector<axis_walk>& axes, std::int64_t number) {
    std::int64_t place = 0;
    for (std::size_t i = axes.size(); i-- > 0;) {
        place += number % axes[i].extent * axes[i].stride;
        number /= axes[i].extent;
    }
    return place;
}

struct reduced_axes {
    explicit reduced_axes(const reduced_iteration& of) {
        std::int64_t stride = 1;
        bool is_inner = true;
        bool last_goes = false;  // of the axes so far, the outermost
        for (int axis = of.extents->rank(); axis-- > 0;) {
            const std::int64_t extent = (*of.extents)[axis];
            if (extent == 1) continue;
            const bool goes = of.axes >> axis & 1;
            (goes ? reduced : kept) *= extent;
            if (stride == 1) along_rows = goes;
            is_inner = is_inner && goes == along_rows;
            std::vector<axis_walk>& outer = goes ? outer_reduced : outer_kept;
            if (is_inner) inner *= extent;
            else if (!outer.empty() && last_goes == goes) outer.front().extent *= extent;
            else outer.insert(outer.begin(), {extent, stride});
            stride *= extent;
            last_goes = goes;
        }
    }

    /// Of columns: how many rows of them follow each other.
    [[nodiscard]] std::int64_t beside_inner() const { return outer_reduced.empty() ? 1 : outer_reduced.back().extent; }

    std::int64_t kept = 1;
    std::int64_t reduced = 1;
    std::int64_t inner = 1;  // neighbours that belong to one value, or to as many values
    bool along_rows = true;
    /// Outermost first; those of one kind take turns with those of the other.
    std::vector<axis_walk> outer_kept;
    std::vector<axis_walk> outer_reduced;
};

}  // namespace kiln::backend
