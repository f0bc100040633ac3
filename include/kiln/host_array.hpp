// kiln/host_array: arrays in the host's memory or in a file, larger than a device's memory or the machine's. They are operands like any
// other; what is made of them is streamed: cut into chunks that fit, each copied in, computed and copied out.
// in: shapes, values, files, memory of the user's   out: terms of expressions, and places of results   knows nothing of: chunks
#pragma once

#include <kiln/array.hpp>
#include <kiln/export.hpp>
#include <kiln/expr.hpp>
#include <kiln/npy.hpp>
#include <kiln/views.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace kiln::inline v0_1 {

namespace detail {

KILN_API handle<array_node> make_host_array(element_type type, const shape& extents);
KILN_API handle<array_node> host_array_over(const handle<array_node>& reference);
KILN_API handle<array_node> open_npy(const std::string& path, element_type wanted);
KILN_API handle<array_node> edit_npy(const std::string& path, element_type wanted);
KILN_API handle<array_node> create_npy(const std::string& path, element_type type, const shape& extents);
/// Row-major elements; throws shape_error for a host array that has none such.
KILN_API void* host_elements_of(const array_node* node, bool to_write);
/// The root broadcasts to the target's shape.
KILN_API void evaluate_into_host(const handle<array_node>& target, const handle<term>& root, const char* label);
/// Throws shape_error where other memory in its place would leave a file, or memory of the user's, as it was.
KILN_API void require_own_host_memory(const array_node* node, const shape& wanted);
KILN_API void flush_host_array(const array_node* node);

/// A number's term, of so many elements.
KILN_API handle<term> filled(const shape& extents, element_type type, const void* value);

}  // namespace detail

/// What a host array is inside an expression. It is not collected: its expressions are graphs, which are looked through for what is
/// to be streamed.
template <element T>
struct host_leaf : expression_members<host_leaf<T>> {
    using kiln_value = T;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = true;
    detail::handle<detail::array_node> node;

    template <class Holder>
        requires requires(const Holder& holder) { holder.kiln_host_node(); }
    explicit host_leaf(const Holder& holder) : node(holder.kiln_host_node()) {}
    explicit host_leaf(detail::handle<detail::array_node> node_) noexcept : node(std::move(node_)) {}
    host_leaf(const host_leaf&) = default;
    host_leaf(host_leaf&&) noexcept = default;
    // k::transpose(y) = k::transpose(x), which would change where the temporary points
    detail::what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made operator=(const host_leaf&) = delete;
    template <operand B>
        requires(!std::same_as<std::remove_cvref_t<B>, host_leaf>)
    void operator=(B&&) {
        detail::say_that_views_are_read<B>();
    }

    detail::leaf* collect(detail::leaf* out) const noexcept { return out; }
    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_array_term(node, type_of<T>); }
    [[nodiscard]] host_leaf kiln_viewed(const detail::view_spec& by) const {
        return host_leaf(detail::viewed(node, by));
    }
    template <class I>
    [[nodiscard]] expr<T> kiln_gathered(const detail::view_spec& by, const I& index) const {
        return detail::access::make<expr<T>>(detail::viewed(erase(), by, index.erase()));
    }
};

/// A slice of a host array: x(k::range(0, 1000)), an expression. As the left side of =, where it is made, it writes into that array; the
/// right side broadcasts to it.
template <element T>
class host_view : public expression_members<host_view<T>> {
public:
    using kiln_value = T;
    using kiln_captured = host_leaf<T>;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = true;

    explicit host_view(host_leaf<T> part) noexcept : part_(std::move(part)) {}
    host_view(const host_view&) = default;
    host_view(host_view&&) noexcept = default;

    template <expression E>
    void operator=(E&& e) && {
        detail::require_assignable<value_t<E>, T>();
        const auto& stored = detail::as_collectable(std::forward<E>(e));
        detail::evaluate_into_host(part_.node, detail::erase_as<T>(stored), detail::label_of(stored));
    }
    void operator=(const host_view& e) && { std::move(*this).template operator=<const host_view&>(e); }
    /// Fills it.
    template <scalar S>
    void operator=(S value) && {
        const T element = detail::number_as<T>(value);
        detail::evaluate_into_host(part_.node, detail::filled(detail::shape_of(part_.node.get()), type_of<T>, &element),
                                   nullptr);
    }

