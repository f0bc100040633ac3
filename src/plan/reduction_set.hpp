// kiln/plan/reduction_set: reductions whose elements come together, so that what is known of some elements of all of them is
// one value of a kernel.
#pragma once

#include <plan/schedule.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace kiln::plan {

struct reduction_set {
    struct member {
        std::size_t number = 0;  // in the kernel
        reduced_output of;
    };
    std::vector<member> members;
    std::string suffix = {};    // of the names
    bool finishes = true;       // their results are asked for, not parts of them
    bool wide = true;           // positions of elements need 64 bits
    bool side_by_side = false;  // on the host: appended one by one, not in runs
    bool of_rows = false;       // there too: rows one after the other at once
    bool finds_nans = false;    // whoever appends elements finds afterwards which was the first NaN

    [[nodiscard]] bool appends_apart() const {
        for (const member& each : members)
            if (each.of.appends_apart()) return true;
        return false;
    }
    /// Appended elements tell where the best is only as long as none was NaN.
    [[nodiscard]] bool appends_until_nan(const reduced_output& of) const {
        return finds_nans && of.finds_position() && of.accumulated == element_type::float32;
    }
    /// Each is a value of a register or two, for each value that is reduced, or of less.
    [[nodiscard]] bool is_light() const;
    /// One is of less than a register.
    [[nodiscard]] bool is_narrow() const;
};

reduction_set reductions_of_outputs(const kernel& of);
/// One set for each phase (row_phases.hpp) in which rows are reduced, "_0" that of the first.
/// Numbered from `first_number` on.
std::vector<reduction_set> reductions_of_rows(const lower::program& of, std::size_t first_number = 0);

}  // namespace kiln::plan
