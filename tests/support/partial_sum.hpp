// tests/support/partial_sum: an array that looks like a sum which a GPU left in partial sums, for what plans and compiles. None of
// them is there.
#pragma once

#include <plan/partial_sums.hpp>

#include <kiln/array.hpp>

namespace tests {

class partial_sum {
public:
    template <class T>
    partial_sum(const kiln::array<T>& number, int count) : node_(*number.kiln_node().get()) {
        kiln::plan::set_partial(node_, count);
    }
    partial_sum(const partial_sum&) = delete;
    partial_sum& operator=(const partial_sum&) = delete;
    ~partial_sum() { kiln::plan::set_partial(node_, 0); }

private:
    kiln::detail::array_node& node_;
};

}  // namespace tests
