// The arithmetic of views: shapes and positions, no memory.
#include <capture/reduced.hpp>
#include <text/format.hpp>

#include <kiln/array.hpp>
#include <kiln/view_functions.hpp>
#include <kiln/view_spec.hpp>

#include <algorithm>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

struct resolved_slice {
    std::int64_t first;
    std::int64_t count;
};

/// Source: Python, slice.indices.
resolved_slice resolve(const range& slice, std::int64_t extent) {
    if (slice.step == 0) throw shape_error("kiln: range: a step of 0 never arrives");
    const bool forward = slice.step > 0;
    const std::int64_t lowest = forward ? 0 : -1;
    const std::int64_t highest = forward ? extent : extent - 1;
    const auto position = [&](std::int64_t given, std::int64_t if_open) {
        if (given == range::open) return if_open;
        if (given < 0) given += extent;
        return given < lowest ? lowest : given > highest ? highest : given;
    };
    const std::int64_t begin = position(slice.begin, forward ? lowest : highest);
    const std::int64_t end = position(slice.end, forward ? highest : lowest);
    const std::int64_t distance = forward ? end - begin : begin - end;
    if (distance <= 0) return {0, 0};
    // -(step + 1) + 1, unsigned: the most negative step has no positive counterpart.
    const std::uint64_t stride =
        forward ? static_cast<std::uint64_t>(slice.step) : static_cast<std::uint64_t>(-(slice.step + 1)) + 1;
    return {begin, static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / stride) + 1};
}

/// Every axis stays where it is.
view_spec identity(const shape& from) {
    view_spec out;
    out.from = from;
    out.to = from;
    for (int axis = 0; axis < from.rank(); ++axis) {
        out.step[axis] = 1;
        out.to_axis[axis] = axis;
    }
    return out;
}

shape with_extent(const shape& of, int axis, std::int64_t extent) {
    std::int64_t extents[max_rank];
    std::copy(of.begin(), of.end(), extents);
    extents[axis] = extent;
    return {extents, of.rank()};
}

}  // namespace

namespace {

/// "1 axis", "3 axes"
std::string axes_text(int count) { return text::format("{} {}", count, count == 1 ? "axis" : "axes"); }

}  // namespace

int resolve_axis(int number, int rank, const char* who) {
    const int resolved = number < 0 ? number + rank : number;
    if (resolved < 0 || resolved >= rank)
        throw shape_error(
            text::format("kiln: {}: axis {} of an expression with {}{}", who, number, axes_text(rank),
                         rank == 0 ? std::string() : text::format(", which are {} to {}", -rank, rank - 1)));
    return resolved;
}

shape broadcast_shapes(const shape& left, const shape& right, const char* of) {
    const int rank = std::max(left.rank(), right.rank());
    std::int64_t extents[max_rank];
    for (int axis = 0; axis < rank; ++axis) {
        const int in_left = axis - (rank - left.rank());
        const int in_right = axis - (rank - right.rank());
        const std::int64_t a = in_left < 0 ? 1 : left[in_left];
        const std::int64_t b = in_right < 0 ? 1 : right[in_right];
        if (a != b && a != 1 && b != 1)
            throw shape_error(text::format("kiln: {} {} and {} do not broadcast: from the right, {} meets {}", of,
                                           to_string(left), to_string(right), a, b));
        extents[axis] = a == 1 ? b : a;
    }
    return {extents, rank};
}

