#include <device/cpu/pooling.hpp>

#include <device/cpu/host_reducer.hpp>
#include <plan/ceil_div.hpp>
#include <plan/host_order.hpp>

#include <algorithm>
#include <cstring>

namespace kiln::backend {

namespace {

using plan::ceil_div;

std::int64_t elements_of(const std::vector<axis_walk>& axes) {
    std::int64_t out = 1;
    for (const axis_walk& each : axes) out *= each.extent;
    return out;
}

/// The innermost of the axes, which is one of them no more.
std::int64_t taken_from(std::vector<axis_walk>& axes) {
    if (axes.empty()) return 1;
    const std::int64_t out = axes.back().extent;
    axes.pop_back();
    return out;
}

constexpr std::size_t wide = 32;  // bytes that move at once: what is too much of a row lies under the next

void copy_rows(std::byte* to, const std::byte* from, std::int64_t rows, std::int64_t bytes, std::int64_t apart) {
    constexpr auto step = static_cast<std::int64_t>(wide);
    const std::int64_t moved = ceil_div(bytes, step) * step;
    // Nothing is read past the last row.
    const std::int64_t wide_rows = std::clamp(rows - ceil_div(moved - bytes, apart), std::int64_t{0}, rows);
    for (std::int64_t row = 0; row < wide_rows; ++row)
        for (std::int64_t at = 0; at < bytes; at += step)
            std::memcpy(to + row * bytes + at, from + row * apart + at, wide);
    for (std::int64_t row = wide_rows; row < rows; ++row)
        std::memcpy(to + row * bytes, from + row * apart, static_cast<std::size_t>(bytes));
}

}  // namespace

const std::byte* neighbouring_lines::of(const std::byte* blocks, std::int64_t line, std::int64_t block_count,
                                        int element_bytes) {
    const std::int64_t bytes = of_.line_elements() * element_bytes;
    const std::byte* const first = blocks + line * bytes;
    if (block_count == 1 || of_.lines == 1) return first;
    lines_.resize(std::max(lines_.size(), static_cast<std::size_t>(block_count * bytes) + wide));
    copy_rows(lines_.data(), first, block_count, bytes, of_.block_elements() * element_bytes);
    return lines_.data();
}

std::int64_t pooling::outer_lines() const { return elements_of(outer_reduced); }

std::int64_t pooling::unit_count() const {
    return elements_of(outer_kept) * ceil_div(blocks, blocks_of_unit) * ceil_div(line_values, values_of_unit);
}

pooling::unit pooling::unit_at(std::int64_t number) const {
    const std::int64_t cuts = ceil_div(line_values, values_of_unit);
    const std::int64_t groups = ceil_div(blocks, blocks_of_unit);
    const std::int64_t outer = number / cuts / groups;
    const std::int64_t block = number / cuts % groups * blocks_of_unit;
    const std::int64_t value = number % cuts * values_of_unit;
    return {place_of(outer_kept, outer) + block * block_elements() + value * run,
            (outer * blocks + block) * line_values + value, std::min(blocks_of_unit, blocks - block),
            std::min(values_of_unit, line_values - value)};
}

std::optional<pooling> pooling_of(const reduced_axes& of) {
    constexpr std::int64_t at_once = plan::host_order::piece;
    // A longer run has vectors of its own.
    constexpr std::int64_t longest_run = host_reducer::longest_row_beside;
    if (of.outer_kept.empty() || of.outer_reduced.empty()) return {};
    pooling out;
    out.of_rows = of.along_rows;
    out.outer_kept = of.outer_kept;
    out.outer_reduced = of.outer_reduced;
    out.run = of.along_rows ? of.inner : 1;
    out.line_values = of.along_rows ? taken_from(out.outer_kept) : of.inner;
    out.lines = taken_from(out.outer_reduced);
    out.blocks = taken_from(out.outer_kept);
    if (out.run > longest_run) return {};
    out.blocks_of_unit = std::clamp(at_once / out.block_elements(), std::int64_t{1}, out.blocks);
    out.has_whole_blocks = out.block_elements() <= at_once;
    out.values_of_unit = out.has_whole_blocks ? out.line_values : std::min(out.line_values, at_once / out.run);
    // Columns so long are vectors by themselves.
    if (!out.of_rows && out.blocks_of_unit == 1) return {};
    return out;
}

}  // namespace kiln::backend
