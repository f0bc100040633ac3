// A view of one leaf: its strides, and where they do not suffice its map, after a view of the expression that it is in.
#include <capture/viewed.hpp>
#include <process/immortal.hpp>

#include <kiln/view_functions.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

/// A position that starts elsewhere than at 0 is not: alignment is asked of contiguous operands' data.
bool is_contiguous(const array_node& view) noexcept {
    return !view.map && is_row_major(view) && !(view.owned == ownership::position && view.data);
}

/// A node's linear forms by the axes of the expression's shape (the node's own are the last of them), then by those of
/// the view.
class viewer {
public:
    viewer(const handle<array_node>& of, const view_spec& by) : of_(of), by_(by) {
        address_ = spread(of.get()->strides);
        if (!of.get()->map) return;
        map_ = *of.get()->map;
        for (index_step& each : map_.steps) {
            const linear_form before = each.input;
            each.input = spread(before.axis);
            each.input.offset = before.offset;
            each.input.steps = before.steps;
        }
        address_.steps = map_.address;
    }

    handle<array_node> run() {
        switch (by_.how) {
            case view_spec::kind::affine: substitute_affine(); break;
            case view_spec::kind::wrapped: move(index_step::kind::wrap); break;
            case view_spec::kind::clamped: move(index_step::kind::clamp); break;
            case view_spec::kind::mirrored: move(index_step::kind::mirror); break;
            case view_spec::kind::reshaped: reshape(); break;
            case view_spec::kind::gather: gather(); break;
        }
        return made();
    }

private:
    /// Coefficients by the node's axes to coefficients by the expression's. Where the node is broadcast they are 0.
    [[nodiscard]] linear_form spread(const std::int64_t* by_node_axis) const {
        linear_form out;
        const shape& own = of_.get()->extents;
        const int missing = by_.from.rank() - own.rank();
        for (int axis = 0; axis < own.rank(); ++axis)
            out.axis[axis + missing] = own[axis] == 1 ? 0 : by_node_axis[axis];
        return out;
    }

    template <class Change>
    void each_form(Change change) {
        for (index_step& each : map_.steps) change(each.input);
        change(address_);
    }

    [[nodiscard]] bool depends_on(int axis) {
        bool depends = false;
        each_form([&](const linear_form& form) { depends |= form.axis[axis] != 0; });
        return depends;
    }

    void substitute_affine() {
        each_form([this](linear_form& form) {
            linear_form out;
            out.offset = form.offset;
            out.steps = std::move(form.steps);
            for (int axis = 0; axis < by_.from.rank(); ++axis) {
                out.offset += form.axis[axis] * by_.start[axis];
                if (by_.to_axis[axis] >= 0) out.axis[by_.to_axis[axis]] += form.axis[axis] * by_.step[axis];
            }
            form = std::move(out);
        });
    }

    // New steps depend on positions alone, so they go first; what stood first moves back.
    void insert_steps(std::vector<index_step> added) {
        const auto room = static_cast<std::ptrdiff_t>(added.size());
        each_form(
            [room](linear_form& form) { form.steps.insert(form.steps.begin(), static_cast<std::size_t>(room), 0); });
        for (index_step& each : added) each.input.steps.assign(added.size(), 0);
        map_.steps.insert(map_.steps.begin(), std::make_move_iterator(added.begin()),
                          std::make_move_iterator(added.end()));
    }

    void move(index_step::kind how) {
        for (int along = 0; along < by_.from.rank(); ++along) {
            if (!by_.moves[along] || !depends_on(along)) continue;
            index_step added{how, by_.from[along], {}, -1};
            added.input.offset = by_.offset[along];
            added.input.axis[along] = 1;
            insert_steps({std::move(added)});
            substitute_first_step(along);
        }
    }

    /// Everything that was linear in the position along an axis is linear in the first step's value. (Not that step.)
    void substitute_first_step(int along) {
        bool is_first = true;
        each_form([&](linear_form& form) {
            if (!std::exchange(is_first, false)) form.steps[0] += std::exchange(form.axis[along], 0);
        });
    }

    void gather() {
        insert_steps({index_step{index_step::kind::lookup, by_.from[by_.along], {}, map_.lookup_count++}});
        substitute_first_step(by_.along);
        substitute_affine();
    }

