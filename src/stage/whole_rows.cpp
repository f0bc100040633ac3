#include <stage/whole_rows.hpp>

#include <capture/reduced.hpp>
#include <capture/viewed.hpp>

#include <bit>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

constexpr std::int64_t vector_bytes = 16;

shape without_ones(const shape& of) {
    std::int64_t extents[max_rank];
    int rank = 0;
    for (int axis = 0; axis < of.rank(); ++axis)
        if (of[axis] != 1) extents[rank++] = of[axis];
    return shape(extents, rank);
}

/// Axes of extent 1 go.
view_spec dropped_ones(const shape& from) {
    std::vector<index_item> items;
    for (int axis = 0; axis < from.rank(); ++axis) {
        if (from[axis] == 1) items.emplace_back(0);
        else items.emplace_back(all);
    }
    return sliced(from, items);
}
/// And come back.
view_spec added_ones(const shape& from, const shape& to) {
    std::vector<index_item> items;
    for (int axis = 0; axis < to.rank(); ++axis) {
        if (to[axis] == 1) items.emplace_back(newaxis);
        else items.emplace_back(all);
    }
    return sliced(from, items);
}

/// The last axis changes places with `axis`.
view_spec with_last(const shape& from, int axis) {
    int order[max_rank];
    for (int i = 0; i < from.rank(); ++i) order[i] = i;
    std::swap(order[axis], order[from.rank() - 1]);
    return permuted(from, {order, static_cast<std::size_t>(from.rank())});
}

}  // namespace

bool has_whole_rows(const array_node& of) {
    const std::int64_t bytes = bytes_of(of.type);
    bool has_row = false;
    bool is_whole = std::bit_cast<std::uintptr_t>(of.data) % vector_bytes == 0;
    for (int axis = 0; axis < of.extents.rank(); ++axis) {
        if (of.extents[axis] == 1) continue;
        const std::int64_t apart = of.strides[axis];
        if (apart == 0) return true;
        if (apart == 1 && !has_row) has_row = true;
        else is_whole = is_whole && apart * bytes % vector_bytes == 0;
    }
    return has_row && is_whole;
}

whole_rows::whole_rows(const handle<term>& of)
    : of_(of), extents_(broadcast_leaves(of)), kept_(without_ones(extents_)) {
    row_ = kept_.rank() - 1;
    if (of.get()->what == term::kind::array) {
        const array_node& node = *of.get()->node.get();
        int kept = 0;
        for (int axis = 0; axis < extents_.rank(); ++axis) {
            if (extents_[axis] == 1) continue;
            if (node.strides[axis] == 1) row_ = kept;
            ++kept;
        }
    }
    // Of words whose bits are counted, whole lines of the caches: 6000 rows of 250 take an H100 163 us at 256, 176 at 252.
    constexpr std::int64_t line_bytes = 128;
    const element_type type = of.get()->type;
    const bool is_words = kind_of(type) == element_kind::integer;
    const std::int64_t whole = (is_words ? line_bytes : vector_bytes) / bytes_of(type);
    filled_ = (kept_[row_] + whole - 1) / whole * whole;
}

handle<term> whole_rows::computed() const {
    handle<term> out = seen_through(of_, dropped_ones(extents_));
    const view_spec turned = with_last(kept_, row_);
    out = seen_through(out, turned);
    if (filled_ == kept_[row_]) return out;
    pad_widths widths[max_rank] = {};
    widths[kept_.rank() - 1].after = filled_ - kept_[row_];
    return seen_through(out, padded(turned.to, {widths, static_cast<std::size_t>(kept_.rank())}, padding::outermost));
}

handle<array_node> whole_rows::seen_in(const handle<array_node>& made) const {
    std::vector<index_item> items(static_cast<std::size_t>(kept_.rank()) - 1, all);
    items.push_back(range(0, kept_[row_]));
    const handle<array_node> rows = viewed(made, sliced(made.get()->extents, items));
    const handle<array_node> kept = viewed(rows, with_last(rows.get()->extents, row_));
    return viewed(kept, added_ones(kept_, extents_));
}

bool have_one_copy(const whole_rows& left, const whole_rows& right) {
    if (left.of_.get()->what != term::kind::array || right.of_.get()->what != term::kind::array) return false;
    const array_node& one = *left.of_.get()->node.get();
    const array_node& other = *right.of_.get()->node.get();
    if (&one.storage() != &other.storage() || one.data != other.data || one.type != other.type) return false;
    if (one.map || other.map || !(left.kept_ == right.kept_) || left.row_ != right.row_) return false;
    std::vector<std::int64_t> strides[2];
    for (int i = 0; i < 2; ++i) {
        const array_node& node = i ? other : one;
        for (int axis = 0; axis < node.extents.rank(); ++axis)
            if (node.extents[axis] != 1) strides[i].push_back(node.strides[axis]);
    }
    return strides[0] == strides[1];
}

}  // namespace kiln::inline v0_1::detail
