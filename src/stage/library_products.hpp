// kiln/stage/library_products: sums of products of two matrices as they lie in memory, which a library of linear algebra computes
// as well (options.library).
// in: a group of one reduction   out: the two matrices   knows nothing of: libraries, devices
#pragma once

#include <stage/reduction_walk.hpp>

#include <compare>
#include <cstdint>
#include <optional>

namespace kiln::stage {

/// rows x terms times terms x columns, `batch` times; what is made of them is row-major and without gaps.
struct product {
    struct matrix {
        /// Of whose neighbours in memory: the elements of a column, not of a row.
        bool is_by_columns = false;
        std::int64_t stride = 0;        // elements between those lines
        std::int64_t batch_stride = 0;  // between one matrix and the next; 0: it is the same one

        auto operator<=>(const matrix&) const = default;
    };

    element_type type =
        element_type::float32;  // of the elements and of what is made of them; sums of 16-bit floats are float32's
    std::int64_t batch = 1;
    std::int64_t rows = 1;
    std::int64_t terms = 1;
    std::int64_t columns = 1;
    matrix left;
    matrix right;

    auto operator<=>(const product&) const = default;
};

struct found_product {
    product how;
    kiln::detail::handle<kiln::detail::term> left;  // arrays
    kiln::detail::handle<kiln::detail::term> right;
};

/// Nothing where no library is to multiply, or says that it cannot; where the group is something else; or where one of the two is not an
/// array, is a view that no leading dimension describes, or has batches that no one stride does.
std::optional<found_product> find_library_product(const kiln::detail::reduction_group& group,
                                                  const kiln::detail::library_multiplies& multiplies);

}  // namespace kiln::stage
