// kiln/expression: the C++ types that an expression is made of. A leaf holds an array handle or a scalar by value, so an
// expression owns all that it reads and nothing dangles.
// in: operands   out: a type that can be collected (its leaves, at every call) and described (its graph, once per type)
// knows nothing of: how anything runs
#pragma once

#include <kiln/device.hpp>
#include <kiln/element_type.hpp>
#include <kiln/error.hpp>
#include <kiln/export.hpp>
#include <kiln/expression_members.hpp>
#include <kiln/shape.hpp>
#include <kiln/view_spec.hpp>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace kiln::inline v0_1 {

enum class operation : std::uint8_t {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) name,
#include <kiln/operation_table.def>
    cast,
    call,    // of a function that the user wrote
    gather,  // of a leaf, at positions that expressions give
    reduce,  // of the elements of a row, in the kernel that uses what it comes to
};

enum class type_rule : std::uint8_t {
    arithmetic,
    whole,
    bitwise,
    comparison,
    logical,
    floating,
    selection,
    conditional,
    component,
    floating_component,
    polar,
    scaled,
    draw,
    draw_f32,
    draw_f64,
};

namespace detail {

/// The most parameters that a function of the user's has.
inline constexpr int max_arity = 8;
/// The most operands that anything has: what takes has an array, and an index for each of its axes.
inline constexpr int max_operands = 1 + max_rank;

struct operation_info {
    const char* name;
    int arity;
    type_rule rule;
    bool takes_complex;
};

constexpr bool has_body(const char* text) {
    const char* never = "NEVER";
    for (; *text == *never; ++text, ++never)
        if (*text == '\0') return false;
    return true;
}

inline constexpr operation_info operations[] = {
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) \
    {#name, arity, type_rule::rule, has_body(#complex_)},
#include <kiln/operation_table.def>
    {"cast", 1, type_rule::selection, true},
    {"call", max_arity, type_rule::selection, true},
    {"take", 2, type_rule::selection, true},
    {"reduce", 1, type_rule::selection, true},
};

/// Bits of floats have no meaning that a user would mean.
constexpr bool takes_floats(operation code) {
    const type_rule rule = operations[static_cast<int>(code)].rule;
    return rule != type_rule::whole && rule != type_rule::bitwise;
}

/// The type that the operands of `code` are brought to; `met` is what they promote to.
constexpr element_type operand_type(operation code, element_type met) {
    switch (operations[static_cast<int>(code)].rule) {
        case type_rule::arithmetic:
        case type_rule::whole:
        case type_rule::component: return met == element_type::boolean ? element_type::int32 : met;
        case type_rule::logical: return element_type::boolean;
        case type_rule::floating:
        case type_rule::floating_component:
        case type_rule::polar: return kind_of(met) >= element_kind::floating ? met : element_type::float64;
        case type_rule::draw:
        case type_rule::draw_f32:
        case type_rule::draw_f64: return element_type::uint64;
        default: return met;
    }
}

/// Whether an operation makes a random number.
constexpr bool is_draw(operation code) {
    const type_rule rule = operations[static_cast<int>(code)].rule;
    return rule == type_rule::draw || rule == type_rule::draw_f32 || rule == type_rule::draw_f64;
}

constexpr element_type result_type(operation code, element_type met) {
    const element_type operands = operand_type(code, met);
    switch (operations[static_cast<int>(code)].rule) {
        case type_rule::comparison:
        case type_rule::logical: return element_type::boolean;
        case type_rule::component:
        case type_rule::floating_component: return component_of(operands);
        case type_rule::polar:
        case type_rule::scaled: return complex_of(operands);
        case type_rule::draw_f32: return element_type::float32;
        case type_rule::draw_f64: return element_type::float64;
        default: return operands;
    }
}

/// Whether the table gives `code` a meaning for operands that meet in `met`, as far as complex numbers go.
constexpr bool has_meaning(operation code, element_type met) {
    return kind_of(operand_type(code, met)) != element_kind::complex ||
           operations[static_cast<int>(code)].takes_complex;
}

// --- what a leaf holds on to -----------------------------------------------------------------------------------------

struct array_node;  // src/capture/array_node.hpp
struct term;        // src/capture/term.hpp: a node of a graph built at run time

/// The first member of what handles hold, so that copying one is one increment and no call.
struct counted {
    mutable std::atomic<std::int32_t> references{1};
};

KILN_API void destroy(const array_node* node) noexcept;
KILN_API void destroy(const term* node) noexcept;
KILN_API const shape& shape_of(const array_node* node) noexcept;

/// A counted pointer. Copying is one relaxed increment.
template <class Node>
class handle {
public:
    handle() = default;
    /// Takes over one reference.
    explicit handle(Node* node) noexcept : node_(node) {}
    handle(const handle& other) noexcept : node_(other.node_) {
        if (node_) counter().references.fetch_add(1, std::memory_order_relaxed);
    }
    // Moving and dropping are inlined wherever they are: of the many handles that an expression moves through, the compiler
    // then sees that all but the last are null.
    [[gnu::always_inline]] handle(handle&& other) noexcept : node_(other.node_) { other.node_ = nullptr; }
    // Not by value: clang++ 14 never destroys the parameter of `node = {}`.
    handle& operator=(const handle& other) noexcept { return *this = handle(other); }
    handle& operator=(handle&& other) noexcept {
        handle old(std::move(other));
        std::swap(node_, old.node_);
        return *this;
    }
    [[gnu::always_inline]] ~handle() {
        if (node_ && counter().references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(node_);
    }

    [[nodiscard]] Node* get() const noexcept { return node_; }
    explicit operator bool() const noexcept { return node_ != nullptr; }
    [[nodiscard]] Node* release() noexcept { return std::exchange(node_, nullptr); }

private:
    // Nodes begin with their counter; the definitions of those above stay out of users' builds.
    [[nodiscard]] const counted& counter() const noexcept { return *reinterpret_cast<const counted*>(node_); }

    Node* node_ = nullptr;
};

// --- collecting and describing ----------------------------------------------------------------------------------------

enum class leaf_kind : std::uint32_t {  // as wide as what follows it in a leaf: one store writes both
    array,                              // object: array_node
    scalar,  // bits: the value, in its element type, low bytes first; object: the value where it is wider than that
    extent,  // object: shape; a generator's extents, no operand of the kernel
    baked,   // bits: part of the kernel itself, so part of what picks it
};

/// One leaf of an expression, as collected at every call. Borrows from the expression.
struct leaf {
    const void* object;
    std::uint64_t bits;
    leaf_kind kind;
    std::uint32_t capture;  // of a scalar: copies of one captured number share it; 0: of no other
};

/// A new captured number. Copies made of an expression keep it, so that what an expression holds twice is computed once. The
/// counter is the library's: with one in each shared library of a program, two numbers could share a mark, and would have a
/// kernel of their own wherever they happen to be equal.
KILN_API extern thread_local constinit std::uint32_t last_capture;
inline std::uint32_t next_capture() noexcept { return ++last_capture; }

/// Makes arrays, views and expressions of nodes, and reaches into arrays: what the library does and its users do not.
struct access {
    template <class Made, class... From>
    static constexpr Made make(From&&... from) {
        return Made(std::forward<From>(from)...);
    }
    static known_device& known(const device& of) noexcept { return *of.known_; }
    /// Where an array keeps its node, if it has a value.
    template <class T>
    static handle<array_node>& slot(array<T>& of) noexcept {
        return of.node_;
    }
};

class graph;  // src/capture/graph.hpp

// Each appends a node and returns its number. A slot is a leaf's position in the collected sequence.
KILN_API int add_array(graph& into, element_type type);
KILN_API int add_scalar(graph& into, element_type type);
KILN_API int add_full(graph& into, int scalar);  // a scalar with extents, which are the next slot
KILN_API int add_position(graph& into);          // where an element is, int64
KILN_API int add_constant(graph& into, element_type type, std::uint64_t bits);
KILN_API int add_baked(graph& into);  // returns the slot
/// An array's element where the lookups' values say, after add_array: `array` is that node's number.
KILN_API int add_gather(graph& into, int array, const int* lookups, int lookup_count);
KILN_API int add_operation(graph& into, operation code, element_type result, int a, int b = -1, int c = -1);
/// `slot`: where the function's number is collected.
KILN_API int add_call(graph& into, element_type result, int slot, const int* args, int arg_count);

// The same at run time, for expr<T>.
KILN_API handle<term> make_array_term(handle<array_node> node, element_type type);
KILN_API handle<term> make_scalar_term(element_type type, const void* value, std::uint32_t capture);
KILN_API handle<term> make_position_term(handle<array_node> node);
KILN_API handle<term> make_free_position_term(int along);
KILN_API handle<term> make_gather_term(handle<term> array, handle<term>* lookups, int lookup_count);
KILN_API handle<term> make_full_term(const shape& extents, handle<term> value);
KILN_API handle<term> make_constant_term(element_type type, std::uint64_t bits);
KILN_API handle<term> make_call_term(element_type result, std::uint64_t function, handle<term>* args, int arg_count);
KILN_API handle<term> make_operation_term(operation code, element_type result, handle<term> a, handle<term> b = {},
                                          handle<term> c = {});

/// An operand to be made a term of: which, and by whom.
struct erasable {
    const void* object;
    handle<term> (*erase)(const void* object);
};
/// Makes terms of the operands, one after the other, then the operation's. A program has hundreds of types of expressions, each with an
/// erase(): what it would do about exceptions between two operands is done here, once.
KILN_API handle<term> make_operation_term(operation code, element_type result, const erasable* operands, int count);
template <class A>
handle<term> erase_object(const void* object) {
    return static_cast<const A*>(object)->erase();
}
template <class A>
erasable erasable_of(const A& operand) noexcept {
    return {&operand, &erase_object<A>};
}

/// The shape that leaves broadcast to. Throws shape_error.
KILN_API shape broadcast_leaves(const leaf* leaves, int leaf_count);
KILN_API shape broadcast_leaves(const handle<term>& root);

// Views of leaves and of graphs; `index` of a gather view is an expression of int64 that has the view's shape.
KILN_API handle<array_node> viewed(const handle<array_node>& of, const view_spec& by);
KILN_API handle<term> viewed(const handle<term>& root, const view_spec& by, const handle<term>& index = {});
KILN_API const array_node* free_position(int along);
KILN_API handle<array_node> make_position(const shape& extents);
KILN_API handle<array_node> make_position(const shape& extents, int along);

/// Of 8 bytes at most, low bytes first.
template <class T>
std::uint64_t to_bits(T value) noexcept {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

/// Borrows `value` where it does not fit the leaf.
template <class T>
leaf scalar_as_leaf(const T& value, std::uint32_t capture) noexcept {
    if constexpr (sizeof(T) > sizeof(std::uint64_t)) {
        return {&value, 0, leaf_kind::scalar, capture};
    } else {
        std::uint64_t bits = 0;
        __builtin_memcpy(&bits, &value, sizeof(T));
        return {nullptr, bits, leaf_kind::scalar, capture};
    }
}

}  // namespace detail

/// What k::constant<v> is: a number that is known when the program is compiled, and so part of the kernel's text.
template <auto v>
    requires std::is_arithmetic_v<decltype(v)>
struct constant_number {
    static constexpr auto value = v;
};

namespace detail {

template <class S>
inline constexpr bool is_constant = false;
template <auto v>
inline constexpr bool is_constant<constant_number<v>> = true;

/// The C++ type of a number or of a constant's number.
template <class S>
struct number_type {
    using type = S;
};
template <auto v>
struct number_type<constant_number<v>> {
    using type = std::remove_const_t<decltype(v)>;
};

}  // namespace detail

/// A C++ number or a constant, on either side of an operator.
template <class S>
concept scalar = std::is_arithmetic_v<std::remove_cvref_t<S>> || element<std::remove_cvref_t<S>> ||
                 detail::is_constant<std::remove_cvref_t<S>>;

template <class A>
concept operand = expression<A> || scalar<A>;

namespace detail {

/// What users take for an operand: text, pointers, std::vector and its like, y(mask).
template <class B>
concept no_operand =
    !operand<B> && (std::is_pointer_v<std::decay_t<B>> || requires { typename std::remove_cvref_t<B>::value_type; });

// Variables, not concepts: of a concept the compiler says at length why it is false.
template <class B>
inline constexpr bool is_operand = operand<B>;
template <class B>
concept operand_or_slip = operand<B> || no_operand<B>;
template <class B>
inline constexpr bool is_masked = requires { typename std::remove_cvref_t<B>::kiln_masked; };
template <class B>
void say_what_operands_are() {
    if constexpr (is_masked<B>)
        static_assert(!is_masked<B>,
                      "kiln: y(mask) is written, never read; k::where(mask, y, 0) has y where the mask holds");
    else
        static_assert(is_operand<B>,
                      "kiln: an operand is an array, an expression or a number; k::from_host makes arrays of others");
}

}  // namespace detail

/// The element type of an expression.
template <expression E>
using value_t = typename std::remove_cvref_t<E>::kiln_value;

// The types that expressions are made of stand in kiln itself, so that its operators are found for them.

template <class T>
struct scalar_leaf {
    using kiln_value = T;
    static constexpr int leaf_count = 1;
    static constexpr bool dynamic = false;
    T value;
    std::uint32_t capture = detail::next_capture();

