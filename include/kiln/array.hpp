// kiln/array: a value of up to 8 axes on a device. Copying is one increment; a write to a shared buffer takes a buffer
// of its own first, so an expression keeps the values that its arrays had.
#pragma once

#include <kiln/device.hpp>
#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/forward.hpp>
#include <kiln/operations.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace kiln::inline v0_1 {

template <class Leaf, class... Lookups>
struct gather_leaf;

/// The leaf that arrays, views and references become inside an expression.
template <element T>
struct array_leaf : expression_members<array_leaf<T>> {
    using kiln_value = T;
    static constexpr int leaf_count = 1;
    static constexpr bool dynamic = false;
    detail::handle<detail::array_node> node;

    template <class Holder>
        requires requires(Holder&& holder) { std::forward<Holder>(holder).kiln_node(); }
    explicit array_leaf(Holder&& holder) : node(std::forward<Holder>(holder).kiln_node()) {}
    explicit array_leaf(detail::handle<detail::array_node> node_) noexcept : node(std::move(node_)) {}
    array_leaf(const array_leaf& other) : expression_members<array_leaf>(), node(other.node) {}
    [[gnu::always_inline]] array_leaf(array_leaf&& other) noexcept : node(std::move(other.node)) {}
    // k::transpose(y) = k::transpose(x), which would change where the temporary points
    detail::what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made operator=(const array_leaf&) = delete;
    template <operand B>
        requires(!std::same_as<std::remove_cvref_t<B>, array_leaf>)
    void operator=(B&&) {
        detail::say_that_views_are_read<B>();
    }
    [[gnu::always_inline]] ~array_leaf() {}

    detail::leaf* collect(detail::leaf* out) const noexcept {
        *out = {node.get(), 0, detail::leaf_kind::array, 0};
        return out + 1;
    }
    static int describe(detail::graph& into) { return detail::add_array(into, type_of<T>); }
    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_array_term(node, type_of<T>); }
    [[nodiscard]] array_leaf kiln_viewed(const detail::view_spec& by) const {
        return array_leaf(detail::viewed(node, by));
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return gather_leaf<array_leaf, I>{{}, kiln_viewed(by), {index}};
    }
};

/// Elements of a leaf where index expressions say.
template <class Leaf, class... Lookups>
struct gather_leaf : expression_members<gather_leaf<Leaf, Lookups...>> {
    using kiln_value = typename Leaf::kiln_value;
    static constexpr int leaf_count = 1 + (Lookups::leaf_count + ...);
    static constexpr bool dynamic = (Lookups::dynamic || ...);
    Leaf from;
    std::tuple<Lookups...> lookups;

    detail::leaf* collect(detail::leaf* out) const noexcept {
        out = from.collect(out);
        std::apply([&](const auto&... each) { ((out = each.collect(out)), ...); }, lookups);
        return out;
    }
    static int describe(detail::graph& into) {
        const int leaf = Leaf::describe(into);
        const int values[] = {Lookups::describe(into)...};
        return detail::add_gather(into, leaf, values, static_cast<int>(sizeof...(Lookups)));
    }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        return std::apply(
            [this](const auto&... each) {
                detail::handle<detail::term> values[] = {each.erase()...};
                return detail::make_gather_term(from.erase(), values, static_cast<int>(sizeof...(Lookups)));
            },
            lookups);
    }
    [[nodiscard]] auto kiln_viewed(const detail::view_spec& by) const {
        return std::apply(
            [&](const auto&... each) {
                return gather_leaf<Leaf, decltype(each.kiln_viewed(by))...>{
                    {}, from.kiln_viewed(by), {each.kiln_viewed(by)...}};
            },
            lookups);
    }
    /// Each take of a take would double the type; from the third on it is a graph, whose lookups are those that move something.
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        if constexpr (sizeof...(Lookups) < 2)
            return std::apply(
                [&](const auto&... each) {
                    return gather_leaf<Leaf, decltype(each.kiln_gathered(by, index))..., I>{
                        {}, from.kiln_viewed(by), {each.kiln_gathered(by, index)..., index}};
                },
                lookups);
        else return detail::access::make<expr<kiln_value>>(detail::viewed(erase(), by, index.erase()));
    }
};

