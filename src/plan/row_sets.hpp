// kiln/plan/row_sets: arrays that are the elements of one memory's rows, as a sum of what short rows come to reads them once the rows are
// written out (stage/written_out_rows.hpp). They lie side by side: of four rows a thread reads all elements in whole vectors.
// in: a call, or arrays of a graph   out: which elements of which rows   knows nothing of: programs
#pragma once

#include <plan/bind.hpp>

#include <span>
#include <vector>

namespace kiln::plan {

/// Which element of a row an array is, of how many; 0: it is none of a set.
struct row_element {
    int place = 0;
    int extent = 0;
};

/// Elements of a row, at most.
inline constexpr int most_of_row_set = 8;

/// Whether values are enough for several of each thread, which then reads rows in vectors.
bool may_have_row_sets(const reduction_sizes& of);

/// An array, of which neighbours along what is reduced are so many elements apart; 0: it is the same all along, or is another one for
/// each value.
struct row_set_member {
    const detail::array_node* node = nullptr;
    std::int64_t apart = 0;
    row_element is = {};
};
/// Finds sets of all elements of rows that begin at a multiple of 16 bytes: of each extent one.
void find_row_sets(std::span<row_set_member> among);

/// Of a classified call on a CUDA device that reduces: adds to its class which arrays are elements of rows, if any are.
std::uint8_t* write_row_sets(bindings& call, const iteration_class& of, std::uint8_t* next);
/// What it wrote there, if it did.
void read_row_sets(const std::uint8_t* from, const std::vector<operand*>& arrays);

/// Of an input of a kernel that reduces.
row_element row_element_of(const operand& input);

}  // namespace kiln::plan
