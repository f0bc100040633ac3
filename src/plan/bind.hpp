// kiln/plan/bind: one call's leaves and outputs to its class and its values: the iteration's shape, which leaves are one
// array, axes collapsed, how each operand is reached. Happens at every call and does not allocate for expressions of the
// usual size.
// in: leaves, output places   out: a call_class, which picks the executable, and call_values   knows nothing of: programs, text
#pragma once

#include <plan/call_class.hpp>
#include <plan/call_values.hpp>

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

namespace kiln::plan {

/// A call, bound: its values, its class, and what binding finds on the way to them.
struct bindings : call_values {
    [[gnu::always_inline]] bindings(const detail::leaf* leaves_, int leaf_count_, const detail::output* outputs_,
                                    int output_count_)
        : call_values(leaves_, leaf_count_, outputs_, output_count_), kind(leaf_count_, output_count_) {}

    call_class kind;

    // Next to each other what starts as a constant: a few stores write it.
    std::uint64_t captures = 0;        // of the numbers seen so far, by their last six bits
    std::uintptr_t addresses = 16;     // of all contiguous operands, or-ed
    std::uint32_t newest_capture = 0;  // of the numbers seen so far
    int target_leaves = 0;             // leaves that are the output's target itself
    bool usual = true;                 // contiguous operands of one shape, nothing baked
    bool mixed_shapes = false;
    bool aliased = false;  // an output's memory is an array's, too
    bool wide_index = false;
    std::uintptr_t other_devices = 0;  // how those of other operands differ from the first one's, or-ed
};

/// The leaves that each output's shape comes from, as bits of slots; asked for only where shapes differ.
using output_leaves = std::vector<std::vector<bool>>;

/// The device of a call that has none of its own: generators alone, or with the host's memory.
using usual_device = detail::known_device& (*)();

/// What the options of a call's thread are in its salt: bits 0 to 3.
inline std::uint16_t salt_of(const options& wanted) noexcept {
    static_assert(sizeof(options) == 1);
    return std::bit_cast<std::uint8_t>(wanted) & 0b1111;
}

/// Throws shape_error naming both shapes, device_error naming both devices. `salt`: the options, and in bits 4 to 7 and 10
/// what else tells executables apart. `leaves_of` makes the output_leaves of the expression; it is asked where several
/// outputs have leaves
/// of different shapes.
void bind(bindings& call, std::uint16_t salt, usual_device usual,
          const std::function<const output_leaves&()>* leaves_of = nullptr);

/// Whether two pieces of memory share a byte.
bool overlap(const detail::array_node& left, const detail::array_node& right) noexcept;
/// Whether element i of one is element i of the other, for every i.
bool same_elements(const detail::array_node& left, const detail::array_node& right) noexcept;

}  // namespace kiln::plan
