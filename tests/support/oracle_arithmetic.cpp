// One operation on elements of one type, exactly rounded; and library functions with their distance from the truth.
#include <support/oracle.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace oracle {

namespace {

__extension__ typedef unsigned __int128 uint128;

bool is_nan(wide x) { return x != x; }
wide nan_value() { return std::numeric_limits<double>::quiet_NaN(); }
wide infinity() { return std::numeric_limits<double>::infinity(); }
bool is_infinite(wide x) { return x == infinity() || x == -infinity(); }

bool sign_of(wide x) {
    uint128 bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >> 127;
}

wide magnitude(wide x) { return sign_of(x) ? -x : x; }

int128 smallest(type of) {
    switch (of) {
        case type::i32: return -(static_cast<int128>(1) << 31);
        case type::i64: return -(static_cast<int128>(1) << 63);
        default: return 0;
    }
}

int128 largest(type of) {
    switch (of) {
        case type::b8: return 1;
        case type::u8: return 255;
        case type::i32: return (static_cast<int128>(1) << 31) - 1;
        default: return (static_cast<int128>(1) << 63) - 1;
    }
}

/// C's fmod, exact at every step: what is taken away is the divisor times a power of two.
wide remainder_of(wide a, wide b) {
    if (is_nan(a) || is_nan(b) || is_infinite(a) || b == 0) return nan_value();
    if (is_infinite(b) || a == 0) return a;
    const wide divisor = magnitude(b);
    wide rest = magnitude(a);
    while (rest >= divisor) {
        wide part = divisor;
        while (part * 2 <= rest) part *= 2;
        for (; part >= divisor; part /= 2)
            if (part <= rest) rest -= part;
    }
    return sign_of(a) ? -rest : rest;
}

/// The double (or float) next to the square root: its neighbours are further away. Midpoints have 54 bits, so their
/// squares are exact.
template <class T>
wide square_root(wide x) {
    if (is_nan(x) || x == 0 || x == infinity()) return x;
    if (x < 0) return nan_value();
    auto root = static_cast<T>(std::sqrt(static_cast<long double>(x)));
    const auto half_way = [](T a, T b) { return (static_cast<wide>(a) + static_cast<wide>(b)) / 2; };
    for (;;) {
        const T below = std::nextafter(root, T(0));
        const T above = std::nextafter(root, std::numeric_limits<T>::infinity());
        const wide low = half_way(below, root);
        const wide high = half_way(root, above);
        if (low * low > x) root = below;
        else if (high * high < x) root = above;
        else return root;
    }
}

/// a * b + c with one rounding. The product is exact; the sum is rounded to odd, so that the rounding to the element
/// type that follows is the only one that counts. Source: Boldo and Melquiond, Emulation of a FMA, 2008.
wide fused(wide a, wide b, wide c) {
    const wide product = a * b;
    const wide sum = product + c;
    if (is_nan(sum) || is_infinite(sum) || sum == 0) return sum;
    const wide c_part = sum - product;
    const wide lost = (product - (sum - c_part)) + (c - c_part);
    if (lost == 0) return sum;
    uint128 bits;
    std::memcpy(&bits, &sum, sizeof bits);
    if (bits & 1) return sum;
    const bool away_from_zero = (lost > 0) == (sum > 0);
    bits = away_from_zero ? bits + 1 : bits - 1;
    wide odd;
    std::memcpy(&odd, &bits, sizeof odd);
    return odd;
}

/// Towards zero, with the sign of what it is made from. From 2^60 on, every float and double is whole.
wide truncated(wide x) {
    if (is_nan(x) || magnitude(x) >= 0x1p60) return x;
    const wide whole = static_cast<wide>(static_cast<int128>(magnitude(x)));
    return sign_of(x) ? -whole : whole;
}

wide with_sign_of(wide size, wide sign) { return sign_of(sign) ? -magnitude(size) : magnitude(size); }

wide floored(wide x) {
    const wide whole = truncated(x);
    return whole > x ? whole - 1 : whole;
}

wide rounded(wide x, bool ties_to_even) {
    const wide whole = truncated(x);
    const wide part = magnitude(x - whole);
    const bool odd = magnitude(whole) < 0x1p60 && static_cast<int128>(whole) % 2 != 0;
    const bool away = part > 0.5 || (part == 0.5 && (!ties_to_even || odd));
    return away ? with_sign_of(magnitude(whole) + 1, x) : whole;
}

/// Python's divmod on floats, each step rounded to the type. Source: CPython, Objects/floatobject.c, what its comments
/// say of _float_div_mod.
struct quotient_and_rest {
    wide quotient;
    wide rest;
};
quotient_and_rest divided_downwards(type of, wide a, wide b) {
    const auto held = [of](wide x) { return make_real(of, x).real; };
    wide rest = remainder_of(a, b);
    if (b == 0) return {held(a / b), rest};
    wide quotient = held(held(a - rest) / b);
    if (rest == 0) {
        rest = with_sign_of(0, b);
    } else if ((b < 0) != (rest < 0)) {
        rest = held(rest + b);
        quotient = held(quotient - 1);
    }
    if (quotient == 0) return {with_sign_of(0, held(a / b)), rest};
    const wide whole = floored(quotient);
    return {held(held(quotient - whole) > 0.5 ? whole + 1 : whole), rest};
}

template <class T, class Bits>
wide neighbour(wide from, wide towards) {
    if (is_nan(from) || is_nan(towards)) return nan_value();
    if (from == towards) return towards;
    if (from == 0) return with_sign_of(std::numeric_limits<T>::denorm_min(), towards);
    const T held = static_cast<T>(from);
    Bits bits;
    std::memcpy(&bits, &held, sizeof bits);
    bits += (from < towards) == (from > 0) ? Bits(1) : Bits(-1);
    T next;
    std::memcpy(&next, &bits, sizeof next);
    return next;
}

int width_of(type of) {
    int width = 1;
    for (int128 top = largest(of); top > 1; top /= 2) ++width;
    return smallest(of) < 0 ? width + 1 : width;
}

bool bit_at(int128 of, int place) { return static_cast<uint128>(of) >> place & 1; }

int128 zeros_before(type of, int128 x) {
    int count = 0;
    while (count < width_of(of) && !bit_at(x, width_of(of) - 1 - count)) ++count;
    return count;
}

int128 zeros_after(type of, int128 x) {
    int count = 0;
    while (count < width_of(of) && !bit_at(x, count)) ++count;
    return count;
}

int128 ones(type of, int128 x) {
    int count = 0;
    for (int place = 0; place < width_of(of); ++place) count += bit_at(x, place);
    return count;
}

/// The greatest integer not above a / b.
int128 divided_downwards(int128 a, int128 b) {
    int128 quotient = a / b;
    while (quotient * b > a && b > 0) --quotient;
    while (quotient * b < a && b < 0) --quotient;
    return quotient;
}

value real_operation(op code, type of, const std::vector<value>& args) {
    const wide a = args[0].real;
    const wide b = args.size() > 1 ? args[1].real : wide(0);
    const auto truth = [](bool holds) { return make_whole(type::b8, holds); };
    switch (code) {
        case op::add: return make_real(of, a + b);
        case op::sub: return make_real(of, a - b);
        case op::mul: return make_real(of, a * b);
        case op::div: return make_real(of, a / b);
        case op::rem: return make_real(of, remainder_of(a, b));
        case op::neg: return make_real(of, -a);
        case op::abs: return make_real(of, magnitude(a));
        case op::eq: return truth(a == b);
        case op::ne: return truth(!(a == b));
        case op::lt: return truth(a < b);
        case op::le: return truth(a <= b);
        case op::gt: return truth(a > b);
        case op::ge: return truth(a >= b);
        case op::min: return is_nan(a) ? args[0] : is_nan(b) || b < a ? args[1] : args[0];
        case op::max: return is_nan(a) ? args[0] : is_nan(b) || b > a ? args[1] : args[0];
        case op::sqrt: return make_real(of, of == type::f32 ? square_root<float>(a) : square_root<double>(a));
        case op::fma: return make_real(of, fused(a, b, args[2].real));
        case op::floor_divide: return make_real(of, divided_downwards(of, a, b).quotient);
        case op::floor_mod: return make_real(of, divided_downwards(of, a, b).rest);
        case op::trunc_divide: return make_real(of, truncated(make_real(of, a / b).real));
        case op::isnan: return truth(is_nan(a));
        case op::isinf: return truth(is_infinite(a));
        case op::isfinite: return truth(!is_nan(a) && !is_infinite(a));
        case op::sign: return is_nan(a) ? args[0] : make_real(of, a == 0 ? 0 : a > 0 ? 1 : -1);
        case op::square: return make_real(of, a * a);
        case op::relu: return a < 0 ? make_real(of, 0) : args[0];
        case op::floor: return make_real(of, floored(a));
        case op::ceil: return make_real(of, -floored(-a));
        case op::trunc: return make_real(of, truncated(a));
        case op::round: return make_real(of, rounded(a, false));
        case op::rint: return make_real(of, rounded(a, true));
        case op::clamp: {
            for (const value& each : args)
                if (is_nan(each.real)) return each;
            const value& low = a < b ? args[1] : args[0];
            return args[2].real < low.real ? args[2] : low;
        }
        case op::lerp: {
            const wide span = make_real(of, b - a).real;
            return make_real(of, a + make_real(of, args[2].real * span).real);
        }
        case op::reciprocal: return make_real(of, 1 / a);
        case op::rsqrt: return make_real(of, 1 / (of == type::f32 ? square_root<float>(a) : square_root<double>(a)));
        case op::copysign: return make_real(of, with_sign_of(a, b));
        case op::nextafter:
            return make_real(
                of, of == type::f32 ? neighbour<float, std::uint32_t>(a, b) : neighbour<double, std::uint64_t>(a, b));
        default: break;
    }
    if (is_library(code)) return make_real(of, library_exact(code, args));
    throw std::logic_error("oracle: no such operation on floats");
}

value whole_operation(op code, type of, const std::vector<value>& args) {
    const int128 a = args[0].whole;
    const int128 b = args.size() > 1 ? args[1].whole : 0;
    const auto truth = [](bool holds) { return make_whole(type::b8, holds); };
    switch (code) {
        case op::add: return make_whole(of, a + b);
        case op::sub: return make_whole(of, a - b);
        case op::mul: return make_whole(of, a * b);
        case op::div: return make_whole(of, b == 0 ? 0 : a / b);  // 128 bits: the smallest over -1 does not trap
        case op::rem: return make_whole(of, b == 0 ? 0 : a % b);
        case op::neg: return make_whole(of, -a);
        case op::abs: return make_whole(of, a < 0 ? -a : a);
        case op::eq: return truth(a == b);
        case op::ne: return truth(a != b);
        case op::lt: return truth(a < b);
        case op::le: return truth(a <= b);
        case op::gt: return truth(a > b);
        case op::ge: return truth(a >= b);
        case op::logical_and: return truth(a != 0 && b != 0);
        case op::logical_or: return truth(a != 0 || b != 0);
        case op::logical_not: return truth(a == 0);
        case op::min: return b < a ? args[1] : args[0];
        case op::max: return b > a ? args[1] : args[0];
        case op::floor_divide: return make_whole(of, b == 0 ? 0 : divided_downwards(a, b));
        case op::floor_mod: return make_whole(of, b == 0 ? 0 : a - b * divided_downwards(a, b));
        case op::trunc_divide: return make_whole(of, b == 0 ? 0 : a / b);
        case op::bit_and: return make_whole(of, a & b);
        case op::bit_or: return make_whole(of, a | b);
        case op::bit_xor: return make_whole(of, a ^ b);
        case op::bit_not: return make_whole(of, of == type::b8 ? 1 - a : -1 - a);
        case op::shift_left: return make_whole(of, b < 0 || b >= width_of(of) ? 0 : a * (static_cast<int128>(1) << b));
        case op::shift_right:
            return make_whole(
                of, b < 0 || b >= width_of(of) ? (a < 0 ? -1 : 0) : divided_downwards(a, static_cast<int128>(1) << b));
        case op::popcount: return make_whole(of, ones(of, a));
        case op::clz: return make_whole(of, zeros_before(of, a));
        case op::ctz: return make_whole(of, zeros_after(of, a));
        case op::isnan: return truth(false);
        case op::isinf: return truth(false);
        case op::isfinite: return truth(true);
        case op::sign: return make_whole(of, a > 0 ? 1 : a < 0 ? -1 : 0);
        case op::square: return make_whole(of, a * a);
        case op::relu: return make_whole(of, a < 0 ? 0 : a);
        case op::floor:
        case op::ceil:
        case op::trunc:
        case op::round:
        case op::rint: return args[0];
        case op::clamp: {
            const value& low = a < b ? args[1] : args[0];
            return args[2].whole < low.whole ? args[2] : low;
        }
        default: throw std::logic_error("oracle: no such operation on integers");
    }
}

long double unit_in_last_place(type of, long double at) {
    const int digits = of == type::f32 ? std::numeric_limits<float>::digits : std::numeric_limits<double>::digits;
    const int lowest =
        of == type::f32 ? std::numeric_limits<float>::min_exponent : std::numeric_limits<double>::min_exponent;
    int exponent = lowest;
    if (at != 0) std::frexp(at, &exponent);
    if (exponent < lowest) exponent = lowest;
    return std::ldexp(1.0L, exponent - digits);
}

}  // namespace

