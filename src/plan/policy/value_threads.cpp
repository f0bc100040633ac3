#include <plan/policy/value_threads.hpp>

#include <algorithm>
#include <utility>

namespace kiln::plan {

using nest::runner;
using nest::value;
namespace types = nest::types;

value_threads::value_threads(nest::builder& to, nest::operands& operands, const kernel& of)
    : to_(to), operands_(operands), of_(of) {
    // What is reduced first has no threads of its own.
    for (int axis = 0; axis < of.rank - (of.nested_extent > 0); ++axis)
        (of.row_axes() >> axis & 1 ? reduced_axes_ : kept_axes_).push_back(axis);
}

void value_threads::begin_blocks() {
    group = to_.loop_of(runner::grid, "block");
    thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
    operands_.begin_block(thread);
    kept = to_.let("kept", types::number, to_.word(of_.grid_word + 2, types::word));
    reduced = to_.let("reduced", types::number, to_.word(of_.grid_word + 3, types::word));
    first = to_.constant(0, types::number);
    end = reduced;
    positions_.resize(static_cast<std::size_t>(of_.rank));
}

void value_threads::begin_rows() {
    const value block = to_.loop_of(runner::grid, "block");
    thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
    operands_.begin_block(thread);
    kept = to_.let("kept", types::number, operands_.extent(0));
    which = to_.let("value", types::number, (block * of_.threads_per_block + thread) * of_.rows_per_thread);
    is_there = to_.let("is_there", which < kept);
    positions_.resize(static_cast<std::size_t>(of_.rank));
}

void value_threads::begin() {
    const auto size = [this](int word) { return to_.word(of_.grid_word + word, types::word); };
    const value block = to_.loop_of(runner::grid, "block");
    const int cluster = of_.panel.blocks;
    if (cluster > 1) {
        to_.cluster(cluster);
        const bool is_split = of_.panel.splits_of_block == 1 && of_.panel.blocks_of_split == 1;
        splits = to_.constant(cluster * of_.panel.splits_of_block / of_.panel.blocks_of_split, types::number);
        split = block_of_cluster = to_.loop_of(runner::cluster, is_split ? "split" : "block_of_cluster", cluster);
    }
    thread = to_.loop_of(runner::thread, "thread", of_.threads_per_block);
    operands_.begin_block(thread);
    group = block;
    if (of_.splits && cluster == 1) {
        splits = to_.let("splits", types::number, size(0));
        group = to_.let("group", types::number, to_.quotient(block, of_.grid_word, of_.grid_word + 1));
        split = to_.let("split", types::number, block - group * splits);
    }
    const int outputs = outputs_per_block();
    value of_split = thread;
    if (const int count = of_.panel.splits_of_block; count > 1) {
        const int threads = of_.threads_per_block / count;
        split = to_.let("split", types::small, split * count + thread / threads);
        of_split = to_.let("thread_of_split", types::small, thread % threads);
    }
    if (const int count = of_.panel.blocks_of_split; count > 1) {
        split = to_.let("split", types::small, block_of_cluster / count);
        lane = to_.let("lane", types::small, thread / outputs * count + block_of_cluster % count);
    } else {
        lane = to_.let("lane", types::small, along_rows() ? thread % of_.threads_of_row() : of_split / outputs);
    }
    const value output = along_rows() ? thread / of_.threads_of_row() : thread % outputs;
    kept = to_.let("kept", types::number, size(2));
    reduced = to_.let("reduced", types::number, size(3));
    const value one = group * (outputs - of_.panel.overlap) + output;
    const value wanted = to_.let("wanted", types::number, width() == 1 ? one : one * width());
    // Threads past the last value do its work once more, and store nothing: all of a block take part where it combines.
    is_there = to_.let("is_there", wanted < kept);
    which = to_.let("value", types::number, to_.select(is_there, wanted, kept - width()));
    first = to_.constant(0, types::number);
    end = reduced;
    if (of_.splits) {
        const value part = to_.let("part_of_split", types::number, size(4));
        first = to_.let("begin", types::number, split * part);
        end = to_.let("end", types::number,
                      of_.panel.splits_of_block > 1 ? to_.least(reduced, first + part)
                                                    : to_.select(split + 1 == splits, reduced, first + part));
    }
    positions_.resize(static_cast<std::size_t>(of_.rank));
    operands_.positions(which, kept_axes_, positions_);
}

value_threads::place value_threads::place_of(std::vector<value> positions, value element) {
    place out{std::move(positions)};
    operands_.positions(element, reduced_axes_, out.positions);
    return out;
}

value_threads::place value_threads::place_of_value(value number) {
    place out{std::vector<value>(positions_.size())};
    operands_.positions(number, kept_axes_, out.positions);
    return out;
}

value value_threads::number(place& of) {
    if (of.number.is_there()) return of.number;
    value linear = to_.make(nest::operation::convert, types::number, of.positions[0]);
    for (int axis = 1; axis < of_.rank; ++axis)
        linear = linear * operands_.extent(axis) + of.positions[static_cast<std::size_t>(axis)];
    return of.number = to_.let("i", types::number, linear);
}

value value_threads::address(std::size_t input, place& of) {
    const operand& each = of_.inputs[input];
    if (each.how == access::contiguous) return number(of);
    return operands_.address(each, operands_.input_name(input), of.positions);
}

nest::id value_threads::shared(const std::string& name, int set) {
    if (of_.threads_per_output == 1) return nest::none;
    return to_.shared(name, types::accumulators(set),
                      along_rows() ? of_.threads_per_block * of_.turns / warp : of_.threads_per_block);
}

value value_threads::lane_of_turn(value turn) {
    if (of_.turns == 1) return lane;
    const int lanes = lanes_of_warp();
    return lane / lanes * (lanes * of_.turns) + lane % lanes + turn * lanes;
}

void value_threads::give_to_all(value mine) {
    const int threads = of_.threads_per_output;
    if (threads == 1) return;
    // The first of them in this warp: where warps were combined, each has all.
    to_.assign(mine, to_.shuffle(mine, threads >= warp ? to_.constant(0) : thread & (warp - threads)));
}

void value_threads::combine(value mine, nest::id shared) {
    if (of_.threads_per_output == 1) return;
    if (along_rows()) combine_row(mine, shared);
    else combine_column(mine, shared);
}

int value_threads::lanes_of_warp() const { return std::min(of_.threads_per_output, warp) / of_.turns; }

/// Neighbouring threads: those of a warp through registers, then the warps through shared memory.
void value_threads::combine_row(value mine, nest::id shared) {
    // Two states are combined by dozens of operations, once for a thread: written out five times over, they took NVRTC a fifth of its
    // time for a variance.
    const bool keeps_state = std::any_of(of_.reduced.begin(), of_.reduced.end(),
                                         [](const reduced_output& each) { return each.keeps_state(); });
    const auto pairs = [&](int count) {
        to_.halving(
            "apart", count / 2,
            [&](value apart) { to_.assign(mine, to_.combine(mine, to_.shuffle_down(mine, apart))); },
            keeps_state ? nest::runner::serial : nest::runner::unrolled);
    };
    const int lanes = lanes_of_warp();
    pairs(lanes);
    const int warps = of_.threads_per_output / warp;
    if (warps <= 1) return;
    to_.when(thread % lanes == 0, [&] { to_.assign(to_.at(shared, thread / lanes), mine); });
    to_.barrier();
    to_.assign(mine, to_.at(shared, thread / of_.threads_of_row() * warps + thread % warps));
    pairs(warps);
}

void value_threads::combine_column(value mine, nest::id shared) {
    to_.assign(to_.at(shared, thread), mine);
    to_.halving("apart", of_.threads_per_output / 2, [&](value apart) {
        to_.barrier();
        to_.when(lane < apart, [&] {
            to_.assign(mine, to_.combine(mine, to_.at(shared, thread + apart * outputs_per_block())));
            to_.assign(to_.at(shared, thread), mine);
        });
    });
    to_.barrier();
}

}  // namespace kiln::plan
