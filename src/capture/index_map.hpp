// kiln/capture/index_map: how a view finds an element where strides alone cannot say it: a short program over the
// position, linear but for its steps.
//   address = data + sum of axis coefficients * position + sum of step coefficients * step values
// in: views   out: steps that every device can compute   knows nothing of: devices, text
#pragma once

#include <kiln/shape.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

/// offset + axis . position + steps . values of earlier steps. In elements.
struct linear_form {
    std::int64_t offset = 0;
    std::int64_t axis[max_rank] = {};
    std::vector<std::int64_t> steps;  // shorter than the list of steps: the rest are 0

    friend bool operator==(const linear_form&, const linear_form&) = default;
};

struct index_step {
    enum class kind : std::uint8_t {
        wrap,     // v < extent ? v : v - extent, of v in [0, 2 * extent)
        clamp,    // into [0, extent)
        mirror,   // about the first and the last element, of v in (-2 * extent, extent)
        divide,   // v / extent, of v >= 0
        outside,  // 0 where v is in [0, extent), else 1
        lookup,   // an index made by an expression: negative ones count from the end, then clamped into [0, extent)
    };
    kind how = kind::clamp;
    std::int64_t extent = 1;
    linear_form input;  // of all but lookup
    int lookup = -1;    // of lookup: which of the leaf's index expressions

    friend bool operator==(const index_step&, const index_step&) = default;
};

struct index_map {
    std::vector<index_step> steps;      // each uses only steps before it
    std::vector<std::int64_t> address;  // coefficients of the steps in the element's address
    int lookup_count = 0;

    friend bool operator==(const index_map&, const index_map&) = default;
};

/// Whether the steps have a say in where an element is. What is taken along an axis on which it is the same everywhere has lookups, and
/// moves by none of them: rows' positions where columns are looked up.
[[nodiscard]] inline bool moves(const index_map& of) noexcept {
    return std::any_of(of.address.begin(), of.address.end(), [](std::int64_t each) { return each != 0; });
}

}  // namespace kiln::inline v0_1::detail
