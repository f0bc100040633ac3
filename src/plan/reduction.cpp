#include <plan/contraction.hpp>
#include <plan/reduction.hpp>

#include <capture/float_products.hpp>
#include <plan/row_slots.hpp>
#include <plan/target.hpp>

#include <plan/ceil_div.hpp>
#include <plan/schedule.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

namespace {

constexpr std::int64_t enough_blocks = 1056;        // 8 on each of an H200's 132 multiprocessors
constexpr std::int64_t least_items_per_thread = 8;  // of a thread, that are worth a block of their own
// What has room at once of blocks of 64 registers a thread. Columns side by side take no more: sum(a * b, axis(0)) of
// 8192 x 8192 floats 122 us of 512 blocks, 124 of 1088; (1000, 1000, 100) over its first axis 92.8 of 782, 96.7 of 1564.
// Few columns do: (100M, 3) over its first axis 274 of 1056, 308 of 528.
constexpr std::int64_t at_once = 528;

std::int64_t power_of_two_from(std::int64_t count) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1))));
}

constexpr int most_threads = 256;          // of a block
constexpr std::int64_t longer_row = 8192;  // than a block of that many threads keeps
/// Of a row that a block of `most_threads_of_row` keeps, at most. What a class of calls knows of a longer one is that it is longer.
constexpr int most_items = items_known[std::size(items_known) - 1];
constexpr std::int64_t most_threads_of_row = 1024;
/// Up to here two blocks of half as many are on a multiprocessor at once: cross-entropy of (4096, 32000) floats in 119 us for 139 on an
/// H200; longer rows in one block of 512 take longer than in one of 1024, of 65536 floats 175 for 151.
constexpr std::int64_t longest_of_512 = 32768;

constexpr std::int64_t most_loads_in_flight = 4;
constexpr std::int64_t many_rows = 132;  // one for each multiprocessor of an H200

/// Neighbouring threads on the elements of one value: a power of two of them, a warp at most, or up to a whole block for
/// long rows and for few, and a larger one for longer rows that keep every multiprocessor busy anyway: they stay on chip
/// (row_fits).
void divide_rows(reduction_sizes& out) {
    constexpr std::int64_t long_row = 1024;
    out.vector_width = 4;
    const std::int64_t items = out.kept < many_rows ? 1 : most_loads_in_flight;
    const std::int64_t most = out.reduced > long_row || out.kept < many_rows ? most_threads : warp;
    out.threads_per_output =
        static_cast<int>(std::min(most, power_of_two_from(ceil_div(out.reduced, out.vector_width * items))));
    if (out.reduced > longer_row && out.kept >= many_rows)
        out.threads_per_output = static_cast<int>(out.reduced > longest_of_512 ? most_threads_of_row : 512);
    out.outputs_per_block = std::max(1, most_threads / out.threads_per_output);
}

/// Neighbouring threads on neighbouring values: a warp of them, or all that there are.
void divide_columns(reduction_sizes& out, std::int64_t inner_kept) {
    const auto side_by_side = static_cast<int>(std::min<std::int64_t>(inner_kept, warp));
    const auto most = static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(most_threads / side_by_side)));
    out.threads_per_output = static_cast<int>(std::min(most, power_of_two_from(out.reduced / 8)));
    // Whole rows of few columns, so that no thread is without one.
    const int fit = most_threads / out.threads_per_output;
    out.outputs_per_block = inner_kept < warp ? fit / side_by_side * side_by_side : fit;
}

/// Of an outer row one thread, where there are rows enough for a block on each multiprocessor of an H200; of few, several of a warp, so
/// that there are two. Of (16384, 16384, 3) floats the least on an H100: 793 us where the sums are stored, 182 with 8 threads each. Of
/// (60013, 1009, 8) one takes 112, two take 117.
int threads_of_nested(std::int64_t kept, std::int64_t reduced) {
    if (kept >= enough_nested_threads) return 1;
    const std::int64_t wanted = power_of_two_from(ceil_div(2 * enough_nested_threads, kept));
    const std::int64_t most = std::clamp<std::int64_t>(reduced / least_items_per_thread, 1, warp);
    return static_cast<int>(std::min(wanted, static_cast<std::int64_t>(std::bit_floor(static_cast<unsigned>(most)))));
}

}  // namespace

int reduction_sizes::items_per_thread() const noexcept {
    const std::int64_t count = ceil_div(part, std::int64_t{threads_per_output} * vector_width);
    const auto rounded_up = [count](auto& known) {
        return *std::lower_bound(std::begin(known), std::end(known) - 1, count);
    };
    return vector_width == 1 ? rounded_up(column_items_known) : rounded_up(items_known);
}

/// A variance of (1000003, 33) floats takes an H100 66 us so, 99 by blocks of a warp's columns; of (1000003, 65) 161 and 184.
int reduction_sizes::columns_of_block() const noexcept {
    constexpr std::int64_t most_blocks = 3;  // whose threads are so many that those of one more count
    const std::int64_t blocks = kept / outputs_per_block;
    // Those of few threads do, whatever a block has otherwise.
    const bool move_in_vectors = kept % widest == 0 && threads_of_few_columns() == 0;
    if (vector_width > 1 || outputs_per_block != warp || blocks < 1 || blocks > most_blocks || move_in_vectors)
        return outputs_per_block;
    const std::int64_t columns = ceil_div(ceil_div(kept, blocks), std::int64_t{widest}) * widest;
    const bool saves_a_tenth = 10 * blocks * columns <= 9 * (blocks + 1) * outputs_per_block;
    return saves_a_tenth ? static_cast<int>(columns) : outputs_per_block;
}

