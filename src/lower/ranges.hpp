// kiln/lower/ranges: between which numbers the values of a program are, as far as its steps and the user's assumptions say.
// in: a program   out: a range of each value   knows nothing of: what is made of it
#pragma once

#include <lower/program.hpp>

#include <limits>
#include <vector>

namespace kiln::lower {

/// Every value is in [low, high], or NaN where it may be. Infinity is a bound like others. What is less than the smallest normal
/// number may have become 0.
struct range {
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    double low = -infinity;
    double high = infinity;
    bool may_be_nan = true;

    [[nodiscard]] bool is_finite() const { return !may_be_nan && low > -infinity && high < infinity; }
    /// In [least, most], and no NaN.
    [[nodiscard]] bool is_within(double least, double most) const {
        return !may_be_nan && low >= least && high <= most;
    }
};

/// Of each value of the program, of float32 and float64 and of what becomes one of them; unknown for all others. A little
/// wider than exact arithmetic has it, so that it holds however results are rounded, and where a product and a sum are
/// rounded once.
class ranges {
public:
    explicit ranges(const program& of);

    [[nodiscard]] const range& operator[](value_id value) const { return known_[static_cast<std::size_t>(value)]; }
    /// What is known besides, from here on: both hold.
    void narrow(value_id value, range to);
    /// Computes what a step comes to once more, from what is known of its operands now.
    void follow(value_id result);

private:
    [[nodiscard]] range of_step(const step& of) const;
    [[nodiscard]] range of_reduction(const step& of) const;

    const program& program_;
    std::vector<range> known_;
    std::vector<range> assumed_;
};

}  // namespace kiln::lower
