#include <plan/row_blocks.hpp>

#include <bit>
#include <cstdint>
#include <span>

namespace kiln::plan {

namespace {

using detail::index_step;

constexpr std::uint64_t least = 4;  // elements of a vector
constexpr std::uintptr_t aligned = 16;

/// How a linear form goes along a row, as far as steps before it are known.
class forms {
public:
    forms(const call_values& call, const reach& of) : call_(call), of_(of) {}

    /// From one element of a vector to the next: `by_one`, `by_halves` (0 0 1 1 2 2) and `by_twos` (0 0 2 2 4 4) where one thing in it
    /// goes so, and that alone; where twice the one is taken from the other, it alternates.
    enum class motion : std::uint8_t { still, by_one, by_halves, by_twos, alternating, irregular };

    [[nodiscard]] motion along(const std::int64_t* by_axis, std::span<const std::int64_t> steps) const {
        std::int64_t ones = 0;
        std::int64_t halves = 0;
        int moving = 0;
        const auto add = [&](std::int64_t coefficient, std::int64_t& to) {
            to += coefficient;
            moving += coefficient != 0;
        };
        add(merged_coefficient(call_, of_, by_axis, call_.rank - 1), ones);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (has(ones_, i)) add(steps[i], ones);
            if (has(halves_, i)) add(steps[i], halves);
        }
        if (moving == 0) return motion::still;
        if (moving == 1 && ones == 1) return motion::by_one;
        if (moving == 1 && halves == 1) return motion::by_halves;
        if (moving == 1 && halves == 2) return motion::by_twos;
        return moving == 2 && ones == 1 && halves == -2 ? motion::alternating : motion::irregular;
    }
    /// What it goes up by from one vector to another, beside that.
    [[nodiscard]] std::uint64_t jumps(const std::int64_t* by_axis, std::span<const std::int64_t> steps) const {
        std::uint64_t out = 0;
        for (int axis = 0; axis + 1 < call_.rank; ++axis)
            out |= static_cast<std::uint64_t>(merged_coefficient(call_, of_, by_axis, axis));
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (!has(ones_ | halves_, i)) out |= static_cast<std::uint64_t>(steps[i]);
        return out;
    }
    void goes_by_one(std::size_t step) { ones_ |= std::uint32_t{1} << step; }
    void goes_by_halves(std::size_t step) { halves_ |= std::uint32_t{1} << step; }

private:
    static bool has(std::uint32_t steps, std::size_t step) { return steps >> step & 1; }

    const call_values& call_;
    const reach& of_;
    std::uint32_t ones_ = 0;  // a bit per step
    std::uint32_t halves_ = 0;
};

}  // namespace

row_blocks blocks_of(const call_values& call, const reach& of, int memory) {
    using motion = forms::motion;
    constexpr std::size_t most_steps = 32;
    row_blocks out;
    const auto& steps = of.map->steps;
    if (steps.size() > most_steps || of.map->lookup_count > 0) return {};
    forms known(call, of);
    bool has_ends = false;
    out.multiples |= static_cast<std::uint64_t>(call.extents[call.rank - 1]);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const index_step& step = steps[i];
        const motion goes = known.along(step.input.axis, step.input.steps);
        if (goes == motion::still) continue;
        const bool is_divided = step.how == index_step::kind::divide;
        const std::uint64_t jumps =
            static_cast<std::uint64_t>(step.input.offset) | known.jumps(step.input.axis, step.input.steps);
        if (goes == motion::by_one && is_divided && step.extent == 2) {
            known.goes_by_halves(i);
            out.multiples |= jumps;
            continue;
        }
        if (goes == motion::by_halves && is_divided) {
            out.multiples |= 2 * (jumps | static_cast<std::uint64_t>(step.extent));
            continue;
        }
        if (goes != motion::by_one || step.how == index_step::kind::mirror) return {};
        const bool is_clamped = step.how == index_step::kind::clamp;
        if (is_clamped && has_ends) return {};
        has_ends = has_ends || is_clamped;
        if (is_clamped || step.how == index_step::kind::wrap) known.goes_by_one(i);
        out.multiples |= jumps | static_cast<std::uint64_t>(step.extent);
    }
    const detail::array_node& node = *call.node(memory);
    const bool is_position = node.owned == detail::ownership::position;
    const motion goes = known.along(of.strides, of.map->address);
    if (goes == motion::irregular) return {};
    if (has_ends && goes != motion::still && (is_position || goes != motion::by_one)) return {};
    const std::uint64_t jumps = known.jumps(of.strides, of.map->address);
    if (goes == motion::by_one) out.multiples |= jumps;
    if (goes == motion::by_halves) out.multiples |= 2 * jumps;
    const std::uint64_t block = std::uint64_t{1} << std::countr_zero(out.multiples);
    if (block < least) return {};
    switch (goes) {
        case motion::by_one: out.how = row_block::neighbours; break;
        case motion::by_halves: out.how = row_block::pairs; break;
        case motion::alternating: out.how = row_block::alternating; break;
        case motion::by_twos: out.how = row_block::twos; break;
        default: out.how = row_block::one;
    }
    if (is_position || out.how == row_block::one || out.how == row_block::alternating || out.how == row_block::twos)
        return out;
    const auto bytes = static_cast<std::uint64_t>(bytes_of(node.type));
    const bool are_whole = out.how == row_block::pairs || block * bytes % aligned == 0;
    if (!are_whole || std::bit_cast<std::uintptr_t>(node.data) % aligned != 0) return {};
    return out;
}

}  // namespace kiln::plan