value make_whole(type of, int128 exact) {
    switch (of) {
        case type::b8: return {of, exact != 0, 0};
        case type::u8: return {of, static_cast<int128>(static_cast<uint128>(exact) & 255), 0};
        default: break;
    }
    const int bits = of == type::i32 ? 32 : 64;
    const uint128 modulus = static_cast<uint128>(1) << bits;
    const auto low = static_cast<int128>(static_cast<uint128>(exact) & (modulus - 1));
    return {of, low > largest(of) ? low - static_cast<int128>(modulus) : low, 0};
}

value make_real(type of, wide exact) {
    if (of == type::f32) return {of, 0, static_cast<float>(exact)};
    return {of, 0, static_cast<double>(exact)};
}

value converted(const value& from, type to) {
    if (from.of == to) return from;
    if (to == type::b8) return make_whole(to, is_float(from.of) ? !(from.real == 0) : from.whole != 0);
    if (is_float(to)) return make_real(to, is_float(from.of) ? from.real : static_cast<wide>(from.whole));
    if (!is_float(from.of)) return make_whole(to, from.whole);
    if (is_nan(from.real)) return make_whole(to, 0);
    if (from.real >= static_cast<wide>(largest(to))) return make_whole(to, largest(to));
    if (from.real <= static_cast<wide>(smallest(to))) return make_whole(to, smallest(to));
    return make_whole(to, static_cast<int128>(from.real));
}

