// kiln/plan/policy/values_of_lanes: values that share a row, of which each lane of a warp has its own: what a value's threads would have
// is made by one lane, thread after thread. Threads' results are combined in pairs, as trees: a lane takes them in the order of the
// tree's leaves, and combines what is complete, so that one result of each height waits. A warp has a tree of its own, and the warps'
// results are combined at last.
// in: a planned reduction   out: statements around those that make a leaf   knows nothing of: how elements come
#pragma once

#include <plan/policy/values_of_row.hpp>

namespace kiln::plan {

class values_of_lanes : protected values_of_row {
public:
    values_of_lanes(const lower::program& program, const kernel& of);

protected:
    [[nodiscard]] int warps() const { return of_.threads_per_block / warp; }
    /// The loops over all threads, what values have of their own, and room for what leaves come to.
    void begin();
    /// Leaf after leaf; `take_whole` takes its thread's whole vectors, as in values_of_row::take_elements.
    void take_leaves(const std::function<void(nest::value thread, nest::value is_right)>& take_whole);
    /// Of all leaves: the warps' trees, and the results.
    void finish();

    nest::value lane_ = {}, warp_ = {};

private:
    /// Threads that a value would have, of each warp.
    [[nodiscard]] int leaves() const { return of_.threads_per_output / warps(); }
    [[nodiscard]] nest::value mine(nest::value v) { return to_.at(mine_, v); }
    /// Which of a value's threads a leaf of the warp stands for, and one of all warps' leaves.
    nest::value thread_of_value(nest::value leaf);
    nest::value thread_of(nest::value leaf_of_all);
    /// Of a leaf whose results are `mine`.
    void combine_complete(nest::value leaf);
    [[nodiscard]] int values_of_block() const { return of_.values_per_block(); }
    [[nodiscard]] nest::value waiting(nest::value height, nest::value v) {
        return to_.at(waiting_, height * values() + v);
    }
    nest::value number_of(nest::value v);
    nest::value reversed(nest::value of, int bits);

    int heights_ = 0;
    nest::value first_ = {};           // the block's first value
    nest::value thread_of_lane_ = {};  // that the leaf of the lane's number stands for
    nest::id mine_ = nest::none;
    nest::id waiting_ = nest::none;  // of each height a complete tree's result
    nest::id results_ = nest::none;  // of the warps
};

}  // namespace kiln::plan
