// What random.hpp asks of its arguments.
#include <text/format.hpp>

#include <kiln/random.hpp>

#include <cmath>

namespace kiln::inline v0_1::random::detail {

void check_bounds(double low, double high, double distance) {
    if (!(low < high)) throw error(text::format("kiln: uniform: low, {}, is not below high, {}", low, high));
    if (!std::isfinite(distance))
        throw error(
            text::format("kiln: uniform: the distance from {} to {} is more than the type can hold", low, high));
}

void throw_no_integers() { throw error("kiln: integers: low is not below high, which is left out"); }

void check_probability(double p) {
    if (!(p >= 0 && p <= 1)) throw error(text::format("kiln: bernoulli: a probability of {}", p));
}

}  // namespace kiln::inline v0_1::random::detail
