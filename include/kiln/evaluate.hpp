// kiln/evaluate: from an expression's type to its evaluation. eval() makes arrays, prepare() compiles or loads and
// launches nothing, label() names a kernel in tables.
// knows nothing of: devices, kernels, source text
#pragma once

#include <kiln/export.hpp>
#include <kiln/expression.hpp>
#include <kiln/source_line.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

namespace kiln::inline v0_1 {

namespace detail {

struct reduction_call;  // reduction.hpp
struct executable;      // src/evaluate.cpp: what a warm call needs

/// Of one expression type: how to describe it, and an executable for each class of call seen so far.
struct expression_cache {
    void (*describe)(graph&);
    std::atomic<const executable*> executables{nullptr};
};

/// Where one result goes.
struct output {
    enum class place : std::uint8_t {
        fresh,    // into a new array
        reuse,    // into `target`'s own buffer where nobody can see the difference, else into a new one
        through,  // into `target`'s memory, whoever shares it
    };
    place where = place::fresh;
    /// The expression is an rvalue: its own handles are no owners that would see a buffer change.
    bool discount_leaves = false;
    array_node* target = nullptr;   // borrowed; null: none
    array_node* written = nullptr;  // set by evaluate(): `target`, or a new node with one reference, the caller's
    /// What the call does with reductions, if it has any: the same in all of its outputs.
    enum class reducing : std::uint8_t {
        nothing,
        outputs,           // some outputs are reduced
        rows,              // rows stay on chip between reductions and what is made of them
        nested,            // outputs are reductions of what reductions over the iteration's last axis come to
        products,          // outputs are made of a product of matrices on tensor cores, each element of one value
        sums_of_products,  // the output is a product of matrices of floats, whose sums have an order of their own
        values,            // outputs are made of what elements are reduced to in tiles, each element of one value
        values_of_sums_of_products,  // the same of a product of matrices of floats
    };
    reducing call_is = reducing::nothing;
    std::uint8_t reduced_axes = 0;  // of the call: bits of the iteration's axes
    bool reduces = false;           // this output has extent 1 there
};

enum class purpose : std::uint8_t { launch, prepare };

KILN_API void evaluate(expression_cache& of, const leaf* leaves, int leaf_count, output* outputs, int output_count,
                       const char* label, purpose why = purpose::launch);
/// The same for graphs built at run time.
KILN_API void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label,
                       purpose why = purpose::launch);

/// Writes one expression into part of `whole` (a view node of it), or into memory that the user owns (whole null).
KILN_API void evaluate_through(handle<array_node>* whole, handle<array_node> part, expression_cache& of,
                               const leaf* leaves, int leaf_count, bool discount_leaves, const char* label);
KILN_API void evaluate_through(handle<array_node>* whole, handle<array_node> part, const handle<term>& root,
                               const char* label);

}  // namespace detail

namespace detail {

/// A copy of a short text, for which nothing is allocated.
class label_text {
public:
    explicit label_text(std::string_view text) {
        if (text.size() >= sizeof short_) long_ = text;
        else text.copy(short_, text.size());
    }

    [[nodiscard]] const char* c_str() const noexcept { return long_.empty() ? short_ : long_.c_str(); }

private:
    char short_[64] = {};
    std::string long_;
};

}  // namespace detail

/// An expression with a name, made by label().
template <class E>
struct labelled : expression_members<labelled<E>> {
    using kiln_value = typename E::kiln_value;
    using kiln_captured = E;
    static constexpr int leaf_count = E::leaf_count;
    static constexpr bool dynamic = E::dynamic;
    detail::label_text kiln_label;
    E expression;

    operator const E&() const& noexcept { return expression; }
    operator E&&() && noexcept { return std::move(expression); }
    detail::leaf* collect(detail::leaf* out) const noexcept { return expression.collect(out); }
    static int describe(detail::graph& into) { return E::describe(into); }
    [[nodiscard]] detail::handle<detail::term> erase() const { return expression.erase(); }
    [[nodiscard]] auto kiln_viewed(const detail::view_spec& by) const { return expression.kiln_viewed(by); }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return expression.kiln_gathered(by, index);
    }
};

