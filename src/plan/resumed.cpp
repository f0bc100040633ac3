#include <plan/resumed.hpp>

#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::plan {

int resumed_order::lanes() const noexcept { return threads_per_output * (along_rows ? reduction_sizes::widest : 1); }

resumed_order order_of_reduction(const shape& whole, std::uint8_t axes) {
    const reduction_sizes sizes = sizes_of_reduction(whole, axes);
    return {.along_rows = sizes.vector_width > 1,
            .threads_per_output = sizes.threads_per_output,
            .kept = sizes.kept,
            .reduced = sizes.reduced,
            .part = sizes.part,
            .splits = sizes.splits};
}

std::int64_t splits_of_chunk(const resumed_order& of, std::int64_t elements) {
    return std::min(of.splits, ceil_div(elements, of.part) + 1);
}

std::int64_t resumed_accumulator_bytes(const reduced_output& of) {
    const std::int64_t bytes = accumulator_bytes(of);
    return bytes > 8 ? ceil_div(bytes, 8) * 8 : bytes;
}

std::int64_t resumed_bytes(const reduced_output& of, const resumed_order& order, std::int64_t elements) {
    const std::int64_t of_value = splits_of_chunk(order, elements) * order.lanes() + order.splits;
    return order.kept * of_value * resumed_accumulator_bytes(of);
}

int block_threads(const resumed_step& of) noexcept { return of.what == resumed_step::kind::take ? 32 : 256; }

std::int64_t block_count(const resumed_step& of) {
    switch (of.what) {
        case resumed_step::kind::take:
            return ceil_div(of.order.kept * of.split_count * of.order.lanes(), block_threads(of));
        case resumed_step::kind::close: return of.order.kept * of.split_count;
        case resumed_step::kind::end: break;
    }
    return of.order.kept;
}

}  // namespace kiln::plan