namespace detail {

[[noreturn]] KILN_API void throw_no_value();
[[noreturn]] KILN_API void throw_not_one_element(const shape& extents);
KILN_API handle<array_node> upload(const void* elements, element_type type, const shape& extents);
/// `asked_by`: the function that the user called, for the error where nothing may wait.
KILN_API void download(const array_node* node, void* elements, std::int64_t element_count, const char* asked_by);
KILN_API void wait_for(const array_node* node);
KILN_API device device_of(const array_node* node);
/// Where expressions run together: where their arrays are; the thread's device if they have none. Throws device_error.
KILN_API device device_of(const handle<term>* roots, int root_count);
KILN_API void* device_pointer(handle<array_node>& node);  // takes a buffer of its own first if the array's is shared
KILN_API const void* device_pointer(const array_node* node);
KILN_API void require_fits(const shape& target, const shape& added);
KILN_API handle<array_node> make_reference(const void* pointer, element_type type, const shape& extents);
KILN_API handle<array_node> make_reference(const void* pointer, element_type type, const shape& extents,
                                           std::span<const std::int64_t> strides);
/// Throws shape_error where several positions of a reference are one element, which could take one value only.
KILN_API void require_own_elements(const array_node* node);
/// On the thread's current device, for whoever writes each element next.
KILN_API handle<array_node> make_uninitialised(element_type type, const shape& extents);

}  // namespace detail

template <element T>
class view;
template <class Target, class M>
struct masked;

namespace detail {

/// Where the arrays that graphs carry keep their nodes: a bit of 64 for each address, so mostly 0. An array that dies asks
/// it whether a graph must know.
KILN_API extern constinit std::atomic<std::uint64_t> carried_slots;
KILN_API void carried_slot_goes(const handle<array_node>* slot) noexcept;

template <class R>
concept host_elements = requires(const R& elements) {
    requires element<std::remove_cvref_t<decltype(*std::data(elements))>>;
    { std::size(elements) } -> std::convertible_to<std::size_t>;
};

/// What from_host takes nothing of. T: the type that was asked for; void: none was.
template <class R, class T>
concept no_host_elements = [] {
    if constexpr (std::is_void_v<T>) return !host_elements<R> && !std::is_same_v<R, std::vector<bool>>;
    else if constexpr (!element<T>) return true;
    else return !std::convertible_to<const R&, std::span<const T>> && !std::convertible_to<const R&, std::vector<T>>;
}();

template <class R, class T = void>
void say_what_from_host_takes() {
    static_assert(
        !no_host_elements<R, T>,
        "kiln: from_host takes elements of T as they stand in memory: k::from_host<T>(elements, shape); of another "
        "type's, k::cast<T>(k::from_host(elements, shape))");
}

template <class...>
inline constexpr bool is_member = false;
template <class... A>
void say_that_functions_are_free() {
    static_assert(is_member<A...>,
                  "kiln: functions are no members: k::sum(x), k::mean(x, k::axis(0)), k::reshape(x, {2, 3}), "
                  "k::cast<double>(x)");
}

template <class Array>
void say_that_it_is_const() {
    static_assert(!std::is_const_v<Array>,
                  "kiln: this array is const, as a copy is that a lambda captured: [&] captures the array itself");
}

}  // namespace detail

/// k::array<float> y = x + x + x + x + x;
template <element T>
class array {
public:
    using kiln_value = T;
    using kiln_captured = array_leaf<T>;
    using value_type = T;

    /// No value: reading it throws type_error, assigning to it is fine.
    array() = default;
    array(const array&) = default;
    array(array&&) noexcept = default;
    array& operator=(const array&) = default;
    array& operator=(array&&) noexcept = default;
    ~array() {
        if (detail::carried_slots.load(std::memory_order_relaxed) != 0) [[unlikely]]
            detail::carried_slot_goes(&node_);
    }

