// kiln/stage/reduction_draft: what reduction_walk has between two looks at a graph: kernels that are being put together, and what
// is under a term.
#pragma once

#include <stage/reduction_walk.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Reductions whose kernel is being put together.
struct reduction_walk::draft {
    shape of;
    std::uint8_t axes = 0;
    std::vector<const term*> reductions;
    std::vector<const array_node*> arrays;
    bool persistent_rows = false;  // one of them needs another
    std::vector<reduction_group::result> roots;
    handle<term> product = {};  // of which the roots are made, value by value
    bool of_values = false;     // then: by tiles, which reduce anything

    [[nodiscard]] bool has(const term* reduction) const {
        return std::find(reductions.begin(), reductions.end(), reduction) != reductions.end();
    }
};

/// What is under a term, down to the first reductions whose results are not known.
struct reduction_walk::below {
    std::vector<const term*> reductions;
    bool only_operations = true;  // on the ways to them
    bool needs_cut = false;       // a term that views see, whose elements are not known
    bool has_leaves = false;      // besides numbers
};

/// Reductions of what a draft's come to, of one shape over the same axes.
struct reduction_walk::readers {
    std::vector<const term*> are;
    std::vector<const term*> rest;       // what waits besides them
    std::vector<handle<term>> computed;  // what each of them reduces
    std::uint8_t axes = 0;

    [[nodiscard]] reduction_group group(const shape& of, std::uint8_t over, bool nested) const {
        reduction_group out{.of = of, .axes = over, .nested = nested};
        for (std::size_t i = 0; i < are.size(); ++i)
            out.results.push_back({are[i], computed[i], true, are[i]->keeps_axes, {}});
        return out;
    }
};

}  // namespace kiln::inline v0_1::detail
