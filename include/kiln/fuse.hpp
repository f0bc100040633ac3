// kiln/fuse: a function of arrays, whose body is looked at once. auto step = k::fuse([](auto f, auto g, auto dt) { ... });
// step(f, g, 0.1f) builds no expression any more: what it costs beside the launch is to put arrays in their places.
// knows nothing of: how anything runs
#pragma once

#include <kiln/array.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>

#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace kiln::inline v0_1 {

template <element T>
class host_array;  // host_array.hpp

namespace detail {

/// What stands for one argument of a fused function: an array, or a number.
struct fused_argument {
    const array_node* array = nullptr;
    element_type type = element_type::float32;
    const void* number = nullptr;
};

struct traces;
KILN_API std::shared_ptr<traces> make_traces();

/// What the function's body came to: its results, from terms that stand for the arguments.
using traced_body = std::function<void(const handle<term>* arguments, handle<term>* results)>;

/// Runs the body for the first arguments of these shapes. For those that follow it is not run, but where what it captures
/// may change (`captures`): at the second, fourth, eighth, ... call, to see that nothing did; error is thrown if so.
KILN_API void evaluate_fused(traces& known, const fused_argument* arguments, int argument_count,
                             const traced_body& body, bool captures, output* results, int result_count);

template <element T>
fused_argument as_fused_argument(const array<T>& x) {
    return {x.kiln_node().get(), type_of<T>, nullptr};
}
template <element T>
fused_argument as_fused_argument(const host_array<T>& x) {
    return {x.kiln_host_node().get(), type_of<T>, nullptr};
}
template <class T>
    requires element<T> || std::is_arithmetic_v<T>
fused_argument as_fused_argument(const T& x) {
    static_assert(element<T>, "kiln: fuse: a number of a type that arrays can have");
    return {nullptr, type_of<T>, &x};
}

template <class A>
struct fused_element {
    using type = A;
};
template <class T>
struct fused_element<array<T>> {
    using type = T;
};

template <class T>
struct fused_element<host_array<T>> {
    using type = T;
};

template <class R>
inline constexpr bool is_fused_result = expression<R>;
template <class... Rs>
inline constexpr bool is_fused_result<std::tuple<Rs...>> = (expression<Rs> && ...);

template <class R>
struct fused_results {
    static constexpr std::size_t count = 1;
    using type = array<value_t<R>>;
    static void erase(const R& from, handle<term>* to) { *to = expr<value_t<R>>(from).erase(); }
    static type adopt(output* from) { return access::make<type>(handle<array_node>(from->written)); }
};
template <class... Rs>
struct fused_results<std::tuple<Rs...>> {
    static constexpr std::size_t count = sizeof...(Rs);
    using type = std::tuple<array<value_t<Rs>>...>;
    static void erase(const std::tuple<Rs...>& from, handle<term>* to) {
        std::apply([to](const Rs&... each) mutable { ((*to++ = expr<value_t<Rs>>(each).erase()), ...); }, from);
    }
    static type adopt(output* from) {
        return [from]<std::size_t... I>(std::index_sequence<I...>) {
            return type(access::make<array<value_t<Rs>>>(handle<array_node>(from[I].written))...);
        }(std::index_sequence_for<Rs...>());
    }
};

}  // namespace detail

/// Made by fuse().
template <class Function>
class fused {
public:
    explicit fused(Function function) : function_(std::move(function)), known_(detail::make_traces()) {}

    /// Arrays, host arrays (then the body is called each time, and its results streamed), and numbers of element types. An array for one expression, a tuple of arrays for a std::tuple of them.
    /// Asynchronous. Throws what evaluating its expressions would.
    template <class... Args>
    auto operator()(const Args&... args) const {
        constexpr bool takes = (requires { detail::as_fused_argument(args); } && ...);
        static_assert(takes, "kiln: a fused function takes arrays and numbers; evaluate an expression first");
        if constexpr (takes) {
            static_assert(
                requires { function_(std::declval<argument<Args>>()...); },
                "kiln: the function that was fused does not take so many arguments, or not of these types");
        }
        if constexpr (takes && requires { function_(std::declval<argument<Args>>()...); }) {
            using result = std::decay_t<decltype(function_(std::declval<argument<Args>>()...))>;
            constexpr bool gives = detail::is_fused_result<result>;
            static_assert(gives, "kiln: a fused function gives an expression, or a std::tuple of them");
            if constexpr (gives) return call<result>(args...);
        }
    }

private:
    template <class A>
    using argument = expr<typename detail::fused_element<A>::type>;

    template <class result, class... Args>
    auto call(const Args&... args) const {
        using results = detail::fused_results<result>;
        const detail::fused_argument arguments[] = {detail::as_fused_argument(args)...};
        // Most calls make none of this: it is looked at where shapes are new.
        const auto body = [this](const detail::handle<detail::term>* given, detail::handle<detail::term>* to) {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                results::erase(function_(detail::access::make<argument<Args>>(given[I])...), to);
            }(std::index_sequence_for<Args...>());
        };
        detail::output made[results::count];
        detail::evaluate_fused(*known_, arguments, static_cast<int>(sizeof...(Args)), std::cref(body),
                               !std::is_empty_v<Function>, made, static_cast<int>(results::count));
        return results::adopt(made);
    }

    Function function_;
    std::shared_ptr<detail::traces> known_;
};

/// A function of arrays and numbers that gives an expression, or a std::tuple of them, as one that gives arrays. The function
/// is called with k::expr in place of its arguments, once for each combination of their shapes, and may not ask for
/// elements. A number among the arguments may change from call to call; it promotes
/// as an array of its type does (0.5 is double), not as in an expression.
/// What the function captures may not change: numbers and arrays that it holds, [&dt], are those of its first call. So a
/// function with captures is called again at the second, fourth, eighth call and so on for arguments of those shapes, and
/// error is thrown where it says something else than at first: which costs nothing in the long run, and finds a number that
/// changes from step to step at the second.
template <class Function>
auto fuse(Function function) {
    return fused<Function>(std::move(function));
}

}  // namespace kiln::inline v0_1
