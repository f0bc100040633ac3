#include <plan/layout.hpp>

#include <plan/ceil_div.hpp>
#include <plan/mirrored.hpp>
#include <plan/partial_sums.hpp>
#include <plan/reach.hpp>
#include <plan/reduction.hpp>
#include <plan/side_by_side.hpp>
#include <plan/skewed_elements.hpp>

#include <bit>

namespace kiln::plan {

namespace {

void assign(linear_plan& to, int& next) {
    to.axis_word = next;
    next += std::popcount(static_cast<unsigned>(to.axes & ~to.unit_axes));
    for (linear_plan::step_word& each : to.steps)
        if (each.word >= 0) each.word = next++;
}

void assign(operand& to, bool wide_index, int& next) {
    if (to.how == access::contiguous || kernel::is_known(to)) return;
    if (to.is_partial) to.partial_count_word = next++;
    for (step_plan& step : to.steps) {
        step.extent_word = next++;
        if (step.how == detail::index_step::kind::lookup) continue;
        if (step.how == detail::index_step::kind::divide && !wide_index) step.divisor_word = next++;
        step.input.offset_word = next++;
        assign(step.input, next);
    }
    assign(to.address, next);
}

void fill(const linear_plan& plan, const call_values& call, const reach& of, const std::int64_t* by_axis,
          const std::vector<std::int64_t>* by_step, std::int64_t* words) {
    int word = plan.axis_word;
    for (int axis = 0; axis < call.rank; ++axis)
        if ((plan.axes & ~plan.unit_axes) >> axis & 1) words[word++] = merged_coefficient(call, of, by_axis, axis);
    for (const linear_plan::step_word& each : plan.steps)
        if (each.word >= 0) words[each.word] = (*by_step)[static_cast<std::size_t>(each.step)];
}

void fill(const operand& plan, const call_values& call, std::int64_t* words) {
    if (plan.how == access::contiguous || kernel::is_known(plan)) return;
    if (plan.is_partial) {
        words[plan.partial_count_word] = partial_count(*call.node(plan.memory));
        return;
    }
    reach of;
    find_reach(call, plan.memory, of);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const step_plan& step = plan.steps[i];
        const detail::index_step& source = of.map->steps[i];
        words[step.extent_word] = source.extent;
        if (step.how == detail::index_step::kind::lookup) continue;
        if (step.divisor_word >= 0)
            words[step.divisor_word] =
                static_cast<std::int64_t>(fast_divisor(static_cast<std::uint32_t>(source.extent)));
        words[step.input.offset_word] = source.input.offset;
        fill(step.input, call, of, source.input.axis, &source.input.steps, words);
    }
    fill(plan.address, call, of, of.strides, of.map ? &of.map->address : nullptr, words);
}

}  // namespace

void assign_words(kernel& of) {
    bool all_contiguous = true;
    for (const auto* operands : {&of.outputs, &of.inputs})
        for (const operand& each : *operands) all_contiguous = all_contiguous && each.how == access::contiguous;
    if (all_contiguous && of.mapping != thread_mapping::reduction && !of.reduces_by_itself() && !of.crossed) return;
    int next = layout_divisor(of.rank, of.rank);
    of.grid_word = next;
    next += of.mapping == thread_mapping::linear      ? 0
            : of.mapping == thread_mapping::rows      ? 3
            : of.mapping == thread_mapping::reduction ? 5
                                                      : 4;
    for (auto* operands : {&of.outputs, &of.inputs})
        for (operand& each : *operands) assign(each, of.wide_index, next);
    of.layout_words = next;
}