    detail::leaf* collect(detail::leaf* out) const noexcept {
        *out = detail::scalar_as_leaf(value, capture);
        return out + 1;
    }
    static int describe(detail::graph& into) { return detail::add_scalar(into, type_of<T>); }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        return detail::make_scalar_term(type_of<T>, &value, capture);
    }
    [[nodiscard]] scalar_leaf kiln_viewed(const detail::view_spec&) const { return *this; }
    template <class I>
    [[nodiscard]] scalar_leaf kiln_gathered(const detail::view_spec&, const I&) const {
        return *this;
    }
};

/// A constant as `type`. No leaf: its value is in the expression's type.
template <element_type type, auto v>
struct constant_leaf {
    using kiln_value = cpp_type<type>;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = false;

    detail::leaf* collect(detail::leaf* out) const noexcept { return out; }
    static std::uint64_t bits() noexcept { return detail::to_bits(static_cast<kiln_value>(v)); }
    static int describe(detail::graph& into) { return detail::add_constant(into, type, bits()); }
    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_constant_term(type, bits()); }
    [[nodiscard]] constant_leaf kiln_viewed(const detail::view_spec&) const { return *this; }
    template <class I>
    [[nodiscard]] constant_leaf kiln_gathered(const detail::view_spec&, const I&) const {
        return *this;
    }
};

