// kiln/plan/policy/host_row: a kernel's elements along the innermost axis on the host: one row, or a part of it. Ends in loops of
// plain loads and stores that a compiler vectorises wherever the row allows it.
// in: where the row's operands are   out: statements of its nest   knows nothing of: in which order rows are taken
#pragma once

#include <plan/along_row.hpp>
#include <plan/nest/operands.hpp>
#include <plan/policy/strip_loop.hpp>

#include <functional>
#include <string>
#include <vector>

namespace kiln::plan {

using nest::line_bytes;

/// An operand of a row's elements.
struct row_operand {
    const operand* of = nullptr;
    std::string name;
    /// Its element at an address; of what is elsewhere, at the position i along the row; of what the body finds elements in, all of it.
    std::function<nest::value(nest::value)> element;
    bool is_elsewhere = false;
    nest::id memory = nest::none;  // of outputs that may be stored past the caches
    lower::value_id value = -1;    // of inputs
    nest::type made = {};          // of outputs: what they are elements of
};

/// What is done for each element.
struct row_elements {
    std::vector<row_operand> inputs;
    std::vector<row_operand> outputs;
    /// `positions` are those of the element.
    std::function<void(const std::vector<nest::value>& inputs, const std::vector<nest::value>& outputs,
                       const std::vector<nest::value>& positions)>
        compute;
    bool gathers = false;  // the body finds elements by positions
    int line = 0;          // elements that are stored past the caches at once; 0: none
    bool woven = false;    // then: as many are computed at once wherever they are stored (weaves_chains())
    /// The body of a block of elements, where it has one (float_vectors.hpp): of each array a place and how far its elements are apart, and of
    /// each output a place.
    std::function<void(const std::vector<nest::value>& inputs, const std::vector<nest::value>& outputs,
                       nest::value count, nest::value past_caches)>
        compute_block = {};
    int block = 0;  // its elements
    /// Accumulators side by side, to which the results of elements are put as they are made, by their place among as many; 0: results are
    /// stored. Only of rows that go evenly (goes_evenly()).
    int lanes = 0;
    std::function<void(nest::value lane, const std::vector<nest::value>& results)> append = {};
    /// Elements whose random numbers come of one block, where their positions are contiguous: they stand beside each other in
    /// the loop, so that the compiler makes the block once. 1: the body draws none, or it would gain nothing.
    int drawn_together = 1;
    /// The same elements a strip at a time, where functions are called for strips; nullptr: they have none.
    const strip_bodies* in_strips = nullptr;
    /// Then: of the body's inputs that are no operands, what they are all along.
    std::function<nest::value(lower::value_id)> all_along = {};
};

struct row_bounds {
    nest::value begin, end;              // positions along the innermost axis
    nest::value linear;                  // a contiguous operand's element is at linear + i; not there: at i
    std::vector<nest::value> positions;  // on the other axes
    bool in_caches = false;              // results are never stored past them
};

/// Whether every operand goes up evenly along a whole row.
bool goes_evenly(const row_elements& of, int inner);

/// Elements that are whole lines of every output; 0 of kernels that gain nothing.
int elements_per_line(const kernel& of, bool calls_library);
/// The same, however long its body takes to compile once more.
int elements_of_lines(const kernel& of, bool calls_library);
/// The same of these elements alone.
int elements_per_line(const std::vector<row_operand>& outputs);

/// row_elements::drawn_together of a kernel.
int drawn_together(const lower::program& program, const kernel& of);

/// By how much an operand's address goes up with the position along an axis while its steps go on as they do.
nest::value slope(nest::builder& to, nest::operands& operands, const along_row& along, const operand& of, int axis);

/// For how many positions more such a step goes on as it does at this input.
nest::value run_of(nest::builder& to, const step_plan& of, nest::value input);

/// Statements that compute the row. `nontemporal`: whether this call stores past the caches, where it may.
void add_row(nest::builder& to, nest::operands& operands, int inner, const row_elements& of, const row_bounds& in,
             nest::value nontemporal);

}  // namespace kiln::plan
