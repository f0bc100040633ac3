// One operation on elements of one type, exactly rounded; and library functions with their distance from the truth.
#include <support/oracle.hpp>

#include <algorithm>
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

int bits_of(type of) {
    switch (of) {
        case type::i8:
        case type::u8: return 8;
        case type::i16:
        case type::u16: return 16;
        case type::i32:
        case type::u32: return 32;
        default: return 64;
    }
}

bool is_unsigned(type of) {
    return of == type::b8 || of == type::u8 || of == type::u16 || of == type::u32 || of == type::u64;
}

int128 smallest(type of) { return is_unsigned(of) ? 0 : -(static_cast<int128>(1) << (bits_of(of) - 1)); }

int128 largest(type of) {
    if (of == type::b8) return 1;
    return (static_cast<int128>(1) << (is_unsigned(of) ? bits_of(of) : bits_of(of) - 1)) - 1;
}

/// Bits of precision, and the exponents of 2 of the smallest normal number and of the first power past the largest.
struct format {
    int precision;
    int lowest;
    int beyond;
};

format format_of(type of) {
    switch (of) {
        case type::f16: return {11, -14, 16};
        case type::bf16: return {8, -126, 128};
        case type::f32: return {24, -126, 128};
        default: return {53, -1022, 1024};
    }
}

wide two_to(int exponent) { return std::ldexp(1.0L, exponent); }

/// Of the power of two at or below it; not of 0. Stepping there took an oracle of 16-bit floats most of its time.
int exponent_of(wide size) {
    const int exponent = std::ilogb(static_cast<long double>(size));  // a long double may be rounded up to the next
    return two_to(exponent) > size ? exponent - 1 : exponent;
}

/// To a format by hand: as a multiple of the last place that x would have.
wide rounded_to(const format& to, wide x) {
    const wide size = magnitude(x);
    if (is_nan(x) || x == 0 || is_infinite(x)) return x;
    const wide sign = sign_of(x) ? -1 : 1;
    const wide end = two_to(to.beyond);
    if (size >= end) return sign * infinity();
    const int exponent = std::max(to.lowest, exponent_of(size));
    const wide place = two_to(exponent - to.precision + 1);
    const wide places = size / place;
    auto whole = static_cast<int128>(places);
    const wide rest = places - static_cast<wide>(whole);
    if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)) ++whole;
    const wide result = static_cast<wide>(whole) * place;
    return sign * (result >= end ? infinity() : result);
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
    // What takes several steps takes them in float for 16-bit floats, and rounds to them once, at its end.
    const type in = of == type::f64 ? type::f64 : type::f32;
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
        case op::real:
        case op::conj: return make_real(of, a);
        case op::imag: return make_real(of, 0);
        case op::sqrt:
            if (of == type::f32) return make_real(of, square_root<float>(a));
            if (of == type::f64) return make_real(of, square_root<double>(a));
            return make_real(of, std::sqrt(static_cast<long double>(a)));  // 64 bits, then 11 or 8: one rounding counts
        case op::fma: return make_real(of, fused(a, b, args[2].real));
        case op::floor_divide: return make_real(of, divided_downwards(in, a, b).quotient);
        case op::floor_mod: return make_real(of, divided_downwards(in, a, b).rest);
        case op::trunc_divide: return make_real(of, truncated(make_real(in, a / b).real));
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
            const wide span = make_real(in, b - a).real;
            return make_real(of, make_real(in, a + make_real(in, args[2].real * span).real).real);
        }
        case op::reciprocal: return make_real(of, make_real(in, 1 / a).real);
        case op::rsqrt:
            return make_real(
                of, make_real(in, 1 / (in == type::f32 ? square_root<float>(a) : square_root<double>(a))).real);
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
        // Unsigned: two of uint64 need all 128 bits, and what is lost of them wraps away.
        case op::mul: return make_whole(of, static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b)));
        case op::div: return make_whole(of, b == 0 ? 0 : a / b);  // 128 bits: the smallest over -1 does not trap
        case op::rem: return make_whole(of, b == 0 ? 0 : a % b);
        case op::neg: return make_whole(of, -a);
        case op::abs: return make_whole(of, a < 0 ? -a : a);
        case op::real:
        case op::conj: return make_whole(of, a);
        case op::imag: return make_whole(of, 0);
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
        case op::square: return make_whole(of, static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(a)));
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

// --- complex numbers, as pairs; every part rounded after every operation -------------------------------------------

struct pair {
    wide re;
    wide im;
};

class complex_arithmetic {
public:
    explicit complex_arithmetic(type part) : part_(part) {}