    void reshape() {
        if (by_.to.size() == 0) return reshape_nothing();
        if (map_.steps.empty() && reshape_by_strides()) return;
        reshape_by_division();
    }

    /// No element is ever read; groups of axes could not be told apart by their counts.
    void reshape_nothing() {
        each_form([](linear_form& form) { std::fill(form.axis, form.axis + max_rank, 0); });
    }

    /// Axes before and after that have as many elements, from the first ones on; the fewest that do.
    struct axis_group {
        int old_first = 0, old_end = 0;
        int new_first = 0, new_end = 0;
    };
    [[nodiscard]] std::vector<axis_group> axis_groups() const {
        const shape& from = by_.from;
        const shape& to = by_.to;
        std::vector<axis_group> out;
        axis_group at;
        while (at.old_end < from.rank() || at.new_end < to.rank()) {
            at.old_first = at.old_end;
            at.new_first = at.new_end;
            std::int64_t old_count = at.old_end < from.rank() ? from[at.old_end++] : 1;
            std::int64_t new_count = at.new_end < to.rank() ? to[at.new_end++] : 1;
            while (old_count != new_count) {
                if (old_count < new_count) old_count *= from[at.old_end++];
                else new_count *= to[at.new_end++];
            }
            out.push_back(at);
        }
        return out;
    }

    /// Within a group the old axes must be one stride apart.
    /// Source: what NumPy promises of reshape, a view where one exists.
    bool reshape_by_strides() {
        std::int64_t strides[max_rank] = {};
        for (const axis_group& each : axis_groups()) {
            std::int64_t stride = 0;
            std::int64_t expected = 0;
            bool first = true;
            for (int axis = each.old_end; axis-- > each.old_first;) {
                if (by_.from[axis] == 1) continue;
                if (!first && address_.axis[axis] != expected) return false;
                if (first) stride = address_.axis[axis];
                first = false;
                expected = address_.axis[axis] * by_.from[axis];
            }
            for (int axis = each.new_end; axis-- > each.new_first;) {
                strides[axis] = stride;
                stride *= by_.to[axis];
            }
        }
        std::copy(strides, strides + max_rank, address_.axis);
        return true;
    }

    /// With those that every form goes on through from the one to the other: one position l takes the place of two.
    [[nodiscard]] std::vector<axis_group> joined_groups() {
        std::vector<axis_group> out;
        int last = -1;  // old axis of more than one element
        for (const axis_group& each : axis_groups()) {
            int first = each.old_first;
            while (first < each.old_end && by_.from[first] == 1) ++first;
            const bool joins = !out.empty() && (last < 0 || first == each.old_end || !bends_between(last, first));
            if (joins) out.back().old_end = each.old_end, out.back().new_end = each.new_end;
            else out.push_back(each);
            for (int axis = first; axis < each.old_end; ++axis)
                if (by_.from[axis] != 1) last = axis;
        }
        return out;
    }

    /// Of the row-major position l in a group of axes, the old position on its axis d is (l / below) - (l / (below * extent)) * extent:
    /// a quotient for each boundary between old axes across which some form bends.
    void reshape_by_division() {
        struct division {
            std::vector<int> axes;  // old ones, of more than one element
            std::vector<int>
                quotients;  // by axis: the step that is l by the elements from it on; -1: no form bends there
            std::int64_t to_strides[max_rank] = {};
        };
        std::vector<division> divisions;
        std::vector<index_step> added;
        for (const axis_group& group : joined_groups()) {
            division& made = divisions.emplace_back();
            std::int64_t stride = 1;
            for (int axis = group.new_end; axis-- > group.new_first;) {
                made.to_strides[axis] = stride;
                stride *= by_.to[axis];
            }
            std::int64_t below = stride;  // elements from the last old axis on
            for (int axis = group.old_first; axis < group.old_end; ++axis) {
                if (by_.from[axis] == 1) continue;
                if (!made.axes.empty()) below /= by_.from[made.axes.back()];
                const bool is_bent = !made.axes.empty() && bends_between(made.axes.back(), axis);
                made.axes.push_back(axis);
                made.quotients.push_back(is_bent ? static_cast<int>(added.size()) : -1);
                if (!is_bent) continue;
                added.push_back({index_step::kind::divide, below, {}, -1});
                std::copy(made.to_strides, made.to_strides + max_rank, added.back().input.axis);
            }
        }
        const std::size_t added_count = added.size();
        insert_steps(std::move(added));
        std::size_t step_number = 0;
        each_form([&](linear_form& form) {
            if (step_number++ < added_count) return;
            linear_form out;
            out.offset = form.offset;
            out.steps = std::move(form.steps);
            for (const division& each : divisions) {
                if (each.axes.empty()) continue;
                for (std::size_t i = 1; i < each.axes.size(); ++i)
                    if (const int step = each.quotients[i]; step >= 0)
                        out.steps[static_cast<std::size_t>(step)] += bend_between(form, each.axes[i - 1], each.axes[i]);
                for (int axis = 0; axis < by_.to.rank(); ++axis)
                    out.axis[axis] += form.axis[each.axes.back()] * each.to_strides[axis];
            }
            form = std::move(out);
        });
    }

