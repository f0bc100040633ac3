#include <plan/row_sets.hpp>

#include <plan/reach.hpp>
#include <plan/shared_rows.hpp>

#include <bit>

namespace kiln::plan {

namespace {

using detail::array_node;
using detail::ownership;

constexpr std::uint8_t sets_mark = 0x42;
constexpr int most_arrays = 64;  // of a call
constexpr int bytes_of_vector = 16;

bool may_be_element(const row_set_member& of) {
    return of.node->owned <= ownership::view && !of.node->map && of.node->free_axis == array_node::no_axis &&
           bytes_of(of.node->type) >= 4 && of.apart > 1 && of.apart <= most_of_row_set;
}

/// Whether `first` begins rows whose other elements are there, too; then all of them are of one set.
bool make_set(std::span<row_set_member> among, const row_set_member& first) {
    if (std::bit_cast<std::uintptr_t>(first.node->data) % bytes_of_vector != 0) return false;
    row_set_member* row[most_of_row_set] = {};
    for (row_set_member& each : among) {
        if (!may_be_element(each) || each.apart != first.apart || each.node->type != first.node->type) continue;
        if (&each.node->storage() != &first.node->storage()) continue;
        const std::int64_t bytes = each.node->data - first.node->data;
        const std::int64_t place = bytes / bytes_of(first.node->type);
        if (bytes < 0 || place >= first.apart) continue;
        row[place] = &each;
    }
    for (int place = 0; place < first.apart; ++place)
        if (!row[place]) return false;
    for (int place = 0; place < first.apart; ++place) row[place]->is = {place, static_cast<int>(first.apart)};
    return true;
}

}  // namespace

bool may_have_row_sets(const reduction_sizes& of) {
    // Of four values for each thread, four blocks on each of 132 multiprocessors.
    constexpr std::int64_t enough_blocks = 528;
    return may_share_rows(of) && of.groups(4) >= enough_blocks;
}

void find_row_sets(std::span<row_set_member> among) {
    bool has_set[most_of_row_set + 1] = {};
    for (const row_set_member& each : among)
        if (may_be_element(each) && !has_set[each.apart]) has_set[each.apart] = make_set(among, each);
}

std::uint8_t* write_row_sets(bindings& call, const iteration_class& of, std::uint8_t* next) {
    if (call.aliased || call.array_count < 3 || call.array_count > most_arrays) return next;
    // Two arrays of one memory are views of it, but one: what has none is not looked at on each call.
    if (!(call.foreign & static_cast<std::uint8_t>(ownership::view))) return next;
    if (!of.division.many_values || std::popcount(of.reduced_axes) != 1 || !may_have_row_sets(call.sizes)) return next;
    row_set_member members[most_arrays];
    const std::span<row_set_member> all(members, static_cast<std::size_t>(call.array_count));
    for (int i = 0; i < call.array_count; ++i) {
        reach reached;
        find_reach(call, i, reached);
        members[i].node = call.arrays[static_cast<std::size_t>(i)];
        if (axes_in(call, reached, reached.strides) == of.reduced_axes)
            members[i].apart = merged_coefficient(call, reached, reached.strides, std::countr_zero(of.reduced_axes));
    }
    find_row_sets(all);
    bool has_set = false;
    for (const row_set_member& each : all) has_set = has_set || each.is.extent > 0;
    if (!has_set) return next;
    next = call.kind.make_room(next, all.size() + 1);
    *next++ = sets_mark;
    for (const row_set_member& each : all) *next++ = static_cast<std::uint8_t>(each.is.place << 4 | each.is.extent);
    return next;
}

// Nothing is shifted where a kernel reduces: it is kept in the place of that.
void read_row_sets(const std::uint8_t* from, const std::vector<operand*>& arrays) {
    if (*from++ != sets_mark) return;
    for (operand* const each : arrays) {
        const std::uint8_t is = *from++;
        if (is != 0) each->shifted = {static_cast<std::int8_t>(is >> 4), static_cast<std::int8_t>(is & 15)};
    }
}

row_element row_element_of(const operand& input) {
    if (input.stencil != 0 || input.shifted.size() != 2) return {};
    return {input.shifted[0], input.shifted[1]};
}

}  // namespace kiln::plan