    /// By the formula, as NumPy's.
    [[nodiscard]] pair product(const pair& x, const pair& y) const {
        return {round(round(x.re * y.re) - round(x.im * y.im)), round(round(x.re * y.im) + round(x.im * y.re))};
    }

    /// Of floats in double, where all products are exact; by 0 and by an infinity part by part.
    static pair quotient_of_floats(const pair& x, const pair& y) {
        const auto product = [](wide a, wide b) { return static_cast<double>(a) * static_cast<double>(b); };
        const double norm = product(y.re, y.re) + product(y.im, y.im);
        const double inverse = 1 / norm;
        const auto rounded = [](double exact) { return static_cast<wide>(static_cast<float>(exact)); };
        if (inverse == 0 || norm == 0) return {rounded(product(x.re, inverse)), rounded(product(x.im, inverse))};
        return {rounded((product(x.re, y.re) + product(x.im, y.im)) * inverse),
                rounded((product(x.im, y.re) - product(x.re, y.im)) * inverse)};
    }

    /// Of doubles scaled so that the divisor's larger part is in [0.5, 1), as far as exponents go.
    [[nodiscard]] pair quotient(const pair& x, const pair& y) const {
        if (part_ == type::f32) return quotient_of_floats(x, y);
        int exponent = -2000;  // of the larger part
        for (const wide part : {y.re, y.im}) {
            if (is_nan(part) || is_infinite(part)) exponent = 2000;
            else if (magnitude(part) >= two_to(-1022))
                exponent = std::max(exponent, std::ilogb(static_cast<double>(part)));
        }
        const wide scale = two_to(exponent == -2000 ? 1022 : std::max(-1 - exponent, -1022));
        const pair b{round(y.re * scale), round(y.im * scale)};
        const wide norm = round(round(b.re * b.re) + round(b.im * b.im));
        const wide inverse = round(1 / norm);
        if (norm == 0 || is_infinite(norm)) return {round(x.re * inverse), round(x.im * inverse)};
        const pair a{round(x.re * scale), round(x.im * scale)};
        return {round(round(round(a.re * b.re) + round(a.im * b.im)) * inverse),
                round(round(round(a.im * b.re) - round(a.re * b.im)) * inverse)};
    }

private:
    [[nodiscard]] wide round(wide exact) const { return make_real(part_, exact).real; }

    type part_;
};

value complex_operation(op code, type of, const std::vector<value>& args) {
    const pair a{args[0].real, args[0].imag};
    const pair b = args.size() > 1 ? pair{args[1].real, args[1].imag} : pair{0, 0};
    const complex_arithmetic in(part_of(of));
    const auto made = [of](const pair& x) { return make_complex(of, x.re, x.im); };
    switch (code) {
        case op::add: return made({a.re + b.re, a.im + b.im});
        case op::sub: return made({a.re - b.re, a.im - b.im});
        case op::mul: return made(in.product(a, b));
        case op::div: return made(in.quotient(a, b));
        case op::neg: return made({-a.re, -a.im});
        case op::conj: return made({a.re, -a.im});
        case op::real: return make_real(part_of(of), a.re);
        case op::imag: return make_real(part_of(of), a.im);
        case op::eq: return make_whole(type::b8, a.re == b.re && a.im == b.im);
        case op::ne: return make_whole(type::b8, !(a.re == b.re) || !(a.im == b.im));
        default: throw std::logic_error("oracle: no such operation on complex numbers");
    }
}

long double unit_in_last_place(type of, long double at) {
    const format shape = format_of(of);
    int exponent = shape.lowest + 1;
    if (at != 0) std::frexp(at, &exponent);
    if (exponent < shape.lowest + 1) exponent = shape.lowest + 1;
    return std::ldexp(1.0L, exponent - shape.precision);
}

}  // namespace

value make_whole(type of, int128 exact) {
    if (of == type::b8) return {of, exact != 0, 0, 0};
    const uint128 modulus = static_cast<uint128>(1) << bits_of(of);
    const auto low = static_cast<int128>(static_cast<uint128>(exact) & (modulus - 1));
    return {of, low > largest(of) ? low - static_cast<int128>(modulus) : low, 0, 0};
}

value make_real(type of, wide exact) {
    if (of == type::f64) return {of, 0, static_cast<double>(exact), 0};
    if (of == type::f32) return {of, 0, static_cast<float>(exact), 0};
    return {of, 0, rounded_to(format_of(of), exact), 0};
}

value make_complex(type of, wide real, wide imag) {
    return {of, 0, make_real(part_of(of), real).real, make_real(part_of(of), imag).real};
}

