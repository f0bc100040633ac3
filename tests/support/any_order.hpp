// tests/support/any_order: sums and products of floats whose order is not known: where they may end. Of reduction_oracle.cpp.
#pragma once

#include <support/reduction_oracle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace oracle {

inline constexpr long double infinity = std::numeric_limits<long double>::infinity();

struct format {
    int precision;
    int top;             // the first power of 2 past the largest
    long double lowest;  // the smallest above 0
    [[nodiscard]] long double u() const { return std::ldexp(1.0L, -precision); }
};
inline format format_of(type of) {
    switch (part_of(of)) {
        case type::f16: return {11, 16, 0x1p-24L};
        case type::bf16: return {8, 128, 0x1p-133L};
        case type::f32: return {24, 128, 0x1p-149L};
        default: return {53, 1024, 0x1p-1074L};
    }
}

inline long double magnitude(wide x) { return std::fabs(static_cast<long double>(x)); }
inline bool finite(wide x) { return std::isfinite(static_cast<long double>(x)); }
inline bool is_nan(wide x) { return x != x; }
inline bool negative(wide x) { return std::signbit(static_cast<long double>(x)); }
inline wide rounded(type to, wide x) { return make_real(part_of(to), x).real; }

inline range exactly(wide x) { return {false, false, x, x, x == 0 ? (negative(x) ? -1 : 1) : 0}; }
inline range not_a_number() { return {false, true, 0, 0, 0}; }
inline range anything() { return {true, false, 0, 0, 0}; }
inline range around(wide x, long double bound) { return {false, false, x - bound, x + bound, 0}; }

/// What a step that is right to `ulps` half units makes of what it is given.
inline range grown(range of, const format& in, int ulps) {
    if (of.any || of.nan || (of.zero && of.least == 0)) return of;
    of.least -= magnitude(of.least) * in.u() * ulps + in.lowest;
    of.most += magnitude(of.most) * in.u() * ulps + in.lowest;
    return of;
}

/// As it is stored: rounded to the type that was computed in, then to its own.
inline range stored(range of, type computed, type result) {
    const auto as = [&](wide x) { return rounded(result, rounded(computed, x)); };
    return {of.any, of.nan, as(of.least), as(of.most), of.zero};
}

/// A sum, or a product, of floats in any order.
class total {
public:
    total(bool product, type in) : product_(product), in_(format_of(in)) {}

    void add(wide x) {
        ++count_;
        nans_ = nans_ || is_nan(x);
        minus_product_ ^= negative(x);
        if (!finite(x)) {
            (negative(x) ? minus_ : plus_) |= !is_nan(x);
            return;
        }
        all_minus_zero_ = all_minus_zero_ && x == 0 && negative(x);
        sum_ += x;
        if (x == 0) {
            zeros_ = true;
            return;
        }
        const long double size = magnitude(x);
        size_ += size;
        int exponent = 0;
        const auto bits = static_cast<std::uint64_t>(std::ldexp(std::frexp(size, &exponent), 64));
        const int trailing = __builtin_ctzll(bits);
        lowest_ = std::min(lowest_, exponent - 64 + trailing);
        odd_ = std::min(odd_ * static_cast<long double>(bits >> trailing), 0x1p200L);
        (size > 1 ? up_ : down_) += std::fabs(std::log2(size));
        if (up_ < 8000 && down_ < 8000) times_ *= x;
    }

    [[nodiscard]] range value() const { return product_ ? product() : sum(); }
    [[nodiscard]] bool is_exact() const { return size_ <= std::ldexp(1.0L, lowest_ + in_.precision); }
    [[nodiscard]] long double size() const { return size_; }
    [[nodiscard]] wide exact_sum() const { return sum_; }
    [[nodiscard]] bool overflows() const { return size_ >= std::ldexp(1.0L, in_.top - 1); }
    [[nodiscard]] bool all_finite() const { return !nans_ && !plus_ && !minus_; }
    [[nodiscard]] std::int64_t count() const { return count_; }

private:
    [[nodiscard]] range sum() const {
        if (nans_ || (plus_ && minus_)) return not_a_number();
        if (overflows()) return anything();
        if (plus_ || minus_) return exactly(plus_ ? infinity : -infinity);
        if (sum_ == 0 && is_exact()) return exactly(count_ > 0 && all_minus_zero_ ? -wide(0) : wide(0));
        return around(sum_, is_exact() ? 0 : static_cast<long double>(count_ - 1) * in_.u() * size_);
    }

    [[nodiscard]] range product() const {
        const bool infinite = plus_ || minus_;
        if (nans_ || (infinite && zeros_)) return not_a_number();
        if (up_ >= in_.top - 1) return anything();
        if (infinite) return down_ >= in_.top - 3 ? anything() : exactly(minus_product_ ? -infinity : infinity);
        if (zeros_) return exactly(minus_product_ ? -wide(0) : wide(0));
        const auto n = static_cast<long double>(count_);
        if (odd_ <= std::ldexp(1.0L, in_.precision) && down_ < in_.top - 3) return around(times_, 0);
        // A product below the normal numbers loses at most the smallest of all, and what comes after may make that larger.
        return around(times_, n * in_.u() * magnitude(times_) * 1.001L + n * in_.lowest * std::exp2(up_));
    }

    bool product_;
    format in_;
    std::int64_t count_ = 0;
    bool nans_ = false, plus_ = false, minus_ = false, zeros_ = false;
    bool all_minus_zero_ = true, minus_product_ = false;
    wide sum_ = 0, times_ = 1;
    long double size_ = 0, odd_ = 1;
    int lowest_ = 20000;
    long double up_ = 0, down_ = 0;  // how far the elements go from 1, in powers of 2
};

/// A product of complex numbers in any order: of all of it, n factors of 4 u are more than each multiplication's error.
class complex_total {
public:
    explicit complex_total(type in) : in_(format_of(in)) {}
    void add(const value& x) {
        ++count_;
        const long double size = std::hypot(static_cast<long double>(x.real), static_cast<long double>(x.imag));
        known_ = known_ && finite(size);
        if (size > 0 && known_) up_ += std::max(0.0L, std::log2(size)) + 0.5L;
        known_ = known_ && up_ < in_.top - 2;
        if (!known_) return;
        size_ *= size;
        const wide real = re_ * x.real - im_ * x.imag;
        im_ = re_ * x.imag + im_ * x.real;
        re_ = real;
    }
    [[nodiscard]] expectation value_in(type result) const {
        if (!known_) return {result, 0, anything(), anything()};
        if (count_ == 0) return {result, 0, exactly(1), exactly(0)};
        const auto n = static_cast<long double>(count_);
        const long double bound = 4 * n * (in_.u() * size_ + in_.lowest * std::exp2(up_));
        return {result, 0, stored(around(re_, bound), result, result), stored(around(im_, bound), result, result)};
    }

private:
    format in_;
    std::int64_t count_ = 0;
    bool known_ = true;
    wide re_ = 1, im_ = 0;
    long double size_ = 1, up_ = 0;
};

}  // namespace oracle