value computed(op code, const std::vector<value>& operands) {
    if (code == op::where) {
        const type met = promoted(operands.at(1).of, operands.at(2).of);
        return converted(converted(operands[0], type::b8).whole ? operands[1] : operands[2], met);
    }
    type met = operands.at(0).of;
    for (const value& each : operands) met = promoted(met, each.of);
    const type of = operand_type(code, met);
    std::vector<value> args;
    for (const value& each : operands) args.push_back(converted(each, of));
    return is_float(of) ? real_operation(code, of, args) : whole_operation(code, of, args);
}

namespace {

constexpr long double root_of_pi = 1.7724538509055160272981674833411452L;

/// By halving: erfl and erfcl are monotonic.
long double inverse_erf(long double a) {
    const long double wanted = std::fabs(a);
    if (!(wanted < 1))
        return wanted == 1 ? std::copysign(std::numeric_limits<long double>::infinity(), a) : std::nanl("");
    if (wanted < 1e-6L) return a * root_of_pi / 2 * (1 + root_of_pi * root_of_pi / 12 * a * a);
    long double low = 0;
    long double high = 7;
    for (int i = 0; i < 90; ++i) {
        const long double middle = (low + high) / 2;
        const bool below = wanted < 0.5L ? std::erf(middle) < wanted : std::erfc(middle) > 1 - wanted;
        (below ? low : high) = middle;
    }
    return std::copysign((low + high) / 2, a);
}

/// erfc(-a / sqrt 2) / 2. The argument's last bits count a thousandfold at the end of the tail: what long double does not
/// hold of it goes in by the slope.
long double normal_probability(long double a) {
    if (std::isnan(a) || std::isinf(a)) return std::isnan(a) ? a : a > 0 ? 1 : 0;
    if (std::fabs(a) > 100) return a > 0 ? 1 : 0;
    const wide root_of_half = 0.70710678118654752440L;
    // One Newton step: sqrt(1/2) to 113 bits.
    const wide root = root_of_half + (static_cast<wide>(0.5) - root_of_half * root_of_half) / (2 * root_of_half);
    const wide z = -static_cast<wide>(a) * root;
    const auto held = static_cast<long double>(z);
    const auto lacking = static_cast<long double>(z - held);
    return (std::erfc(held) - 2 / root_of_pi * std::exp(-held * held) * lacking) / 2;
}

}  // namespace