namespace detail {

template <class E>
const char* label_of(const E& e) noexcept {
    if constexpr (requires { e.kiln_label; }) return e.kiln_label.c_str();
    else return nullptr;
}

/// Of several outputs, the first label there is.
template <class... Es>
const char* first_label_of(const Es&... es) noexcept {
    const char* found = nullptr;
    ((found = found ? found : label_of(es)), ...);
    return found;
}

/// What an operand is stored as; arrays, views and references all become a leaf.
template <class E>
using captured_t = typename captured_as<std::remove_cvref_t<E>>::type;

KILN_API void add_output(graph& into, int node, element_type as);

/// One per tuple of expression types and the element types that they are stored as.
template <class... Stored>
struct expression_cache_of {
    template <class... Es>
    static inline constinit expression_cache value{
        +[](graph& into) { (add_output(into, Es::describe(into), type_of<Stored>), ...); }};
};

template <class T, class E>
handle<term> erase_as(const E& e) {
    handle<term> root = e.erase();
    if constexpr (type_of<T> == type_of<typename E::kiln_value>) return root;
    else return make_operation_term(operation::cast, type_of<T>, std::move(root));
}

/// reduced.hpp
template <class E>
struct evaluated_with_reductions;

/// One per tuple of expressions with a reduction among them.
template <class... Stored>
struct reducing_expression_cache_of {
    template <class... Es>
    static inline constinit expression_cache value{
        +[](graph& into) { (evaluated_with_reductions<Es>::template describe<Stored>(into), ...); }};
};

/// Whether all are collected, some of them into reductions: none is part of a run-time graph, none changes its type.
template <class... Ts, class... Es>
consteval bool reduces_collected(const std::tuple<Es...>*) {
    return (evaluated_with_reductions<Es>::possible && ...) && (evaluated_with_reductions<Es>::reduces || ...) &&
           ((type_of<Ts> == type_of<typename Es::kiln_value>)&&...);
}

template <class... Ts, class... Es>
bool evaluate_collected(output* outputs, const char* label, purpose why, const Es&... es) {
    leaf leaves[(evaluated_with_reductions<Es>::collected::leaf_count + ...)];
    leaf* next = leaves;
    int ends[sizeof...(Es)];
    int* end = ends;
    ((next = evaluated_with_reductions<Es>::of(es).collect(next), *end++ = static_cast<int>(next - leaves)), ...);
    // reduction_call is complete where this is instantiated, not where it stands: clang++ minds if it is named.
    using call = std::common_type_t<decltype(evaluated_with_reductions<Es>::how(es))...>;
    const call calls[] = {evaluated_with_reductions<Es>::how(es)...};
    return evaluate_reduced(reducing_expression_cache_of<Ts...>::template value<Es...>, leaves, ends, calls, outputs,
                            static_cast<int>(sizeof...(Es)), label, why);
}

template <class... Ts, class... Es>
void evaluate_all(output* outputs, const char* label, purpose why, const Es&... es) {
    if constexpr ((Es::dynamic || ...)) {
        if constexpr (reduces_collected<Ts...>(static_cast<const std::tuple<Es...>*>(nullptr)))
            if (evaluate_collected<Ts...>(outputs, label, why, es...)) return;
        const handle<term> roots[] = {erase_as<Ts>(es)...};
        // Who else holds a part of a run-time graph is not known here: every handle in it is an owner.
        for (std::size_t i = 0; i < sizeof...(Es); ++i) outputs[i].discount_leaves = false;
        evaluate(roots, outputs, static_cast<int>(sizeof...(Es)), label, why);
    } else {
        leaf leaves[(Es::leaf_count + ...)];
        leaf* next = leaves;
        ((next = es.collect(next)), ...);
        evaluate(expression_cache_of<Ts...>::template value<Es...>, leaves, (Es::leaf_count + ...), outputs,
                 static_cast<int>(sizeof...(Es)), label, why);
    }
}

template <class T, class E>
void evaluate_part(handle<array_node>* whole, handle<array_node> part, const E& e, bool discount_leaves) {
    require_assignable<typename E::kiln_value, T>();
    if constexpr (E::dynamic) {
        evaluate_through(whole, std::move(part), erase_as<T>(e), label_of(e));
    } else {
        leaf leaves[E::leaf_count];
        e.collect(leaves);
        evaluate_through(whole, std::move(part), expression_cache_of<T>::template value<E>, leaves, E::leaf_count,
                         discount_leaves, label_of(e));
    }
}

/// Stores an operand so that it can be collected: expressions as they are, arrays and views as a leaf.
template <class E>
decltype(auto) as_collectable(E&& e) {
    using Plain = std::remove_cvref_t<E>;
    if constexpr (std::is_same_v<captured_t<E>, Plain> || requires { e.kiln_label; }) return std::forward<E>(e);
    else return captured_t<E>(std::forward<E>(e));
}

}  // namespace detail

/// The shape that an expression has: that of its arrays and generators, broadcast. () of scalars and k::index() alone.
template <expression E>
shape shape_of(const E& e) {
    if constexpr (requires { e.kiln_node(); }) {
        return e.shape();
    } else if constexpr (E::dynamic) {
        return detail::broadcast_leaves(e.erase());
    } else {
        detail::leaf leaves[E::leaf_count];
        e.collect(leaves);
        return detail::broadcast_leaves(leaves, E::leaf_count);
    }
}