    /// What a form goes up by from the last element along an axis to the first of the next one, less what one stride would make it.
    [[nodiscard]] std::int64_t bend_between(const linear_form& form, int before, int axis) const {
        return form.axis[before] - form.axis[axis] * by_.from[axis];
    }
    [[nodiscard]] bool bends_between(int before, int axis) {
        bool bends = false;
        each_form([&](const linear_form& form) { bends |= bend_between(form, before, axis) != 0; });
        return bends;
    }

    handle<array_node> made() {
        const array_node& of = *of_.get();
        handle<array_node> out(new array_node);
        array_node& view = *out.get();
        view.type = of.type;
        view.owned = of.owned == ownership::owner ? ownership::view : of.owned;
        view.device = of.device;
        view.extents = by_.to;
        std::copy(address_.axis, address_.axis + by_.to.rank(), view.strides);
        // Arithmetic on integers: of a position node data is no pointer.
        view.data = std::bit_cast<std::byte*>(
            std::bit_cast<std::intptr_t>(of.data) +
            (of.data || of.owned == ownership::position ? address_.offset * of.element_bytes() : 0));
        if (of.owned != ownership::position) view.base = of.base ? of.base : of_;
        if (!map_.steps.empty()) {
            map_.address = std::move(address_.steps);
            view.map = std::make_unique<const index_map>(std::move(map_));
        }
        view.contiguous = is_contiguous(view);
        return out;
    }

    const handle<array_node>& of_;
    const view_spec& by_;
    linear_form address_;
    index_map map_;
};

}  // namespace

namespace {

/// For a leaf whose elements are never chosen, but read: one of them. The call finds memory for it.
handle<array_node> one_element(element_type type, ownership like) {
    if (like == ownership::position) return make_position(shape());
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.owned = ownership::host_user;
    return made;
}

/// Takes that read it find a lookup for each of their index expressions, which then moves nothing.
handle<array_node> view_of_nothing(const array_node& of, const view_spec& by) {
    handle<array_node> made = one_element(of.type, of.owned);
    const int lookups = (of.map ? of.map->lookup_count : 0) + (by.how == view_spec::kind::gather);
    if (lookups == 0) return made;
    index_map map;
    for (int i = 0; i < lookups; ++i) map.steps.push_back({index_step::kind::lookup, 1, {}, i});
    map.address.assign(map.steps.size(), 0);
    map.lookup_count = lookups;
    for (index_step& each : map.steps) each.input.steps.assign(map.steps.size(), 0);
    made.get()->map = std::make_unique<const index_map>(std::move(map));
    made.get()->contiguous = false;
    return made;
}

}  // namespace

bool is_row_major(const array_node& node) noexcept {
    std::int64_t stride = 1;
    for (int axis = node.extents.rank(); axis-- > 0;) {
        if (node.extents[axis] != 1 && node.strides[axis] != stride) return false;
        stride *= node.extents[axis];
    }
    return true;
}

handle<array_node> viewed(const handle<array_node>& of, const view_spec& by) {
    const array_node& node = *of.get();
    if (node.free_axis != array_node::no_axis) return viewed(make_position(by.from, node.free_axis), by);
    // Positions past the end of nothing: never chosen, but read.
    if (by.from.size() == 0 && by.to.size() > 0) return view_of_nothing(node, by);
    return viewer(of, by).run();
}

