// kiln/plan/policy/neighbour_lanes: rows whose elements do not move in vectors, by lanes that take neighbouring elements.
// The order of a value (plan/reduction.hpp) gives lane l of a warp the elements 4 l to 4 l + 3 of each 128. Read one by one like that, an
// instruction's elements lie in four times as many lines as need be. Which lane adds up makes no difference to a result: lane l takes
// element 4 (l % 8) + l / 8 and those 32, 64 and 96 behind it, which are what lanes l % 8, and 8, 16 and 24 behind it have at place l / 8
// in the order. So what it has of each becomes theirs by two exchanges, before anything is combined.
// in: a planned kernel of rows, what lanes have   out: values of its nest
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/operands.hpp>
#include <plan/policy/innermost_rows.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>

#include <algorithm>
#include <vector>

namespace kiln::plan {

/// Whether the lanes of a kernel of rows that are only reduced take neighbouring elements: of rows whose elements are apart, or backwards, of a
/// single operand that begins anywhere, or beside which as many are the same for every row, so that the first cache has as much to give as
/// memory. On an H100 the dot of every third of 100M doubles with 33M backwards takes 365 us so for 794, of floats 193 for 214; of two rows
/// that lie side by side and begin between vectors it takes longer (float16 of 8191 an H200 75 us for 67). A vector with each row of
/// (97943, 517) floats takes an H200 52 us for 60, with (4001, 5003) complex64 45 for 85, but two such rows and a vector 105 for 93.
/// logsumexp of 1301 rows of 50257 bfloat16 takes it 103 us for 131, the largest of each 39 for 42.
inline bool takes_neighbours(const kernel& of) {
    if (of.vectorised || of.turns > 1 || of.vector_width != reduction_sizes::widest || of.threads_per_output < warp)
        return false;
    const int all = (1 << of.rank) - 1;
    const bool has_state = std::any_of(of.reduced.begin(), of.reduced.end(),
                                       [](const reduced_output& each) { return each.keeps_state(); });
    bool are_apart = false;
    bool are_narrow = false;
    int rows = 0, shared_rows = 0;
    for (const operand& each : of.inputs) {
        if (each.gathered || each.is_partial) return false;
        if (each.how == access::uniform || each.is_position || !(each.axes_read() >> (of.rank - 1) & 1)) continue;
        are_apart = are_apart || each.how == access::strided;
        are_narrow = are_narrow || bytes_of(each.type) < 4;
        ++((each.axes_read() & all) == all ? rows : shared_rows);
    }
    if (rows == 1 && shared_rows == 0 && !are_apart) return true;
    if (has_innermost_rows(of) && widest_of(of.inputs) == 4) return true;
    return !has_state && !are_narrow && (are_apart || (shared_rows > 0 && shared_rows >= rows));
}

/// Where, from where a row's threads begin, the first element of the row's thread `lane` is; its others follow, each a warp behind.
inline nest::value first_neighbour(nest::value lane) {
    constexpr int elements_of_warp = warp * reduction_sizes::widest;
    const nest::value of_warp = lane % warp;
    return lane / warp * elements_of_warp + (of_warp % 8 * reduction_sizes::widest + of_warp / 8);
}

/// What changes hands between a warp's lanes: element k of lane l, which is number 4 l + k, for number 32 k + 4 (l % 8) + l / 8; done once
/// more, it is what it was. Lanes that differ by 16 exchange until k's upper bit and that bit of the lane have changed places, then those that
/// differ by 8 for its lower one.
class neighbours_exchange {
public:
    neighbours_exchange(nest::builder& to, nest::value lane) : to_(to) {
        static_assert(reduction_sizes::widest == 4);
        for (const int apart : {16, 8}) {
            const nest::value is_upper = to_.let("is_upper", nest::types::boolean, lane / apart % 2 == 1);
            const nest::value other =
                to_.let("other_lane", nest::types::small, to_.select(is_upper, lane - apart, lane + apart));
            steps_.push_back({is_upper, other, apart / 8});
        }
    }

    /// `at(k)`: the lane's element k.
    template <class At>
    void turn(At at) const {
        for (const step& each : steps_)
            for (int low = 0; low < reduction_sizes::widest; ++low) {
                if ((low & each.between) != 0) continue;
                const nest::value mine = at(low);
                const nest::value other = at(low + each.between);
                const nest::value given = to_.let("given", to_.select(each.is_upper, mine, other));
                const nest::value taken = to_.let("taken", to_.shuffle(given, each.other_lane));
                to_.assign(mine, to_.select(each.is_upper, taken, mine));
                to_.assign(other, to_.select(each.is_upper, other, taken));
            }
    }

private:
    struct step {
        nest::value is_upper, other_lane;
        int between = 1;  // elements that change places
    };
    nest::builder& to_;
    std::vector<step> steps_;
};

}  // namespace kiln::plan
