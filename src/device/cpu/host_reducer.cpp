// What the rows of reduction_table.def are on the CPU. They must be the operations' bodies: tests hold one against the other.
#include <device/cpu/host_reducer.hpp>

#include <device/cpu/host_sums.hpp>
#include <plan/host_order.hpp>

#include <kiln/float16.hpp>

#include <complex>
#include <limits>
#include <type_traits>

namespace kiln::backend {

namespace {

constexpr int lanes = plan::host_order::lanes;

/// As a number that compares as C++ says.
template <class T>
auto number(T value) {
    if constexpr (kiln::detail::small_float<T>) return static_cast<float>(value);
    else return value;
}
template <class T>
bool is_nan(T value) {
    return value != value;
}

template <class T>
T extreme(bool largest) {
    if constexpr (std::is_same_v<T, bool>) return largest;
    else if constexpr (kiln::detail::small_float<T>)
        return T(largest ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity());
    else if constexpr (std::is_floating_point_v<T>)
        return largest ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
    else return largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
}

template <class T, bool largest>
struct choosing {
    using accumulator = T;
    static T identity() { return extreme<T>(!largest); }
    static T of(T value, std::int64_t) { return value; }
    static T combine(T left, T right) {
        const auto a = number(left);
        const auto b = number(right);
        if constexpr (std::is_integral_v<T>) return (largest ? a < b : b < a) ? right : left;
        else return (a == a) & !(largest ? b <= a : b >= a) ? right : left;
    }
};

template <bool all>
struct testing {
    using accumulator = bool;
    static bool identity() { return all; }
    static bool of(bool value, std::int64_t) { return value; }
    static bool combine(bool a, bool b) { return all ? a && b : a || b; }
};

template <class T, bool largest>
struct finding {
    struct accumulator {
        T value;
        std::int64_t at;
    };
    static accumulator identity() { return {extreme<T>(!largest), std::numeric_limits<std::int64_t>::max()}; }
    static accumulator of(T value, std::int64_t at) { return {value, at}; }
    static accumulator combine(const accumulator& left, const accumulator& right) {
        const auto a = number(left.value);
        const auto b = number(right.value);
        const bool alike = a == b || (is_nan(a) && is_nan(b));
        const bool better = alike ? right.at < left.at : is_nan(b) || (!is_nan(a) && (largest ? b > a : b < a));
        return better ? right : left;
    }
};

enum class ending : std::uint8_t { plain, mean, position };

template <class Operation, class Value, class Result, ending end>
class reducer_of final : public host_reducer {
    using accumulator = typename Operation::accumulator;

public:
    [[nodiscard]] std::int64_t accumulator_bytes() const override { return sizeof(accumulator); }

    void clear(std::byte* accumulators, std::int64_t count) const override {
        for (std::int64_t i = 0; i < count; ++i) as_accumulators(accumulators)[i] = Operation::identity();
    }

    void take_run(std::byte* into, const std::byte* values, std::int64_t count, std::int64_t first) const override {
        const auto* const value = reinterpret_cast<const Value*>(values);
        accumulator lane[lanes];
        for (accumulator& each : lane) each = Operation::identity();
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes)
            for (int j = 0; j < lanes; ++j)
                lane[j] = Operation::combine(lane[j], Operation::of(value[i + j], first + i + j));
        for (int j = 0; i < count; ++i, ++j) lane[j] = Operation::combine(lane[j], Operation::of(value[i], first + i));
        for (int apart = lanes / 2; apart > 0; apart /= 2)
            for (int j = 0; j < apart; ++j) lane[j] = Operation::combine(lane[j], lane[j + apart]);
        *as_accumulators(into) = Operation::combine(*as_accumulators(into), lane[0]);
    }

    void take_rows(std::byte* accumulators, const std::byte* values, std::int64_t rows,
                   std::int64_t extent) const override {
        const auto* const value = reinterpret_cast<const Value*>(values);
        std::int64_t row = 0;
        if (extent <= lanes)
            for (; row + rows_together <= rows; row += rows_together)
                take_short_rows(as_accumulators(accumulators) + row, value + row * extent, extent);
        for (; row < rows; ++row)
            take_run(accumulators + row * accumulator_bytes(), reinterpret_cast<const std::byte*>(value + row * extent),
                     extent, 0);
    }

    void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                   std::int64_t number) const override {
        const auto* value = reinterpret_cast<const Value*>(values);
        accumulator* const into = as_accumulators(accumulators);
        for (std::int64_t row = 0; row < rows; ++row, value += count)
            for (std::int64_t i = 0; i < count; ++i)
                into[i] = Operation::combine(into[i], Operation::of(value[i], number + row));
    }

