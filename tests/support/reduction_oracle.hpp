// tests/support/reduction_oracle: what a reduction may be worth, whatever the order in which its elements meet.
// in: the elements of one value, in order   out: what the value may be   knows nothing of: kiln, shapes, axes
//
// Of integers, truths, positions, and the least and the greatest that is one value. A sum of floats is within (n - 1) u S of
// the exact one, where S is the sum of the magnitudes and u half a unit in the last place of 1 in the type that is added up
// in. Source: Jeannerod and Rump, Improved error bounds for inner products in floating-point arithmetic, 2013. It is the exact
// one to the bit where no order rounds: where S is less than 2^p times the lowest bit that is set in any element.
#pragma once

#include <support/oracle.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace oracle {

enum class reduction : std::uint8_t {
    sum,
    max,
    argmax,
    mean,
    min,
    argmin,
    prod,
    any,
    all,
    count,
    var,
    stddev,
    norm,
    logsumexp
};

[[nodiscard]] const char* name_of(reduction what);
[[nodiscard]] type result_type(reduction what, type of);
/// The type in which sums and products are made.
[[nodiscard]] type accumulated(reduction what, type of);
/// Whether there is none of no elements.
[[nodiscard]] bool needs_elements(reduction what);

/// What a value, or a part of a complex one, may be: a NaN, or from `least` to `most`.
struct range {
    bool any = false;  // what comes depends on the order: something overflows on the way
    bool nan = false;
    wide least = 0;
    wide most = 0;
    int zero = 0;  // the sign of a 0, where it is known: 1 or -1

    [[nodiscard]] bool holds(wide value) const;
};

struct expectation {
    type of = type::i32;
    int128 whole = 0;  // of what is no float
    range real;
    range imag;

    [[nodiscard]] bool holds(const value& got) const;
};
[[nodiscard]] std::string to_string(const expectation& shown);

[[nodiscard]] expectation reduced(reduction what, type of, const std::vector<value>& elements);
/// The sums, or the products, of the elements up to each.
[[nodiscard]] std::vector<expectation> cumulated(reduction sum_or_prod, type of, const std::vector<value>& elements);

}  // namespace oracle
