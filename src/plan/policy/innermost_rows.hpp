// kiln/plan/policy/innermost_rows: what is reduced over several axes of a part of an array, or of what is broadcast, whose elements do not move
// in vectors. Along the innermost axis each operand's elements are as far apart everywhere: where all that a thread takes in a round is of one
// innermost row, only the first of it is looked for, by one division in place of four.
// in: a planned kernel of rows   out: values of its nest   knows nothing of: order
#pragma once

#include <plan/policy/value_threads.hpp>

#include <functional>

namespace kiln::plan {

/// Whether a kernel of rows reduces elements of such operands. Not where a state is kept: there, one element is as long to add as to find
/// (the variance of (8191, 8191) of 8192 columns takes an H200 95 us so, 77 without).
bool has_innermost_rows(const kernel& of);

class innermost_rows {
public:
    innermost_rows(nest::builder& to, nest::operands& operands, value_threads& threads, const lower::program& program,
                   const kernel& of);

    /// Whether a multiprocessor is to have as many threads as it can: where elements are narrow, so that each thread asks for few bytes, or where
    /// several arrays give as many that others ask for, too. Not beside tests, whose registers are more: |grad x| of (8192, 8192) floats takes an
    /// H200 183 us so, 136 without; sum(x * y) of two parts 78, 90 without.
    [[nodiscard]] bool needs_all_threads() const;

    /// A round's elements: `first`, and others of which each is `apart` elements behind the one before. Calls `append` with each and its
    /// number; `anywhere` takes them where they are of several innermost rows.
    void take(nest::value first, int apart, const std::function<void(nest::value k, nest::value one)>& append,
              const std::function<void()>& anywhere);

private:
    void read(value_threads::place& first, int apart);
    void compute(nest::value is_right);

    nest::builder& to_;
    nest::operands& operands_;
    value_threads& threads_;
    const kernel& of_;
    const bool tests_;            // roots and quotients without their rare path, and whether all were right
    std::vector<nest::id> read_;  // of each input, a round's elements
    std::vector<nest::id> made_;  // of each output, what is reduced
};

}  // namespace kiln::plan