long double library_exact(op code, const std::vector<value>& operands) {
    const auto a = static_cast<long double>(operands.at(0).real);
    const auto b = static_cast<long double>(operands.size() > 1 ? operands[1].real : wide(0));
    switch (code) {
        case op::exp2: return std::exp2(a);
        case op::expm1: return std::expm1(a);
        case op::log2: return std::log2(a);
        case op::log10: return std::log10(a);
        case op::log1p: return std::log1p(a);
        case op::tan: return std::tan(a);
        case op::asin: return std::asin(a);
        case op::acos: return std::acos(a);
        case op::atan: return std::atan(a);
        case op::atan2: return std::atan2(a, b);
        case op::sinh: return std::sinh(a);
        case op::cosh: return std::cosh(a);
        case op::asinh: return std::asinh(a);
        case op::acosh: return std::acosh(a);
        case op::atanh: return std::atanh(a);
        case op::hypot: return std::hypot(a, b);
        case op::cbrt: return std::cbrt(a);
        case op::erf: return std::erf(a);
        case op::erfc: return std::erfc(a);
        case op::erfinv: return inverse_erf(a);
        case op::normcdf: return normal_probability(a);
        case op::lgamma: return std::lgamma(a);
        case op::tgamma: return std::tgamma(a);
        case op::sigmoid: return 1 / (1 + std::exp(-a));
        case op::gelu: return a * normal_probability(a);
        case op::exp: return std::exp(a);
        case op::log: return std::log(a);
        case op::sin: return std::sin(a);
        case op::cos: return std::cos(a);
        case op::tanh: return std::tanh(a);
        case op::pow: {
            // A double past 2^53 is an even integer; x87's powl takes -2^63 for an odd one.
            return std::fabs(b) >= 0x1p53L ? std::pow(std::fabs(a), b) : std::pow(a, b);
        }
        default: throw std::logic_error("oracle: no library function");
    }
}