namespace {

/// Of each step, whether the address comes from it.
std::vector<bool> live_steps(const index_map& of) {
    std::vector<bool> live(of.steps.size());
    for (std::size_t i = 0; i < of.address.size(); ++i) live[i] = of.address[i] != 0;
    for (std::size_t i = live.size(); i-- > 0;) {
        const std::vector<std::int64_t>& reads = of.steps[i].input.steps;
        for (std::size_t j = 0; live[i] && j < reads.size(); ++j) live[j] = live[j] || reads[j] != 0;
    }
    return live;
}

/// A list of coefficients by step to one by those steps that are live.
std::vector<std::int64_t> live_coefficients(const std::vector<std::int64_t>& of, const std::vector<bool>& live) {
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < of.size(); ++i)
        if (live[i]) out.push_back(of[i]);
    return out;
}

}  // namespace

handle<array_node> without_dead_steps(const handle<array_node>& of, std::vector<int>& live) {
    const array_node& whole = *of.get();
    if (!whole.map) return of;
    const std::vector<bool> are_live = live_steps(*whole.map);
    index_map left;
    left.address = live_coefficients(whole.map->address, are_live);
    for (std::size_t i = 0; i < are_live.size(); ++i) {
        if (!are_live[i]) continue;
        left.steps.push_back(whole.map->steps[i]);
        index_step& step = left.steps.back();
        step.input.steps = live_coefficients(step.input.steps, are_live);
        if (step.how == index_step::kind::lookup) live.push_back(step.lookup);
    }
    std::sort(live.begin(), live.end());
    if (left.steps.size() == are_live.size()) return of;
    left.lookup_count = static_cast<int>(live.size());
    for (index_step& each : left.steps)
        if (each.how == index_step::kind::lookup)
            each.lookup = static_cast<int>(std::find(live.begin(), live.end(), each.lookup) - live.begin());
    handle<array_node> made(new array_node);
    array_node& view = *made.get();
    view.type = whole.type;
    view.owned = whole.owned;
    view.device = whole.device;
    view.extents = whole.extents;
    std::copy(whole.strides, whole.strides + whole.extents.rank(), view.strides);
    view.data = whole.data;
    view.base = whole.base;
    if (!left.steps.empty()) view.map = std::make_unique<const index_map>(std::move(left));
    view.contiguous = is_contiguous(view);
    return made;
}

handle<array_node> make_position(const shape& extents) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = element_type::int64;
    node.owned = ownership::position;
    node.extents = extents;
    set_contiguous_strides(node);
    return made;
}

handle<array_node> make_position(const shape& extents, int along) {
    handle<array_node> made = make_position(extents);
    array_node& node = *made.get();
    std::fill(node.strides, node.strides + extents.rank(), 0);
    node.strides[resolve_axis(along, extents.rank(), "index")] = 1;
    node.contiguous = is_row_major(node);
    return made;
}

handle<array_node> make_outside(const shape& whole, const shape& from, std::span<const std::int64_t> by) {
    handle<array_node> made = make_position(whole);
    array_node& node = *made.get();
    auto map = std::make_unique<index_map>();
    std::fill(node.strides, node.strides + whole.rank(), 0);
    for (int axis = 0; axis < whole.rank(); ++axis) {
        const std::int64_t distance = by[static_cast<std::size_t>(axis)];
        if (distance == 0 && whole[axis] == from[axis]) continue;
        index_step step{index_step::kind::outside, from[axis], {}, -1};
        step.input.offset = -std::clamp(distance, -whole[axis], whole[axis]);
        step.input.axis[axis] = 1;
        map->steps.push_back(std::move(step));
        map->address.push_back(1);
    }
    for (index_step& each : map->steps) each.input.steps.resize(map->steps.size(), 0);
    if (!map->steps.empty()) node.map = std::move(map);
    node.contiguous = false;
    return made;
}

namespace {

/// Of each axis, counted from the front and from the back.
struct free_positions {
    const array_node* nodes[2 * max_rank];

    free_positions() {
        for (int axis = -max_rank; axis < max_rank; ++axis) {
            handle<array_node> node = make_position(shape());
            node.get()->free_axis = static_cast<std::int8_t>(axis);
            node.get()->contiguous = false;
            nodes[axis + max_rank] = node.release();
        }
    }
};

constinit process::immortal<free_positions> all_free_positions;

}  // namespace

const array_node* free_position(int along) { return all_free_positions().nodes[along + max_rank]; }

}  // namespace kiln::inline v0_1::detail
