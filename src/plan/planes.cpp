#include <plan/planes.hpp>

#include <plan/reach.hpp>

namespace kiln::plan {

int planes_of(const call_values& call) {
    const int across = call.rank - 2;
    if (across < 0 || call.extents[across] > most_planes) return 0;
    bool is_told = false;
    for (int memory = 0; memory < call.array_count; ++memory) {
        reach of;
        find_reach(call, memory, of);
        bool changes = false;
        bool moves = false;
        each_form(of, [&](const std::int64_t* by_axis, const detail::linear_form*) {
            changes = changes || merged_coefficient(call, of, by_axis, across) != 0;
            moves = moves || merged_coefficient(call, of, by_axis, call.rank - 1) != 0;
        });
        const bool is_position = call.node(memory)->owned == detail::ownership::position;
        if (changes && moves) return 0;
        is_told = is_told || (changes && is_position);
    }
    return is_told ? static_cast<int>(call.extents[across]) : 0;
}

}  // namespace kiln::plan