long double ulps_between(const value& got, long double exact) {
    constexpr long double far = std::numeric_limits<long double>::infinity();
    const auto held = static_cast<long double>(got.real);
    if (std::isnan(held) || std::isnan(exact)) return std::isnan(held) && std::isnan(exact) ? 0 : far;
    if (exact == 0) return held == 0 && std::signbit(held) == std::signbit(exact) ? 0 : far;
    if (std::isinf(exact)) return held == exact ? 0 : far;
    // Past the largest number the next one is infinity: its distance is counted as if it were 2^emax.
    const long double beyond = got.of == type::f32 ? 0x1p128L : 0x1p1024L;
    if (std::isinf(held) && std::signbit(held) != std::signbit(exact)) return far;
    const long double shown = std::isinf(held) ? std::copysign(beyond, held) : held;
    const long double bounded = std::fabs(exact) > beyond ? std::copysign(beyond, exact) : exact;
    return std::fabs(shown - bounded) / unit_in_last_place(got.of, std::fabs(bounded) >= beyond ? beyond / 2 : bounded);
}

std::string to_string(const value& shown) {
    char text[64];
    if (is_float(shown.of)) std::snprintf(text, sizeof text, "%a", static_cast<double>(shown.real));
    else std::snprintf(text, sizeof text, "%lld", static_cast<long long>(shown.whole));
    return text;
}

}  // namespace oracle