view_spec sliced(const shape& from, std::span<const index_item> items) {
    const auto uses_axis = [](const index_item& item) { return item.what != index_item::kind::new_axis; };
    const auto used = static_cast<int>(std::count_if(items.begin(), items.end(), uses_axis));
    if (used > from.rank())
        throw shape_error(text::format("kiln: an index of {} into shape {}, which has {}", axes_text(used),
                                       to_string(from), axes_text(from.rank())));
    view_spec out;
    out.from = from;
    std::int64_t extents[max_rank];
    int rank = 0;
    int axis = 0;
    const auto add = [&](std::int64_t extent) {
        if (rank == max_rank) throw shape_error(text::format("kiln: an index that makes more than {} axes", max_rank));
        extents[rank] = extent;
        return rank++;
    };
    const auto slice = [&](const range& of) {
        const resolved_slice part = resolve(of, from[axis]);
        out.start[axis] = part.first;
        out.step[axis] = part.count > 1 ? of.step : 1;
        out.to_axis[axis++] = add(part.count);
    };
    for (const index_item& item : items) {
        switch (item.what) {
            case index_item::kind::new_axis: add(1); break;
            case index_item::kind::part: slice(item.slice); break;
            case index_item::kind::position: {
                const std::int64_t at = item.position < 0 ? item.position + from[axis] : item.position;
                if (at < 0 || at >= from[axis])
                    throw shape_error(
                        text::format("kiln: position {} on axis {} of shape {}", item.position, axis, to_string(from)));
                out.start[axis] = at;
                out.to_axis[axis++] = -1;
                break;
            }
        }
    }
    while (axis < from.rank()) slice(all);
    out.to = shape(extents, rank);
    return out;
}

view_spec permuted(const shape& from, std::span<const int> order) {
    view_spec out;
    out.from = from;
    std::int64_t extents[max_rank];
    bool seen[max_rank] = {};
    const auto wrong = [&] {
        return shape_error(text::format("kiln: transpose: ({}) is no order of the axes of shape {}",
                                        fmt::join(order, ", "), to_string(from)));
    };
    if (static_cast<int>(order.size()) != from.rank()) throw wrong();
    for (int axis = 0; axis < from.rank(); ++axis) {
        const int given = order[static_cast<std::size_t>(axis)];
        const int source = given < 0 ? given + from.rank() : given;
        if (source < 0 || source >= from.rank() || seen[source]) throw wrong();
        seen[source] = true;
        extents[axis] = from[source];
        out.step[source] = 1;
        out.to_axis[source] = axis;
    }
    out.to = shape(extents, from.rank());
    return out;
}

view_spec reversed_axes(const shape& from) {
    int order[max_rank];
    for (int axis = 0; axis < from.rank(); ++axis) order[axis] = from.rank() - 1 - axis;
    return permuted(from, {order, static_cast<std::size_t>(from.rank())});
}

void require_broadcast(const shape& from, const shape& to, const char* who) {
    bool fits = from.rank() <= to.rank();
    for (int axis = 0; fits && axis < from.rank(); ++axis)
        fits = from[axis] == 1 || from[axis] == to[axis + to.rank() - from.rank()];
    if (!fits)
        throw shape_error(
            text::format("kiln: {}: shape {} does not broadcast to {}", who, to_string(from), to_string(to)));
}

view_spec broadcast(const shape& from, const shape& to) {
    require_broadcast(from, to, "broadcast_to");
    // So that k::index() counts along the axes that are given: its own shape has none.
    if (from.rank() == 0) return identity(to);
    view_spec out;
    out.from = from;
    out.to = to;
    for (int axis = 0; axis < from.rank(); ++axis) {
        const int target = axis + to.rank() - from.rank();
        out.step[axis] = from[axis] == to[target] ? 1 : 0;
        out.to_axis[axis] = target;
    }
    return out;
}

view_spec flipped(const shape& from, const axis_list& over) {
    view_spec out = identity(from);
    const std::uint8_t axes = reduced_axes(from, over, "flip");
    for (int axis = 0; axis < from.rank(); ++axis) {
        if (!(axes >> axis & 1)) continue;
        out.start[axis] = std::max<std::int64_t>(0, from[axis] - 1);
        out.step[axis] = -1;
    }
    return out;
}

view_spec sliced_along(const shape& from, axis along, const index_item& item, const char* who) {
    std::vector<index_item> items(static_cast<std::size_t>(from.rank()), all);
    items[static_cast<std::size_t>(resolve_axis(along.number, from.rank(), who))] = item;
    return sliced(from, items);
}

