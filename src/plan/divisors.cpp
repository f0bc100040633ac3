#include <plan/divisors.hpp>

#include <plan/schedule.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace kiln::plan {

namespace {

__extension__ typedef unsigned __int128 wide;

/// The least number above 2^`power` / divisor: its lower `digits` bits.
std::uint64_t next_above(int power, std::uint64_t divisor, int digits) {
    // 2^128, which only divisors above 2^63 ask for, has no bit here; one less is as often in those.
    const wide dividend = power == 128 ? ~wide{0} : wide{1} << power;
    return static_cast<std::uint64_t>(dividend / divisor + 1) & (~std::uint64_t{0} >> (64 - digits));
}

/// The exponent of the power of two that is no less.
int exponent_of(std::uint64_t divisor) { return divisor <= 1 ? 0 : static_cast<int>(std::bit_width(divisor - 1)); }

}  // namespace

bool divides_integers(const lower::step& of) {
    if (kind_of(of.operands) != element_kind::integer || bytes_of(of.operands) < 4) return false;
    switch (of.code) {
        case operation::div:
        case operation::trunc_divide:
        case operation::rem:
        case operation::floor_divide:
        case operation::floor_mod: return true;
        default: return false;
    }
}

std::vector<int> divisors_of(const lower::program& program, const kernel& of) {
    std::vector<int> out;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        if (!divides_integers(each)) continue;
        const auto found = std::find(of.scalars.begin(), of.scalars.end(), each.args[1]);
        const int scalar = static_cast<int>(found - of.scalars.begin());
        if (found == of.scalars.end() || std::find(out.begin(), out.end(), scalar) != out.end()) continue;
        if (out.size() < most_divisors) out.push_back(scalar);
    }
    return out;
}

bool divides_by_scalar(const lower::step& of, const kernel& in) {
    return divides_integers(of) && std::any_of(in.divisors.begin(), in.divisors.end(), [&](int scalar) {
               return in.scalars[static_cast<std::size_t>(scalar)] == of.args[1];
           });
}

// Of words of n bits and a divisor d of at most 2^l, with the least m above 2^p / d: x m / 2^p is at least x / d, and less than the next
// whole number above it, while x (m d - 2^p) is below 2^p, or at it where x is below 0. p = n - 1 + l is enough for numbers with a sign,
// n + l without one. m has n + 1 bits: the kernel adds x for the one that is missing here.
std::uint64_t multiplier_of(element_type type, std::uint64_t bits) {
    const int digits = 8 * bytes_of(type);
    const bool has_sign = type == element_type::int32 || type == element_type::int64;
    std::uint64_t divisor = bits;
    if (digits == 32)
        divisor = has_sign ? static_cast<std::uint64_t>(static_cast<std::int32_t>(bits)) : bits & 0xffffffffu;
    if (has_sign && divisor >> 63) divisor = 0 - divisor;
    if (divisor == 0) return 0;
    const int above_half = std::max(exponent_of(divisor), 1) - 1;
    const std::uint64_t multiplier = next_above(digits + above_half + !has_sign, divisor, digits);
    return digits == 32 ? multiplier | static_cast<std::uint64_t>(above_half) << 32 : multiplier;
}

}  // namespace kiln::plan
