// kiln/plan/policy/row_functions: what the library's functions make of operands that are the same in every row of a kernel on the host: it
// is made once for many rows, of as many columns at a time as stay in the first cache.
// in: a planned kernel   out: statements of its nest, and what is left to be made of each element   knows nothing of: in which order rows are taken
#pragma once

#include <plan/nest/operands.hpp>
#include <plan/policy/host_row.hpp>
#include <plan/policy/strip_loop.hpp>

#include <vector>

namespace kiln::plan {

class row_functions {
public:
    row_functions(nest::builder& to, nest::operands& operands, const lower::program& program, const kernel& of);

    /// Whether a kernel has any.
    [[nodiscard]] bool are_there() const { return !made_.empty(); }
    /// Then: whether no function that is called for strips is left.
    [[nodiscard]] bool are_all() const { return are_all_; }
    /// What is left.
    [[nodiscard]] const strip_bodies& in_strips() const { return in_strips_; }

    /// Makes them for the columns of a block; at most `columns`.
    void make(nest::value begin, nest::value end);
    static constexpr int columns = 2048;

    /// A row's elements that lie in this block, with what was made for it.
    [[nodiscard]] row_elements elements(row_elements of, nest::value block) const;

private:
    [[nodiscard]] nest::value number(lower::value_id of) const;

    nest::builder& to_;
    nest::operands& operands_;
    const kernel& of_;
    std::vector<lower::value_id> values_;  // that are made once
    std::vector<nest::id> made_;           // the memory of each
    nest::body of_element_;
    int of_element_number_ = 0;
    bool are_all_ = true;
    strip_bodies in_strips_, in_strips_of_row_;
    const operand anywhere_ = {};  // what is found where the code around a row says
};

}  // namespace kiln::plan