view_spec with_new_axis(const shape& from, axis at, const char* who) {
    std::vector<index_item> items(static_cast<std::size_t>(from.rank()) + 1, all);
    items[static_cast<std::size_t>(resolve_axis(at.number, from.rank() + 1, who))] = newaxis;
    return sliced(from, items);
}

view_spec squeezed(const shape& from, const axis_list& over) {
    const std::uint8_t axes = reduced_axes(from, over, "squeeze");
    std::vector<index_item> items(static_cast<std::size_t>(from.rank()), all);
    for (int axis = 0; axis < from.rank(); ++axis) {
        if (!(axes >> axis & 1) || (over.all() && from[axis] != 1)) continue;
        if (from[axis] != 1)
            throw shape_error(text::format("kiln: squeeze: axis {} of shape {} has more than one element, or none",
                                           axis, to_string(from)));
        items[static_cast<std::size_t>(axis)] = 0;
    }
    return sliced(from, items);
}

namespace {

/// Elements of each axis in the whole of another one, or it in theirs.
repeated repeated_axes(const shape& from, const shape& counts, bool whole, const char* who) {
    const int rank = std::max(from.rank(), counts.rank());
    std::vector<std::int64_t> apart;
    std::vector<std::int64_t> longer;
    std::vector<std::int64_t> together;
    for (int axis = 0; axis < rank; ++axis) {
        const int own = axis - (rank - from.rank());
        const int counted = axis - (rank - counts.rank());
        const std::int64_t extent = own < 0 ? 1 : from[own];
        const std::int64_t count = counted < 0 ? 1 : counts[counted];
        if (count != 1 && whole) apart.push_back(1), longer.push_back(count);
        apart.push_back(extent), longer.push_back(extent);
        if (count != 1 && !whole) apart.push_back(1), longer.push_back(count);
        together.push_back(shape{extent, count}.size());
    }
    if (apart.size() > max_rank)
        throw shape_error(
            text::format("kiln: {}: the axes of shape {} and those that are repeated are {}; {} are the most", who,
                         to_string(from), apart.size(), max_rank));
    const view_spec first = reshaped(from, shape(apart));
    const view_spec second = broadcast(first.to, shape(longer));
    return {first, second, reshaped(second.to, shape(together))};
}

}  // namespace

repeated tiled(const shape& from, const shape& counts) { return repeated_axes(from, counts, /*whole=*/true, "tile"); }

repeated repeated_along(const shape& from, std::int64_t count, axis along) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(from.rank()), 1);
    counts[static_cast<std::size_t>(resolve_axis(along.number, from.rank(), "repeat"))] = count;
    if (count < 0) throw shape_error(text::format("kiln: repeat: {} times", count));
    return repeated_axes(from, shape(counts), /*whole=*/false, "repeat");
}

view_spec diagonal_of(const shape& from, std::int64_t offset, int axis1, int axis2) {
    const int first = resolve_axis(axis1, from.rank(), "diagonal");
    const int second = resolve_axis(axis2, from.rank(), "diagonal");
    if (first == second)
        throw shape_error(
            text::format("kiln: diagonal: axes {} and {} of shape {} are the same", axis1, axis2, to_string(from)));
    view_spec out;
    out.from = from;
    std::int64_t extents[max_rank];
    int rank = 0;
    for (int axis = 0; axis < from.rank(); ++axis) {
        out.step[axis] = 1;
        if (axis == first || axis == second) continue;
        out.to_axis[axis] = rank;
        extents[rank++] = from[axis];
    }
    out.start[first] = std::max<std::int64_t>(0, -offset);
    out.start[second] = std::max<std::int64_t>(0, offset);
    out.to_axis[first] = out.to_axis[second] = rank;
    extents[rank++] =
        std::max<std::int64_t>(0, std::min(from[first] - out.start[first], from[second] - out.start[second]));
    out.to = shape(extents, rank);
    if (extents[rank - 1] == 0) out.start[first] = out.start[second] = 0;
    return out;
}

