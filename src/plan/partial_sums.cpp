#include <plan/partial_sums.hpp>

#include <plan/ceil_div.hpp>

namespace kiln::plan {

bool ends_in_partial_sums(const reduction_sizes& sizes) {
    return sizes.kept == 1 && sizes.splits > 1 && sizes.splits <= most_partial_sums &&
           sizes.threads_per_output == partial_sum_lanes && sizes.vector_width > 1;
}

bool each_block_finalizes(std::int64_t element_count, std::int64_t partial_count, int bytes_of_sum) {
    constexpr std::int64_t most_bytes = 2 << 20;  // that all blocks read together: half a microsecond of the L2's time
    constexpr std::int64_t elements_of_block = 1024;
    return ceil_div(element_count, elements_of_block) * partial_count * bytes_of_sum <= most_bytes;
}

}  // namespace kiln::plan
