// kiln/reduced: what a reduction of an expression is until it is evaluated. Evaluated as it is, alone or beside others of
// k::eval, it is collected like any expression; inside another it becomes part of a run-time graph.
// knows nothing of: how anything runs
#pragma once

#include <kiln/expr.hpp>
#include <kiln/reduction.hpp>

#include <atomic>
#include <utility>

namespace kiln::inline v0_1 {

namespace detail {

/// What copies of a reduction share. In a handle, not a std::shared_ptr, whose thirty functions for each type were an eighth of what a
/// compiler made of a file of reductions.
struct reduction_state {
    counted owners;
    axis_list over;
    bool keep;
    std::atomic<term*> made{nullptr};  // one reference

    ~reduction_state() { handle<term>(made.load(std::memory_order_relaxed)); }
};
template <class E>
struct reduction_of : reduction_state {
    E of;
};
template <class E>
void destroy(const reduction_of<E>* node) noexcept {
    delete node;
}

/// The term of `state`, the same to whoever asks; `of`: what is reduced.
KILN_API handle<term> reduction_term(reduction_state& state, reduction_kind what, element_type result, handle<term> of);

}  // namespace detail

template <detail::reduction_kind what, class E>
class reduced_expression : public expression_members<reduced_expression<what, E>> {
public:
    using kiln_value = cpp_type<detail::reduced_type(what, type_of<typename E::kiln_value>)>;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = true;

    reduced_expression(E of, const axis_list& over, bool keep)
        : shared_(new detail::reduction_of<E>{{{}, over, keep}, std::move(of)}) {}

    detail::leaf* collect(detail::leaf* out) const noexcept { return out; }
    /// The same term each time, and of each copy: what stands twice in a graph is computed once.
    [[nodiscard]] detail::handle<detail::term> erase() const {
        detail::reduction_of<E>& own = *shared_.get();
        if (detail::term* const known = own.made.load(std::memory_order_acquire)) return detail::share(known);
        return detail::reduction_term(own, what, type_of<kiln_value>, own.of.erase());
    }
    [[nodiscard]] expr<kiln_value> kiln_viewed(const detail::view_spec& by) const {
        return detail::access::make<expr<kiln_value>>(detail::viewed(erase(), by));
    }
    template <class I>
    [[nodiscard]] expr<kiln_value> kiln_gathered(const detail::view_spec& by, const I& index) const {
        return detail::access::make<expr<kiln_value>>(detail::viewed(erase(), by, index.erase()));
    }

    [[nodiscard]] const E& kiln_reduced() const noexcept { return shared_.get()->of; }
    [[nodiscard]] detail::reduction_call kiln_reduction() const noexcept {
        return {what, &shared_.get()->over, shared_.get()->keep};
    }

private:
    detail::handle<detail::reduction_of<E>> shared_;
};

namespace detail {

/// How one of several expressions that are evaluated together is collected and described, where at least one is a reduction.
template <class E>
struct evaluated_with_reductions {
    static constexpr bool possible = !E::dynamic;
    static constexpr bool reduces = false;
    using collected = E;
    static const E& of(const E& e) noexcept { return e; }
    static reduction_call how(const E&) noexcept { return {}; }
    template <class Stored>
    static void describe(graph& into) {
        add_output(into, E::describe(into), type_of<Stored>);
    }
};
template <reduction_kind what, class E>
struct evaluated_with_reductions<reduced_expression<what, E>> {
    static constexpr bool possible = true;
    static constexpr bool reduces = true;
    using collected = E;
    static const E& of(const reduced_expression<what, E>& e) noexcept { return e.kiln_reduced(); }
    static reduction_call how(const reduced_expression<what, E>& e) noexcept { return e.kiln_reduction(); }
    template <class Stored>
    static void describe(graph& into) {
        add_reduced_output(into, E::describe(into), what, type_of<Stored>);
    }
};

}  // namespace detail
}  // namespace kiln::inline v0_1
