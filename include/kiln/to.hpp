// kiln/to: arrays on other devices.
#pragma once

#include <kiln/array.hpp>

#include <type_traits>

namespace kiln::inline v0_1 {

namespace detail {
/// The array itself where it is there already.
KILN_API handle<array_node> on_device(known_device& there, const handle<array_node>& of);
}  // namespace detail

/// k::array<float> there = k::to(k::cuda(0), x);
/// The values of e in an array on that device, of e's shape. An array that is there already is returned as it is: O(1),
/// the buffer shared. Else its elements are copied: to or from the CPU they are there when it returns; between two GPUs
/// the copy is asynchronous, straight from one to the other where the machine can do that, and in order with what the
/// calling thread's streams on both are given. An expression runs where its arrays are (without arrays on the thread's
/// device), and its result is copied. Throws device_error, out_of_memory, and what evaluating throws.
template <expression E>
array<value_t<E>> to(const device& there, E&& e) {
    if constexpr (std::is_same_v<std::remove_cvref_t<E>, array<value_t<E>>>)
        return detail::access::make<array<value_t<E>>>(detail::on_device(detail::access::known(there), e.kiln_node()));
    else return to(there, array<value_t<E>>(std::forward<E>(e)));
}

// k::to(x, k::cpu)
template <expression E>
const E& to(const E& e, const device&) {
    static_assert(std::is_void_v<E>, "kiln: to takes the device first: k::to(k::cpu, x)");
    return e;
}

template <detail::no_operand E>
const E& to(const device&, const E& e) {
    detail::say_what_operands_are<E>();
    return e;
}

}  // namespace kiln::inline v0_1