int reduction_sizes::threads_of_few_columns() const noexcept {
    if (vector_width > 1) return 0;
    const std::int64_t threads = power_of_two_from(ceil_div(kept, widest));
    return threads < outputs_per_block ? static_cast<int>(threads) : 0;
}

bool row_fits(const reduction_sizes& sizes, int bytes, const target& on) {
    // A block has 64 K registers, and a thread needs some for itself.
    constexpr int most_kept = 160 * 1024;  // bytes
    const int threads = sizes.threads_per_output * sizes.outputs_per_block;
    const int items = sizes.items_per_thread();
    if (sizes.vector_width == 1 || sizes.splits > 1) return false;
    if (items <= most_short_items) return threads * items * sizes.vector_width * bytes <= most_kept;
    return std::int64_t{sizes.threads_per_output} * sizes.vector_width * items >= sizes.reduced &&
           divide_row(items, threads, bytes, bytes, on);
}

reduction_sizes sizes_of_reduction(const shape& whole, std::uint8_t axes) {
    reduction_sizes out;
    std::int64_t inner_kept = 1;
    bool inner = true;
    for (int axis = whole.rank(); axis-- > 0;) {
        const bool goes = axes >> axis & 1;
        (goes ? out.reduced : out.kept) *= whole[axis];
        if (whole[axis] == 1) continue;
        inner = inner && !goes;
        if (inner) inner_kept *= whole[axis];
    }
    const bool along_rows = inner_kept == 1;
    if (along_rows) divide_rows(out);
    else divide_columns(out, inner_kept);

    out.part = out.reduced;
    const auto round = [&out] { return std::int64_t{out.threads_per_output} * out.vector_width; };
    const std::int64_t groups = out.groups(along_rows ? 1 : reduction_sizes::widest);
    // Rows that each keep a multiprocessor busy stay whole, so that they can stay on chip.
    const std::int64_t kept_rows = out.reduced > longest_of_512 ? 2 * many_rows : many_rows;
    const bool is_kept = along_rows && out.kept >= kept_rows && out.reduced > longer_row &&
                         out.reduced <= most_threads_of_row * out.vector_width * most_items;
    if (groups < enough_blocks && out.threads_per_output > 1 && !is_kept) {
        // A longer total is divided as far as it goes: what computes the elements may take longer than reading them. On an
        // H200 a replayed sum of 9216 floats takes 3.1 us so, in one block 2.5; an RK4 step and its sum 4.0 and 11.7. What
        // is shorter may be a row that is kept.
        const bool is_large_total = out.kept == 1 && out.reduced > longer_row;
        const std::int64_t least = is_large_total ? 1 : least_items_per_thread;
        const bool wide_columns = !along_rows && inner_kept >= 32;
        const std::int64_t splits_wanted = wide_columns ? at_once / groups : ceil_div(enough_blocks, groups);
        const auto wanted = [&] { return std::min(splits_wanted, out.reduced / (round() * least)); };
        // Blocks of 1024 would be one at a time on a multiprocessor, which waits for its end: mean and variance of (64, 256, 56, 56) floats over
        // all axes but that of 256 take an H200 63 us so, 96 by those.
        if (wanted() > 1 && out.threads_per_output > most_threads) out.threads_per_output = most_threads;
        if (wanted() > 1) out.part = ceil_div(ceil_div(out.reduced, wanted()), round()) * round();
    }
    out.splits = ceil_div(out.reduced, out.part);
    out.loads_in_flight =
        static_cast<int>(std::min(most_loads_in_flight, power_of_two_from(ceil_div(out.part, round()))));
    return out;
}

reduction_sizes sizes_of_products(const shape& whole, std::uint8_t axes) {
    reduction_sizes out = sizes_of_reduction(whole, axes);
    if (!detail::has_own_order(whole, axes)) return out;
    out.part = out.reduced;
    out.splits = 1;
    out.threads_per_output = 1;
    out.outputs_per_block = most_threads;
    out.loads_in_flight = static_cast<int>(std::min(most_loads_in_flight, power_of_two_from(out.reduced)));
    return out;
}

reduction_sizes sizes_of_nested(const shape& outer, std::uint8_t axes) {
    reduction_sizes out = sizes_of_reduction(outer, axes);
    out.part = out.reduced;
    out.splits = 1;
    out.threads_per_output = threads_of_nested(out.kept, out.reduced);
    out.outputs_per_block = most_threads / out.threads_per_output;
    out.loads_in_flight = 1;
    return out;
}

std::int64_t workspace_bytes(const kernel& of, const reduction_sizes& sizes) {
    if (sizes.splits == 1) return 0;
    // As a compiler lays out a struct of them, at most.
    std::int64_t bytes = 0;
    std::int64_t widest = 1;
    for (std::size_t i = 0; i < of.reduced.size(); ++i) {
        if (of.stores_elements(i)) continue;
        const int bytes_of_one = accumulator_bytes(of.reduced[i]);
        const std::int64_t each = bytes_of_one > 8 ? ceil_div(bytes_of_one, 8) * 8 : bytes_of_one;
        bytes = ceil_div(bytes, each) * each + each;
        widest = std::max(widest, each);
    }
    return sizes.kept * sizes.splits * ceil_div(bytes, widest) * widest;
}

kernel elements_of(const kernel& of) {
    kernel out = of;
    for (std::size_t i = 0; i < out.reduced.size(); ++i) {
        operand elements;
        elements.value = of.outputs[i].value;
        elements.memory = of.outputs[i].memory;
        elements.type = of.reduced[i].accumulated;
        out.outputs[i] = elements;
    }
    return out;
}

}  // namespace kiln::plan
