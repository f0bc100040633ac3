#include <plan/policy/values_of_lanes.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

using nest::runner;
using nest::value;
namespace types = nest::types;

namespace {

bool is_sum(const reduced_output& of) {
    return !of.definition && (of.what == detail::reduction_kind::sum || of.what == detail::reduction_kind::mean);
}

}  // namespace

/// Forces of 16384 bodies on each other take an H100 145 us under fast_math, for 160 in the order of a value's threads.
values_of_lanes::values_of_lanes(const lower::program& program, const kernel& of) : values_of_row(program, of) {
    if (program.any_order && std::all_of(of.reduced.begin(), of.reduced.end(), is_sum)) go_on();
}

void values_of_lanes::begin() {
    heights_ = std::countr_zero(static_cast<unsigned>(leaves()));
    results_ = to_.shared("shared", types::accumulators(), warps() * values_of_block());
    // Of four values 16 warps with 128 registers hide what takes long.
    to_.resident(std::max(1, 512 / of_.threads_per_block));
    threads_.begin_blocks();
    lane_ = to_.let("lane", types::small, threads_.thread % warp);
    warp_ = to_.let("warp", types::small, threads_.thread / warp);
    first_ = to_.let("first_value", types::number, threads_.group * values_of_block());
    if (leaves() <= warp) thread_of_lane_ = to_.let("thread_of_lane", thread_of(warp_ * leaves() + lane_));
    keep_what_stays([&](value v) { return number_of(v); });
    mine_ = to_.own("mine", types::accumulators(), values());
    if (!goes_on()) waiting_ = to_.own("waiting", types::accumulators(), (heights_ + 1) * values());
    count_whole();
    declare_parts();
}

void values_of_lanes::take_leaves(const std::function<void(value thread, value is_right)>& take_whole) {
    if (goes_on()) begin_anew();
    to_.loop(runner::serial, "leaf", 0, leaves(), 1, [&](value leaf) {
        const value thread = thread_of_value(leaf);
        if (!goes_on()) begin_anew();
        take_elements(thread, [&](value is_right) { take_whole(thread, is_right); });
        if (goes_on()) return;
        combine_places(mine_);
        combine_complete(leaf);
    });
    if (goes_on()) combine_places(mine_);
}

value values_of_lanes::number_of(value v) {
    return to_.let("number", types::number, first_ + v * warp + to_.convert(lane_, types::number));
}

/// The last `bits` bits in the other order. The first three operations lay eight of them out, each by itself, so that the
/// last one gathers them reversed (H. S. Warren, Hacker's Delight, 7-1).
value values_of_lanes::reversed(value of, int bits) {
    const value number = to_.convert(of, types::number);
    const value spread = (number * 0x0802 & 0x22110) | (number * 0x8020 & 0x88440);
    return spread * 0x10101 / 65536 % 256 / (1 << (8 - bits));
}

/// As value_threads::combine_row has it: the threads of a warp in pairs 16, then 8, ... 1 apart, then the warps in pairs half as many
/// apart, then a quarter.
value values_of_lanes::thread_of(value leaf_of_all) {
    const int warps_of_value = of_.threads_per_output / warp;
    return reversed(leaf_of_all / warp, std::countr_zero(static_cast<unsigned>(warps_of_value))) * warp +
           reversed(leaf_of_all % warp, std::countr_zero(static_cast<unsigned>(warp)));
}

/// Each lane knows it of one of the warp's leaves.
value values_of_lanes::thread_of_value(value leaf) {
    return to_.let("thread_of_value", thread_of_lane_.is_there() ? to_.shuffle(thread_of_lane_, leaf)
                                                                 : thread_of(warp_ * leaves() + leaf));
}

/// A leaf completes as many trees as its number ends in ones.
void values_of_lanes::combine_complete(value leaf) {
    const value rest = to_.variable("ones", types::small, leaf);
    const value height = to_.variable("height", types::small, to_.constant(0));
    if (heights_ > 0)
        to_.loop(runner::serial, "each", 0, heights_, 1, [&](value) {
            to_.when(rest % 2 == 0, [&] { to_.leave(); });
            each_value([&](value v) { to_.assign(mine(v), to_.combine(waiting(height, v), mine(v))); });
            to_.assign(rest, rest / 2);
            to_.assign(height, height + 1);
        });
    each_value([&](value v) { to_.assign(waiting(height, v), mine(v)); });
}

/// The warps' trees, in pairs: a thread has what all of them made of a value.
void values_of_lanes::finish() {
    const auto result = [&](value of_warp, value v) { return to_.at(results_, of_warp * values_of_block() + v); };
    each_value([&](value v) {
        to_.assign(result(warp_, v * warp + lane_), goes_on() ? mine(v) : waiting(to_.constant(heights_), v));
    });
    to_.barrier();
    to_.loop(runner::serial, "of_block", threads_.thread, values_of_block(), of_.threads_per_block, [&](value v) {
        to_.doubling(
            "apart", warps(),
            [&](value apart) {
                to_.loop(runner::serial, "of_warp", 0, warps(), apart * 2, [&](value of_warp) {
                    to_.assign(result(of_warp, v), to_.combine(result(of_warp, v), result(of_warp + apart, v)));
                });
            },
            runner::serial);
        store(result(to_.constant(0), v), to_.let("number", types::number, first_ + to_.convert(v, types::number)));
    });
}

}  // namespace kiln::plan
