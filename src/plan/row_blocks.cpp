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

    enum class motion : std::uint8_t { still, by_one, irregular };

    /// How it goes from one element of a vector to the next: up by one where one thing in it does, and that alone.
    [[nodiscard]] motion along(const std::int64_t* by_axis, std::span<const std::int64_t> steps) const {
        motion out = motion::still;
        const auto add = [&out](std::int64_t coefficient) {
            if (coefficient != 0) out = out == motion::still && coefficient == 1 ? motion::by_one : motion::irregular;
        };
        add(merged_coefficient(call_, of_, by_axis, call_.rank - 1));
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (moves(i)) add(steps[i]);
        return out;
    }
    /// What it goes up by from one vector to another, beside that.
    [[nodiscard]] std::uint64_t jumps(const std::int64_t* by_axis, std::span<const std::int64_t> steps) const {
        std::uint64_t out = 0;
        for (int axis = 0; axis + 1 < call_.rank; ++axis)
            out |= static_cast<std::uint64_t>(merged_coefficient(call_, of_, by_axis, axis));
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (!moves(i)) out |= static_cast<std::uint64_t>(steps[i]);
        return out;
    }
    [[nodiscard]] bool moves(std::size_t step) const { return moves_ >> step & 1; }
    void add(std::size_t step, bool moves) { moves_ |= std::uint32_t{moves} << step; }

private:
    const call_values& call_;
    const reach& of_;
    std::uint32_t moves_ = 0;  // a bit per step: goes up by one
};

}  // namespace

row_blocks blocks_of(const call_values& call, const reach& of, int memory) {
    constexpr std::size_t most_steps = 32;
    row_blocks out;
    const auto& steps = of.map->steps;
    if (steps.size() > most_steps || of.map->lookup_count > 0) return {};
    forms known(call, of);
    bool has_ends = false;
    out.multiples |= static_cast<std::uint64_t>(call.extents[call.rank - 1]);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const index_step& step = steps[i];
        const forms::motion goes = known.along(step.input.axis, step.input.steps);
        if (goes == forms::motion::still) continue;
        if (goes == forms::motion::irregular || step.how == index_step::kind::mirror) return {};
        const bool is_clamped = step.how == index_step::kind::clamp;
        if (is_clamped && has_ends) return {};
        has_ends = has_ends || is_clamped;
        known.add(i, is_clamped || step.how == index_step::kind::wrap);
        out.multiples |= static_cast<std::uint64_t>(step.input.offset) | static_cast<std::uint64_t>(step.extent) |
                         known.jumps(step.input.axis, step.input.steps);
    }
    const detail::array_node& node = *call.node(memory);
    const bool is_position = node.owned == detail::ownership::position;
    const forms::motion goes = known.along(of.strides, of.map->address);
    if (goes == forms::motion::irregular) return {};
    if (goes == forms::motion::by_one) {
        if (is_position && has_ends) return {};
        out.multiples |= known.jumps(of.strides, of.map->address);
    }
    const std::uint64_t block = std::uint64_t{1} << std::countr_zero(out.multiples);
    if (block < least) return {};
    out.how = goes == forms::motion::by_one ? row_block::neighbours : row_block::one;
    if (is_position || out.how == row_block::one) return out;
    const auto bytes = static_cast<std::uint64_t>(bytes_of(node.type));
    if (block * bytes % aligned != 0 || std::bit_cast<std::uintptr_t>(node.data) % aligned != 0) return {};
    return out;
}

}  // namespace kiln::plan
