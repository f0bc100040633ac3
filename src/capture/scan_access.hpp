// kiln/capture/scan_access: how a scan reaches its operand, or its result: casts and reversed lines, which would be kernels of their own
// before it and after it, are done on the way.
// knows nothing of: kernels
#pragma once

#include <kiln/element_type.hpp>

#include <optional>

namespace kiln::inline v0_1::detail {

struct scan_access {
    std::optional<element_type> type =
        {};                 // elements are cast from it, or to it; none: they are of the type that is added up in
    bool backward = false;  // a line's first element is its last one in memory

    [[nodiscard]] bool is_plain() const noexcept { return !type && !backward; }
    friend bool operator==(const scan_access&, const scan_access&) = default;
};

/// Whether an element becomes one of the other type by a conversion of C++, or of 16-bit floats by their one instruction, as it does in
/// every kernel: floats saturate where they become integers, and 16-bit floats are made of others in two roundings.
constexpr bool is_plain_cast(element_type from, element_type to) {
    const element_kind one = kind_of(from), other = kind_of(to);
    if (from == to || one == element_kind::complex || other == element_kind::complex || other == element_kind::logical)
        return false;
    if (is_small_float(from) || is_small_float(to)) return from == element_type::float32 || to == element_type::float32;
    return one != element_kind::floating || other == element_kind::floating;
}

}  // namespace kiln::inline v0_1::detail
