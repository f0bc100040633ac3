// kiln/views: slices of arrays, and arrays over memory that somebody else owns.
#pragma once

#include <kiln/array.hpp>

#include <utility>

namespace kiln::inline v0_1 {

// Of any expression what operator() is of an array: view_functions.hpp.
template <expression E, class... Items>
    requires(std::constructible_from<index_item, Items> && ...)
auto slice(E&& e, Items... items);
template <expression E, detail::list_of_items R>
auto slice(E&& e, const R& items);

namespace detail {
/// Never: what a slip of the pen asks, where it is made.
template <class>
inline constexpr bool is_temporary = false;
}  // namespace detail

// += and its like of a class that is a target while it is a temporary: = of what it holds before and the right side. (Until
// host_array.hpp.)
#define KILN_COMPOUND_OF(before, symbol)                             \
    template <operand B>                                             \
    void operator symbol##=(B&& b)&& {                               \
        std::move(*this) = this->before() symbol std::forward<B>(b); \
    }
#define KILN_COMPOUND_TARGET(before) \
    KILN_COMPOUND_OF(before, +)      \
    KILN_COMPOUND_OF(before, -)      \
    KILN_COMPOUND_OF(before, *)      \
    KILN_COMPOUND_OF(before, /)      \
    KILN_COMPOUND_OF(before, %)      \
    KILN_COMPOUND_OF(before, &)      \
    KILN_COMPOUND_OF(before, |)      \
    KILN_COMPOUND_OF(before, ^)      \
    KILN_COMPOUND_OF(before, <<)     \
    KILN_COMPOUND_OF(before, >>)

/// A slice of an array: x(k::range(0, 1000)). An expression that holds the values x has now. As the left side of =, while
/// it is a temporary of an lvalue array, it writes into that array: in the statement that makes it, since it does not keep
/// the array itself alive (its values it does).
template <element T>
class view {
public:
    using kiln_value = T;
    using kiln_captured = array_leaf<T>;

    view(const view& other) noexcept : part_(other.part_) {}
    view(view&& other) noexcept : part_(std::move(other.part_)) {}

    /// y(k::range(0, 10)) = e: e has the slice's shape. Other arrays that share y's buffer keep their values.
    template <expression E>
    void operator=(E&& e) && {
        require_target();
        detail::evaluate_part<T>(whole_, part_, detail::as_collectable(std::forward<E>(e)),
                                 !std::is_lvalue_reference_v<E>);
    }
    void operator=(const view& e) && { std::move(*this).template operator=<const view&>(e); }
    /// y(k::range(0, 10)) = 0.0f: fills the slice.
    template <scalar S>
    void operator=(S value) && {
        require_target();
        detail::evaluate_part<T>(whole_, part_, detail::capture<type_of<T>>(value), true);
    }

    // Of what is no temporary, or const.
    template <operand E>
    void operator=(E&&) & {
        static_assert(detail::is_temporary<E>,
                      "kiln: a stored slice holds values; y(k::range(0, 10)) = e writes where the slice is made");
    }
    template <operand E>
    void operator=(E&&) const& {
        static_assert(detail::is_temporary<E>, "kiln: a slice of a const array is read, never written");
    }

    /// y(k::range(0, 10)) += e: e broadcasts to the slice. The other elements are neither read nor written.
    KILN_COMPOUND_TARGET(before)

