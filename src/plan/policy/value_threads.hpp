// kiln/plan/policy/value_threads: which value of a reduction a thread works on, which of its elements, and how what its threads
// have becomes one: as plan/reduction.hpp says.
// in: a planned kernel whose threads are those of a reduction   out: values of its nest
#pragma once

#include <plan/nest/operands.hpp>

#include <string>
#include <vector>

namespace kiln::plan {

/// What the accumulators of a vector's four places come to, in pairs.
template <class Part>
nest::value combined_places(nest::builder& to, Part part) {
    return to.combine(to.combine(part(0), part(1)), to.combine(part(2), part(3)));
}

class value_threads {
public:
    value_threads(nest::builder& to, nest::operands& operands, const kernel& of);

    [[nodiscard]] bool along_rows() const { return of_.vector_width > 1; }
    /// Neighbouring values of a thread.
    [[nodiscard]] int width() const { return of_.values_per_thread(); }
    /// Threads of a block that have different outputs.
    [[nodiscard]] int outputs_per_block() const {
        const column_panel& panel = of_.panel;
        return of_.threads_per_block * panel.blocks_of_split /
               (of_.threads_of_row() * panel.width * panel.splits_of_block);
    }
    /// Elements from one round of a thread to its next.
    [[nodiscard]] int round() const { return of_.threads_per_output * of_.vector_width; }

    /// The loops over all threads, and what is named here.
    void begin();
    /// The same where nothing is reduced: a thread has `rows_per_thread` neighbouring rows.
    void begin_rows();
    /// The same for who divides values and threads otherwise: a block's number is `group`.
    void begin_blocks();
    nest::value thread, lane;          // of the block, of the value
    nest::value which, is_there;       // the thread's value, of columns the first of them; whether there is one
    nest::value kept, reduced;         // how many values, of how many elements each
    nest::value first, end;            // the elements of the value that are the block's
    nest::value group, split, splits;  // a value's block among those that are split, and how many it has
    nest::value block_of_cluster;      // of columns that are a cluster's

    /// Of rows, which of the order's threads of its value this is in turn 0, 1, ...: of one warp as far apart as may be, so that this thread
    /// combines by itself what they would exchange first.
    nest::value lane_of_turn(nest::value turn);

    /// An element of the thread's value.
    struct place {
        std::vector<nest::value> positions;
        nest::value number = {};  // once asked for
    };
    place place_of(nest::value element) { return place_of(positions_, element); }
    /// Of the value with these positions.
    place place_of(std::vector<nest::value> positions, nest::value element);
    /// Of what is the same all along the thread's value.
    [[nodiscard]] place place_of_row() const { return {positions_}; }
    /// Of what does not know elements, another value.
    place place_of_value(nest::value number);
    nest::value number(place& of);
    /// Where the element of an operand is.
    nest::value address(std::size_t input, place& of);

    /// Of a block whose threads have accumulators to combine; none where each value has one thread.
    nest::id shared(const std::string& name, int set);
    /// What a value's threads have, in pairs: the first of them has all.
    void combine(nest::value mine, nest::id shared);
    /// Of rows, once combined: each of its threads has all.
    void give_to_all(nest::value mine);

private:
    /// Threads that do the work of one of the order's warps.
    [[nodiscard]] int lanes_of_warp() const;
    void combine_row(nest::value mine, nest::id shared);
    void combine_column(nest::value mine, nest::id shared);

    nest::builder& to_;
    nest::operands& operands_;
    const kernel& of_;
    std::vector<int> kept_axes_;
    std::vector<int> reduced_axes_;
    std::vector<nest::value> positions_;  // of the value
};

}  // namespace kiln::plan
