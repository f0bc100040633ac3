#include <support/product_oracle.hpp>

#include <cmath>
#include <cstddef>

namespace tests {

product_row row_of_product(const float* row, const std::vector<float>& by, std::int64_t terms, std::int64_t columns) {
    const auto count = static_cast<std::size_t>(columns);
    product_row out{std::vector<float>(count), std::vector<double>(count), std::vector<double>(count)};
    for (std::int64_t l = 0; l < terms; ++l) {
        const float left = row[l];
        const float* const of_term = by.data() + l * columns;
        for (std::size_t j = 0; j < count; ++j) {
            const double product = static_cast<double>(left) * static_cast<double>(of_term[j]);
            out.sums[j] += left * of_term[j];
            out.exact[j] += product;
            out.sizes[j] += std::fabs(product);
        }
    }
    return out;
}

}  // namespace tests
