// kiln/streamed/taken_elements: a reduction as what takes elements that are made apart (run/resumed.hpp): which, and in which places.
// in: a reduction, the whole's shape   out: terms of elements, what takes them   knows nothing of: chunks
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <run/resumed.hpp>

#include <cstdint>
#include <functional>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;
using kiln::detail::term;

/// Into row-major memory that the device reads.
using evaluate_elements = std::function<handle<array_node>(const handle<term>&)>;

class taken_elements {
public:
    taken_elements(const term& reduction, const shape& whole, std::uint8_t axes);

    /// Of part of the operand: rows as (values, elements), columns as (elements, values).
    [[nodiscard]] handle<term> of(const handle<term>& part) const;
    /// What those take, of a part of such a shape. 0: they are there.
    [[nodiscard]] std::int64_t bytes(const term& operand, const shape& part) const;
    [[nodiscard]] const plan::reduced_output& reduced() const noexcept { return reduced_; }
    [[nodiscard]] kiln::detail::resumed_reduction begin(backend::device& on, const shape& part, std::int64_t most,
                                                        const char* label) const;
    /// What that holds.
    [[nodiscard]] std::int64_t bytes_known(const plan::target& on, const shape& part, std::int64_t most) const;

private:
    [[nodiscard]] std::int64_t values_of(const shape& part) const;

    shape whole_;
    std::uint8_t axes_;
    int order_[max_rank] = {};  // of the operand's axes, as elements are taken
    plan::reduced_output reduced_;
};

/// What a reduction of a part comes to in the order of the whole: `part` has fewer positions on an axis that stays.
handle<term> reduced_in_order(const term& reduction, const handle<term>& part, const shape& whole, std::uint8_t axes,
                              backend::device& on, const char* label, const evaluate_elements& evaluate);

}  // namespace kiln::streamed