    /// Evaluates: one kernel, asynchronous. From a narrower type; to a narrower one needs cast. `where`: what a profile
    /// says of it.
    template <expression E>
        requires(!std::same_as<std::remove_cvref_t<E>, array>)
    array(E&& e, source_line where = source_line::here()) {
        detail::note_source_line(where);
        assign(std::forward<E>(e));
    }

    // Compilers quote these lines to who makes an array of a shape, elements or a number.
    array(const shape&) = delete;              // what is in it? k::zeros<T>(shape), k::full<T>(shape, value)
    array(std::initializer_list<T>) = delete;  // elements: k::from_host<T>({1, 2}); a shape: k::zeros<T>({1, 2})
    template <scalar S>
    explicit array(S) = delete;  // k::full<T>({}, value) holds one number, k::zeros<T>({n}) n of them

    /// Evaluates into this array's buffer when nobody else holds it, else into a new one. If it throws, the array keeps
    /// its value.
    template <expression E>
        requires(!std::same_as<std::remove_cvref_t<E>, array>)
    array& operator=(E&& e) {
        assign(std::forward<E>(e));
        return *this;
    }

    /// x = 3.0f: fills, in the shape that the array has; throws type_error for one without a value, which has none.
    template <scalar S>
    array& operator=(S value) {
        (*this)() = value;
        return *this;
    }

    template <detail::no_operand V>
    array& operator=(const V&) {
        detail::say_what_operands_are<V>();
        return *this;
    }
    // x = x + 1, of a copy
    template <operand B>
        requires(!std::same_as<std::remove_cvref_t<B>, array>)
    const array& operator=(B&&) const {
        detail::say_that_it_is_const<const array>();
        return *this;
    }

