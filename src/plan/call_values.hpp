// kiln/plan/call_values: what a launch needs of one call beside its kernels: sizes, strides, memory, numbers. No planner
// reads them: what a kernel may depend on is in the call's class (call_class.hpp).
// knows nothing of: programs, text
#pragma once

#include <capture/array_node.hpp>
#include <capture/known_device.hpp>
#include <kiln/evaluate.hpp>
#include <plan/call_class.hpp>
#include <plan/reduction.hpp>
#include <plan/scratch.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::plan {

struct call_values {
    [[gnu::always_inline]] call_values(const detail::leaf* leaves_, int leaf_count_, const detail::output* outputs_,
                                       int output_count_)
        : leaves(leaves_),
          outputs(outputs_),
          leaf_count(leaf_count_),
          output_count(output_count_),
          arrays(static_cast<std::size_t>(leaf_count_)) {}
    call_values(const call_values&) = delete;
    call_values& operator=(const call_values&) = delete;

    const detail::leaf* leaves;
    const detail::output* outputs;
    int leaf_count;
    int output_count;

    const shape* iteration = nullptr;                   // what all operands broadcast to
    detail::known_device* on = nullptr;                 // where the call runs
    std::unique_ptr<std::vector<shape>> output_shapes;  // of several outputs whose shapes differ; else nullptr
    std::int64_t element_count;
    int array_count = 0;
    int rank = 1;         // of the collapsed axes; 1 when every operand is contiguous
    bool reused = false;  // the only output goes into its target's own memory
    bool reduces = false;
    std::uint8_t reduced_axes = 0;  // of the iteration's
    std::uint8_t foreign = 0;       // the arrays' ownership, or-ed: 0 when each owns its memory; and partial_sums
    union {
        shape broadcast;  // where iteration points to when no operand has that shape
    };
    union {
        shape kept;  // of reduced outputs
    };
    // Of calls that reduce on CUDA: dividing up takes ten divisions.
    union {
        reduction_sizes sizes;
    };
    std::int64_t extents[max_rank];
    int inner_axis[max_rank];   // of each collapsed axis: the innermost axis in it, whose stride is the collapsed one's
    bool axes_are_cut = false;  // some of them once more (split_axes.hpp)
    std::int64_t
        weights[max_rank];  // then, of each: elements of the axis that it is a part of, from one position to the next

    scratch<const detail::array_node*, usual_leaves> arrays;  // distinct, by first appearance

    /// Whether an array is memory of the user's: it may overlap anything.
    [[nodiscard]] bool user_memory() const noexcept {
        return foreign & static_cast<std::uint8_t>(detail::ownership::device_user);
    }

    /// A bit of `foreign`, beside those of ownership: an array, or what it is a view of, is partial; some may have to be
    /// finalized before the launch.
    static constexpr std::uint8_t partial_sums = 8;
    [[nodiscard]] bool has_partial_sums() const noexcept { return foreign & partial_sums; }
    /// Neither: each array's memory may be given to a kernel as it is.
    [[nodiscard]] bool memory_is_ready() const noexcept {
        return !(foreign & (static_cast<std::uint8_t>(detail::ownership::device_user) | partial_sums));
    }

    /// The node that an operand's memory is reached by: arrays first, then outputs; nullptr for a fresh output.
    [[nodiscard]] const detail::array_node* node(int memory) const noexcept {
        if (memory < array_count) return arrays[static_cast<std::size_t>(memory)];
        return reused ? outputs[0].target : nullptr;
    }
    /// Arrays and outputs.
    [[nodiscard]] int memory_count() const noexcept { return array_count + output_count; }
    [[nodiscard]] const shape& output_shape(int output) const noexcept {
        if (reduces) return outputs[output].reduces ? kept : *iteration;
        return output_shapes ? (*output_shapes)[static_cast<std::size_t>(output)] : *iteration;
    }
};

/// Whether a call's kernel finalizes an array that is partial, instead of reading the sum from its place. Another thread may
/// put it there meanwhile: the partial sums stay.
bool finalizes(const call_values& call, const detail::array_node& array);

/// Elements that a call reads of an array, each once; of a call whose operands are not all contiguous.
std::int64_t touched_elements(const call_values& call, int array);

}  // namespace kiln::plan
