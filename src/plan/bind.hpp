// kiln/plan/bind: one call's leaves and outputs to what the kernels need of them: the iteration's shape, which leaves are
// one array, axes collapsed, each operand's class. Happens at every call and does not allocate for expressions of the
// usual size.
// in: leaves, output places   out: bindings, and the key that picks the recipe   knows nothing of: programs, text
#pragma once

#include <capture/array_node.hpp>
#include <kiln/evaluate.hpp>
#include <plan/reduction.hpp>
#include <plan/schedule.hpp>
#include <plan/scratch.hpp>
#include <plan/target.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace kiln::plan {

inline constexpr int usual_leaves = 40;

/// Everything that one call is, but for the scalars' values.
struct bindings {
    [[gnu::always_inline]] bindings(const detail::leaf* leaves_, int leaf_count_, const detail::output* outputs_,
                                    int output_count_)
        : leaves(leaves_),
          outputs(outputs_),
          leaf_count(leaf_count_),
          output_count(output_count_),
          arrays(static_cast<std::size_t>(leaf_count_)),
          key(key_words(leaf_count_, output_count_)) {}
    bindings(const bindings&) = delete;
    bindings& operator=(const bindings&) = delete;

    const detail::leaf* leaves;
    const detail::output* outputs;
    int leaf_count;
    int output_count;

    const shape* iteration = nullptr;    // what all operands broadcast to
    detail::known_device* on = nullptr;  // where the call runs
    std::uintptr_t other_devices = 0;    // how others of its operands differ from the first one's, or-ed
    /// What few calls need.
    struct rest {
        std::vector<shape> output_shapes;  // of several outputs whose shapes differ; empty: all are the iteration's
        std::vector<access> classes;       // of each memory, where there are many
    };
    std::unique_ptr<rest> more;
    std::int64_t element_count;
    // Next to each other what starts as a constant: a few stores write it.
    int array_count = 0;
    std::uint32_t newest_capture = 0;  // of the numbers seen so far
    std::uint64_t captures = 0;        // of those, by their last six bits
    int target_leaves = 0;             // leaves that are the output's target itself
    int rank = 1;                      // of the collapsed axes; 1 when every operand is contiguous
    bool reused = false;               // the only output goes into its target's own memory
    bool aliased = false;              // which is an array's, too
    bool usual = true;  // contiguous operands of one shape, nothing baked: what follows them is left as it is
    bool mixed_shapes = false;
    bool all_contiguous = true;
    bool wide_index = false;
    bool long_rows = false;   // the innermost axis is worth blocks of its own
    bool short_rows = false;  // it is not worth a loop of its own
    int known_row = 0;        // its extent, where that is part of the class: of the shortest rows; 0 elsewhere
    bool reduces = false;
    bool keeps_rows = false;        // then: on chip, between reductions and what is made of them
    std::uint8_t reduced_axes = 0;  // of the iteration's
    std::uint8_t foreign = 0;       // the arrays' ownership, or-ed: 0 when each owns its memory; and partial_sums
    std::uintptr_t addresses = 16;  // of all contiguous operands, or-ed
    int alignment;                  // bytes that every contiguous operand's address is a multiple of: 1, 2, 4, 8 or 16
    int row_multiple;               // unless usual: elements that rows, and the strides between them, are multiples of
    // Set by resolve_shapes.
    union {
        shape broadcast;  // where iteration points to when no operand has that shape
    };
    union {
        shape kept;  // of reduced outputs
    };
    // Set by classify, of calls that reduce: dividing it up takes ten divisions.
    union {
        reduction_sizes sizes;
    };
    std::int64_t extents[max_rank];
    int inner_axis[max_rank];  // of each collapsed axis: the innermost axis in it, whose stride is the collapsed one's

    scratch<const detail::array_node*, usual_leaves> arrays;  // distinct, by first appearance
    access few_classes[usual_leaves];                         // of each memory, unless all are contiguous

    /// Equal for calls that one recipe serves. Words, so that comparing takes few instructions: a header, one byte (past
    /// 120 leaves: four) for what is at each slot (number_at), where operands are strided a byte for each class, and 8
    /// bytes for each baked leaf.
    scratch<std::uint64_t, (8 + 13 * usual_leaves + 16) / 8> key;
    std::size_t key_length = 0;  // words

    static constexpr int most_short_slots = 120;
    static std::size_t key_words(int leaves, int outputs) {
        return static_cast<std::size_t>(8 + 13 * leaves + outputs + 15) / 8;
    }

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

    /// What is at a slot: the number of a distinct array; `copied - earlier` where the number at slot `earlier` stands
    /// once more; else no_number.
    static constexpr std::int32_t no_number = -1;
    static constexpr std::int32_t copied = -2;
    [[nodiscard]] std::int32_t number_at(int slot) const noexcept {
        const auto* numbers = reinterpret_cast<const std::uint8_t*>(key.data()) + 8;
        if (leaf_count <= most_short_slots) return static_cast<std::int8_t>(numbers[slot]);
        std::int32_t number = 0;
        std::memcpy(&number, numbers + 4 * slot, sizeof number);
        return number;
    }

    /// The same of all slots, and the bits of their leaves, as lower() wants them.
    [[nodiscard]] std::vector<int> numbers() const {
        std::vector<int> out;
        for (int slot = 0; slot < leaf_count; ++slot) out.push_back(number_at(slot));
        return out;
    }
    [[nodiscard]] std::vector<std::uint64_t> baked() const {
        std::vector<std::uint64_t> out;
        for (int slot = 0; slot < leaf_count; ++slot) out.push_back(leaves[slot].bits);
        return out;
    }

    /// The node that an operand's memory is reached by: arrays first, then outputs; nullptr for a fresh output.
    [[nodiscard]] const detail::array_node* node(int memory) const noexcept {
        if (memory < array_count) return arrays[static_cast<std::size_t>(memory)];
        return reused ? outputs[0].target : nullptr;
    }
    [[nodiscard]] access class_of(int memory) const noexcept {
        if (all_contiguous) return access::contiguous;
        return memory_count() <= usual_leaves ? few_classes[memory] : more->classes[static_cast<std::size_t>(memory)];
    }
    /// Arrays and outputs.
    [[nodiscard]] int memory_count() const noexcept { return array_count + output_count; }
    [[nodiscard]] const shape& output_shape(int output) const noexcept {
        if (reduces) return outputs[output].reduces ? kept : *iteration;
        if (!more || more->output_shapes.empty()) return *iteration;
        return more->output_shapes[static_cast<std::size_t>(output)];
    }
};

/// The leaves that each output's shape comes from, as bits of slots; asked for only where shapes differ.
using output_leaves = std::vector<std::vector<bool>>;

/// The device of a call that has none of its own: generators alone, or with the host's memory.
using usual_device = detail::known_device& (*)();

/// Throws shape_error naming both shapes, device_error naming both devices. `salt` tells options apart, in bits 0 to 7
/// and 10 to 15. `leaves_of` makes the output_leaves of the expression; it is asked where several outputs have leaves
/// of different shapes.
void bind(bindings& call, std::uint16_t salt, usual_device usual,
          const std::function<const output_leaves&()>* leaves_of = nullptr);

/// Whether two pieces of memory share a byte.
bool overlap(const detail::array_node& left, const detail::array_node& right) noexcept;
/// Whether element i of one is element i of the other, for every i.
bool same_elements(const detail::array_node& left, const detail::array_node& right) noexcept;

}  // namespace kiln::plan
