// tests/support/left_in_parts: an array that looks like a sum which a GPU left in parts, for what plans and compiles. None of
// its parts is there.
#pragma once

#include <capture/array_node.hpp>

#include <kiln/array.hpp>

namespace tests {

class left_in_parts {
public:
    template <class T>
    left_in_parts(const kiln::array<T>& number, int count) : node_(*number.kiln_node().get()) {
        node_.part_count = count;
        node_.in_place = false;
    }
    left_in_parts(const left_in_parts&) = delete;
    left_in_parts& operator=(const left_in_parts&) = delete;
    ~left_in_parts() { node_.in_place = true; }

private:
    kiln::detail::array_node& node_;
};

}  // namespace tests
