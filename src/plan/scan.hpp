// kiln/plan/scan: how the partial results along an axis are computed in steps. A function of shape, axis, type and device
// alone: whatever feeds a cumulative sum, its order is the same, and so are its bits.
// The order is that of parts: each part's total; a scan of the totals, in the same way; each part on top of those before it. On CUDA
// one kernel does all of that, where it can: blocks publish what their parts come to, each of them, or one for all, computes of that,
// in the same order, what comes before a part, and the operand is read once. Where it cannot, each of these is a step, and the operand
// is read twice.
// in: a shape and an axis   out: steps   knows nothing of: text
#pragma once

#include <capture/scan_access.hpp>
#include <kiln/reduction.hpp>
#include <kiln/shape.hpp>
#include <plan/ceil_div.hpp>
#include <plan/scan_finish.hpp>
#include <plan/target.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::plan {

using detail::scan_access;

/// How a GPU's threads take a step. Elsewhere it says whether lines are added up as rows or as columns are, each in an order of its own.
enum class scan_mapping : std::uint8_t {
    columns,     // a thread for each part of each line, neighbours on neighbouring lines
    short_rows,  // a warp for each line, whose elements are neighbours
    rows,        // a block for each part of a line whose elements are neighbours
    // In one pass without anything published:
    lines,        // a thread for each line, neighbours on neighbouring ones
    walked_rows,  // a block for each line whose elements are neighbours
    // In one pass:
    panels,         // a warp, or several, for each part of neighbouring lines, held in shared memory
    narrow_panels,  // persistent blocks: several parts of all of few neighbouring lines, several such in shared memory
    row_parts,      // as rows
    served_parts,   // as rows, and a block that makes for all others what comes before their parts
    clear,          // words of 64 bits, in which nothing is published then
};

/// A contiguous array of outer x count x inner elements: of each line of `count`, parts of `part` elements. Either each part
/// has one total, or all elements are written: those before each in its part, it, and what all parts before come to, which is
/// in `offsets` when there is more than one part.
struct scan_step {
    detail::reduction_kind what = detail::reduction_kind::sum;
    std::uint64_t definition = 0;  // of a user's: capture/reduction_table.hpp
    element_type type = element_type::float32;
    scan_mapping mapping = scan_mapping::columns;
    bool totals_only = false;
    /// Of few neighbouring lines on a GPU, where a panel's parts, and so many panels, are added up by themselves: 0 not those; 1 the
    /// operand, 2 what parts come to, 3 what panels do, 4 groups of panels. From 2 on what is written is what comes before each element.
    int narrow_level = 0;
    std::int64_t outer = 1;
    std::int64_t count = 1;
    std::int64_t inner = 1;
    std::int64_t part = 1;
    int slots = 0;   // of narrow_panels: that a block has room for
    int blocks = 0;  // the same: that run at once
    // Memories: 0 the operand, 1 the result (they may be one), then the plan's temporaries.
    int from = 0;
    int to = 1;
    int offsets = -1;  // totals of a step before, scanned; in one pass what is published; -1: none
    scan_access reads = {};
    scan_access writes = {};
    /// What is stored in place of all elements that are written; none: they are.
    std::shared_ptr<const scan_finish> finish = {};

    [[nodiscard]] element_type operand_type() const noexcept { return reads.type.value_or(type); }
    /// Of the scan's values, as they are written.
    [[nodiscard]] element_type value_type() const noexcept { return writes.type.value_or(type); }
    /// Of what is stored; of several results the first.
    [[nodiscard]] element_type result_type() const noexcept {
        return finish && !totals_only ? finish->steps->all.outputs.front().type : value_type();
    }
    [[nodiscard]] bool in_one_pass() const noexcept {
        return mapping == scan_mapping::panels || mapping == scan_mapping::narrow_panels ||
               mapping == scan_mapping::row_parts || mapping == scan_mapping::served_parts;
    }
    /// Whether who has a line goes along it, part by part, and so knows what comes before each.
    [[nodiscard]] bool walks() const noexcept {
        return mapping == scan_mapping::lines || mapping == scan_mapping::walked_rows;
    }
    /// Whether elements are added up as those of rows, neighbours in groups; else one after the other, as those of columns, also of a single one.
    [[nodiscard]] bool of_rows() const noexcept {
        return mapping != scan_mapping::columns && mapping != scan_mapping::lines && mapping != scan_mapping::panels &&
               mapping != scan_mapping::narrow_panels;
    }
    /// Whether an element becomes what comes before it, and not what it comes to with it.
    [[nodiscard]] bool is_exclusive() const noexcept { return narrow_level > 1; }
    [[nodiscard]] std::int64_t parts() const noexcept { return ceil_div(count, part); }
    [[nodiscard]] std::int64_t element_count() const noexcept { return outer * count * inner; }
};

