// kiln/graph: a loop's body, recorded once and replayed: on a GPU as CUDA graphs, many steps a launch, and nothing between
// them but what the kernels do.
// knows nothing of: devices, kernels
#pragma once

#include <kiln/array.hpp>
#include <kiln/export.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace kiln::inline v0_1 {

namespace detail {

class recorded_loop;  // src/graph.cpp

/// The address of an array, of any element type.
struct carried_array {
    template <element T>
    carried_array(array<T>* one) noexcept : slot(one ? &access::slot(*one) : nullptr), type(type_of<T>) {}
    // k::graph step({x}, ...)
    template <element T>
    carried_array(const array<T>&) : slot(nullptr), type(type_of<T>) {
        static_assert(std::is_void_v<T>, "kiln: a graph carries arrays by their addresses: k::graph step({&x}, ...)");
    }

    // k::graph step({&c}, ...), c const; or the address of something else
    template <class T>
    carried_array(const T*) : slot(nullptr), type(element_type::float32) {
        static_assert(std::is_void_v<T>,
                      "kiln: a graph carries k::arrays, by their addresses, that may be assigned to");
    }

    handle<array_node>* slot;  // the array's own; null: none was named
    element_type type;
};

struct end_of_loop {
    KILN_API void operator()(recorded_loop* of) const noexcept;
};
using loop_owner = std::unique_ptr<recorded_loop, end_of_loop>;

KILN_API loop_owner record_loop(std::initializer_list<carried_array> arrays, const std::function<void()>& body);
KILN_API void replay_loop(recorded_loop* of, std::int64_t steps);

}  // namespace detail

/// k::graph step({&f, &g}, [&] { std::tie(f, g) = k::eval(f + g, f - g); });
/// step.replay(100);
///
/// After replay(n) the carried arrays hold what n calls of the body would have given. Each keeps its shape. Which of them
/// has which buffer may change from step to step: bodies may swap them. Copies of the arrays, and expressions made of them,
/// keep the values that they had. What is assigned to a carried array between replays is where the next one starts.
/// All are on one device, and so is what the body reads: device_error names both where there are two.
/// What the carried arrays do not hold is as it was when the graph was made: numbers, options, and the values of other
/// arrays. A number that changes from replay to replay is a carried array of rank 0. (Memory behind wrap() is read and
/// written by each replay.)
class graph {
public:
    /// Calls `body` once for each role that the arrays have in turn (once where each is written in place, twice where two
    /// buffers swap, once more where a GPU leaves partial sums from step to step), and notes what it would launch: kernels
    /// are compiled or loaded, none runs, the arrays stay as they are. What else the body does, it does at these calls
    /// alone.
    ///
    /// Throws what the body throws; device_error where it waits or copies to or from the host, naming the function;
    /// shape_error where a carried array changes shape; type_error where one has no value; error where the body assigns
    /// to an array that is neither carried nor its own (which holds nothing that means anything then) or keeps one of its
    /// own. The carried arrays are as they were.
    ///
    /// The arrays stay where they are as long as the graph is replayed. When the graph goes they keep their values, and a
    /// replay that still runs goes on.
    template <std::invocable Body>
    graph(std::initializer_list<detail::carried_array> arrays, Body&& body)
        : loop_(detail::record_loop(arrays, std::function<void()>(std::ref(body)))) {}
    // k::graph step({&x}, [](k::array<float> x) { ... })
    template <class Body>
        requires(!std::invocable<Body>)
    graph(std::initializer_list<detail::carried_array>, Body&&) {
        static_assert(
            std::is_invocable_v<Body>,
            "kiln: the body of a graph takes nothing: it captures the arrays, as [&] does, and assigns to them");
    }

    // k::graph step([&] { ... }, x)
    template <class First, class... Rest>
        requires(!std::same_as<std::remove_cvref_t<First>, graph> && sizeof...(Rest) > 0)
    explicit graph(First&&, Rest&&...) {
        static_assert(std::is_void_v<First>,
                      "kiln: a graph is made of the addresses of its arrays, in braces, and then its body: "
                      "k::graph step({&x, &y}, [&] { ... })");
    }

    /// `steps` calls of the body, asynchronously, on the calling thread's stream: on a GPU few launches, each of a power
    /// of two of the body's rounds, up to 128 kernels. Copies a carried array only where another holds its
    /// buffer, or it was assigned to since the last replay. One thread at a time. Throws device_error, out_of_memory,
    /// shape_error where an array was given another shape, type_error where one was moved from and not assigned to since,
    /// error where one was destroyed, and of a graph that was moved from.
    void replay(std::int64_t steps = 1) { detail::replay_loop(loop_.get(), steps); }
    void operator()(std::int64_t steps = 1) { replay(steps); }

private:
    detail::loop_owner loop_;
};

}  // namespace kiln::inline v0_1