namespace {

/// Of rows, tiles and contractions: blocks along an axis that a block has a part of; of rows in vectors, and of those that share blocks:
/// threads.
std::int64_t blocks_along(const kernel& of, const call_values& call, int axis) {
    if (of.skewed) return threads_of_skewed_row(of.elements_per_thread, call.extents[axis]);
    if (of.vectorised) return call.extents[axis] / of.elements_per_thread;
    if (of.rows_share_blocks) return call.extents[axis];
    if (of.has_row_tables)
        return ceil_div(call.extents[axis], std::int64_t{of.threads_per_block} * of.elements_per_thread);
    if (of.mapping == thread_mapping::contraction) {
        const bool is_rows = axis == of.tile_axis;
        const std::int64_t tiles = ceil_div(call.extents[axis], is_rows ? of.contraction.rows : of.contraction.columns);
        if (!of.contraction.mirrored) return tiles;
        return is_rows ? rectangle_rows(tiles) : rectangle_columns(tiles);
    }
    return ceil_div(call.extents[axis], of.mapping == thread_mapping::tiles ? of.tile_side : of.threads_per_block);
}

std::int64_t row_count(const call_values& call) { return call.element_count / call.extents[call.rank - 1]; }

std::int64_t divisor_word(const kernel& of, std::int64_t divisor) {
    return of.wide_index ? 0 : static_cast<std::int64_t>(fast_divisor(static_cast<std::uint32_t>(divisor)));
}

}  // namespace

std::int64_t block_count(const kernel& of, const call_values& call) {
    if (of.in_tiles) {
        const int across = of.rank - 3;
        const std::int64_t neighbours = call.extents[of.has_columns() ? of.rank - 1 : of.rank - 2];
        std::int64_t outer = 1;
        for (int axis = 0; axis < across; ++axis) outer *= call.extents[axis];
        return outer * tiles_of(of, call.extents[across], neighbours);
    }
    if (of.panel.items)
        return ceil_div(call.sizes.kept, of.threads_per_block / of.threads_of_panel_column() - of.panel.overlap) *
               of.panel.blocks;
    if (of.free_rows || of.turns > 1)
        return ceil_div(call.sizes.kept, of.threads_per_block / of.threads_of_row()) * call.sizes.splits;
    if (of.values_in_lanes) return ceil_div(call.sizes.kept, of.values_per_block());
    if (of.mapping == thread_mapping::reduction) {
        const std::int64_t threads = of.threads_per_block / of.threads_of_row();  // that have different outputs
        return ceil_div(call.sizes.kept, threads * of.values_per_thread()) * call.sizes.splits;
    }
    if (of.mapping == thread_mapping::linear) return linear_block_count(of, call.element_count);
    if (of.mapping == thread_mapping::rows && (of.vectorised || of.skewed))
        return ceil_div(blocks_along(of, call, of.rank - 1) * ceil_div(row_count(call), of.rows_per_thread),
                        of.threads_per_block);
    if (of.mapping == thread_mapping::rows) {
        const int height = of.has_row_tables ? 1 : of.elements_per_thread;
        const std::int64_t all = blocks_along(of, call, of.rank - 1) * ceil_div(row_count(call), height);
        return of.rows_share_blocks ? ceil_div(all, of.threads_per_block) : all;
    }
    std::int64_t blocks = 1;
    for (int axis = 0; axis < of.rank; ++axis)
        if (!(of.reduced_axes >> axis & 1))
            blocks *=
                axis == of.column_axis() || axis == of.tile_axis ? blocks_along(of, call, axis) : call.extents[axis];
    return blocks;
}

void fill_layout(const kernel& of, const call_values& call, std::int64_t* words) {
    if (of.mapping == thread_mapping::reduction) {
        const reduction_sizes& sizes = call.sizes;
        std::int64_t* const next = words + of.grid_word;
        next[0] = sizes.splits;
        next[1] = divisor_word(of, sizes.splits);
        next[2] = sizes.kept;
        next[3] = sizes.reduced;
        next[4] = sizes.part;
    } else if (of.mapping != thread_mapping::linear) {
        std::int64_t* next = words + of.grid_word;
        for (const int axis : {of.column_axis(), of.tile_axis}) {
            if (axis < 0) continue;
            const std::int64_t blocks = blocks_along(of, call, axis);
            *next++ = blocks;
            *next++ = divisor_word(of, blocks);
        }
        if (of.mapping == thread_mapping::rows) *next = row_count(call);
    }
    words[0] = call.element_count;
    for (int axis = 0; axis < of.rank; ++axis) {
        words[layout_extent(axis)] = call.extents[axis];
        words[layout_divisor(of.rank, axis)] =
            of.wide_index ? 0 : static_cast<std::int64_t>(fast_divisor(static_cast<std::uint32_t>(call.extents[axis])));
    }
    for (const auto* operands : {&of.outputs, &of.inputs})
        for (const operand& each : *operands) fill(each, call, words);
}

}  // namespace kiln::plan