/// One to three operands and what is done to them.
template <operation code, element_type result, class... Args>
struct applied;

template <operation code, element_type result, class A>
struct applied<code, result, A> : expression_members<applied<code, result, A>> {
    using kiln_value = cpp_type<result>;
    static constexpr int leaf_count = A::leaf_count;
    static constexpr bool dynamic = A::dynamic;
    A a;

    detail::leaf* collect(detail::leaf* out) const noexcept { return a.collect(out); }
    static int describe(detail::graph& into) { return detail::add_operation(into, code, result, A::describe(into)); }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        const detail::erasable operands[] = {detail::erasable_of(a)};
        return detail::make_operation_term(code, result, operands, 1);
    }
    [[nodiscard]] auto kiln_viewed(const detail::view_spec& by) const {
        return applied<code, result, decltype(a.kiln_viewed(by))>{{}, a.kiln_viewed(by)};
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return applied<code, result, decltype(a.kiln_gathered(by, index))>{{}, a.kiln_gathered(by, index)};
    }
};

template <operation code, element_type result, class A, class B>
struct applied<code, result, A, B> : expression_members<applied<code, result, A, B>> {
    using kiln_value = cpp_type<result>;
    static constexpr int leaf_count = A::leaf_count + B::leaf_count;
    static constexpr bool dynamic = A::dynamic || B::dynamic;
    A a;
    B b;

