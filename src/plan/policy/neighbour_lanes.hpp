// kiln/plan/policy/neighbour_lanes: rows whose elements do not move in vectors, by lanes that take neighbouring elements.
// The order of a value (plan/reduction.hpp) gives lane l of a warp the elements 4 l to 4 l + 3 of each 128. Read one by one like that, an
// instruction's elements lie in four times as many lines as need be. Which lane adds up makes no difference to a result: lane l takes
// elements l, l + 32, l + 64 and l + 96, each into the accumulator of its place, and the accumulators meet in the pairs of the order.
// in: a planned kernel of rows, accumulators   out: values of its nest
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>

#include <algorithm>
#include <string_view>

namespace kiln::plan {

/// Whether the lanes of a kernel's rows take neighbouring elements: of rows whose elements are apart, or backwards, or beside which as many
/// operands are the same for every row, so that the first cache has as much to give as memory. On an H100 the dot of every third of 100M
/// doubles with 33M backwards takes 365 us so for 794, of floats 193 for 214; what lies side by side, and begins between vectors, 2 % longer
/// (95 for 92). A vector with each row of (97943, 517) floats takes an H200 52 us for 60, with (4001, 5003) complex64 45 for 85, but two such
/// rows and a vector 105 for 93. What two states come to takes dozens of operations, which would stand in the text twice as often.
inline bool takes_neighbours(const kernel& of) {
    if (of.vectorised || of.vector_width != reduction_sizes::widest || of.threads_per_output < warp) return false;
    const auto has_state = [](const reduced_output& each) { return each.keeps_state(); };
    const int all = (1 << of.rank) - 1;
    bool are_apart = false;
    int rows = 0, shared_rows = 0;
    for (const operand& each : of.inputs) {
        if (each.how == access::uniform || each.is_position || each.gathered || each.is_partial ||
            bytes_of(each.type) < 4 || !(each.axes_read() >> (of.rank - 1) & 1))
            continue;
        are_apart = are_apart || each.how == access::strided;
        ++((each.axes_read() & all) == all ? rows : shared_rows);
    }
    return (are_apart || (shared_rows > 0 && shared_rows >= rows)) &&
           std::none_of(of.reduced.begin(), of.reduced.end(), has_state);
}

/// Where, from where a row's threads begin, `lane` of them does.
inline nest::value first_neighbour(nest::value lane) {
    constexpr int elements_of_warp = warp * reduction_sizes::widest;
    return lane / warp * elements_of_warp + lane % warp;
}

/// What a warp's accumulators come to, in its first lane. Accumulator j of lane l is that of element l % 4 of lane 8 j + l / 4 of the
/// order: its elements are l + 32 j = 4 (8 j + l / 4) + l % 4.
template <class Part>
nest::value combined_neighbours(nest::builder& to, std::string_view name, int set, Part part) {
    constexpr int elements = reduction_sizes::widest;
    for (int apart = 1; apart < elements; apart *= 2)
        to.unrolled("j", elements,
                    [&](nest::value j) { to.assign(part(j), to.combine(part(j), to.shuffle_down(part(j), apart))); });
    const auto place = [&](int j) { return part(to.constant(j)); };
    const nest::value mine = to.variable(name, nest::types::accumulators(set),
                                         to.combine(to.combine(place(0), place(2)), to.combine(place(1), place(3))));
    to.halving("apart", elements,
               [&](nest::value apart) { to.assign(mine, to.combine(mine, to.shuffle_down(mine, apart * elements))); });
    return mine;
}

}  // namespace kiln::plan
