// kiln/views: slices of arrays, and arrays over memory that somebody else owns.
#pragma once

#include <kiln/array.hpp>

#include <utility>

namespace kiln::inline v0_1 {

// += and its like of a class that is a target while it is a temporary: = of what it holds before and the right side.
#define KILN_COMPOUND(before, symbol)                                \
    template <operand B>                                             \
    void operator symbol##=(B&& b)&& {                               \
        std::move(*this) = this->before() symbol std::forward<B>(b); \
    }
#define KILN_COMPOUND_TARGET(before) \
    KILN_COMPOUND(before, +)         \
    KILN_COMPOUND(before, -)         \
    KILN_COMPOUND(before, *)         \
    KILN_COMPOUND(before, /)         \
    KILN_COMPOUND(before, %)         \
    KILN_COMPOUND(before, &)         \
    KILN_COMPOUND(before, |)         \
    KILN_COMPOUND(before, ^)         \
    KILN_COMPOUND(before, <<)        \
    KILN_COMPOUND(before, >>)

/// A slice of an array: x(k::range(0, 1000)). An expression that holds the values x has now. As the left side of =, while
/// it is a temporary of an lvalue array, it writes into that array: in the statement that makes it, since it does not keep
/// the array itself alive (its values it does).
template <element T>
class view {
public:
    using kiln_value = T;
    using kiln_captured = array_leaf<T>;

    view(detail::handle<detail::array_node> part, detail::handle<detail::array_node>* whole) noexcept
        : part_(std::move(part)), whole_(whole) {}
    view(const view& other) noexcept : part_(other.part_) {}
    view(view&& other) noexcept : part_(std::move(other.part_)) {}

    /// y(k::range(0, 10)) = e: e has the slice's shape. Other arrays that share y's buffer keep their values.
    template <expression E>
    void operator=(E&& e) && {
        require_target();
        detail::evaluate_part<T>(whole_, part_, detail::as_gatherable(std::forward<E>(e)),
                                 !std::is_lvalue_reference_v<E>);
    }
    void operator=(const view& e) && { std::move(*this).template operator=<const view&>(e); }
    /// y(k::range(0, 10)) = 0.0f: fills the slice.
    template <scalar S>
    void operator=(S value) && {
        require_target();
        detail::evaluate_part<T>(whole_, part_, detail::capture<type_of<T>>(value), true);
    }

    /// y(k::range(0, 10)) += e: e broadcasts to the slice. The other elements are neither read nor written.
    KILN_COMPOUND_TARGET(before)

    [[nodiscard]] const kiln::shape& shape() const noexcept { return detail::shape_of(part_.get()); }
    [[nodiscard]] int rank() const noexcept { return shape().rank(); }
    [[nodiscard]] std::int64_t size() const noexcept { return shape().size(); }
    /// The only element, x(3).item(); throws shape_error when there are more or none. Waits.
    [[nodiscard]] T item() const { return array<T>(*this).item(); }
    /// All elements of the slice, row-major. Waits.
    [[nodiscard]] std::vector<T> to_host() const { return array<T>(*this).to_host(); }

    [[nodiscard]] const detail::handle<detail::array_node>& kiln_node() const& noexcept { return part_; }
    [[nodiscard]] detail::handle<detail::array_node> kiln_node() && noexcept { return std::move(part_); }

private:
    [[nodiscard]] const view& before() const noexcept { return *this; }
    void require_target() const {
        if (!whole_)
            throw type_error("kiln: a slice can be assigned to only where it is made, from an array that is not const");
    }

    detail::handle<detail::array_node> part_;
    detail::handle<detail::array_node>* whole_ = nullptr;
};

/// y(mask) while it is the left side of =: where the mask holds, y takes the right side's values. The mask and the right side
/// broadcast to y's shape.
template <element T, class M>
class masked {
public:
    masked(array<T>& target, M mask) : target_(target), mask_(std::move(mask)) {}
    masked(const masked&) = delete;

    template <operand E>
    void operator=(E&& e) && {
        if constexpr (expression<E>) {
            static_assert(assignable(type_of<value_t<E>>, type_of<T>),
                          "kiln: assigning to a narrower type needs k::cast<T>(expression)");
            detail::require_fits(target_.shape(), shape_of(e));
        }
        detail::require_fits(target_.shape(), shape_of(mask_));
        target_ = where(std::move(mask_), std::forward<E>(e), target_);
    }
    /// y(mask) += e.
    KILN_COMPOUND_TARGET(before)

private:
    [[nodiscard]] const array<T>& before() const noexcept { return target_; }

    array<T>& target_;
    M mask_;
};

#undef KILN_COMPOUND_TARGET
#undef KILN_COMPOUND

/// Row-major memory that the user owns, host or device (the driver is asked which). Read when an expression is
/// evaluated; = writes through it. Host memory on a GPU is copied at each evaluation. Of `const T`, read only.
template <class T>
class array_ref {
public:
    using kiln_value = std::remove_const_t<T>;
    using kiln_captured = array_leaf<kiln_value>;

    array_ref(T* pointer, const kiln::shape& extents)
        : node_(detail::make_reference(pointer, type_of<kiln_value>, extents)) {}
    array_ref(const array_ref&) = default;

    /// Evaluates into the memory. When an operand overlaps it at other positions, through a temporary.
    template <expression E>
        requires(!std::is_const_v<T>)
    const array_ref& operator=(E&& e) const {
        detail::evaluate_part<kiln_value>(nullptr, node_, detail::as_gatherable(std::forward<E>(e)), true);
        return *this;
    }
    const array_ref& operator=(const array_ref& e) const
        requires(!std::is_const_v<T>)
    {
        return this->template operator=<const array_ref&>(e);
    }
    template <scalar S>
        requires(!std::is_const_v<T>)
    const array_ref& operator=(S value) const {
        detail::evaluate_part<kiln_value>(nullptr, node_, detail::capture<type_of<kiln_value>>(value), true);
        return *this;
    }

    [[nodiscard]] const kiln::shape& shape() const noexcept { return detail::shape_of(node_.get()); }
    [[nodiscard]] const detail::handle<detail::array_node>& kiln_node() const noexcept { return node_; }

private:
    detail::handle<detail::array_node> node_;
};

/// k::wrap(pointer, {rows, columns}) = x + x;
template <class T>
    requires element<std::remove_const_t<T>>
array_ref<T> wrap(T* pointer, const shape& extents) {
    return array_ref<T>(pointer, extents);
}

}  // namespace kiln::inline v0_1
