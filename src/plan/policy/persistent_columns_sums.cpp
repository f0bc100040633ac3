// What the reductions come to: of a column's threads, and of the blocks that have parts of it.
#include <plan/policy/persistent_columns.hpp>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

namespace {

/// In pairs, as threads do that are so many apart.
nest::value combined(nest::builder& to, std::vector<nest::value> each) {
    for (std::size_t apart = each.size() / 2; apart > 0; apart /= 2)
        for (std::size_t i = 0; i < apart; ++i) each[i] = to.combine(each[i], each[i + apart]);
    return each[0];
}

/// As what an accumulator is sent to other blocks: nothing narrower can be.
element_type sent_as(const reduced_output& of) {
    if (bytes_of(of.accumulated) >= bytes_of(element_type::float32)) return of.accumulated;
    return kind_of(of.accumulated) == element_kind::floating ? element_type::float32 : element_type::int32;
}

nest::value as_type(nest::builder& to, nest::value of, element_type is) {
    return of.is().of == is ? of : to.convert(of, types::element(is));
}

}  // namespace

persistent_columns_policy::exchange persistent_columns_policy::exchange_of(int phase) {
    const std::string& suffix = set(phase).suffix;
    exchange out{threads_.shared("shared" + suffix, phase)};
    if (blocks() == 1) return out;
    const auto& members = set(phase).members;
    const int places = parts() * columns();
    if (!set(phase).is_light()) {
        out.of_blocks.push_back(to_.shared("of_blocks" + suffix, types::accumulators(phase), places));
        return out;
    }
    out.full = to_.shared("full" + suffix, types::mbarrier, 1);
    for (const reduction_set::member& each : members)
        out.of_blocks.push_back(to_.shared("of_blocks" + suffix + "_" + std::to_string(each.number),
                                           types::element(sent_as(each.of)), places));
    return out;
}

/// Once for each phase, whose mbarrier has one only.
void persistent_columns_policy::begin_exchanges() {
    bool has_some = false;
    for (const exchange& each : exchanges_) has_some = has_some || each.full != nest::none;
    if (!has_some) return;
    to_.when(threads_.thread == 0, [&] {
        for (int phase = 0; phase < set_count(); ++phase) {
            const exchange& each = exchanges_[at(phase)];
            if (each.full == nest::none) continue;
            int bytes = 0;
            for (const reduction_set::member& of : set(phase).members)
                bytes += parts() * columns() * bytes_of(sent_as(of.of));
            to_.init_mbarrier(to_.at(each.full, 0), 1);
            to_.arrive(to_.at(each.full, 0), bytes);
        }
    });
}

/// For every thread of the column.
void persistent_columns_policy::finish(int phase) {
    const exchange& with = exchanges_[at(phase)];
    const value column = threads_.thread % columns();
    if (set(phase).is_light() && lanes() <= most_lanes_read && lanes() > 1) {
        finish_by_tree(phase, with, column);
    } else {
        threads_.combine(part_, with.of_threads);
        if (blocks() > 1) exchange_splits(phase, with, column);
        if (with.of_threads != nest::none) to_.assign(part_, to_.at(with.of_threads, column));
    }
    each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
        row_value(result) = to_.let(name_of(result), to_.finish(to_.member(part_, number), number, threads_.reduced));
    });
    compute_row(phase + 1);
}

/// Each thread reads what all have: one barrier, where pairs would need one each.
void persistent_columns_policy::finish_by_tree(int phase, const exchange& with, value column) {
    if (own_lanes() > 1) combine_own_lanes(with, column);
    if (blocks() == 1) return;
    send_to_blocks(phase, with, column);
    to_.wait_mbarrier(to_.at(with.full, 0), 0);
    to_.assign(part_, of_blocks(phase, with, column));
}

void persistent_columns_policy::combine_own_lanes(const exchange& with, value column) {
    to_.assign(to_.at(with.of_threads, threads_.thread), part_);
    to_.barrier();
    const value first = of_.panel.splits_of_block > 1
                            ? to_.let("first_lane", types::small, threads_.thread - threads_.lane * columns())
                            : column;
    std::vector<value> of_lanes;
    for (int lane = 0; lane < own_lanes(); ++lane)
        of_lanes.push_back(to_.at(with.of_threads, lane ? first + lane * columns() : first));
    to_.assign(part_, combined(to_, of_lanes));
}

/// Each of a column's threads sends to some of the blocks.
void persistent_columns_policy::send_to_blocks(int phase, const exchange& with, value column) {
    const value part = of_.panel.blocks_of_split > 1 ? threads_.block_of_cluster : threads_.split;
    const value from = to_.let("from", types::small, part * columns() + column);
    const int turns = (blocks() - 1) / own_lanes() + 1;
    to_.unrolled("turn", turns, [&](value turn) {
        const value block =
            to_.let("block", types::small,
                    turn * own_lanes() + (of_.panel.splits_of_block > 1 ? threads_.lane : threads_.thread / columns()));
        const auto send = [&] {
            for (std::size_t i = 0; i < with.of_blocks.size(); ++i)
                to_.store_async(to_.remote(with.of_blocks[i], from, block), sent(phase, i, part_),
                                to_.remote(with.full, 0, block));
        };
        if (blocks() == turns * own_lanes()) send();
        else to_.when(block < blocks(), send);
    });
}

