#include <capture/scan_beside.hpp>

namespace kiln::inline v0_1::detail {

namespace {

/// One stride of neighbouring axes, by way of those that have more than one element.
class taken_together {
public:
    /// From the innermost axis on.
    void add(std::int64_t extent, std::int64_t stride) {
        if (extent == 1) return;
        if (extent_ == 1) stride_ = stride;
        else if (stride != stride_ * extent_) bends_ = true;
        extent_ *= extent;
    }
    [[nodiscard]] bool bends() const { return bends_; }
    [[nodiscard]] std::int64_t stride() const { return stride_; }

private:
    std::int64_t extent_ = 1;
    std::int64_t stride_ = 0;
    bool bends_ = false;
};

}  // namespace

std::optional<scan_beside> beside_scan(const array_node& node, const shape& of, int axis) noexcept {
    if (node.map || node.free_axis != array_node::no_axis || node.extents.rank() > of.rank()) return {};
    taken_together outer, count, inner;
    const int missing = of.rank() - node.extents.rank();
    for (int each = of.rank(); each-- > 0;) {
        const int own = each - missing;
        if (own >= 0 && node.extents[own] != 1 && node.extents[own] != of[each]) return {};
        const std::int64_t stride = own < 0 || node.extents[own] == 1 ? 0 : node.strides[own];
        (each < axis ? outer : each == axis ? count : inner).add(of[each], stride);
    }
    if (outer.bends() || inner.bends()) return {};
    return scan_beside{outer.stride(), count.stride(), inner.stride()};
}

}  // namespace kiln::inline v0_1::detail