    void merge(std::byte* into, const std::byte* others, std::int64_t count) const override {
        const auto* const other = reinterpret_cast<const accumulator*>(others);
        for (std::int64_t i = 0; i < count; ++i)
            as_accumulators(into)[i] = Operation::combine(as_accumulators(into)[i], other[i]);
    }

    void finish(const std::byte* accumulators, std::int64_t count, std::int64_t of, std::byte* results) const override {
        const auto* const from = reinterpret_cast<const accumulator*>(accumulators);
        auto* const to = reinterpret_cast<Result*>(results);
        for (std::int64_t i = 0; i < count; ++i) to[i] = finished(from[i], of);
    }

private:
    static accumulator* as_accumulators(std::byte* accumulators) {
        return reinterpret_cast<accumulator*>(accumulators);
    }

    static constexpr int rows_together = 64;

    /// A row has an element for each of its first lanes. What the other lanes have of nothing changes nothing: these meet
    /// as take_run's do without them, but rows side by side.
    static void take_short_rows(accumulator* into, const Value* value, std::int64_t extent) {
        accumulator lane[lanes][rows_together];
        for (std::int64_t j = 0; j < extent; ++j)
            for (int row = 0; row < rows_together; ++row) lane[j][row] = Operation::of(value[row * extent + j], j);
        for (std::int64_t apart = lanes / 2; apart > 0; apart /= 2)
            for (std::int64_t j = 0; j < apart && j + apart < extent; ++j)
                for (int row = 0; row < rows_together; ++row)
                    lane[j][row] = Operation::combine(lane[j][row], lane[j + apart][row]);
        for (int row = 0; row < rows_together; ++row) into[row] = Operation::combine(into[row], lane[0][row]);
    }

    static Result finished(const accumulator& from, [[maybe_unused]] std::int64_t of) {
        if constexpr (end == ending::position) {
            return from.at;
        } else if constexpr (end == ending::mean && is_complex<accumulator>) {
            using R = typename accumulator::value_type;
            return {from.real() / static_cast<R>(of), from.imag() / static_cast<R>(of)};
        } else if constexpr (end == ending::mean) {
            return Result(from / static_cast<accumulator>(of));
        } else {
            return Result(from);
        }
    }
};

template <class Operation, class Value, class Result, ending end>
const host_reducer& instance() {
    static constexpr reducer_of<Operation, Value, Result, end> one{};
    return one;
}

template <template <class> class Operation, ending end>
const host_reducer& of_sums(const plan::reduced_output& of) {
    switch (of.accumulated) {
        case element_type::int64: return instance<Operation<std::int64_t>, std::int64_t, std::int64_t, ending::plain>();
        case element_type::uint64:
            return instance<Operation<std::uint64_t>, std::uint64_t, std::uint64_t, ending::plain>();
        case element_type::float64: return instance<Operation<double>, double, double, end>();
        case element_type::complex64:
            return instance<Operation<std::complex<float>>, std::complex<float>, std::complex<float>, end>();
        case element_type::complex128:
            return instance<Operation<std::complex<double>>, std::complex<double>, std::complex<double>, end>();
        default: break;
    }
    if (of.result == element_type::float16) return instance<Operation<float>, float, float16, end>();
    if (of.result == element_type::bfloat16) return instance<Operation<float>, float, bfloat16, end>();
    return instance<Operation<float>, float, float, end>();
}

/// The better of two, or where it is.
template <class T>
const host_reducer& of_choice(operation combine) {
    if constexpr (!is_complex<T>) {
        switch (combine) {
            case operation::min: return instance<choosing<T, false>, T, T, ending::plain>();
            case operation::max: return instance<choosing<T, true>, T, T, ending::plain>();
            case operation::lt: return instance<finding<T, false>, T, std::int64_t, ending::position>();
            default: return instance<finding<T, true>, T, std::int64_t, ending::position>();
        }
    } else {
        return instance<adding<T>, T, T, ending::plain>();  // has no order: cannot be asked for
    }
}

}  // namespace

const host_reducer& reducer_for(const plan::reduced_output& of) {
    const kiln::detail::reduction_info& by = kiln::detail::info(of.what);
    const bool averages = by.accumulates == kiln::detail::accumulation::mean;
    switch (by.combine) {
        case operation::add: return averages ? of_sums<adding, ending::mean>(of) : of_sums<adding, ending::plain>(of);
        case operation::mul: return of_sums<multiplying, ending::plain>(of);
        case operation::logical_or: return instance<testing<false>, bool, bool, ending::plain>();
        case operation::logical_and: return instance<testing<true>, bool, bool, ending::plain>();
        default: break;  // of a function of the user's: compiled_reducer
    }
    switch (of.accumulated) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case element_type::name: return of_choice<type>(by.combine);
#include <kiln/element_type.def>
    }
    return of_choice<float>(by.combine);
}

}  // namespace kiln::backend
