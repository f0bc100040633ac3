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

void throw_no_integers(const std::string& low, const std::string& high, bool is_empty, element_type type) {
    if (is_empty)
        throw error(text::format("kiln: integers: low, {}, is not below high, {}, which is left out", low, high));
    throw error(text::format("kiln: integers: {} does not hold integers from {} up to {}, which is left out",
                             info(type).name, low, high));
}

void check_normal(double mean, double stddev) {
    if (!(stddev >= 0) || !std::isfinite(stddev))
        throw error(text::format("kiln: normal: a standard deviation of {}", stddev));
    if (!std::isfinite(mean)) throw error(text::format("kiln: normal: a mean of {}", mean));
}

void check_seed(const shape& of) {
    if (of.rank() != 0)
        throw shape_error(text::format("kiln: random: a seed is one number, a shape of (): not {}", to_string(of)));
}

void check_probability(double p) {
    if (!(p >= 0 && p <= 1)) throw error(text::format("kiln: bernoulli: a probability of {}", p));
}

}  // namespace kiln::inline v0_1::random::detail
