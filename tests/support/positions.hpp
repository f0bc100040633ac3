// tests/support/positions: what an array should hold, said position by position: the oracle of views. It shares nothing with
// kiln but the shape.
#pragma once

#include <kiln/kiln.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tests {

using position = std::array<std::int64_t, kiln::max_rank>;

/// value(position) at every position of the shape, row-major.
template <class Value>
auto each_position(const kiln::shape& extents, Value value) {
    std::vector<decltype(value(position{}))> out;
    position at{};
    for (std::int64_t i = 0; i < extents.size(); ++i) {
        std::int64_t rest = i;
        for (int axis = extents.rank(); axis-- > 0;) {
            at[static_cast<std::size_t>(axis)] = rest % extents[axis];
            rest /= extents[axis];
        }
        out.push_back(value(at));
    }
    return out;
}

/// Which element, row-major, is at a position of `rank` axes; an axis of one element stands for any position, and missing
/// axes are the outer ones, as in NumPy.
inline std::int64_t element_at(const kiln::shape& extents, const position& where, int rank) {
    std::int64_t element = 0;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        const std::int64_t p = where[static_cast<std::size_t>(axis + rank - extents.rank())];
        element = element * extents[axis] + (extents[axis] == 1 ? 0 : p);
    }
    return element;
}

/// Values on the host with a shape, read by position.
template <class T>
struct host_array {
    kiln::shape extents;
    std::vector<T> values;

    [[nodiscard]] T at(const position& where, int rank) const {
        return values[static_cast<std::size_t>(element_at(extents, where, rank))];
    }
    [[nodiscard]] kiln::array<T> on_device() const { return kiln::from_host<T>(values, extents); }
};

/// Distinct small values: each position's is another, so that a wrong position shows.
template <class T>
host_array<T> distinct(const kiln::shape& extents, int first = 1) {
    host_array<T> out{extents, {}};
    for (std::int64_t i = 0; i < extents.size(); ++i) out.values.push_back(static_cast<T>(first + i));
    return out;
}

}  // namespace tests