    // Of what is no temporary, or const.
    template <operand E>
    void operator=(E&&) & {
        static_assert(detail::is_temporary<E>,
                      "kiln: a stored slice is read; y(k::range(0, 10)) = e writes where the slice is made");
    }
    template <operand E>
    void operator=(E&&) const& {
        static_assert(detail::is_temporary<E>, "kiln: a slice of a const array is read, never written");
    }

    /// y(k::range(0, 10)) += e.
    KILN_COMPOUND_TARGET(before)

    [[nodiscard]] const kiln::shape& shape() const { return detail::shape_of(part_.node.get()); }
    [[nodiscard]] detail::handle<detail::term> erase() const { return part_.erase(); }
    [[nodiscard]] const detail::handle<detail::array_node>& kiln_host_node() const noexcept { return part_.node; }

    /// A slice of the slice, as of an array. Where the slice is a target, y(k::range(0, 10))(3) = e, so is this.
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    host_view operator()(Items... items) && {
        return host_view(kiln::slice(part_, items...));
    }
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    const host_view operator()(Items... items) const& {
        return host_view(kiln::slice(part_, items...));
    }
    template <detail::list_of_items R>
    host_view operator()(const R& items) && {
        return host_view(kiln::slice(part_, items));
    }
    template <detail::list_of_items R>
    const host_view operator()(const R& items) const& {
        return host_view(kiln::slice(part_, items));
    }

    /// y(k::range(0, 10))(mask) = e: writes where the mask holds.
    template <expression M>
        requires std::same_as<value_t<M>, bool>
    masked<host_view, detail::captured_t<M>> operator()(M&& mask) && {
        return {*this, detail::captured_t<M>(std::forward<M>(mask))};
    }

private:
    [[nodiscard]] const host_view& before() const noexcept { return *this; }

    host_leaf<T> part_;
};
#undef KILN_COMPOUND_TARGET
#undef KILN_COMPOUND_OF

/// k::host_array<float> y({100'000, 40'000});
/// y = k::sqrt(k::open_npy<float>("x.npy")) * 2;
/// Elements in the host's memory. An expression with host arrays runs where its other arrays are, or on the thread's device. On a GPU
/// it is streamed: cut along an axis into chunks, each copied in, computed, and copied out if the result is in a host array too, so that
/// neither operands nor results need fit the device. Chunks take no more of its memory than KILN_DEVICE_MEMORY says ("4G", "512M"; all
/// that kiln has there counts), or nine tenths of what is free. The bits are those of one piece. The CPU reads and writes host arrays
/// where they are; those in files in chunks as well, so that no more than 512 MiB of them (or KILN_DEVICE_MEMORY) are in memory.
/// What can be cut: element-wise expressions, broadcasting, with generators; scans and sorts along other axes than that which is cut; every
/// reduction, also over that axis: what is known of elements is carried from chunk to chunk; scans along it, by reading twice, those inside
/// another expression by way of the host's memory. What cannot says why, as kiln::error.
/// Unlike an array it is no value: an expression reads it when it is evaluated, and what is assigned is written into its memory.
/// Moves, and is not copied where it is made: clone() copies. Not for several threads at once where one writes.
template <element T>
class host_array : public expression_members<host_array<T>> {
public:
    using kiln_value = T;
    using kiln_captured = host_leaf<T>;
    using value_type = T;
    static constexpr int leaf_count = 0;
    static constexpr bool dynamic = true;

    /// No memory: reading it throws type_error; the first assignment makes some.
    host_array() = default;
    host_array(host_array&&) noexcept = default;
    host_array& operator=(host_array&&) noexcept = default;
    host_array(const host_array&) = delete;  // clone() copies

    /// Copies elements, as of any expression.
    host_array& operator=(const host_array& of) { return assign(of); }

