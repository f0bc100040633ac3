// Values that share a long row, as in shared_rows.cpp, with lanes in other roles: each lane of a warp has values of its own, and all of
// them read the same elements at the same time. A block then reads the row once for 32 times as many values: where lanes share a value,
// rows of 16384 bodies, which no first cache holds, come from the second one for every two of them, 2 GB in all.
//
// What a value's threads would have is made by one lane, thread after thread. They are combined in pairs, as trees: a lane takes them in
// the order of the tree's leaves, and combines what is complete, so that one result of each height waits. A warp has a tree of its own,
// and the warps' results are combined at last.
#include <plan/policy/values_of_row.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class lane_values_policy : values_of_row {
public:
    using values_of_row::values_of_row;

    nest::tree run() {
        const nest::id results = to_.shared("shared", types::accumulators(), warps() * values_of_block());
        // Of four values, each with accumulators for the four places of a vector, 16 warps with 128 registers hide what takes long.
        to_.resident(std::max(1, 512 / of_.threads_per_block));
        threads_.begin_blocks();
        lane_ = to_.let("lane", types::small, threads_.thread % warp);
        warp_ = to_.let("warp", types::small, threads_.thread / warp);
        first_ = to_.let("first_value", types::number, threads_.group * values_of_block());
        keep_what_stays([&](value v) { return number_of(v); });
        count_whole();
        declare_parts();
        mine_ = to_.own("mine", types::accumulators(), values());
        waiting_ = to_.own("waiting", types::accumulators(), (heights() + 1) * values());
        take_tree();
        combine_warps(results);
        return to_.finish();
    }

private:
    [[nodiscard]] int values_of_block() const { return of_.values_per_block(); }
    [[nodiscard]] int warps() const { return of_.threads_per_block / warp; }
    /// Threads that a value would have, of each warp.
    [[nodiscard]] int leaves() const { return of_.threads_per_output / warps(); }
    [[nodiscard]] int heights() const { return std::countr_zero(static_cast<unsigned>(leaves())); }
    [[nodiscard]] value waiting(value height, value v) { return to_.at(waiting_, height * values() + v); }
    [[nodiscard]] value number_of(value v) {
        return to_.let("number", types::number, first_ + v * warp + to_.convert(lane_, types::number));
    }

    // --- A warp's tree ---

    /// The last `bits` bits in the other order. The first three operations lay eight of them out, each by itself, so that the
    /// last one gathers them reversed (H. S. Warren, Hacker's Delight, 7-1).
    value reversed(value of, int bits) {
        const value number = to_.convert(of, types::number);
        const value spread = (number * 0x0802 & 0x22110) | (number * 0x8020 & 0x88440);
        return spread * 0x10101 / 65536 % 256 / (1 << (8 - bits));
    }

    /// As value_threads::combine_row has it: the threads of a warp in pairs 16, then 8, ... 1 apart, then the warps in pairs half as many
    /// apart, then a quarter. Of the sum of two numbers without a common bit it is the sum.
    value thread_of_leaf(value leaf, int of) {
        const int warps_of_value = of_.threads_per_output / warp;
        const value of_warp = reversed(leaf % warp, std::countr_zero(static_cast<unsigned>(warp)));
        if (of <= warp) return of_warp;
        return reversed(leaf / warp, std::countr_zero(static_cast<unsigned>(warps_of_value))) * warp + of_warp;
    }

    void take_tree() {
        const value first =
            to_.let("thread_of_warp", types::number, thread_of_leaf(warp_ * leaves(), of_.threads_per_output));
        to_.loop(
            runner::serial, "leaf", 0, leaves(), 1,
            [&](value leaf) {
                const value thread = to_.let("thread_of_value", types::number, first + thread_of_leaf(leaf, leaves()));
                begin_anew();
                take_elements(thread);
                combine_complete(leaf);
            },
            /*written_out=*/1, types::small);
    }

    /// A leaf completes as many trees as its number ends in ones.
    void combine_complete(value leaf) {
        combine_places(mine_);
        const value rest = to_.variable("ones", types::small, leaf);
        const value height = to_.variable("height", types::small, to_.constant(0));
        if (heights() > 0)
            to_.loop(runner::serial, "each", 0, heights(), 1, [&](value) {
                to_.when(rest % 2 == 0, [&] { to_.leave(); });
                each_value(
                    [&](value v) { to_.assign(to_.at(mine_, v), to_.combine(waiting(height, v), to_.at(mine_, v))); });
                to_.assign(rest, rest / 2);
                to_.assign(height, height + 1);
            });
        each_value([&](value v) { to_.assign(waiting(height, v), to_.at(mine_, v)); });
    }

    // --- The warps' trees ---

    void combine_warps(nest::id results) {
        const auto result = [&](value of_warp, value of_block) {
            return to_.at(results, of_warp * values_of_block() + of_block);
        };
        each_value([&](value v) { to_.assign(result(warp_, v * warp + lane_), waiting(to_.constant(heights()), v)); });
        to_.barrier();
        to_.loop(runner::serial, "of_block", threads_.thread, values_of_block(), of_.threads_per_block,
                 [&](value of_block) {
                     to_.doubling(
                         "apart", warps(),
                         [&](value apart) {
                             to_.loop(runner::serial, "each", 0, warps(), apart * 2, [&](value each) {
                                 to_.assign(result(each, of_block),
                                            to_.combine(result(each, of_block), result(each + apart, of_block)));
                             });
                         },
                         runner::serial);
                     store(result(to_.constant(0), of_block),
                           to_.let("number", types::number, first_ + to_.convert(of_block, types::number)));
                 });
    }

    value lane_ = {}, warp_ = {};
    value first_ = {};  // the block's first value
    nest::id mine_ = nest::none;
    nest::id waiting_ = nest::none;  // of each height a complete tree's result
};

}  // namespace

nest::tree lane_values_nest(const lower::program& program, const kernel& of) {
    return lane_values_policy(program, of).run();
}

}  // namespace kiln::plan