/// Evaluates into new arrays, in one kernel: auto [f1, g1] = k::eval(f + g, f - g). One expression gives an array, more a
/// tuple. Each has its own shape; together they broadcast. Asynchronous. Throws shape_error, compile_error, out_of_memory, device_error.
template <expression E>
auto eval(E&& e, source_line where = source_line::here()) {
    using result = array<value_t<E>>;
    if constexpr (std::is_same_v<std::remove_cvref_t<E>, result>) return result(std::forward<E>(e));  // itself
    else return result(std::forward<E>(e), where);
}

template <detail::no_operand E>
const E& eval(const E& e) {
    detail::say_what_operands_are<E>();
    return e;
}
template <scalar S>
void eval(S) = delete;  // a number is there already

namespace detail {
// A variable, as is_element is.
template <class... Es>
inline constexpr bool are_expressions = (expression<Es> && ...);
}  // namespace detail
// eval(x + y, 3)
template <class... Es>
    requires(sizeof...(Es) > 1 && (expression<Es> || ...) && (scalar<Es> || ...))
auto eval(const Es&... es) {
    static_assert(detail::are_expressions<Es...>,
                  "kiln: eval takes expressions, one for each result; a number is there already");
    return std::tuple<Es...>(es...);
}

namespace detail {
template <class... Es>
auto eval_at(source_line where, Es&&... es) {
    note_source_line(where);
    output outputs[sizeof...(Es)];
    evaluate_all<value_t<Es>...>(outputs, first_label_of(es...), purpose::launch,
                                 as_collectable(std::forward<Es>(es))...);
    return [&outputs]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple<array<value_t<Es>>...>(
            access::make<array<value_t<Es>>>(handle<array_node>(outputs[I].written))...);
    }(std::index_sequence_for<Es...>{});
}

template <class... Es>
void prepare_at(source_line where, Es&&... es) {
    note_source_line(where);
    output outputs[sizeof...(Es)];
    evaluate_all<value_t<Es>...>(outputs, first_label_of(es...), purpose::prepare,
                                 as_collectable(std::forward<Es>(es))...);
}
}  // namespace detail

// Nothing can stand behind a pack: a profile knows the line of up to four.
template <expression A, expression B>
auto eval(A&& a, B&& b, source_line where = source_line::here()) {
    return detail::eval_at(where, std::forward<A>(a), std::forward<B>(b));
}
template <expression A, expression B, expression C>
auto eval(A&& a, B&& b, C&& c, source_line where = source_line::here()) {
    return detail::eval_at(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}
template <expression A, expression B, expression C, expression D>
auto eval(A&& a, B&& b, C&& c, D&& d, source_line where = source_line::here()) {
    return detail::eval_at(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c), std::forward<D>(d));
}
template <expression... Es>
    requires(sizeof...(Es) > 4)
auto eval(Es&&... es) {
    return detail::eval_at({}, std::forward<Es>(es)...);
}

/// Compiles or loads what eval() of the same would need, and launches nothing.
template <expression E>
void prepare(E&& e, source_line where = source_line::here()) {
    detail::prepare_at(where, std::forward<E>(e));
}
template <expression A, expression B>
void prepare(A&& a, B&& b, source_line where = source_line::here()) {
    detail::prepare_at(where, std::forward<A>(a), std::forward<B>(b));
}
template <expression A, expression B, expression C>
void prepare(A&& a, B&& b, C&& c, source_line where = source_line::here()) {
    detail::prepare_at(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}
template <expression A, expression B, expression C, expression D>
void prepare(A&& a, B&& b, C&& c, D&& d, source_line where = source_line::here()) {
    detail::prepare_at(where, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c), std::forward<D>(d));
}
template <expression... Es>
    requires(sizeof...(Es) > 4)
void prepare(Es&&... es) {
    detail::prepare_at({}, std::forward<Es>(es)...);
}
template <scalar S>
void prepare(S) = delete;  // a number needs no kernel

/// Names the kernels of an expression in tables and in the cache. The text is copied, up to a zero byte; of up to 63
/// characters without an allocation. No part of the cache's key.
template <expression E>
auto label(std::string_view text, E&& e) {
    return labelled<detail::captured_t<E>>{{}, detail::label_text(text), detail::captured_t<E>(std::forward<E>(e))};
}
template <expression E>
void label(const E&, std::string_view) = delete;  // the name goes first: k::label("name", e)

}  // namespace kiln::inline v0_1