    /// Uninitialised. Where the thread's device is a GPU its pages are locked, which copies need for the link's whole rate; that takes
    /// 50 ms a gigabyte (H100) the first time, and none where one of nearly the size went before: k::trim_memory() gives back what is kept.
    /// Throws out_of_memory.
    explicit host_array(const kiln::shape& extents) : node_(detail::make_host_array(type_of<T>, extents)) {}
    /// A copy of row-major elements. Throws shape_error where they are not as many as the shape has.
    host_array(std::span<const T> elements, const kiln::shape& extents) : host_array(extents) {
        if (static_cast<std::int64_t>(elements.size()) != extents.size())
            throw shape_error("kiln: host_array: " + std::to_string(elements.size()) + " elements do not fill shape " +
                              to_string(extents));
        std::copy(elements.begin(), elements.end(), data());
    }
    /// The memory behind k::wrap(pointer, shape), of the host's: no copy. It must live as long as the array and expressions of it do.
    explicit host_array(const array_ref<T>& of) : node_(detail::host_array_over(of.kiln_node())) {}

    /// Evaluates into new memory of the expression's shape. Waits.
    template <expression E>
        requires(!std::same_as<std::remove_cvref_t<E>, host_array> &&
                 !std::same_as<std::remove_cvref_t<E>, array_ref<T>>)
    host_array(E&& e) {
        *this = std::forward<E>(e);
    }

    /// Evaluates into the memory, if it has the expression's shape; else into new memory: of a file, or of memory of the user's, that
    /// throws shape_error. Where the expression reads it at other positions,
    /// by way of new memory. Waits. Throws file_error for a file that was opened to be read, and what evaluating throws.
    template <expression E>
        requires(!std::same_as<std::remove_cvref_t<E>, host_array>)
    host_array& operator=(E&& e) {
        return assign(std::forward<E>(e));
    }
    /// Fills it.
    template <scalar S>
    host_array& operator=(S value) {
        const T element = detail::number_as<T>(value);
        detail::evaluate_into_host(checked(), detail::filled(shape(), type_of<T>, &element), nullptr);
        return *this;
    }

