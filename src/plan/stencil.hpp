// kiln/plan/stencil: arrays that are one memory shifted by constant distances along several axes, as filters of images and stencils of
// grids have them (k::shift), and the positions that say where they are outside. Their distances are part of the kernel's text: they
// have no words in its layout, and a thread away from the edges reads each neighbour of its elements once.
// in: a call, a planned kernel   out: which arrays are such, how far they are shifted, and whether it pays
// knows nothing of: programs
#pragma once

#include <plan/bind.hpp>

#include <vector>

namespace kiln::plan {

/// Of a classified call on a CUDA device that reduces nothing and has long rows: adds to its class how far its arrays are shifted, if
/// enough of them are. A call with fewer has one kernel for all distances.
std::uint8_t* write_stencils(bindings& call, std::uint8_t* next);
/// What it wrote there, if it did: operand::stencil and operand::shifted of the call's arrays. Returns where the class goes on.
const std::uint8_t* read_stencils(const std::uint8_t* from, int rank, const std::vector<operand*>& arrays);

/// Whether the kernel, whose threads make an element of elements_per_thread rows, is one of these; of fewer rows, where they have not
/// enough registers for all neighbours.
bool choose_stencil(kernel& into);

/// Elements that a thread reads for all of its rows: of one memory, one below the other.
struct stencil_column {
    int stencil = 0;                     // its memory's number
    std::vector<std::int8_t> distances;  // as operand::shifted; of the axis of rows, the first that is read
    int last = 0;                        // of the axis of rows: the distance of the last, for the thread's first row
    std::size_t memory = 0;              // an input whose memory it is
};
std::vector<stencil_column> stencil_columns_of(const kernel& of);
/// The one that an input is in.
std::size_t column_of(const std::vector<stencil_column>& columns, const operand& input);

}  // namespace kiln::plan
