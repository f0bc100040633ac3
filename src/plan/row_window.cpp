#include <plan/row_window.hpp>

#include <plan/reach.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using detail::array_node;
using detail::ownership;

constexpr std::uint8_t groups_mark = 0x41;
constexpr int most_groups = 15;  // of a call: a byte holds a group's number from 1 on, and rows
constexpr int most_rows = 15;    // from a group's first view to its last
constexpr int most_views = 128;

/// Views so far.
struct group {
    const array_node* known = nullptr;  // one of them
    int memory = 0;
    std::int64_t stride = 0;  // of rows, in bytes
    std::int64_t first = 0;   // rows from `known`
    std::int64_t last = 0;
    int views = 0;
};

bool may_be_of_one(const array_node& node) {
    return node.owned <= ownership::view && !node.map && node.free_axis == array_node::no_axis;
}

bool walk_alike(const bindings& call, int left, int right) {
    reach a, b;
    find_reach(call, left, a);
    find_reach(call, right, b);
    for (int axis = 0; axis < call.rank; ++axis)
        if (merged_coefficient(call, a, a.strides, axis) != merged_coefficient(call, b, b.strides, axis)) return false;
    return true;
}

/// Whether the array is some rows from those of the group, all of them within most_rows; then it is of it, and `rows` says how many.
bool join(const bindings& call, group& to, int memory, const array_node& node, std::int64_t& rows) {
    if (&node.storage() != &to.known->storage() || node.type != to.known->type) return false;
    const std::int64_t apart = node.data - to.known->data;
    if (apart % to.stride != 0) return false;
    const std::int64_t from_known = apart / to.stride;
    const std::int64_t first = std::min(to.first, from_known);
    const std::int64_t last = std::max(to.last, from_known);
    if (last - first > most_rows || !walk_alike(call, to.memory, memory)) return false;
    to.first = first;
    to.last = last;
    ++to.views;
    rows = from_known;
    return true;
}

}  // namespace

std::uint8_t* write_row_groups(bindings& call, std::uint8_t* next) {
    if (call.array_count < 2 || call.array_count > most_views) return next;
    // Two arrays of one memory are views of it, but one: what has none is not looked at on each call.
    if (!(call.foreign & static_cast<std::uint8_t>(ownership::view))) return next;
    group groups[most_groups];
    int count = 0;
    struct place {
        int group = -1;
        std::int64_t rows = 0;  // from the group's known view
    };
    place places[most_views];
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& node = *call.arrays[static_cast<std::size_t>(i)];
        if (!may_be_of_one(node)) continue;
        int at = 0;
        while (at < count && !join(call, groups[at], i, node, places[i].rows)) ++at;
        if (at < count) {
            places[i].group = at;
        } else if (count < most_groups) {
            reach of;
            find_reach(call, i, of);
            const std::int64_t stride = merged_coefficient(call, of, of.strides, call.rank - 2) * bytes_of(node.type);
            if (stride <= 0) continue;
            groups[count] = {&node, i, stride, 0, 0, 1};
            places[i].group = count++;
        }
    }
    if (std::none_of(groups, groups + count, [](const group& each) { return each.views > 1; })) return next;
    next = call.kind.make_room(next, static_cast<std::size_t>(call.array_count) + 1);
    *next++ = groups_mark;
    for (int i = 0; i < call.array_count; ++i) {
        const place& each = places[i];
        const bool is_one = each.group >= 0 && groups[each.group].views > 1;
        *next++ = is_one ? static_cast<std::uint8_t>((each.group + 1) << 4 | (each.rows - groups[each.group].first))
                         : std::uint8_t{0};
    }
    return next;
}

void read_row_groups(const std::uint8_t* from, const std::vector<operand*>& arrays) {
    if (*from++ != groups_mark) return;
    for (operand* const each : arrays) {
        each->row_group = static_cast<std::int8_t>(*from >> 4);
        each->rows_from_first = static_cast<std::int8_t>(*from++ & 15);
    }
}

void forget_row_groups(kernel& into) {
    for (operand& each : into.inputs) each.row_group = 0;
}

void choose_row_groups(kernel& into) {
    // Registers of a thread: an H200 has 256 of them for each of 256 threads of one block.
    constexpr int most_words = 112;
    if (into.gathers()) return forget_row_groups(into);
    int words = 0;
    for (int number = 1; number <= most_groups; ++number) {
        int first = most_rows;
        int last = 0;
        int views = 0;
        int bytes = 0;
        const auto is_of_it = [number](const operand& each) { return each.row_group == number; };
        for (const operand& each : into.inputs) {
            if (!is_of_it(each)) continue;
            first = std::min<int>(first, each.rows_from_first);
            last = std::max<int>(last, each.rows_from_first);
            bytes = bytes_of(each.type);
            ++views;
        }
        const int rows = into.elements_per_thread;
        const int needed = (rows + last - first) * std::max(1, bytes / 4);
        const bool pays = views > 1 && last - first < (views - 1) * rows && words + needed <= most_words;
        words += pays ? needed : 0;
        for (operand& each : into.inputs) {
            if (!is_of_it(each)) continue;
            each.rows_from_first = static_cast<std::int8_t>(each.rows_from_first - first);
            if (!pays) each.row_group = 0;
        }
    }
}

std::vector<row_group> row_groups_of(const kernel& of) {
    std::vector<row_group> out(most_groups + 1);
    for (std::size_t i = 0; i < of.inputs.size(); ++i) {
        const operand& each = of.inputs[i];
        row_group& to = out[static_cast<std::size_t>(each.row_group)];
        if (each.rows_from_first == 0) to.first = i;
        to.span = std::max<int>(to.span, each.rows_from_first);
    }
    return out;
}

}  // namespace kiln::plan