    [[nodiscard]] const kiln::shape& shape() const noexcept { return detail::shape_of(part_.get()); }
    [[nodiscard]] int rank() const noexcept { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const noexcept { return shape().size(); }
    // for (float v : x)
    detail::elements_are_on_the_device_and_to_host_copies_them begin() const = delete;
    detail::elements_are_on_the_device_and_to_host_copies_them end() const;
    // if (x > 0): compilers quote this line.
    explicit operator bool() const = delete;  // k::all(e).item(), k::any(e).item(), or e.item() of one element
    /// The only element, x(3).item(); throws shape_error when there are more or none. Waits.
    [[nodiscard]] T item(source_line where = source_line::here()) const { return array<T>(*this, where).item(); }
    /// All elements of the slice, row-major. Waits.
    [[nodiscard]] std::vector<T> to_host(source_line where = source_line::here()) const {
        return array<T>(*this, where).to_host();
    }

    /// A slice of the slice, as of an array. Where the slice is a target, y(k::range(0, 10))(3) = e, so is this.
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    view operator()(Items... items) && {
        return std::move(*this).narrowed(kiln::slice(*this, items...));
    }
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    const view operator()(Items... items) const& {
        return view(kiln::slice(*this, items...).node, nullptr);
    }
    template <detail::list_of_items R>
    view operator()(const R& items) && {
        return std::move(*this).narrowed(kiln::slice(*this, items));
    }
    template <detail::list_of_items R>
    const view operator()(const R& items) const& {
        return view(kiln::slice(*this, items).node, nullptr);
    }

    /// y(k::range(0, 10))(mask) = e: writes where the mask holds.
    template <expression M>
        requires std::same_as<value_t<M>, bool>
    masked<view, detail::captured_t<M>> operator()(M&& mask) && {
        return {std::move(*this).narrowed(array_leaf<T>(part_)), detail::captured_t<M>(std::forward<M>(mask))};
    }

    [[nodiscard]] const detail::handle<detail::array_node>& kiln_node() const& noexcept { return part_; }
    [[nodiscard]] detail::handle<detail::array_node> kiln_node() && noexcept { return std::move(part_); }

private:
    friend detail::access;

    view(detail::handle<detail::array_node> part, detail::handle<detail::array_node>* whole) noexcept
        : part_(std::move(part)), whole_(whole) {}

    // This one holds the array no longer: who writes through the other is not to find two of them.
    view narrowed(array_leaf<T> to) && {
        part_ = {};
        return view(std::move(to.node), whole_);
    }
    [[nodiscard]] const view& before() const noexcept { return *this; }
    void require_target() const {
        if (!whole_)
            throw type_error("kiln: a slice can be assigned to only where it is made, from an array that is not const");
    }

    detail::handle<detail::array_node> part_;
    detail::handle<detail::array_node>* whole_ = nullptr;
};

/// y(mask) while it is the left side of =: where the mask holds, y takes the right side's values. The mask and the right side
/// broadcast to y's shape. y is an array, a slice where it is made, memory behind wrap(), a host array.
template <class Target, class M>
struct masked {
    using kiln_masked = M;
    using value_type =
        typename std::remove_cvref_t<Target>::kiln_value;  // so that who reads y(mask) is told what to write instead

    Target target;
    M mask;

    template <operand E>
    void operator=(E&& e) && {
        if constexpr (expression<E>) {
            detail::require_assignable<value_t<E>, value_type>();
            detail::require_fits(target.shape(), shape_of(e));
        }
        detail::require_broadcast(shape_of(mask), target.shape(), "a mask");
        static_cast<Target&&>(target) = where(std::move(mask), std::forward<E>(e), target);
    }
    // y(mask) = x(mask), which would take all of x
    void operator=(const masked&) && { detail::say_what_operands_are<masked>(); }
    /// y(mask) += e.
    KILN_COMPOUND_TARGET(before)

    template <element U>
    operator array<U>() const {
        detail::say_what_operands_are<masked>();
        return {};
    }
    // y(mask).to_host()
    std::vector<value_type> to_host() const {
        detail::say_what_operands_are<masked>();
        return {};
    }

private:
    [[nodiscard]] const std::remove_cvref_t<Target>& before() const noexcept { return target; }
};

// += and its like of memory of the user's, a temporary or not.
#define KILN_COMPOUND(symbol)                           \
    template <operand B>                                \
    const array_ref& operator symbol##=(B&& b) const {  \
        return *this = *this symbol std::forward<B>(b); \
    }

/// Memory that the user owns, host or device (the driver is asked which). Read when an expression is evaluated; = writes
/// through it. Host memory goes wherever the expression runs: to a GPU it is copied at each evaluation, all from its
/// first to its last element. Memory of a GPU belongs to that GPU. Of `const T`, read only.
template <class T>
class array_ref {
public:
    using kiln_value = std::remove_const_t<T>;
    using kiln_captured = array_leaf<kiln_value>;

    array_ref(T* pointer, const kiln::shape& extents)
        : node_(detail::make_reference(pointer, type_of<kiln_value>, extents)) {}
    array_ref(T* pointer, const kiln::shape& extents, std::span<const std::int64_t> strides)
        : node_(detail::make_reference(pointer, type_of<kiln_value>, extents, strides)) {}
    array_ref(const array_ref&) = default;

    /// Evaluates into the memory. When an operand overlaps it at other positions, through a temporary.
    template <expression E>
    const array_ref& operator=(E&& e) const {
        require_writable();
        detail::require_own_elements(node_.get());
        detail::evaluate_part<kiln_value>(nullptr, node_, detail::as_collectable(std::forward<E>(e)), true);
        return *this;
    }
    const array_ref& operator=(const array_ref& e) const { return this->template operator=<const array_ref&>(e); }
    template <scalar S>
    const array_ref& operator=(S value) const {
        require_writable();
        detail::require_own_elements(node_.get());
        detail::evaluate_part<kiln_value>(nullptr, node_, detail::capture<type_of<kiln_value>>(value), true);
        return *this;
    }
    /// k::wrap(p, {2, 3}) += e: e broadcasts to the memory's shape. From a narrower type, as = is.
    KILN_COMPOUND(+)
    KILN_COMPOUND(-)
    KILN_COMPOUND(*)
    KILN_COMPOUND(/)
    KILN_COMPOUND(%)
    KILN_COMPOUND(&)
    KILN_COMPOUND(|)
    KILN_COMPOUND(^)
    KILN_COMPOUND(<<)
    KILN_COMPOUND(>>)
#undef KILN_COMPOUND

