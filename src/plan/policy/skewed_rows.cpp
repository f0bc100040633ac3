// Conditions are joined by & and |: NVRTC makes a branch of each && and ||, in all of the loops' turns.
#include <plan/policy/skewed_rows.hpp>

#include <plan/reduction.hpp>
#include <plan/row_slots.hpp>

#include <algorithm>
#include <utility>

namespace kiln::plan {

using nest::value;
using nest::value_or_number;
namespace types = nest::types;

namespace {

constexpr int all = 15;  // of a vector's elements, as bits

bool begins_anywhere(const kernel& of, const operand& each) {
    const bool is_innermost = of.reduced_axes == 1U << (of.rank - 1);
    const bool is_long = of.threads_per_output >= warp / 2;  // others are moved by their warps
    return !of.vectorised && is_innermost && is_long && !each.is_position && !each.is_partial && !each.gathered &&
           each.steps.empty() && (each.how == access::contiguous || each.how == access::row);
}

}  // namespace

bool is_skewed(const kernel& of, const operand& each) {
    // Of floats the first cache brings together what lanes ask for: layer norm of rows of 1021 takes an H100 117 us, a copy 113. Of bytes
    // shifts are as many as elements: RMS norm of rows of 1021 took 113 us for 92.
    return bytes_of(each.type) == 2 && begins_anywhere(of, each);
}

bool is_stored_skewed(const kernel& of, const operand& output) {
    // Bytes of one warp's row are as fast turned: RMS norm of rows of 1021 57 us on an H100, 59 so.
    const bool are_bytes_of_warps = bytes_of(output.type) == 1 && of.threads_per_output > warp;
    return is_skewed(of, output) || (are_bytes_of_warps && begins_anywhere(of, output));
}

skewed_row::skewed_row(nest::builder& to, const kernel& of, value_threads& threads, nest::id memory, std::string name,
                       const operand& each, value begin)
    : to_(to),
      of_(of),
      threads_(threads),
      memory_(memory),
      name_(std::move(name)),
      vector_(types::vector(each.type, of.vector_width)),
      width_(of.vector_width),
      whole_(whole_items_of_row(of.items_per_thread)) {
    begin_ = to_.let("begin_" + name_, types::index, begin);
    const int bytes = bytes_of(each.type) * width_;
    // Of what is the same for all rows, neither row nor lane says where it begins.
    const bool is_aligned = read_in_place(of, each) && each.address.offset_word < 0 && of.alignment % bytes == 0;
    skew_ = to_.let("skew_" + name_, is_aligned ? to_.constant(0) : to_.skew(memory_, begin_, bytes));
    count_ = to_.let("count_" + name_, types::index, threads_.reduced);
    has_neighbours_ = each.how == access::contiguous && !of.aliased;
}

value skewed_row::at(value u, value_or_number k) { return begin_ + (u * (of_.threads_per_output * width_) + k); }

value skewed_row::vector_at(value u, int further) {
    return to_.at(memory_, begin_ + (u * (of_.threads_per_output * width_) + further - skew_), vector_);
}

value skewed_row::is_before_end(value u, int whole, value is_before) {
    return whole > 0 ? (u < whole) | is_before : is_before;
}

value skewed_row::is_past_end(value u, int whole, value is_past) {
    return whole > 0 ? (u >= whole) & is_past : is_past;
}

void skewed_row::make_room(int items) {
    const value head = (to_.constant(width_) - skew_) & (width_ - 1);
    const value tail = ((count_ + skew_) & -width_) - skew_;
    if (has_neighbours_) {
        const value is_last = threads_.which + 1 == threads_.kept;
        head_ = to_.let("head_" + name_, types::index, to_.select(threads_.which == 0, head, 0));
        tail_ = to_.let("tail_" + name_, types::index, to_.select(is_last, tail, count_ + width_));
        read_end_ = to_.let("read_end_" + name_, types::index, to_.least(tail_, count_));
    } else {
        head_ = to_.let("head_" + name_, types::index, head);
        tail_ = to_.let("tail_" + name_, types::index, tail);
        read_end_ = tail_;
    }
    low_ = to_.own("low_" + name_, vector_, items);
    high_ = to_.own("high_" + name_, vector_, items);
}

void skewed_row::read(value_or_number slot, value u, value first) {
    to_.when(((u > 0) | (first >= head_)) & is_before_end(u, whole_, first - skew_ < read_end_),
             [&] { to_.assign(to_.at(low_, slot), vector_at(u, 0)); });
    to_.when((skew_ > 0) & is_before_end(u, whole_ - 1, first - skew_ + width_ < read_end_),
             [&] { to_.assign(to_.at(high_, slot), vector_at(u, width_)); });
}

value skewed_row::take(value_or_number slot, value u, value first) {
    const value across = to_.let("across_" + name_, to_.across(to_.at(low_, slot), to_.at(high_, slot), skew_));
    const value out = to_.variable("v_" + name_, vector_, across);
    to_.when(((u == 0) & (first < head_)) | is_past_end(u, whole_ - 1, first + width_ > tail_), [&] {
        const value with_ends = to_.apart("ends_" + name_, vector_, [&] {
            const value ends = to_.variable("ends", vector_, across);
            to_.unrolled("k", width_, [&](value k) {
                const value number = first + k;
                to_.when(((number < head_) | (number >= tail_)) & (number < count_),
                         [&] { to_.assign(to_.lane(ends, k), to_.at(memory_, at(u, k))); });
            });
            return ends;
        });
        to_.assign(out, with_ends);
    });
    return out;
}

void skewed_row::begin_stores() {
    const int threads = std::min(of_.threads_per_output, warp);  // of the warp's, that have the row
    const value lane_of_row = to_.let("lane_of_row", types::small, threads_.lane % threads);
    const value lane = to_.let("lane_of_warp", types::small, threads_.thread % warp);
    lane_before_ = threads == warp ? to_.let("lane_before", types::small, (lane + (warp - 1)) & (warp - 1))
                                   : to_.let("lane_before", types::small,
                                             lane - lane_of_row + ((lane_of_row + (threads - 1)) & (threads - 1)));
    is_first_lane_ = to_.let("is_first_lane", types::boolean, lane_of_row == 0);
    first_part_ = to_.let("first_part_" + name_, types::small,
                          to_.select(skew_ == 1, 7, to_.select(skew_ == 2, 3, to_.select(skew_ == 3, 1, all))));
    ends_ = to_.let("ends_" + name_, types::boolean, threads_.is_there & ((lane_of_row > 0) | (skew_ == 0)));
    const value of_first_lane = to_.select(skew_ == 0, 0, first_part_);
    const value of_last_lane = to_.select(lane_of_row == threads - 1, to_.constant(all) - first_part_, 0);
    const value of_others = is_of_one_warp() ? to_.constant(0) : of_last_lane;
    alone_ = to_.let("alone_" + name_, types::small,
                     to_.select(threads_.is_there, to_.select(lane_of_row == 0, of_first_lane, of_others), 0));
    if (is_of_one_warp()) last_ = to_.variable("last_" + name_, vector_);
}

/// The lanes at both ends of a warp share a vector with a lane that they do not reach; so do rows at their ends with one another. Where the
/// warp, or a part of it, has all of the row, the last lane's elements are the first lane's to store, one item later.
void skewed_row::store(value vector, value u, value first) {
    const value mine = to_.let("mine_" + name_, vector);
    const value given = to_.let("given_" + name_, to_.shuffle(mine, lane_before_));
    const value end = to_.let("end_" + name_, types::index, first - skew_ + width_);  // of the vector before
    value before = given;
    value ends = ends_;
    value alone = alone_;
    if (is_of_one_warp()) {
        before = to_.variable("before_" + name_, vector_, given);
        to_.when(is_first_lane_ & (u > 0), [&] { to_.assign(before, last_); });
        to_.assign(last_, given);
        ends = ends_ | (threads_.is_there & (u > 0));
        alone = to_.let("alone", types::small, to_.select(u > 0, 0, alone_));
    }
    to_.when(ends & is_before_end(u, whole_, end <= count_),
             [&] { to_.assign(vector_at(u, 0), to_.across(before, mine, to_.constant(width_) - skew_)); });
    const auto store_alone = [&](value elements, auto is_stored) {
        for (int k = 0; k < width_; ++k)
            to_.when(is_stored((elements & (1 << k)) > 0, k),
                     [&] { to_.assign(to_.at(memory_, at(u, k)), to_.lane(mine, k)); });
    };
    to_.when(
        is_past_end(u, whole_ - 1, threads_.is_there & (end + width_ > count_)),
        [&] {
            to_.apart([&] {
                const value elements =
                    to_.let("elements", types::small,
                            to_.select(end > count_, first_part_, 0) | (to_.constant(all) - first_part_) | alone);
                store_alone(elements, [&](value is_one, int k) { return is_one & (first + k < count_); });
            });
        },
        [&] { store_alone(alone, [](value is_one, int) { return is_one; }); });
}

}  // namespace kiln::plan
