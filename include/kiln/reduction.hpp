// kiln/reduction: which reductions there are, the axes they go over, and the types they have.
// knows nothing of: expressions' types, how anything runs
#pragma once

#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/expression.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>

namespace kiln::inline v0_1 {

/// The axes that a reduction goes over; negative ones count from the end. Made by axes(), or of one axis.
class axis_list {
public:
    /// All of them.
    constexpr axis_list() = default;
    axis_list(axis one) : count_(1), numbers_{one.number} {}
    /// Throws shape_error past 8.
    axis_list(std::initializer_list<int> numbers) : axis_list(numbers.begin(), numbers.size()) {}
    KILN_API axis_list(const int* numbers, std::size_t count);

    [[nodiscard]] bool all() const noexcept { return count_ < 0; }
    [[nodiscard]] const int* begin() const noexcept { return numbers_; }
    [[nodiscard]] const int* end() const noexcept { return numbers_ + (count_ < 0 ? 0 : count_); }

private:
    int count_ = -1;
    int numbers_[max_rank] = {};
};

/// k::sum(x, k::axes(0, 2))
template <std::convertible_to<int>... I>
axis_list axes(I... numbers) {
    return axis_list({static_cast<int>(numbers)...});
}
inline axis_list axes(std::initializer_list<int> numbers) { return axis_list(numbers); }
/// Of a std::vector, span or array of int. Of an empty one: no axis, so that each element is reduced by itself.
template <detail::list<int> R>
axis_list axes(const R& numbers) {
    return axis_list(std::data(numbers), std::size(numbers));
}

/// k::max(m, k::axis(1), k::keep_dims): the axes stay, with extent 1, so that the result broadcasts to what it came from.
struct keep_dims_tag {};
inline constexpr keep_dims_tag keep_dims{};

/// k::var(x, k::axis(0), k::ddof(1)): how much less than the number of elements var and stddev divide by; 1 for the variance
/// of what the elements are a sample of. Source: NumPy ("delta degrees of freedom"); Bessel's correction.
struct ddof {
    explicit constexpr ddof(std::int64_t less_) : less(less_) {}
    std::int64_t less;
};

namespace detail {

enum class reduction_kind : std::uint8_t {
    none,
#define KILN_REDUCTION(name, accumulates, result, combine, identity) name,
#include <kiln/reduction_table.def>
    user,  // as a function of the user's says: user_reduction.hpp
};

enum class accumulation : std::uint8_t { none, sum, mean, moments, exponentials, own, truth };
enum class reduced_to : std::uint8_t { none, accumulated, position, variance, wide };
enum class reduction_identity : std::uint8_t { zero, one, worst, own };

struct reduction_info {
    const char* name;
    accumulation accumulates;
    reduced_to result;
    operation combine;
    reduction_identity identity;
};

inline constexpr reduction_info reductions[] = {
    {"none", accumulation::none, reduced_to::none, operation::add, reduction_identity::zero},
#define KILN_REDUCTION(name, accumulates, result, combine, identity) \
    {#name, accumulation::accumulates, reduced_to::result, operation::combine, reduction_identity::identity},
#include <kiln/reduction_table.def>
    {"user", accumulation::own, reduced_to::accumulated, operation::call, reduction_identity::own},
};

constexpr const reduction_info& info(reduction_kind what) { return reductions[static_cast<int>(what)]; }

constexpr bool is_signed_integer(element_type type) {
    return type == element_type::int8 || type == element_type::int16 || type == element_type::int32 ||
           type == element_type::int64;
}

/// Whether what is known of some elements is more than a value, and where it is.
constexpr bool keeps_state(reduction_kind what) {
    return info(what).accumulates == accumulation::moments || info(what).accumulates == accumulation::exponentials;
}

/// The type that a reduction of `of` adds up, compares, or tests.
constexpr element_type accumulated_type(reduction_kind what, element_type of) {
    const accumulation how = info(what).accumulates;
    if (how == accumulation::own) return of;
    if (how == accumulation::truth) return element_type::boolean;
    if (how == accumulation::moments) return element_type::float32;
    if (how == accumulation::exponentials) return is_small_float(of) ? element_type::float32 : of;
    if (kind_of(of) < element_kind::floating) {
        if (how == accumulation::mean) return element_type::float64;
        return kind_of(of) == element_kind::logical || is_signed_integer(of) ? element_type::int64
                                                                             : element_type::uint64;
    }
    return is_small_float(of) ? element_type::float32 : of;
}

constexpr element_type reduced_type(reduction_kind what, element_type of) {
    if (info(what).result == reduced_to::position) return element_type::int64;
    if (info(what).result == reduced_to::wide) return element_type::float64;
    if (info(what).result == reduced_to::variance)
        return kind_of(of) == element_kind::floating ? of : element_type::float64;
    const accumulation how = info(what).accumulates;
    const bool is_rounded = how == accumulation::sum || how == accumulation::mean || how == accumulation::exponentials;
    return is_rounded && is_small_float(of) ? of : accumulated_type(what, of);
}

/// What elements come to by segments; `count` segments, or 0: nothing of the kind.
struct segment_call {
    enum class kind : std::uint8_t { number, sum, least, greatest };
    kind what = kind::number;
    std::int64_t count = 0;
    bool by_bins = false;  // a number's segment is the bin that it is in, not the number itself
    double low = 0;        // where the first bin begins, where the last one ends
    double high = 0;
    /// So many neighbouring elements have one id: a row's. Row r's segments are the `inside` from r's id times `inside` on.
    std::int64_t inside = 1;

    friend bool operator==(const segment_call&, const segment_call&) = default;
};

/// One output of a call: a reduction, or (none) what the elements are.
struct reduction_call {
    reduction_kind what = reduction_kind::none;
    const axis_list* over = nullptr;
    bool keeps_axes = false;
};

/// One more owner.
KILN_API handle<term> share(const term* of) noexcept;
KILN_API void add_reduced_output(graph& into, int node, reduction_kind what, element_type result);

/// Evaluates expressions of one shape, some of them into reductions over the same axes, in one kernel; `leaf_ends`: how many
/// of the leaves belong to each and those before it. False, and nothing done, where they are no such thing or the device
/// does them apart.
KILN_API bool evaluate_reduced(expression_cache& of, const leaf* leaves, const int* leaf_ends,
                               const reduction_call* calls, output* outputs, int output_count, const char* label,
                               purpose why);

KILN_API handle<term> make_reduction_term(reduction_kind what, element_type result, handle<term> of,
                                          const axis_list& over, bool keep);

}  // namespace detail
}  // namespace kiln::inline v0_1
