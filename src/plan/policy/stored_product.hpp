// kiln/plan/policy/stored_product: how a block stores values that are all of a product of few rows and columns: in the order of the result,
// of which they are one piece, they go to shared memory, and leave it in whole vectors, wherever the result begins.
// in: sums of tensor cores (nest/tile.hpp), what they become   out: parts of a nest   knows nothing of: what was added up
#pragma once

#include <plan/policy/stored_counts.hpp>

namespace kiln::plan {

inline constexpr int stored_vector_bytes = 16;

/// Elements that `rows` by `columns` values take in shared memory, at most: before the first as many as the result begins after a vector does.
constexpr int staged_product_elements(element_type type, int rows, int columns) {
    return rows * columns + stored_vector_bytes / bytes_of(type);
}

struct product_result {
    nest::id memory = nest::none;
    element_type type = element_type::float16;
    nest::value begin;          // where the product's first value is
    nest::value rows, columns;  // how many there are
    std::function<nest::value(nest::value sum)> finished;
    nest::id staged = nest::none;  // shared memory of that type, which other threads may still read
    nest::value thread;
    int threads = 0;
};
void store_product(nest::builder& to, const warp_sums& of, const product_result& out);

}  // namespace kiln::plan