shape resolve_reshape(const shape& from, std::span<const std::int64_t> wanted) {
    std::int64_t extents[max_rank];
    const auto wrong = [&] {
        return shape_error(text::format("kiln: reshape: the {} elements of shape {} do not fill ({}{})", from.size(),
                                        to_string(from), fmt::join(wanted, ", "), wanted.size() == 1 ? "," : ""));
    };
    if (wanted.size() > max_rank) throw wrong();
    std::int64_t known = 1;
    int open_axis = -1;
    for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
        extents[axis] = wanted[axis];
        if (wanted[axis] == -1) {
            if (open_axis >= 0)
                throw shape_error(
                    text::format("kiln: reshape: one extent may be -1, whatever is left; of ({}) more are",
                                 fmt::join(wanted, ", ")));
            open_axis = static_cast<int>(axis);
        } else if (wanted[axis] < 0 || __builtin_mul_overflow(known, wanted[axis], &known)) {
            throw wrong();
        }
    }
    if (open_axis >= 0) {
        if (known == 0 || from.size() % known != 0) throw wrong();
        extents[open_axis] = from.size() / known;
    }
    const shape out(extents, static_cast<int>(wanted.size()));
    if (out.size() != from.size()) throw wrong();
    return out;
}

view_spec reshaped(const shape& from, const shape& to) {
    view_spec out;
    out.how = view_spec::kind::reshaped;
    out.from = from;
    out.to = to;
    return out;
}

namespace {

std::int64_t modulo(std::int64_t value, std::int64_t period) {
    const std::int64_t rest = value % period;
    return rest < 0 ? rest + period : rest;
}

/// Steps that kernels compute want their input in one period. Source: capture/index_map.hpp.
std::int64_t offset_for(view_spec::kind how, std::int64_t by, std::int64_t length, std::int64_t extent) {
    if (length == 0) return 0;
    if (how == view_spec::kind::wrapped) return modulo(-(by % length), length);
    if (how == view_spec::kind::mirrored) return length == 1 ? 0 : -modulo(by, 2 * (length - 1));
    // Past the far end everything is the last element: a larger shift is the same shift.
    return -std::clamp(by, -length, std::max(extent, length));
}

}  // namespace

view_spec shifted(view_spec::kind how, const shape& from, std::span<const std::int64_t> by) {
    if (static_cast<int>(by.size()) != from.rank())
        throw shape_error(
            text::format("kiln: shift: {} for shape {}, which has {}; each has a distance, which may be 0",
                         by.size() == 1 ? "1 distance" : text::format("{} distances", by.size()), to_string(from),
                         axes_text(from.rank())));
    view_spec out = identity(from);
    out.how = how;
    for (int axis = 0; axis < from.rank(); ++axis) {
        const std::int64_t distance = by[static_cast<std::size_t>(axis)];
        out.moves[axis] = distance != 0;
        out.offset[axis] = offset_for(how, distance, from[axis], from[axis]);
    }
    return out;
}

view_spec rolled(const shape& from, std::span<const std::int64_t> by, std::span<const int> along) {
    if (by.size() != along.size())
        throw shape_error(text::format("kiln: roll: {} distances along {} of shape {}", by.size(),
                                       axes_text(static_cast<int>(along.size())), to_string(from)));
    std::int64_t distances[max_rank] = {};
    for (std::size_t i = 0; i < by.size(); ++i) {
        const int axis = resolve_axis(along[i], from.rank(), "roll");
        std::int64_t& distance = distances[axis];
        // Modulo the extent: a sum of two could be past the largest number.
        if (distance == 0) distance = by[i];
        else if (from[axis] > 0) distance = (distance % from[axis] + by[i] % from[axis]) % from[axis];
    }
    return shifted(view_spec::kind::wrapped, from, {distances, static_cast<std::size_t>(from.rank())});
}

view_spec placed(const shape& from, std::int64_t begin, int along, std::int64_t extent) {
    view_spec out = identity(from);
    out.how = view_spec::kind::clamped;
    out.moves[along] = true;
    out.offset[along] = offset_for(out.how, begin, from[along], extent);
    out.to = with_extent(from, along, extent);
    return out;
}

