// kiln/plan/row_window: arrays that are views of one memory some rows apart, as filters of images and stencils of grids have them. A
// thread that makes an element of several rows reads what these have in common once.
// in: a call, a planned kernel   out: which arrays are such views, how many rows apart, and whether it pays
// knows nothing of: programs
#pragma once

#include <plan/bind.hpp>

#include <vector>

namespace kiln::plan {

/// Of a classified call on a CUDA device that reduces nothing and has rows of more than a few elements: adds to its class which arrays are of one group,
/// if any are.
std::uint8_t* write_row_groups(bindings& call, std::uint8_t* next);
/// What it wrote there, if it did: operand::row_group and rows_from_first of the call's arrays.
void read_row_groups(const std::uint8_t* from, const std::vector<operand*>& arrays);

/// Leaves in groups those of the kernel's inputs that gain from it: its threads make an element of elements_per_thread rows.
void choose_row_groups(kernel& into);
/// In none.
void forget_row_groups(kernel& into);

/// One group of a kernel's inputs.
struct row_group {
    std::size_t first = 0;  // the input that is on the first row
    int span = 0;           // rows from there to the last one's
};
/// By the number of a group.
std::vector<row_group> row_groups_of(const kernel& of);

}  // namespace kiln::plan
