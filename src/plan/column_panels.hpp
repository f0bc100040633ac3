// kiln/plan/column_panels: columns that stay on chip from the first reduction over them to what is stored: what a thread keeps of its
// elements, how many of them it has room for in registers, how many more in shared memory of its own, and how many columns
// a block then has. A column that is split is a cluster's: each of its blocks has one of the splits, or several where there are more, or, where a
// block has not room for columns enough, some of a split's threads.
// in: a program with operation::reduce in it, how its reductions are divided   out: sizes   knows nothing of: extents, text
#pragma once

#include <lower/program.hpp>
#include <plan/call_class.hpp>
#include <plan/row_phases.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

#include <optional>
#include <vector>

namespace kiln::plan {

/// What a thread keeps of an element for later phases: values that are never there at once share a slot.
struct kept_elements {
    std::vector<int> slot_of;         // by value; -1: it is not kept
    std::vector<element_type> slots;  // of what
    std::vector<bool> made_again;     // by value: what it is made of is kept in its place
};

/// `read_in_place`: of the program's arrays, those that are read where they are needed. `make_again`: differences, sums and products of a kept
/// array and of what is one for the whole column take no place, nor does a wider type of it; nor is one stored over the other.
kept_elements kept_elements_of(const lower::program& of, const row_phases& phases,
                               const std::vector<bool>& read_in_place, bool make_again = false);

/// Of an operand that is not as large as all of them: positions, what is the same all along a column or in all of them.
bool is_read_in_place(const operand& of, int rank);
/// Which of the program's arrays are, by the kernel's operands.
std::vector<bool> arrays_read_in_place(const lower::program& program, const kernel& of);

/// Items of a thread that there may be room for, at most; and those of blocks that do not share a column's threads.
inline constexpr int most_panel_items = 256, tall_panel_items = 128;

struct panel_plan {
    column_panel panel;
    int columns = 0;  // of a block
    int dynamic_shared_bytes = 0;
    int at_once = 1;  // on a multiprocessor, by its shared memory
};

struct panel_wish {
    int width = 1;               // neighbouring columns of a thread: 1, or as many as move in one vector
    int times_columns = 1;       // as many as blocks of reductions alone have
    bool few_registers = false;  // for more blocks on a multiprocessor at once
    bool few_threads = false;    // of a multiprocessor, with registers for twice as many items each
    int blocks_of_split = 1;     // each with some of its threads
};

/// None where there is no room.
std::optional<panel_plan> panel_of(const lower::program& of, const std::vector<bool>& read_in_place,
                                   const reduction_class& division, const target& on, const panel_wish& how = {});
/// The same. Where few threads have room at once, each has more items in registers, which so few leave free: those in shared memory take
/// longer.
std::optional<panel_plan> roomy_panel_of(const lower::program& of, const std::vector<bool>& read_in_place,
                                         const reduction_class& division, const target& on, panel_wish how);
/// By one block for each split, or by several.
std::optional<panel_plan> any_panel_of(const lower::program& of, const std::vector<bool>& read_in_place,
                                       const reduction_class& division, const target& on);

/// Splits of a column that a block of its cluster has, at most.
inline constexpr int most_splits_of_block = 6;

/// Threads of a column, at most, of which each reads what all have come to.
inline constexpr int most_lanes_read = 8;

/// Items that each thread of such a panel has at least, of `items` of its column's class: those of its lane, in as many parts.
int whole_panel_items(int items, int width);

/// Whether a reduction comes to the same bits in any order of its elements, where float32's least and largest tell 0 from -0.
bool is_orderless(const reduced_output& of);

}  // namespace kiln::plan
