// Values that share a long row, as in shared_rows.cpp, with lanes in other roles: each lane of a warp has values of its own, and all of
// them read the same elements at the same time. A block then reads the row once for 32 times as many values: where lanes share a value,
// rows of 16384 bodies, which no first cache holds, come from the second one for every two of them, 2 GB in all.
#include <plan/policy/values_of_lanes.hpp>

namespace kiln::plan {

namespace {

using nest::value;

class lane_values_policy : values_of_lanes {
public:
    using values_of_lanes::values_of_lanes;

    nest::tree run() {
        begin();
        take_leaves([&](value thread, value is_right) { take_vectors(thread, is_right); });
        finish();
        return to_.finish();
    }
};

}  // namespace

nest::tree lane_values_nest(const lower::program& program, const kernel& of) {
    return lane_values_policy(program, of).run();
}

}  // namespace kiln::plan