view_spec padded(const shape& from, std::span<const pad_widths> widths, padding what) {
    if (static_cast<int>(widths.size()) != from.rank())
        throw shape_error(text::format("kiln: pad: {} pairs of widths for shape {}, which has {}", widths.size(),
                                       to_string(from), axes_text(from.rank())));
    view_spec out = identity(from);
    out.how = view_spec::kind::clamped;
    for (int axis = 0; axis < from.rank(); ++axis) {
        const auto [before, after] = widths[static_cast<std::size_t>(axis)];
        if (before < 0 || after < 0)
            throw shape_error(
                text::format("kiln: pad: {} and {} more elements along axis {} of shape {}: a width is not "
                             "negative; k::slice takes elements away",
                             before, after, axis, to_string(from)));
        std::int64_t extent = from[axis];
        if (__builtin_add_overflow(extent, before, &extent) || __builtin_add_overflow(extent, after, &extent))
            throw shape_error(text::format("kiln: pad: {} and {} more elements along axis {} of shape {} are too many",
                                           before, after, axis, to_string(from)));
        if (what == padding::outermost && from[axis] == 0 && extent > 0)
            throw shape_error(text::format("kiln: pad: axis {} of shape {} has no element that could stand for others",
                                           axis, to_string(from)));
        out.moves[axis] = extent != from[axis];
        out.offset[axis] = offset_for(out.how, before, from[axis], extent);
        out.to = with_extent(out.to, axis, extent);
    }
    return out;
}

void check_stacked(const shape* parts, int count) {
    for (int i = 1; i < count; ++i)
        if (!(parts[i] == parts[0]))
            throw shape_error(
                text::format("kiln: stack: shapes {} and {} differ", to_string(parts[0]), to_string(parts[i])));
}

shape join_shapes(const shape* parts, std::int64_t* begin, int count, int along, int& resolved) {
    resolved = resolve_axis(along, parts[0].rank(), "concatenate");
    std::int64_t total = 0;
    for (int i = 0; i < count; ++i) {
        bool fits = parts[i].rank() == parts[0].rank();
        for (int axis = 0; fits && axis < parts[0].rank(); ++axis)
            fits = axis == resolved || parts[i][axis] == parts[0][axis];
        if (!fits)
            throw shape_error(text::format("kiln: concatenate: shapes {} and {} differ beside axis {}",
                                           to_string(parts[0]), to_string(parts[i]), resolved));
        begin[i] = total;
        total += parts[i][resolved];
    }
    return with_extent(parts[0], resolved, total);
}

void require_fits(const shape& target, const shape& added) { require_broadcast(added, target, "in place"); }

view_spec gather_view(const shape& from, const shape& index, int along) {
    view_spec out;
    out.how = view_spec::kind::gather;
    out.from = from;
    out.along = along;
    const int rank = from.rank() - 1 + index.rank();
    if (rank > max_rank)
        throw shape_error(text::format("kiln: take: shape {} by an index of shape {} has more than {} axes",
                                       to_string(from), to_string(index), max_rank));
    if (from[along] == 0 && index.size() > 0)
        throw shape_error(text::format("kiln: take: axis {} of shape {} has no elements", along, to_string(from)));
    std::int64_t extents[max_rank];
    int next = 0;
    for (int axis = 0; axis < from.rank(); ++axis) {
        out.step[axis] = 1;
        out.to_axis[axis] = next;
        if (axis == along) {
            out.to_axis[axis] = -1;
            for (const std::int64_t extent : index) extents[next++] = extent;
        } else {
            extents[next++] = from[axis];
        }
    }
    out.to = shape(extents, rank);
    return out;
}

view_spec index_of_gather(const view_spec& of, const shape& index) {
    view_spec out;
    out.from = index;
    out.to = of.to;
    for (int axis = 0; axis < index.rank(); ++axis) {
        out.step[axis] = 1;
        out.to_axis[axis] = of.along + axis;
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail