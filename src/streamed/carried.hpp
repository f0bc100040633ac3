// kiln/streamed/carried: a reduction over the axis that is cut. Chunks are reduced by themselves, as long as the order of additions has
// them together, and their results are combined in pairs, neighbours first, which is how that order goes on (plan/host_order.hpp).
// in: a reduction   out: reductions of parts, what their results come to   knows nothing of: devices, copies
#pragma once

#include <capture/term.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;
using kiln::detail::term;

class carried {
public:
    /// Nothing where it is none of the reductions that can be; then `reasons` has one more. `kernels_reduce`: plan::target::reduces.
    static std::optional<carried> of(const handle<term>& root, bool kernels_reduce, std::vector<std::string>& reasons);

    /// What is cut, element by element, along an axis.
    [[nodiscard]] const handle<term>& operand() const noexcept { return operand_; }
    [[nodiscard]] int axis() const noexcept { return axis_; }
    /// Positions of the smallest chunk; larger ones are this doubled, and doubled again. 1: of any size, whatever the order.
    [[nodiscard]] std::int64_t least() const noexcept { return least_; }
    [[nodiscard]] std::int64_t result_bytes() const;

    [[nodiscard]] handle<term> reduction_of(const handle<term>& part) const;
    /// Of two neighbours' results.
    [[nodiscard]] handle<term> combined(const handle<array_node>& first, const handle<array_node>& second) const;
    /// The reduction's value, of that of all chunks.
    [[nodiscard]] handle<term> finished(const handle<array_node>& total) const;

private:
    handle<term> root_;
    handle<term> operand_;
    shape whole_;
    std::uint8_t axes_ = 0;
    int axis_ = 0;
    std::int64_t least_ = 0;
    bool is_flat_ = false;  // all axes went: the operand has one
    element_type accumulated_ = element_type::float32;
};

/// Results of chunks, the first one first.
class partial_results {
public:
    partial_results(const carried& of, std::function<handle<array_node>(const handle<term>&)> evaluate)
        : of_(of), evaluate_(std::move(evaluate)) {}

    void add(handle<array_node> next);
    [[nodiscard]] const handle<array_node>& last() const { return waiting_.back().value; }
    [[nodiscard]] handle<term> finished();

private:
    struct result {
        handle<array_node> value;
        int doubled = 0;  // it is of 2^doubled chunks
    };
    void combine_last();

    const carried& of_;
    std::function<handle<array_node>(const handle<term>&)> evaluate_;
    std::vector<result> waiting_;  // each of fewer chunks than that before it
};

}  // namespace kiln::streamed
