// kiln/plan/nest/taken: what a part of a nest that is a function of its own takes from around it.
// in: a tree, a statement `apart`   out: variables and memories that are not its own   knows nothing of: source text
#pragma once

#include <plan/nest/nest.hpp>

#include <vector>

namespace kiln::plan::nest {

struct taken {
    std::vector<id> variables;
    std::vector<id> memories;
    bool layout = false;  // words of it, or all
};

/// Each once, in the order in which they are met.
taken taken_by(const tree& in, const statement& apart);

}  // namespace kiln::plan::nest
