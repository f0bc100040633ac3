// kiln/api/carried_array: knows whether an array that a graph carries is still there. A graph holds the addresses of its arrays;
// an array that dies says so (~array), if any graph carries one.
// in: addresses   out: whether each is still an array's   knows nothing of: what the arrays hold
#pragma once

#include <kiln/expression.hpp>

#include <atomic>

namespace kiln::inline v0_1::detail {

/// Watches one array from now on, as long as this lives.
class watched_array {
public:
    explicit watched_array(const handle<array_node>* slot);
    ~watched_array();
    watched_array(const watched_array&) = delete;
    watched_array& operator=(const watched_array&) = delete;

    /// The array was destroyed; what is at its address now, if anything, is another one.
    [[nodiscard]] bool is_gone() const noexcept { return gone_.load(std::memory_order_acquire); }

private:
    friend class watched_arrays;

    const handle<array_node>* const slot_;
    std::atomic<bool> gone_{false};
};

}  // namespace kiln::inline v0_1::detail
