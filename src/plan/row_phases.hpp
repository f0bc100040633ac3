// kiln/plan/row_phases: in which round over its row a thread computes what, where a kernel has persistent rows: softmax finds
// the largest in the first, exponentials and their sum in the second, quotients in the third.
// in: a program with operation::reduce in it   knows nothing of: sizes, text
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

#include <vector>

namespace kiln::plan {

struct row_phases {
    int count = 1;
    /// Of each value. Of an element's: the phase that loads or computes it, as late as it can be. Of a row's: the first
    /// phase that may use it; reductions over the elements of phase p, and what is made of them alone, are there in p + 1.
    /// So are scans of them, whose values are elements' and are kept.
    std::vector<int> phase;
    std::vector<bool> of_row;  // one for each row: reductions, scalars, constants, and what is made of those alone
    std::vector<bool> kept;    // elements' values that a later phase needs, too
    /// Elements' values that later phases make once more of others that are kept; none, unless somebody says so.
    std::vector<bool> made_again;
};

row_phases phases_of(const lower::program& of);

/// The values that the steps of elements, the reductions and the stored elements of a phase are made of; where it makes one again, also
/// what that is made of.
std::vector<bool> needed_in(int phase, const lower::program& of, const kernel& stores, const row_phases& phases);

/// What a phase reduces and stores, and all of an element's values that it is made of: those that each phase computes for itself where no
/// earlier one has left them.
std::vector<bool> needed_from(int phase, const lower::program& of, const kernel& stores, const row_phases& phases);

}  // namespace kiln::plan