    detail::leaf* collect(detail::leaf* out) const noexcept { return b.collect(a.collect(out)); }
    static int describe(detail::graph& into) {
        const int first = A::describe(into);
        return detail::add_operation(into, code, result, first, B::describe(into));
    }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        const detail::erasable operands[] = {detail::erasable_of(a), detail::erasable_of(b)};
        return detail::make_operation_term(code, result, operands, 2);
    }
    [[nodiscard]] auto kiln_viewed(const detail::view_spec& by) const {
        return applied<code, result, decltype(a.kiln_viewed(by)), decltype(b.kiln_viewed(by))>{
            {}, a.kiln_viewed(by), b.kiln_viewed(by)};
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return applied<code, result, decltype(a.kiln_gathered(by, index)), decltype(b.kiln_gathered(by, index))>{
            {}, a.kiln_gathered(by, index), b.kiln_gathered(by, index)};
    }
};

template <operation code, element_type result, class A, class B, class C>
struct applied<code, result, A, B, C> : expression_members<applied<code, result, A, B, C>> {
    using kiln_value = cpp_type<result>;
    static constexpr int leaf_count = A::leaf_count + B::leaf_count + C::leaf_count;
    static constexpr bool dynamic = A::dynamic || B::dynamic || C::dynamic;
    A a;
    B b;
    C c;