    [[nodiscard]] const kiln::shape& shape() const noexcept { return detail::shape_of(node_.get()); }
    [[nodiscard]] int rank() const noexcept { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const noexcept { return shape().size(); }
    // for (float v : x)
    detail::elements_are_on_the_device_and_to_host_copies_them begin() const = delete;
    detail::elements_are_on_the_device_and_to_host_copies_them end() const;
    // if (x > 0): compilers quote this line.
    explicit operator bool() const = delete;  // k::all(e).item(), k::any(e).item(), or e.item() of one element
    /// What the memory holds now; as of a view.
    [[nodiscard]] kiln_value item(source_line where = source_line::here()) const {
        return array<kiln_value>(*this, where).item();
    }
    [[nodiscard]] std::vector<kiln_value> to_host(source_line where = source_line::here()) const {
        return array<kiln_value>(*this, where).to_host();
    }

    /// Part of the memory, as of an array: read when it is evaluated, and = writes through it, stored or not.
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    array_ref operator()(Items... items) const {
        return array_ref(kiln::slice(*this, items...).node);
    }
    template <detail::list_of_items R>
    array_ref operator()(const R& items) const {
        return array_ref(kiln::slice(*this, items).node);
    }
    /// k::wrap(values)(mask) = e: writes where the mask holds.
    template <expression M>
        requires std::same_as<value_t<M>, bool>
    masked<array_ref, detail::captured_t<M>> operator()(M&& mask) const {
        return {*this, detail::captured_t<M>(std::forward<M>(mask))};
    }

    [[nodiscard]] const detail::handle<detail::array_node>& kiln_node() const noexcept { return node_; }

private:
    friend detail::access;
    explicit array_ref(detail::handle<detail::array_node> node) noexcept : node_(std::move(node)) {}

    static void require_writable() {
        static_assert(!std::is_const_v<T>, "kiln: memory of const elements behind wrap() is read, never written");
    }

    detail::handle<detail::array_node> node_;
};

/// k::wrap(pointer, {rows, columns}) = x + x; row-major.
template <class T>
    requires element<std::remove_const_t<T>>
array_ref<T> wrap(T* pointer, const shape& extents) {
    return array_ref<T>(pointer, extents);
}

template <class C>
    requires requires { typename C::value_type; }
void wrap(C&, const shape&) {
    static_assert(std::is_pointer_v<C>, "kiln: wrap takes a pointer: k::wrap(v.data(), {rows, columns})");
}

/// Element (i, j) at pointer[i * strides[0] + j * strides[1]], in elements, not bytes; strides may be negative, and 0 where
/// elements are the same. What lies between the elements keeps its values (on a GPU, host memory is copied with it, there and
/// back). Throws shape_error unless
/// there is one stride for each axis, and for an assignment where an axis of stride 0 has more than one element.
template <class T>
    requires element<std::remove_const_t<T>>
array_ref<T> wrap(T* pointer, const shape& extents, std::initializer_list<std::int64_t> strides) {
    return array_ref<T>(pointer, extents, std::span<const std::int64_t>(strides.begin(), strides.size()));
}
template <class T, detail::list<std::int64_t> R>
    requires element<std::remove_const_t<T>>
array_ref<T> wrap(T* pointer, const shape& extents, const R& strides) {
    return array_ref<T>(pointer, extents, std::span<const std::int64_t>(std::data(strides), std::size(strides)));
}

/// k::wrap(pointer, {rows, columns}, k::column_major): the first axis is contiguous, as in Fortran, MATLAB and LAPACK.
struct column_major_t {};
inline constexpr column_major_t column_major{};
template <class T>
    requires element<std::remove_const_t<T>>
array_ref<T> wrap(T* pointer, const shape& extents, column_major_t) {
    std::int64_t strides[max_rank] = {};
    for (std::int64_t stride = 1, axis = 0; axis < extents.rank(); stride *= extents[static_cast<int>(axis++)])
        strides[axis] = stride;
    return array_ref<T>(pointer, extents, {strides, static_cast<std::size_t>(extents.rank())});
}

}  // namespace kiln::inline v0_1
