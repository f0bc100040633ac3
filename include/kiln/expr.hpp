// kiln/expr: an expression whose type is forgotten, so that a loop can build it: poly = poly * x + c.
#pragma once

#include <kiln/evaluate.hpp>

#include <utility>

namespace kiln::inline v0_1 {

/// Any expression of T (or of a type that widens to it). Copying is one increment; assigning one to itself inside a loop
/// grows a graph, it evaluates nothing. Graphs may be shared: what stands twice is computed once.
template <element T>
class expr : public expression_members<expr<T>> {
public:
    using kiln_value = T;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = true;

    /// 0, of rank 0.
    expr() : expr(T(0)) {}
    /// A number, of rank 0, with which a sum may begin. Throws type_error where it is an integer that T cannot hold.
    template <scalar S>
    expr(S value) {
        const T held = detail::number_as<T>(value);
        root_ = detail::make_full_term({}, detail::make_scalar_term(type_of<T>, &held, detail::next_capture()));
    }
    template <expression E>
        requires(!std::same_as<std::remove_cvref_t<E>, expr>)
    expr(E&& e) : root_(detail::erase_as<T>(detail::as_collectable(std::forward<E>(e)))) {
        static_assert(
            assignable(type_of<value_t<E>>, type_of<T>),
            "kiln: an expr of a type that is narrower, or signed where the other is not, needs k::cast<T>(expression)");
    }

    expr(const expr&) = default;
    expr(expr&&) noexcept = default;
    expr& operator=(const expr& other) & noexcept {
        root_ = other.root_;
        return *this;
    }
    expr& operator=(expr&& other) & noexcept {
        root_ = std::move(other.root_);
        return *this;
    }
    // k::transpose(e) = e
    detail::what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made operator=(const expr&) && = delete;

    detail::leaf* collect(detail::leaf* out) const noexcept { return out; }
    [[nodiscard]] const detail::handle<detail::term>& erase() const noexcept { return root_; }
    [[nodiscard]] expr kiln_viewed(const detail::view_spec& by) const { return expr(detail::viewed(root_, by)); }
    template <class I>
    [[nodiscard]] expr kiln_gathered(const detail::view_spec& by, const I& index) const {
        return expr(detail::viewed(root_, by, index.erase()));
    }

private:
    friend detail::access;

    explicit expr(detail::handle<detail::term> root) noexcept : root_(std::move(root)) {}

    detail::handle<detail::term> root_;
};

/// k::expr sum = x + 1: of the type of what it begins with.
template <expression E>
expr(E&&) -> expr<value_t<E>>;
template <scalar S>
expr(S) -> expr<S>;

}  // namespace kiln::inline v0_1
