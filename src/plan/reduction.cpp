#include <plan/reduction.hpp>

#include <plan/schedule.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

namespace {

constexpr std::int64_t enough_blocks = 1056;  // 8 on each of an H200's 132 multiprocessors: they all run at once
constexpr std::int64_t least_rounds = 8;      // of a thread, that are worth a block of their own

std::int64_t divided_up(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

std::int64_t power_of_two_from(std::int64_t count) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1))));
}

/// Neighbouring threads on the elements of one value: a power of two of them, a warp at most, or a whole block for long rows.
int lanes_along_rows(std::int64_t reduced) {
    constexpr std::int64_t long_row = 2048;
    if (reduced > long_row) return reduction_sizes::threads;
    return static_cast<int>(std::min<std::int64_t>(power_of_two_from(divided_up(reduced, 4)), 32));
}

/// Neighbouring threads on neighbouring values, at least a warp of them where there are so many.
int lanes_along_columns(std::int64_t inner_kept, std::int64_t reduced) {
    const std::int64_t at_most = reduction_sizes::threads / std::min<std::int64_t>(power_of_two_from(inner_kept), 32);
    return static_cast<int>(std::min(at_most, power_of_two_from(reduced / 8)));
}

}  // namespace

reduction_sizes sizes_of_reduction(const bindings& call) {
    reduction_sizes out;
    const shape& whole = *call.iteration;
    std::int64_t inner_kept = 1;
    bool inner = true;
    for (int axis = whole.rank(); axis-- > 0;) {
        const bool goes = call.reduced_axes >> axis & 1;
        (goes ? out.reduced : out.kept) *= whole[axis];
        if (whole[axis] == 1) continue;
        inner = inner && !goes;
        if (inner) inner_kept *= whole[axis];
    }
    const bool along_rows = inner_kept == 1;
    out.run = along_rows ? 4 : 1;
    out.lanes = along_rows ? lanes_along_rows(out.reduced) : lanes_along_columns(inner_kept, out.reduced);

    const std::int64_t round = std::int64_t{out.lanes} * out.run;
    out.part = out.reduced;
    const std::int64_t groups = out.groups(along_rows ? 1 : reduction_sizes::widest);
    if (groups < enough_blocks && out.lanes > 1) {
        const std::int64_t wanted =
            std::min(divided_up(enough_blocks, groups), out.reduced / (round * least_rounds));
        if (wanted > 1) out.part = divided_up(divided_up(out.reduced, wanted), round) * round;
    }
    out.splits = divided_up(out.reduced, out.part);
    return out;
}

std::int64_t workspace_bytes(const kernel& of, const reduction_sizes& sizes) {
    if (sizes.splits == 1) return 0;
    std::int64_t bytes = 0;
    for (const reduced_output& each : of.reduced)
        bytes += divided_up(sizes.kept * sizes.splits * state_bytes(each), 256) * 256;
    return bytes;
}

kernel elements_of(const kernel& of) {
    kernel out = of;
    for (std::size_t i = 0; i < out.reduced.size(); ++i) {
        operand elements;
        elements.value = of.outputs[i].value;
        elements.memory = of.outputs[i].memory;
        elements.type = of.reduced[i].accumulated;
        out.outputs[i] = elements;
    }
    return out;
}

}  // namespace kiln::plan
