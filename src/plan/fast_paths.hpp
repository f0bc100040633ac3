// kiln/plan/fast_paths: which roots, reciprocals and quotients of float32 a CUDA body takes without the path that each has for
// operands near the limits: where their range is known, and, with a test of what came out, elsewhere. Where a test fails, steps are
// computed once more as the compiler has them. The same bits either way.
// in: the steps of one body   out: the path of each   knows nothing of: text
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln::plan {

enum class path : std::uint8_t {
    usual,
    proved,      // the range is known
    tested,      // the result says whether it was right
    unbranched,  // the same, but only where no branch follows the test: the usual path is as short as a test and a branch
    follows,     // right if those with a test were: the range is known then, or a later test sees that it was not
    any,         // for all operands, a few steps longer
    by_scalar    // a whole number by a scalar: that one is tested, and all threads branch together
};

/// What the test of a quotient or a reciprocal looks at.
enum class quotient_test : std::uint8_t {
    usual,
    by_root,  // the divisor is a root that has no test of its own, the dividend the same for all elements: one comparison of each quotient
    by_scalar  // the same of a divisor whose range is known: nothing of each quotient
};

struct fast_paths {
    std::vector<path> paths;                     // of each step
    std::vector<quotient_test> quotient_tests;   // of each quotient
    std::vector<bool> by_positive;               // of each quotient: its divisor is above 0, if the tests hold
    std::vector<bool> by_column;                 // of each quotient: its divisor is one for all of a column
    std::vector<bool> not_negative;              // of each root: so is its operand, or it is NaN or 0
    std::vector<bool> has_any;                   // of each step: it has that path
    std::size_t first = 0, last = 0;             // of the steps with a test, or that follow one
    std::vector<bool> repeated;                  // of each step: it is computed once more where a test fails
    std::vector<lower::value_id> read, results;  // of what is repeated: from before it, and wanted after it

    [[nodiscard]] bool has_tests() const { return !results.empty(); }
    /// What is left of them where nothing is tested.
    [[nodiscard]] fast_paths proved_alone() const;
    /// Whether each step with a test has a path for all operands that needs neither a test nor a branch, so that several elements go side
    /// by side; and these paths.
    [[nodiscard]] bool have_any() const;
    [[nodiscard]] fast_paths for_any() const;
    /// Whether there is something to gain where results are tested without a branch.
    [[nodiscard]] bool has_unbranched_tests() const {
        return has_tests() || std::find(paths.begin(), paths.end(), path::unbranched) != paths.end();
    }
};

/// `steps`: of one body, in order; `outputs`: the values that it gives.
fast_paths choose_fast_paths(const lower::program& program, const std::vector<int>& steps,
                             const std::vector<lower::value_id>& outputs);

/// The same of elements whose columns stay on chip: phases_of() says what is one for each column.
fast_paths choose_fast_paths_of_columns(const lower::program& program, const std::vector<int>& steps,
                                        const std::vector<lower::value_id>& outputs);

/// Whether a kernel's bodies test results, with a branch where one fails: rows that threads hold on chip wait for their quotients (layer norm
/// of 8192 x 8192 takes an H200 134 us for 148). Elsewhere memory is waited for, and the compiler's own test is as cheap: unit vectors of three
/// take 102 us for 114, softmax over columns of 4096 225 for 248.
bool branches_pay(const kernel& of);

/// Of all of a kernel's steps.
fast_paths choose_fast_paths(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