    template <detail::operand_or_slip B>
    array& operator+=(B&& b) {
        require_fits(b);
        return *this = *this + std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator-=(B&& b) {
        require_fits(b);
        return *this = *this - std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator*=(B&& b) {
        require_fits(b);
        return *this = *this * std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator/=(B&& b) {
        require_fits(b);
        return *this = *this / std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator%=(B&& b) {
        require_fits(b);
        return *this = *this % std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator&=(B&& b) {
        return *this = *this & std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator|=(B&& b) {
        return *this = *this | std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator^=(B&& b) {
        return *this = *this ^ std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator<<=(B&& b) {
        return *this = *this << std::forward<B>(b);
    }
    template <detail::operand_or_slip B>
    array& operator>>=(B&& b) {
        return *this = *this >> std::forward<B>(b);
    }

    [[nodiscard]] bool has_value() const noexcept { return static_cast<bool>(node_); }
    [[nodiscard]] const kiln::shape& shape() const { return detail::shape_of(checked()); }
    [[nodiscard]] int rank() const { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const { return shape().size(); }
    // for (float v : x)
    detail::elements_are_on_the_device_and_to_host_copies_them begin() const = delete;
    detail::elements_are_on_the_device_and_to_host_copies_them end() const;
    // if (x > 0): compilers quote this line.
    explicit operator bool() const = delete;  // k::all(e).item(), k::any(e).item(), or e.item() of one element

    /// Where its elements are.
    [[nodiscard]] kiln::device device() const { return detail::device_of(checked()); }

    /// All elements, row-major. Waits.
    [[nodiscard]] std::vector<T> to_host() const {
        std::vector<T> elements(static_cast<std::size_t>(size()));
        if constexpr (std::is_same_v<T, bool>) {
            const std::vector<unsigned char> bytes = array<std::uint8_t>(cast<std::uint8_t>(*this)).to_host();
            for (std::size_t i = 0; i < bytes.size(); ++i) elements[i] = bytes[i] != 0;
        } else {
            detail::download(checked(), elements.data(), size(), "to_host()");
        }
        return elements;
    }
    /// The same into the caller's memory; throws shape_error unless it holds exactly size() elements. Waits.
    void copy_to(std::span<T> elements) const {
        detail::download(checked(), elements.data(), static_cast<std::int64_t>(elements.size()), "copy_to()");
    }
    /// The only element; throws shape_error when there are more or none. Waits.
    [[nodiscard]] T item() const {
        if (size() != 1) detail::throw_not_one_element(shape());
        T element;
        detail::download(checked(), &element, 1, "item()");
        return element;
    }

    // x.sum(), x.reshape({2, 3})
#define KILN_FREE_FUNCTION(name)                        \
    template <class = void, class... A>                 \
    const array& name(const A&...) const {              \
        detail::say_that_functions_are_free<T, A...>(); \
        return *this;                                   \
    }
    KILN_FREE_FUNCTION(sum)
    KILN_FREE_FUNCTION(mean)
    KILN_FREE_FUNCTION(max)
    KILN_FREE_FUNCTION(min)
    KILN_FREE_FUNCTION(reshape)
    KILN_FREE_FUNCTION(transpose)
    KILN_FREE_FUNCTION(astype)
#undef KILN_FREE_FUNCTION
    const array& reshape(std::initializer_list<std::int64_t>) const {
        detail::say_that_functions_are_free<T>();
        return *this;
    }

    /// Waits until the array is computed.
    void wait() const { detail::wait_for(checked()); }

    /// Pointer to size() elements on device(), row-major, valid on the thread's stream there until the array changes or
    /// goes. The non-const form may be written through: it takes a buffer of its own first when the array's is shared.
    [[nodiscard]] const T* data() const { return static_cast<const T*>(detail::device_pointer(checked())); }
    [[nodiscard]] T* data() {
        checked();
        return static_cast<T*>(detail::device_pointer(node_));
    }

    /// Per axis, outermost first: a range, or a position, which drops the axis; k::newaxis adds one. Axes not named are
    /// whole. Lazy: no copy. Of an lvalue, y(range(0, 10)) = e writes into y. Throws shape_error.
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    view<T> operator()(Items... items) & {
        return detail::access::make<view<T>>(slice(items...), &node_);
    }
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    const view<T> operator()(Items... items) const& {  // const: no target of =
        return detail::access::make<view<T>>(slice(items...), nullptr);
    }
    /// The same of a list that the program makes as it runs: a std::vector or span of index_item or range.
    template <detail::list_of_items R>
    view<T> operator()(const R& items) & {
        return detail::access::make<view<T>>(slice(detail::item_list(items).items()), &node_);
    }
    template <detail::list_of_items R>
    const view<T> operator()(const R& items) const& {
        return detail::access::make<view<T>>(slice(detail::item_list(items).items()), nullptr);
    }
    /// y(mask) = e: writes where the mask holds.
    template <expression M>
        requires std::same_as<value_t<M>, bool>
    masked<array&, detail::captured_t<M>> operator()(M&& mask) & {
        return {*this, detail::captured_t<M>(std::forward<M>(mask))};
    }

    // m(k::all, {0, 2}): braces are of no type
    void operator()(detail::item_in_braces) const = delete;                          // a range is k::range(0, 2)
    void operator()(detail::item_in_braces, detail::item_in_braces) const = delete;  // a range is k::range(0, 2)
    void operator()(detail::item_in_braces, detail::item_in_braces,
                    detail::item_in_braces) const = delete;  // a range is k::range(0, 2)

    // x[0]
    template <class I>
    detail::elements_and_slices_are_told_in_round_brackets operator[](const I&) const = delete;  // x(0), x(k::all, 1)

    // x(1.5), x("a"), y(x) = e where x is no bool.
    template <class... Items>
        requires(!(detail::is_index<Items> && ...))
    view<T> operator()(const Items&...) const {
        detail::say_what_indices_are<Items...>();
        return (*this)();
    }

    [[nodiscard]] const detail::handle<detail::array_node>& kiln_node() const& {
        checked();
        return node_;
    }
    [[nodiscard]] detail::handle<detail::array_node> kiln_node() && {
        checked();
        return std::move(node_);
    }

private:
    friend detail::access;

    explicit array(detail::handle<detail::array_node> node) noexcept : node_(std::move(node)) {}

    const detail::array_node* checked() const {
        if (!node_) detail::throw_no_value();
        return node_.get();
    }

    template <class... Items>
    detail::handle<detail::array_node> slice(Items... items) const {
        const index_item list[sizeof...(Items) + 1] = {items..., all};
        return slice(std::span<const index_item>(list, sizeof...(Items)));
    }
    [[nodiscard]] detail::handle<detail::array_node> slice(std::span<const index_item> items) const {
        checked();
        return detail::viewed(node_, detail::sliced(shape(), items));
    }

    // NumPy's rule too: in place, the right side may broadcast to the left, never the left to the right.
    template <class B>
    void require_fits(const B& b) const {
        if constexpr (requires { b.kiln_node(); }) detail::require_fits(shape(), b.shape());
        else if constexpr (expression<B>) detail::require_fits(shape(), shape_of(b));
    }

    template <class E>
    void assign(E&& e) {
        detail::require_assignable<value_t<E>, T>();
        detail::output result{detail::output::place::reuse, !std::is_lvalue_reference_v<E>, node_.get()};
        detail::evaluate_all<T>(&result, detail::label_of(e), detail::purpose::launch,
                                detail::as_collectable(std::forward<E>(e)));
        if (result.written != node_.get()) node_ = detail::handle<detail::array_node>(result.written);
    }

    detail::handle<detail::array_node> node_;
};

/// Copies row-major host elements to the thread's current device; has copied when it returns. Throws shape_error when
/// the number of elements is not that of the shape, and out_of_memory.
template <element T>
array<T> from_host(std::span<const T> elements, const shape& extents) {
    if (static_cast<std::int64_t>(elements.size()) != extents.size())
        throw shape_error("kiln: from_host: " + std::to_string(elements.size()) + " elements do not fill shape " +
                          to_string(extents));
    return detail::access::make<array<T>>(detail::upload(elements.data(), type_of<T>, extents));
}
template <element T>
array<T> from_host(const std::vector<T>& elements, const shape& extents) {
    if constexpr (std::is_same_v<T, bool>) {
        const std::vector<std::uint8_t> bytes(elements.begin(), elements.end());
        return cast<bool>(from_host<std::uint8_t>(std::span<const std::uint8_t>(bytes), extents));
    } else {
        return from_host<T>(std::span<const T>(elements), extents);
    }
}
template <element T>
array<T> from_host(std::initializer_list<T> elements, const shape& extents) {
    return from_host<T>(std::span<const T>(elements.begin(), elements.size()), extents);
}
/// Of anything else whose elements stand one after the other: std::array, a span, a C array.
template <class R>
    requires detail::host_elements<R>
auto from_host(const R& elements, const shape& extents) {
    using T = std::remove_cvref_t<decltype(*std::data(elements))>;
    return from_host<T>(std::span<const T>(std::data(elements), std::size(elements)), extents);
}
/// One axis.
template <element T, class R>
    requires std::convertible_to<const R&, std::span<const T>> && (!std::same_as<R, std::vector<T>>)
array<T> from_host(const R& elements) {
    const std::span<const T> values = elements;
    return from_host<T>(values, shape{static_cast<std::int64_t>(values.size())});
}
template <element T>
array<T> from_host(const std::vector<T>& elements) {
    return from_host<T>(elements, shape{static_cast<std::int64_t>(elements.size())});
}
template <element T>
array<T> from_host(std::initializer_list<T> elements) {
    return from_host<T>(elements, shape{static_cast<std::int64_t>(elements.size())});
}
template <class R>
    requires detail::host_elements<R>
auto from_host(const R& elements) {
    return from_host(elements, shape{static_cast<std::int64_t>(std::size(elements))});
}

// k::from_host(strings)
template <class R>
    requires detail::no_host_elements<R, void>
array<float> from_host(const R&) {
    detail::say_what_from_host_takes<R>();
    return {};
}
template <class R>
    requires detail::no_host_elements<R, void>
array<float> from_host(const R&, const shape&) {
    detail::say_what_from_host_takes<R>();
    return {};
}
template <class T, class R>
    requires detail::no_host_elements<R, T>
array<float> from_host(const R&) {
    detail::say_what_from_host_takes<R, T>();
    return {};
}
template <class T, class R>
    requires detail::no_host_elements<R, T>
array<float> from_host(const R&, const shape&) {
    detail::say_what_from_host_takes<R, T>();
    return {};
}

}  // namespace kiln::inline v0_1
