#include <lower/ranges.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace kiln::lower {

namespace {

constexpr double infinity = range::infinity;

double smallest_normal(element_type type) {
    return type == element_type::float32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
}

double largest(element_type type) {
    return type == element_type::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

/// What an operation of that type makes of exact bounds: rounding is monotonic, underflow may end at 0, overflow at infinity.
range rounded(range exact, element_type type) {
    constexpr double margin = 0x1p-20;  // some roundings of float32
    const auto outward = [&](double bound, double sign) {
        if (!std::isfinite(bound)) return bound;
        if (std::abs(bound) < smallest_normal(type)) return bound * sign > 0 ? sign * smallest_normal(type) : 0.0;
        const double moved = bound + sign * std::abs(bound) * margin;
        return std::abs(moved) > largest(type) ? std::copysign(bound * sign > 0 ? infinity : largest(type), moved)
                                               : moved;
    };
    exact.low = outward(exact.low, -1);
    exact.high = outward(exact.high, 1);
    return exact;
}

double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

range mul(const range& a, const range& b) {
    const double ends[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                           product(a.high, b.high)};
    return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4), !a.is_finite() || !b.is_finite()};
}

range square(const range& a) {
    const double most = std::max(std::abs(a.low), std::abs(a.high));
    const double least = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0.0;
    return {least * least, most * most, a.may_be_nan};
}

range add(const range& a, const range& b, double sign) {
    const double low = a.low + (sign > 0 ? b.low : -b.high);
    const double high = a.high + (sign > 0 ? b.high : -b.low);
    return {low, high, !a.is_finite() || !b.is_finite()};
}

range reciprocal(const range& a) {
    if (a.low > 0 || a.high < 0) return {1 / a.high, 1 / a.low, a.may_be_nan};
    return {-infinity, infinity, a.may_be_nan};
}

range root(const range& a) {
    return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0)), a.may_be_nan || a.low < 0};
}

range either(const range& a, const range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high), a.may_be_nan || b.may_be_nan};
}

bool is_known_type(element_type type) { return type == element_type::float32 || type == element_type::float64; }

template <class T>
range of_numbers() {
    if constexpr (std::is_integral_v<T>)
        return {static_cast<double>(std::numeric_limits<T>::min()), static_cast<double>(std::numeric_limits<T>::max()),
                false};
    else return {};
}

/// Of integers, what their type holds.
range of_type(element_type type) {
    switch (type) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case element_type::name: return of_numbers<type>();
#include <kiln/element_type.def>
    }
    return {};
}

range of_constant(const constant& of) {
    const auto exactly = [](double value) { return range{value, value, value != value}; };
    float single = 0;
    double wide = 0;
    std::memcpy(&single, &of.bits, sizeof single);
    std::memcpy(&wide, &of.bits, sizeof wide);
    if (of.type == element_type::float32) return exactly(single);
    return of.type == element_type::float64 ? exactly(wide) : of_type(of.type);
}

range both(const range& a, const range& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high), a.may_be_nan && b.may_be_nan};
}

}  // namespace

ranges::ranges(const program& of) : program_(of) {
    const value_id count = of.step_value(static_cast<int>(of.steps.size()));
    assumed_.resize(static_cast<std::size_t>(count));
    for (const assumption& each : of.assumptions) {
        range& known = assumed_[static_cast<std::size_t>(each.value)];
        known = both(known, {each.low, each.high, false});
    }
    for (value_id value = 0; value < of.first_step_value(); ++value) {
        const range given = of.is_constant(value)
                                ? of_constant(of.constants[static_cast<std::size_t>(value - of.constant_value(0))])
                                : of_type(of.type_of(value));
        known_.push_back(both(given, assumed_[static_cast<std::size_t>(value)]));
    }
    known_.resize(static_cast<std::size_t>(count));
    for (value_id value = of.first_step_value(); value < count; ++value) follow(value);
}

void ranges::narrow(value_id value, range to) {
    range& known = known_[static_cast<std::size_t>(value)];
    known = both(known, to);
}

void ranges::follow(value_id result) {
    known_[static_cast<std::size_t>(result)] =
        both(of_step(*program_.step_of(result)), assumed_[static_cast<std::size_t>(result)]);
}

range ranges::of_step(const step& of) const {
    const auto operand = [&](int i) -> const range& { return (*this)[of.args[i]]; };
    if (of.code == operation::cast)
        return is_known_type(of.result) ? rounded(operand(0), of.result) : of_type(of.result);
    if (!is_known_type(of.result)) return of_type(of.result);
    const auto round = [&](const range& exact) { return rounded(exact, of.result); };
    switch (of.code) {
        case operation::add: return round(add(operand(0), operand(1), 1));
        case operation::sub: return round(add(operand(0), operand(1), -1));
        case operation::mul: return round(of.args[0] == of.args[1] ? square(operand(0)) : mul(operand(0), operand(1)));
        case operation::square: return round(square(operand(0)));
        case operation::neg: return {-operand(0).high, -operand(0).low, operand(0).may_be_nan};
        case operation::abs: {
            const range& of_operand = operand(0);
            const double least = of_operand.low > 0 ? of_operand.low : of_operand.high < 0 ? -of_operand.high : 0.0;
            return {least, std::max(std::abs(of_operand.low), std::abs(of_operand.high)), of_operand.may_be_nan};
        }
        case operation::relu:
            return {std::max(operand(0).low, 0.0), std::max(operand(0).high, 0.0), operand(0).may_be_nan};
        case operation::min:
            return {std::min(operand(0).low, operand(1).low), std::min(operand(0).high, operand(1).high),
                    operand(0).may_be_nan || operand(1).may_be_nan};
        case operation::max:
            return {std::max(operand(0).low, operand(1).low), std::max(operand(0).high, operand(1).high),
                    operand(0).may_be_nan || operand(1).may_be_nan};
        case operation::where: return either(operand(1), operand(2));
        case operation::sqrt: return round(root(operand(0)));
        case operation::rsqrt: return round(reciprocal(root(operand(0))));
        case operation::reciprocal: return round(reciprocal(operand(0)));
        case operation::div: {
            range out = mul(operand(0), reciprocal(operand(1)));
            out.may_be_nan =
                !operand(0).is_finite() || !operand(1).is_finite() || (operand(1).low <= 0 && operand(1).high >= 0);
            return round(out);
        }
        case operation::exp:
        case operation::exp2: return {0, infinity, operand(0).may_be_nan};
        case operation::random_f32:
        case operation::random_f64: return {0, 1, false};
        case operation::reduce: return of_reduction(of);
        default: return {};
    }
}

/// Nothing that is added to what is not below 0 takes it there. The mean of none is NaN.
range ranges::of_reduction(const step& of) const {
    using detail::reduction_kind;
    const range& each = (*this)[of.args[0]];
    if (of.scans || each.low < 0) return {};
    if (of.reduces == reduction_kind::sum) return {0, range::infinity, each.may_be_nan};
    if (of.reduces == reduction_kind::mean) return {0, range::infinity, true};
    return {};
}

}  // namespace kiln::lower
