// kiln/plan/policy/strip_loop: elements of a host kernel along a row by plan/strips.hpp: a strip at a time, with buffers of the
// thread's own between its phases.
// in: phases, where operands are   out: statements of its nest   knows nothing of: in which order rows are taken
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/strips.hpp>

#include <functional>
#include <vector>

namespace kiln::plan {

/// Where a strip's elements come from and go to.
struct strip_operands {
    /// An input of the whole body at position i, and its output `number`.
    std::function<nest::value(lower::value_id of, nest::value i)> input;
    std::function<nest::value(std::size_t number, nest::value i)> output;
    /// Of bodies that find elements by positions: those of the element at i.
    std::function<std::vector<nest::value>(nest::value i)> positions;
    /// Whether what is at the positions after i lies beside it.
    std::function<bool(lower::value_id of)> are_inputs_beside;
    std::function<bool(std::size_t number)> are_outputs_beside;
    /// Elements whose random numbers come of one block (drawn_blocks.hpp), and which inputs are the positions that say which block: of the
    /// element at i, linear + i, or i.
    int drawn_together = 1;
    std::function<bool(lower::value_id of)> are_positions;
    nest::value linear;
};

/// A body's phases as bodies of the nest, once for all of its loops.
class strip_bodies {
public:
    /// None.
    strip_bodies() = default;
    strip_bodies(nest::builder& to, const lower::program& program, strips of);

    [[nodiscard]] bool are_there() const { return !of_.phases.empty(); }
    /// Statements that compute the elements from one position to another.
    void add_loop(nest::builder& to, nest::value from, nest::value end, const strip_operands& operands) const;

private:
    const lower::program* program_ = nullptr;
    strips of_;
    std::vector<int> numbers_;  // of the phases' bodies, in the nest
};

}  // namespace kiln::plan
