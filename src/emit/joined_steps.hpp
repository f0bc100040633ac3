// kiln/emit/joined_steps: pairs of steps that CUDA has one instruction for, the same bits. A cast of float32 to an integer rounds as the
// rint, floor, ceil or trunc before it does; a sum that grows by one where a condition holds does not make a number of the condition.
// in: the steps of one body   out: the lines of such pairs
#pragma once

#include <emit/body.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln::emit {

class joined_steps {
public:
    joined_steps(const lower::program& program, const value_names& names, const std::vector<int>& steps,
                 const std::vector<lower::value_id>& outputs);

    /// Of the second of a pair; empty, of the first where nothing else reads it; nothing, of every other step.
    [[nodiscard]] std::optional<std::string> line(int step) const;

private:
    /// What a pair comes to, and what it reads.
    struct pair {
        std::string text;
        std::vector<lower::value_id> read;
    };
    [[nodiscard]] std::optional<pair> pair_of(const lower::step& second) const;
    [[nodiscard]] std::optional<pair> rounding_cast(const lower::step& cast) const;
    [[nodiscard]] std::optional<pair> counting_sum(const lower::step& sum) const;
    /// The step of this body that makes a value, if it may be the first of a pair.
    [[nodiscard]] const lower::step* first_of_pair(lower::value_id made) const;

    const lower::program& program_;
    const value_names& names_;
    std::vector<lower::value_id> firsts_;
    std::map<int, std::string> lines_;  // of these steps
};

}  // namespace kiln::emit
