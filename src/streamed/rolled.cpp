#include <streamed/rolled.hpp>

#include <capture/index_map.hpp>
#include <capture/viewed.hpp>

#include <algorithm>
#include <cstdint>

namespace kiln::streamed {

namespace {

using kiln::detail::index_step;

/// Positions [begin, begin + count) along that axis of memory whose rows are `row` elements apart.
handle<array_node> rows_of(const array_node& part, int axis, std::int64_t row, std::int64_t begin, std::int64_t count) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    std::int64_t extents[max_rank];
    std::copy(part.extents.begin(), part.extents.end(), extents);
    extents[axis] = count;
    node.type = part.type;
    node.owned = part.owned;
    node.extents = shape(extents, part.extents.rank());
    std::copy(part.strides, part.strides + part.extents.rank(), node.strides);
    node.strides[axis] = row;
    node.data = part.data + begin * row * bytes_of(part.type);
    node.base = kiln::detail::share(part.storage());
    node.contiguous = kiln::detail::is_row_major(node);
    return made;
}

/// Whether the step's value is the position along that axis, wrapped around, and nothing else.
bool wraps_along(const index_step& step, const shape& extents, int axis) {
    if (step.how != index_step::kind::wrap) return false;
    for (int each = 0; each < extents.rank(); ++each)
        if (extents[each] != 1 && step.input.axis[each] != (each == axis ? 1 : 0)) return false;
    return std::all_of(step.input.steps.begin(), step.input.steps.end(), [](std::int64_t of) { return of == 0; });
}

}  // namespace

std::optional<rolled_part> rolled_part::of(const array_node& part, int axis) {
    if (!part.map || part.map->steps.size() != 1 || part.map->address.size() != 1 || part.map->lookup_count) return {};
    const index_step& step = part.map->steps.front();
    if (!wraps_along(step, part.extents, axis)) return {};
    const std::int64_t row = part.map->address.front();
    const std::int64_t begin = step.input.offset % step.extent;
    const std::int64_t count = part.extents[axis];
    if (count != 1 && part.strides[axis] != 0) return {};
    if (step.input.offset < 0 || count > step.extent) return {};
    const std::int64_t before_the_end = std::min(count, step.extent - begin);
    rolled_part out{rows_of(part, axis, row, begin, before_the_end), {}, axis};
    if (!out.first.get()->contiguous) return {};
    if (before_the_end < count) {
        out.second = rows_of(part, axis, row, 0, count - before_the_end);
        if (!out.second.get()->contiguous) return {};
    }
    return out;
}

}  // namespace kiln::streamed