persistent_columns_policy::value persistent_columns_policy::sent(int phase, std::size_t member, value accumulators) {
    const reduction_set::member& of = set(phase).members[member];
    return as_type(to_, to_.member(accumulators, of.number), sent_as(of.of));
}

persistent_columns_policy::value persistent_columns_policy::received(int phase, std::size_t member,
                                                                     const exchange& with, value place) {
    return as_type(to_, to_.at(with.of_blocks[member], place), set(phase).members[member].of.accumulated);
}

/// What a block sent.
persistent_columns_policy::value persistent_columns_policy::of_part(int phase, const exchange& with, value column,
                                                                    int part) {
    const value out = to_.variable("others", types::accumulators(phase));
    for (std::size_t i = 0; i < with.of_blocks.size(); ++i)
        to_.assign(to_.member(out, set(phase).members[i].number),
                   received(phase, i, with, part ? column + part * columns() : column));
    return out;
}

/// As the last block of a split reduction does: each of a column's threads would take some of the splits, in their order.
persistent_columns_policy::value persistent_columns_policy::of_blocks(int phase, const exchange& with, value column) {
    const int parts_of_split = of_.panel.blocks_of_split;
    const auto of_split = [&](int split) {
        std::vector<value> parts;
        for (int i = 0; i < parts_of_split; ++i)
            parts.push_back(of_part(phase, with, column, split * parts_of_split + i));
        return combined(to_, parts);
    };
    if (splits() == 1) return of_split(0);
    std::vector<value> of_lanes;
    for (int lane = 0; lane < lanes(); ++lane) {
        value sum = to_.identity(phase);
        for (int split = lane; split < splits(); split += lanes()) sum = to_.combine(sum, of_split(split));
        of_lanes.push_back(sum);
    }
    return combined(to_, of_lanes);
}

/// As the last block of a split reduction does: each of a column's threads takes some of the splits, in their order.
void persistent_columns_policy::exchange_splits(int phase, const exchange& with, value column) {
    const auto each_block = [&](auto what) {
        const int turns = (blocks() - 1) / of_.threads_per_output + 1;
        to_.unrolled("turn", turns, [&](value turn) {
            const value block = to_.let("block", turn * of_.threads_per_output + threads_.lane);
            if (blocks() == turns * of_.threads_per_output) what(block);
            else to_.when(block < blocks(), [&] { what(block); });
        });
    };
    const value from = to_.let("from", types::small, threads_.split * columns() + column);
    each_block([&](value block) {
        const value mine =
            to_.variable("of_split" + set(phase).suffix, types::accumulators(phase), to_.at(with.of_threads, column));
        if (with.full == nest::none) {
            to_.assign(to_.remote(with.of_blocks[0], from, block), mine);
            return;
        }
        for (std::size_t i = 0; i < with.of_blocks.size(); ++i)
            to_.store_async(to_.remote(with.of_blocks[i], from, block), sent(phase, i, mine),
                            to_.remote(with.full, 0, block));
    });
    if (with.full == nest::none) to_.cluster_barrier();
    else to_.wait_mbarrier(to_.at(with.full, 0), 0);
    // Before the block's own accumulators are stored over: all of its threads have sent them.
    to_.barrier();
    to_.assign(part_, to_.identity(phase));
    each_block([&](value block) {
        const value place = to_.let("place", types::small, block * columns() + column);
        const value other = to_.variable("other", types::accumulators(phase));
        if (with.full == nest::none) to_.assign(other, to_.at(with.of_blocks[0], place));
        else
            for (std::size_t i = 0; i < with.of_blocks.size(); ++i)
                to_.assign(to_.member(other, set(phase).members[i].number), received(phase, i, with, place));
        to_.assign(part_, to_.combine(part_, other));
    });
    threads_.combine(part_, with.of_threads);
}

/// What is stored once for each column.
void persistent_columns_policy::store_row() {
    std::vector<std::size_t> stored;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (!of_.stores_elements(i)) stored.push_back(i);
    if (stored.empty()) return;
    value stores = threads_.lane == 0 && threads_.is_there;
    if (of_.panel.overlap > 0) stores = stores && threads_.thread % columns() < columns() - of_.panel.overlap;
    if (blocks() > 1) stores = stores && threads_.split == 0;
    to_.when(stores, [&] {
        for (const std::size_t i : stored)
            to_.assign(operands_.output(i, threads_.which), row_value(of_.outputs[i].value));
    });
}

}  // namespace kiln::plan
