// kiln/reduced: what a reduction of an expression is until it is evaluated. Evaluated as it is, alone or beside others of
// k::eval, it is collected like any expression; inside another it becomes part of a run-time graph.
// knows nothing of: how anything runs
#pragma once

#include <kiln/expr.hpp>
#include <kiln/reduction.hpp>

#include <memory>

namespace kiln::inline v0_1 {

template <detail::reduction_kind what, class E>
class reduced_expression : public expression_members<reduced_expression<what, E>> {
public:
    using kiln_value = cpp_type<detail::reduced_type(what, type_of<typename E::kiln_value>)>;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = true;

    reduced_expression(E of, const axis_list& over, bool keep)
        : shared_(std::make_shared<shared>(std::move(of), over, keep)) {}

    detail::leaf* collect(detail::leaf* out) const noexcept { return out; }
    /// The same term each time, and of each copy: what stands twice in a graph is computed once.
    [[nodiscard]] detail::handle<detail::term> erase() const {
        if (detail::term* const known = shared_->term.load(std::memory_order_acquire)) return detail::share(known);
        detail::handle<detail::term> made =
            detail::make_reduction_term(what, type_of<kiln_value>, shared_->of.erase(), shared_->over, shared_->keep);
        detail::term* expected = nullptr;
        if (shared_->term.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
            return detail::share(made.release());
        return detail::share(expected);
    }
    [[nodiscard]] expr<kiln_value> kiln_viewed(const detail::view_spec& by) const {
        return detail::access::make<expr<kiln_value>>(detail::viewed(erase(), by));
    }
    template <class I>
    [[nodiscard]] expr<kiln_value> kiln_gathered(const detail::view_spec& by, const I& index) const {
        return detail::access::make<expr<kiln_value>>(detail::viewed(erase(), by, index.erase()));
    }

    [[nodiscard]] const E& kiln_reduced() const noexcept { return shared_->of; }
    [[nodiscard]] detail::reduction_call kiln_reduction() const noexcept {
        return {what, &shared_->over, shared_->keep};
    }

private:
    struct shared {
        shared(E of_, const axis_list& over_, bool keep_) : of(std::move(of_)), over(over_), keep(keep_) {}
        ~shared() { detail::handle<detail::term>(term.load(std::memory_order_relaxed)); }
        E of;
        axis_list over;
        bool keep;
        std::atomic<detail::term*> term{nullptr};  // one reference
    };
    std::shared_ptr<shared> shared_;
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
