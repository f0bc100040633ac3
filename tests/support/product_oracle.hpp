// tests/support/product_oracle: a row of a product of matrices of floats, by loops.
#pragma once

#include <cstdint>
#include <vector>

namespace tests {

struct product_row {
    std::vector<float> sums;    // of floats, first to last
    std::vector<double> exact;  // of doubles
    std::vector<double> sizes;  // of magnitudes
};

/// `row` of `terms` by all of (terms, columns).
product_row row_of_product(const float* row, const std::vector<float>& by, std::int64_t terms, std::int64_t columns);

}  // namespace tests