    /// y += e: into its memory; e broadcasts to its shape.
    template <operand B>
    host_array& operator+=(B&& b) {
        return whole() += std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator-=(B&& b) {
        return whole() -= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator*=(B&& b) {
        return whole() *= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator/=(B&& b) {
        return whole() /= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator%=(B&& b) {
        return whole() %= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator&=(B&& b) {
        return whole() &= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator|=(B&& b) {
        return whole() |= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator^=(B&& b) {
        return whole() ^= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator<<=(B&& b) {
        return whole() <<= std::forward<B>(b), *this;
    }
    template <operand B>
    host_array& operator>>=(B&& b) {
        return whole() >>= std::forward<B>(b), *this;
    }

    /// As of an array: of an lvalue, y(k::range(0, 10)) = e writes into it. Throws shape_error.
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    host_view<T> operator()(Items... items) & {
        return host_view<T>(kiln::slice(host_leaf<T>(*this), items...));
    }
    template <class... Items>
        requires(std::constructible_from<index_item, Items> && ...)
    const host_view<T> operator()(Items... items) const& {
        return host_view<T>(kiln::slice(host_leaf<T>(*this), items...));
    }
    template <detail::list_of_items R>
    host_view<T> operator()(const R& items) & {
        return host_view<T>(kiln::slice(host_leaf<T>(*this), items));
    }
    template <detail::list_of_items R>
    const host_view<T> operator()(const R& items) const& {
        return host_view<T>(kiln::slice(host_leaf<T>(*this), items));
    }
    /// y(mask) = e: writes where the mask holds.
    template <expression M>
        requires std::same_as<value_t<M>, bool>
    masked<host_view<T>, detail::captured_t<M>> operator()(M&& mask) & {
        return {whole(), detail::captured_t<M>(std::forward<M>(mask))};
    }

    [[nodiscard]] host_array clone() const {
        host_array made(shape());
        detail::evaluate_into_host(made.node_, erase(), "copy");
        return made;
    }

    [[nodiscard]] bool has_value() const noexcept { return static_cast<bool>(node_); }
    [[nodiscard]] const kiln::shape& shape() const { return detail::shape_of(checked().get()); }

    /// size() elements, row-major: the memory itself. Throws shape_error where it is otherwise in memory (a column-major file or matrix);
    /// file_error for a file that became shorter, and where the array is not const for one that was opened to be read: std::as_const(x).data().
    [[nodiscard]] const T* data() const {
        return static_cast<const T*>(detail::host_elements_of(checked().get(), /*to_write=*/false));
    }
    [[nodiscard]] T* data() { return static_cast<T*>(detail::host_elements_of(checked().get(), /*to_write=*/true)); }
    [[nodiscard]] std::span<const T> elements() const { return {data(), static_cast<std::size_t>(shape().size())}; }
    [[nodiscard]] std::span<T> elements() { return {data(), static_cast<std::size_t>(shape().size())}; }

    /// Waits until what was written to its file is on the disk; nothing where it has no file. (Other processes see it without.) Throws
    /// file_error, also where somebody made the file shorter.
    void flush() const { detail::flush_host_array(checked().get()); }

    [[nodiscard]] detail::handle<detail::term> erase() const { return detail::make_array_term(checked(), type_of<T>); }
    [[nodiscard]] const detail::handle<detail::array_node>& kiln_host_node() const { return checked(); }

private:
    friend detail::access;

    explicit host_array(detail::handle<detail::array_node> node) noexcept : node_(std::move(node)) {}

    template <class E>
    host_array& assign(E&& e) {
        detail::require_assignable<value_t<E>, T>();
        const auto& stored = detail::as_collectable(std::forward<E>(e));
        const detail::handle<detail::term> root = detail::erase_as<T>(stored);
        const kiln::shape extents = detail::broadcast_leaves(root);
        if (!node_ || !(detail::shape_of(node_.get()) == extents)) {
            if (node_) detail::require_own_host_memory(node_.get(), extents);
            host_array fresh(extents);
            detail::evaluate_into_host(fresh.node_, root, detail::label_of(stored));
            node_ = std::move(fresh.node_);
        } else {
            detail::evaluate_into_host(node_, root, detail::label_of(stored));
        }
        return *this;
    }

    const detail::handle<detail::array_node>& checked() const {
        if (!node_) detail::throw_no_value();
        return node_;
    }
    [[nodiscard]] host_view<T> whole() { return host_view<T>(host_leaf<T>(checked())); }

    detail::handle<detail::array_node> node_;
};

/// auto x = k::open_npy<float>("x.npy");
/// The array of a .npy file, where it is: nothing is read but the header, pages come as expressions read them. To be read alone. The file
/// must stay as it is; one that has become shorter is met with file_error, by the next expression. Row-major and column-major. A file of
/// bool is one of std::uint8_t or std::int8_t here, of 0 and 1: open_npy<std::uint8_t>(path) != 0. (As bool it is refused: in a file that
/// was damaged bytes are of other values, which no bool may have.) Throws type_error where its elements are of another type or in the
/// other byte order (load_npy turns them around), file_error as load_npy does.
template <element T>
[[nodiscard]] host_array<T> open_npy(const std::string& path) {
    return detail::access::make<host_array<T>>(detail::open_npy(path, type_of<T>));
}
// open_npy("x.npy")
template <class... None>
    requires(sizeof...(None) == 0)
expr<bool> open_npy(const std::string&) {
    detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return {};
}

/// auto y = k::edit_npy<float>("y.npy"); y(k::range(0, 10)) = 0.0f;
/// As open_npy, to be written, too (NumPy's mode r+): what is assigned goes into the file; its header, type and length stay. What a file of
/// bool is given as bytes has to be 0 or 1. Throws what open_npy throws, and file_error for a file that may not be written, or where the
/// disk has no room for what the file leaves out.
template <element T>
[[nodiscard]] host_array<T> edit_npy(const std::string& path) {
    return detail::access::make<host_array<T>>(detail::edit_npy(path, type_of<T>));
}
template <class... None>
    requires(sizeof...(None) == 0)
expr<bool> edit_npy(const std::string&) {
    detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return {};
}

/// auto y = k::create_npy<float>("y.npy", {100'000, 40'000}); y = k::sqrt(x);
/// A new .npy file, in place of any before, whose elements are 0 until they are written; numpy.load reads it at any time: a file that only
/// whole results should bear the name of is created under another one and renamed in the end. Throws file_error, also where the disk has no
/// room for it.
template <element T>
[[nodiscard]] host_array<T> create_npy(const std::string& path, const detail::extents& extents) {
    return detail::access::make<host_array<T>>(detail::create_npy(path, type_of<T>, extents));
}
template <class... None>
    requires(sizeof...(None) == 0)
expr<bool> create_npy(const std::string&, const detail::extents&) {
    detail::say_that_a_type_is_wanted<sizeof...(None)>();
    return {};
}

}  // namespace kiln::inline v0_1