    detail::leaf* collect(detail::leaf* out) const noexcept { return c.collect(b.collect(a.collect(out))); }
    static int describe(detail::graph& into) {
        const int first = A::describe(into);
        const int second = B::describe(into);
        return detail::add_operation(into, code, result, first, second, C::describe(into));
    }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        const detail::erasable operands[] = {detail::erasable_of(a), detail::erasable_of(b), detail::erasable_of(c)};
        return detail::make_operation_term(code, result, operands, 3);
    }
    [[nodiscard]] auto kiln_viewed(const detail::view_spec& by) const {
        return applied<code, result, decltype(a.kiln_viewed(by)), decltype(b.kiln_viewed(by)),
                       decltype(c.kiln_viewed(by))>{{}, a.kiln_viewed(by), b.kiln_viewed(by), c.kiln_viewed(by)};
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return applied<code, result, decltype(a.kiln_gathered(by, index)), decltype(b.kiln_gathered(by, index)),
                       decltype(c.kiln_gathered(by, index))>{
            {}, a.kiln_gathered(by, index), b.kiln_gathered(by, index), c.kiln_gathered(by, index)};
    }
};

namespace detail {

/// The type that a scalar of type S takes beside operands of type `met`: theirs, unless its kind is higher.
template <class S>
constexpr element_type scalar_beside(element_type met) {
    constexpr element_type own = scalar_type<typename number_type<S>::type>();
    return kind_of(own) > kind_of(met) ? own : met;
}

[[noreturn]] KILN_API void throw_scalar_out_of_range(element_type type, bool negative, std::uint64_t magnitude);

/// What a number is captured as beside operands of `type`: that, but a real one beside complex numbers stays real.
template <element_type type, class S>
constexpr element_type kept_as() {
    return kind_of(type) == element_kind::complex && std::is_arithmetic_v<S> ? component_of(type) : type;
}

/// As a cast of elements does: towards zero, to the nearest that T holds, NaN to 0.
template <class T, class S>
constexpr T saturated(S value) {
    using limits = std::numeric_limits<T>;
    constexpr S above = static_cast<S>(limits::max() / 2 + 1) * 2;
    if (value != value) return 0;
    if (value >= above) return limits::max();
    if (value < static_cast<S>(limits::min())) return limits::min();
    return static_cast<T>(value);
}

/// Throws type_error when an integer scalar meets an integer type that cannot hold it; a float becomes the nearest.
template <element_type type, class S>
scalar_leaf<cpp_type<type>> capture_scalar(S value) {
    using T = cpp_type<type>;
    if constexpr (std::is_integral_v<S> && !std::is_same_v<S, bool> && kind_of(type) == element_kind::integer) {
        const T held = static_cast<T>(value);
        if (static_cast<S>(held) != value || (held < T{}) != (value < S{}))
            throw_scalar_out_of_range(
                type, value < S{},
                value < S{} ? std::uint64_t{} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
        return {held};
    } else if constexpr (detail::small_float<T> && std::is_floating_point_v<S>) {
        // long double has no conversion of its own.
        return {static_cast<T>(static_cast<std::conditional_t<sizeof(S) == 4, float, double>>(value))};
    } else if constexpr (detail::small_float<S>) {
        return capture_scalar<type>(static_cast<float>(value));
    } else if constexpr (std::is_floating_point_v<S> && kind_of(type) == element_kind::integer) {
        return {saturated<T>(value)};
    } else {
        return {static_cast<T>(value)};
    }
}

/// A number as an element of an array of T. Throws as above.
template <element T, class S>
T number_as(S value) {
    return capture_scalar<type_of<T>>(value).value;
}

template <element_type type, auto v>
constexpr bool constant_fits() {
    if constexpr (std::is_integral_v<decltype(v)> && !std::is_same_v<std::remove_const_t<decltype(v)>, bool> &&
                  kind_of(type) == element_kind::integer) {
        using T = cpp_type<type>;
        constexpr T held = static_cast<T>(v);
        return static_cast<decltype(v)>(held) == v && (held < T{}) == (v < decltype(v){});
    } else {
        return true;
    }
}

/// Of types that C++ has no literals for, a parameter like any other number.
template <element_type type, auto v>
auto capture_constant(constant_number<v>) {
    static_assert(constant_fits<type, v>(),
                  "kiln: the constant does not fit the type of the array it meets; cast the array to a wider type");
    if constexpr (std::is_arithmetic_v<cpp_type<type>>) return constant_leaf<type, v>{};
    else return capture_scalar<type>(v);
}

/// How an operand is stored in an expression; views and references say it by a member `kiln_captured`.
template <class A>
struct captured_as {
    using type = A;
};
template <class A>
    requires requires { typename A::kiln_captured; }
struct captured_as<A> {
    using type = typename A::kiln_captured;
};

template <element_type met, class A>
decltype(auto) capture(A&& operand) {
    using Plain = std::remove_cvref_t<A>;
    if constexpr (requires { operand.kiln_label; }) {
        static_assert(!expression<A>,
                      "kiln: a label names a whole evaluation: label(\"l\", x + 1), not label(\"l\", x) + 1");
        return capture<met>(operand.expression);
    } else if constexpr (expression<A>) {
        return typename captured_as<Plain>::type(std::forward<A>(operand));
    } else if constexpr (is_constant<Plain>) {
        return capture_constant<kept_as<scalar_beside<Plain>(met), typename number_type<Plain>::type>()>(operand);
    } else {
        return capture_scalar<kept_as<scalar_beside<Plain>(met), Plain>(), Plain>(operand);
    }
}

constexpr element_type promote_all(element_type first) { return first; }
template <class... Rest>
constexpr element_type promote_all(element_type first, element_type second, Rest... rest) {
    return promote_all(promote(first, second), rest...);
}

/// What the expressions among the operands promote to. A scalar counts only where no expression does.
template <class... Args>
constexpr element_type met_type() {
    bool found = false;
    element_type met = element_type::boolean;
    auto meet = [&]<class A>(std::type_identity<A>) {
        if constexpr (expression<A>) {
            met = found ? promote(met, type_of<value_t<A>>) : type_of<value_t<A>>;
            found = true;
        }
    };
    (meet(std::type_identity<Args>{}), ...);
    if (!found) met = promote_all(scalar_type<typename number_type<std::remove_cvref_t<Args>>::type>()...);
    return met;
}

template <element_type met, class A>
constexpr element_type captured_type() {
    if constexpr (expression<A>) return type_of<value_t<A>>;
    else return scalar_beside<std::remove_cvref_t<A>>(met);
}

/// `code` applied to operands that all take part in its type.
template <operation code, class... Args>
auto apply(Args&&... args) {
    constexpr element_type met = met_type<Args...>();
    constexpr element_type meeting = promote_all(captured_type<met, Args>()...);
    static_assert(
        has_meaning(code, meeting),
        "kiln: this operation is not defined for complex numbers (which have no order and no remainder, and of "
        "whose functions OPERATIONS.md lists those that are); take real(), imag() or abs() first");
    static_assert(
        takes_floats(code) || kind_of(meeting) != element_kind::floating,
        "kiln: & | ^ ~ << >> popcount clz ctz take integers and bool; k::cast<T>(x) makes integers of floats");
    static_assert(
        code != operation::nextafter || kind_of(meeting) != element_kind::floating || bytes_of(meeting) > 2,
        "kiln: nextafter takes float and double: 16-bit floats are computed in float, whose neighbours are nearer");
    constexpr element_type result = result_type(code, meeting);
    return applied<code, result, decltype(capture<met>(std::forward<Args>(args)))...>{
        {}, capture<met>(std::forward<Args>(args))...};
}

}  // namespace detail
}  // namespace kiln::inline v0_1
