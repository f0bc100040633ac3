// kiln/plan/policy/finished_values: what a kernel makes of the values of its sum of products before it stores them: the steps after
// the sum, for one value at a time, with what arrays beside know of its row and column.
// in: a planned kernel, a value and its positions   out: values of the nest   knows nothing of: who has which value
#pragma once

#include <plan/nest/operands.hpp>

#include <map>
#include <vector>

namespace kiln::plan {

class finished_values {
public:
    /// `sum`: its step. `called`: by a function of its own.
    finished_values(nest::builder& to, nest::operands& operands, const lower::program& program, const kernel& of,
                    lower::value_id sum, bool called = false);

    /// Whether arrays are read beside the sum.
    [[nodiscard]] bool reads_beside() const;
    /// Of each of the kernel's outputs, of the value with these positions; that of the sum's axis is not read.
    std::vector<nest::value> of(nest::value sum, const std::vector<nest::value>& positions);

private:
    [[nodiscard]] nest::body body() const;

    nest::builder& to_;
    nest::operands& operands_;
    const lower::program& program_;
    const kernel& of_;
    const lower::value_id sum_;
    nest::body made_;
    int number_ = -1;  // of the body; -1: all outputs are the sum
};

}  // namespace kiln::plan
