// kiln/capture/scan_beside: arrays that a scan's kernel reads beside its operand, each at the index of the value that it goes on with.
// knows nothing of: kernels
#pragma once

#include <capture/array_node.hpp>

#include <cstdint>
#include <optional>

namespace kiln::inline v0_1::detail {

/// Elements (of positions, numbers) from one to the next along the lines' axis, and along those before it and after it, taken together;
/// 0 where the array is broadcast.
struct scan_beside {
    std::int64_t outer = 0;
    std::int64_t count = 0;
    std::int64_t inner = 0;

    friend bool operator==(const scan_beside&, const scan_beside&) = default;
};

/// How an array of whatever shape broadcasts to `of` lies in it; none: its strides bend within the axes before `axis`, or after it.
std::optional<scan_beside> beside_scan(const array_node& node, const shape& of, int axis) noexcept;

}  // namespace kiln::inline v0_1::detail
