#include <device/cpu/library_functions.hpp>

#include <cmath>
#include <limits>

namespace kiln::backend::functions {

namespace {

constexpr double half_root_of_pi = 0x1.c5bf891b4ef6bp-1;         // sqrt(pi) / 2
constexpr double half_root_of_pi_rest = -0x1.618f13eb7ca89p-55;  // what that lacks

/// Good to 2e-3. Source: Winitzki, A handy approximation for the error function and its inverse, 2008.
double first_guess(double magnitude) noexcept {
    constexpr double a = 0.147;
    const double log_of_rest = std::log((1 - magnitude) * (1 + magnitude));
    const double half = 2 / (3.14159265358979324 * a) + log_of_rest / 2;
    return std::sqrt(std::sqrt(half * half - log_of_rest / a) - half);
}

/// What erf(y) lacks of `wanted` over erf's slope. Near 1 by way of erfc: 1 - wanted is exact there, and erfc has all its
/// digits.
double newton_step(double y, double wanted) noexcept {
    const double lacking = wanted < 0.5 ? wanted - std::erf(y) : std::erfc(y) - (1 - wanted);
    return lacking * half_root_of_pi * std::exp(y * y);
}

}  // namespace

double erfinv(double a) noexcept {
    const double magnitude = std::fabs(a);
    if (magnitude < 1e-8)  // the next term of the series is pi a^3 / 24... of the first, below half an ulp
        return std::copysign(magnitude * half_root_of_pi + magnitude * half_root_of_pi_rest, a);
    if (!(magnitude < 1))
        return magnitude == 1 ? std::copysign(std::numeric_limits<double>::infinity(), a)
                              : std::numeric_limits<double>::quiet_NaN();
    double y = first_guess(magnitude);
    // Halley's method: each step has three times the digits of the one before.
    for (int i = 0; i < 3; ++i) {
        const double step = newton_step(y, magnitude);
        y += step / (1 - y * step);
    }
    return std::copysign(y, a);
}

}  // namespace kiln::backend::functions