struct scan_plan {
    std::vector<scan_step> steps;           // in launch order
    std::vector<std::int64_t> temporaries;  // bytes
};

/// Of a shape with elements. `type`: what is accumulated. However it reads and writes, the order is the same.
scan_plan plan_scan(const shape& of, int axis, detail::reduction_kind what, element_type type, const target& on,
                    std::uint64_t definition = 0, scan_access reads = {}, scan_access writes = {},
                    std::shared_ptr<const scan_finish> finish = {});

/// The same of a step that has no mapping and no parts yet.
scan_plan plan_scan(const scan_step& undivided, const target& on);
/// Of what the parts of `of` come to, to be divided in its turn: its elements are what the parts are on top of.
scan_step scan_of_totals(const scan_step& of);

// Of a GPU's rows.
inline constexpr int scan_threads = 256;
/// Elements of a thread: 128 bytes of registers, of types that have 4.
constexpr int scan_elements(element_type type) { return bytes_of(type) < 4 ? 32 : 128 / bytes_of(type); }
/// That it has side by side.
constexpr int scan_vector(element_type type) { return 16 / bytes_of(type); }

/// Of lines that a thread each walks: blocks as wide as leave one for each multiprocessor.
constexpr int line_threads(const scan_step& of) { return of.outer * of.inner >= std::int64_t{1} << 16 ? 512 : 256; }
/// Elements that it asks for before it needs them.
constexpr int line_elements_ahead(element_type type) { return bytes_of(type) < 4 ? 16 : 64 / bytes_of(type); }

// In one pass.

/// Lines of at most so many elements have one thread each, on top of nothing, one after the other: the first cache makes lines of
/// memory of its loads.
inline constexpr std::int64_t few_parts = 16;
/// Elements of a column's part, at least; of parts that come together exactly.
inline constexpr std::int64_t least_of_column = 64;

/// How the totals of a row's parts are scanned: as few are, as a row of one part is, or in parts themselves: not in one pass.
enum class scan_carry : std::uint8_t { sequence, rounds, groups };
scan_carry carry_of(const scan_step& row_parts);

/// Of a block's shared memory: rows of a part, and neighbouring columns. None: 0.
struct scan_panel {
    int rows = 0;
    int columns = 0;

    /// Several warps, beside each other.
    [[nodiscard]] bool goes_together() const noexcept { return columns > warp; }
};
scan_panel panel_of(const scan_step& panels);
/// Parts, groups of them, groups of those: until one group has all.
int levels_of(const scan_step& panels);

/// Of narrow panels: parts' columns that there are at most; and the threads of its stages.
inline constexpr int narrow_threads = 256;
inline constexpr int narrow_loading_threads = 64;
inline constexpr int narrow_looking_threads = 256;
inline constexpr int narrow_adding_threads = 128;  // and as many that scan
int narrow_storing_threads(const scan_step& narrow_panels);
inline constexpr int narrow_parts_step = 4;
inline constexpr int most_narrow_parts = 64;
/// Of a panel, whole vectors; of more, adding up what they come to takes longer than the parts.
constexpr std::int64_t narrow_parts(std::int64_t columns) {
    return std::min<std::int64_t>(most_narrow_parts, narrow_threads / columns / narrow_parts_step * narrow_parts_step);
}
/// Panels that are added up by themselves, beside other groups: one after the other come only groups, and what is left over at both ends.
inline constexpr int narrow_group = 16;
/// Elements that are left out after each part in shared memory, so that threads beside each other that have other parts find theirs in other
/// banks, and vectors stay aligned.
int narrow_gap(const scan_step& narrow_panels);
/// What one of its slots has room for.
int narrow_slot_elements(const scan_step& narrow_panels);
/// What is looked at of what other panels come to, at once.
int narrow_looked_elements(const scan_step& narrow_panels);

/// Of a block with a row, or a part of one. A row that is all of its line has no more than have elements.
int row_warps(const scan_step& rows);
/// Vectors of a thread, of such a row or of one that a warp has: of a warp's no more than have elements.
int row_rounds(const scan_step& rows);

std::int64_t block_count(const scan_step& of);
int threads_per_block(const scan_step& of);

}  // namespace kiln::plan
