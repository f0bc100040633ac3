// kiln/streamed/carried: a reduction over the axis that is cut. Where its order makes no difference chunks are reduced by themselves, and
// their results are combined; elsewhere it takes the elements of chunk after chunk in the order of the whole (run/resumed.hpp).
// in: a reduction   out: what is evaluated of each chunk, what all come to   knows nothing of: copies
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <streamed/taken_elements.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::streamed {

class carried {
public:
    /// Nothing where it is none of the reductions that can be; then `reasons` has one more.
    static std::optional<carried> of(const handle<term>& root, const plan::target& on,
                                     std::vector<std::string>& reasons);

    /// What is cut, element by element, along an axis.
    [[nodiscard]] const handle<term>& operand() const noexcept { return operand_; }
    [[nodiscard]] int axis() const noexcept { return axis_; }
    /// Whether all axes of the operand before that one have one position: chunks are neighbours in memory.
    [[nodiscard]] bool is_outermost() const noexcept;
    /// Chunks of a multiple of so many positions leave nothing half done; those of any size do for the result.
    [[nodiscard]] std::int64_t together() const noexcept { return together_; }
    /// On the device, of chunks of so many positions: what is known between them, and elements that are made.
    [[nodiscard]] std::int64_t bytes_known(const plan::target& on, std::int64_t count) const;
    [[nodiscard]] std::int64_t bytes_of_elements(std::int64_t count) const;

private:
    friend class carried_results;
    [[nodiscard]] handle<term> reduction_of(const handle<term>& part) const;
    [[nodiscard]] handle<term> finished(const handle<array_node>& total) const;

    handle<term> root_;
    handle<term> operand_;
    shape whole_;
    std::uint8_t axes_ = 0;
    int axis_ = 0;
    std::int64_t together_ = 1;
    std::int64_t of_position_ = 1;         // elements of each value
    std::optional<taken_elements> takes_;  // none: results are combined
    bool is_flat_ = false;                 // all axes went: the operand has one
    element_type accumulated_ = element_type::float32;
};

/// Of chunks, the first one first.
class carried_results {
public:
    /// `most`: positions of a chunk.
    carried_results(const carried& of, backend::device& on, std::int64_t most, const char* label,
                    evaluate_elements evaluate);

    /// The operand's positions [begin, begin + count).
    void add(const handle<term>& part, std::int64_t begin, std::int64_t count);
    /// What is left to be evaluated once all were added.
    [[nodiscard]] handle<term> finished();

private:
    const carried& of_;
    evaluate_elements evaluate_;
    handle<array_node> sum_;  // of results
    std::optional<kiln::detail::resumed_reduction> taken_;
};

}  // namespace kiln::streamed