value from_bits16(type of, std::uint16_t bits) {
    const format shape = format_of(of);
    const int places = shape.precision - 1;
    const int field = (bits & 0x7fff) >> places;
    const int fraction = bits & ((1 << places) - 1);
    const bool last = field == (0x7fff >> places);
    wide size = 0;
    if (last) size = fraction ? nan_value() : infinity();
    else if (field == 0) size = static_cast<wide>(fraction) * two_to(shape.lowest - places);
    else size = static_cast<wide>(fraction + (1 << places)) * two_to(shape.lowest - places + field - 1);
    return {of, 0, bits & 0x8000 ? -size : size, 0};
}

std::uint16_t to_bits16(const value& held) {
    const format shape = format_of(held.of);
    const int places = shape.precision - 1;
    const int sign = sign_of(held.real) ? 0x8000 : 0;
    const wide size = magnitude(held.real);
    const int top = 0x7fff >> places << places;
    if (is_nan(held.real)) return static_cast<std::uint16_t>(sign | top | 1 << (places - 1));
    if (is_infinite(size)) return static_cast<std::uint16_t>(sign | top);
    const int field = size < two_to(shape.lowest) ? 0 : exponent_of(size) - shape.lowest + 1;
    const int power = field ? shape.lowest + field - 1 : shape.lowest;
    const int whole = static_cast<int>(size / two_to(power - places));
    return static_cast<std::uint16_t>(sign | (field << places) | (field ? whole - (1 << places) : whole));
}

value converted(const value& from, type to) {
    if (from.of == to) return from;
    const bool from_whole = !is_float(from.of) && !is_complex(from.of);
    if (to == type::b8) return make_whole(to, from_whole ? from.whole != 0 : !(from.real == 0 && from.imag == 0));
    const wide real = from_whole ? static_cast<wide>(from.whole) : from.real;
    if (is_complex(to)) return make_complex(to, real, from.imag);
    if (is_complex(from.of)) throw std::logic_error("oracle: no cast from complex to real");
    if (is_float(to)) return make_real(to, real);
    if (from_whole) return make_whole(to, from.whole);
    if (is_nan(from.real)) return make_whole(to, 0);
    if (from.real >= static_cast<wide>(largest(to))) return make_whole(to, largest(to));
    if (from.real <= static_cast<wide>(smallest(to))) return make_whole(to, smallest(to));
    return make_whole(to, static_cast<int128>(from.real));
}

namespace {

/// A product with a real factor, or a quotient by a real divisor, is that of each part.
bool is_part_by_part(op code, const std::vector<value>& operands) {
    if ((code != op::mul && code != op::div) || is_complex(operands[0].of) == is_complex(operands[1].of)) return false;
    return code == op::mul || is_complex(operands[0].of);
}

value part_by_part(op code, type of, const value& complex, const value& real) {
    const value b = converted(real, part_of(of));
    const auto part = [&](wide a) { return real_operation(code, part_of(of), {make_real(part_of(of), a), b}).real; };
    const value a = converted(complex, of);
    return make_complex(of, part(a.real), part(a.imag));
}

}  // namespace

value computed(op code, const std::vector<value>& operands) {
    if (code == op::where) {
        const type met = promoted(operands.at(1).of, operands.at(2).of);
        return converted(converted(operands[0], type::b8).whole ? operands[1] : operands[2], met);
    }
    type met = operands.at(0).of;
    for (const value& each : operands) met = promoted(met, each.of);
    const type of = operand_type(code, met);
    if (is_complex(of) && is_part_by_part(code, operands))
        return is_complex(operands[0].of) ? part_by_part(code, of, operands[0], operands[1])
                                          : part_by_part(code, of, operands[1], operands[0]);
    std::vector<value> args;
    for (const value& each : operands) args.push_back(converted(each, of));
    if (is_complex(of)) return complex_operation(code, of, args);
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
    const long double beyond = std::ldexp(1.0L, format_of(got.of).beyond);
    if (std::isinf(held) && std::signbit(held) != std::signbit(exact)) return far;
    const long double shown = std::isinf(held) ? std::copysign(beyond, held) : held;
    const long double bounded = std::fabs(exact) > beyond ? std::copysign(beyond, exact) : exact;
    return std::fabs(shown - bounded) / unit_in_last_place(got.of, std::fabs(bounded) >= beyond ? beyond / 2 : bounded);
}

std::string to_string(const value& shown) {
    char text[96];
    const auto real = static_cast<double>(shown.real);
    if (is_complex(shown.of)) std::snprintf(text, sizeof text, "(%a, %a)", real, static_cast<double>(shown.imag));
    else if (is_float(shown.of)) std::snprintf(text, sizeof text, "%a", real);
    else if (shown.of == type::u64)
        std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(shown.whole));
    else std::snprintf(text, sizeof text, "%lld", static_cast<long long>(shown.whole));
    return text;
}

}  // namespace oracle
