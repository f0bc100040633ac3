// kiln/plan/policy/persistent_columns: columns stay on chip: a block has a panel of neighbouring columns, and each thread holds its elements of
// one of them from the first reduction over it to what is stored: some in shared memory, the rest in registers. Where neighbours are
// neighbours in memory, rows of the panel's shared memory are copied and stored in vectors, by whichever threads; what is made of elements, and
// added up, is each thread's own. A column that is split is a cluster's: each of its blocks has one of the splits, or several side by side,
// and sends what they came to to all of them. Where a block has not room for columns enough, several share a split's threads: of L blocks each has
// every L-th, which it combines in pairs as the order has them, and what the blocks come to is combined in pairs, too. Where rows begin between
// sectors, panels side by side share columns, and both make what those come to: each stores whole sectors (is_stored_here). Who adds up what, in which order, is as for reductions alone.
// in: a planned kernel whose columns stay on chip   out: a nest
#pragma once

#include <plan/column_panels.hpp>
#include <plan/policy/phased_rows.hpp>
#include <plan/policy/reduction.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kiln::plan {

class persistent_columns_policy : phased_rows {
public:
    persistent_columns_policy(const lower::program& program, const kernel& of, nest::builder& to,
                              nest::operands& operands);

    void run();

private:
    using value = nest::value;
    using value_id = lower::value_id;

    [[nodiscard]] int set_count() { return static_cast<int>(to_.made().sets.size()); }
    [[nodiscard]] const reduction_set& set(int which) { return to_.made().sets[static_cast<std::size_t>(which)]; }
    [[nodiscard]] int blocks() const { return of_.panel.blocks; }
    [[nodiscard]] int splits() const { return parts() / of_.panel.blocks_of_split; }
    /// Of a column, of which blocks send each other what they come to.
    [[nodiscard]] int parts() const { return blocks() * of_.panel.splits_of_block; }
    [[nodiscard]] int columns() const { return threads_.outputs_per_block(); }
    [[nodiscard]] int lanes() const { return of_.threads_per_output; }
    /// Of them, those of a split that a block has.
    [[nodiscard]] int own_lanes() const { return lanes() / of_.panel.blocks_of_split; }
    [[nodiscard]] int moved() const { return of_.panel.moved; }
    [[nodiscard]] bool slots_first() const { return moved() > 1; }

    // --- A thread's elements of its column ---

    void count_elements();

    /// One of them.
    struct item {
        value at;        // among those in registers, or in slots
        value number;    // of the element, in its column
        value is_there;  // without a value it is
    };
    /// Those in registers.
    template <class Each>
    void each_item(Each each) {
        const int slots_before = slots_first() ? of_.panel.slots : 0;
        const int whole = whole_items() - slots_before;
        to_.unrolled("u", of_.panel.items, [&](value u) {
            const value before = slots_before > 0 ? u + slots_before : u;
            item one{u, to_.let("number", nest::types::number, first_ + before * lanes()), {}};
            if (of_.panel.items > whole) one.is_there = whole > 0 ? u < whole || u < item_count_ : u < item_count_;
            each(one);
        });
    }
    /// Of what is read: where an item is not there the column's last is taken, and what it is made into is neither added nor stored. Under a
    /// condition each load would wait for the copies that went out before it, and each quotient and root for the one before it (H200,
    /// columns of doubles over their norm: of (4099, 4096) 193 us, 100 so; of (4096, 4096) 80).
    [[nodiscard]] value_threads::place place_read(const item& of) {
        if (!of.is_there.is_there()) return threads_.place_of(of.number);
        return threads_.place_of(to_.let("taken", nest::types::number, to_.least(of.number, threads_.reduced - 1)));
    }
    /// Items that every thread has, of which it is not asked whether they are there. Of a column that is split the last part may have fewer.
    [[nodiscard]] int whole_items() const {
        if (of_.panel.whole) return of_.panel.items + of_.panel.slots;
        return splits() > 1 ? 0 : whole_items_of_column(of_.items_per_thread);
    }
    /// Slots of every thread that are copied together.
    struct slot_group {
        int begin = 0;
        int end = 0;
    };
    [[nodiscard]] slot_group all_slots() const { return {0, of_.panel.slots}; }
    [[nodiscard]] std::vector<slot_group> copied_groups(int phase) const;
    [[nodiscard]] value end_of(slot_group which) {
        if (of_.panel.whole) return to_.constant(which.end);
        if (which.end == of_.panel.slots) return slot_count_;
        return to_.least(slot_count_, to_.constant(which.end));
    }

    /// Those in shared memory.
    template <class Each>
    void each_slot(int written_out, slot_group which, Each each) {
        if (of_.panel.slots == 0) return;
        to_.loop(
            nest::runner::serial, "slot", which.begin, end_of(which), 1,
            [&](value slot) {
                const value before = slots_first() ? slot : slot + of_.panel.items;
                each(item{slot, to_.let("number", nest::types::number, first_ + before * lanes()), {}});
            },
            written_out);
    }

    [[nodiscard]] bool is_kept(value_id of) const { return kept_.slot_of[at(of)] >= 0; }
    [[nodiscard]] value in_register(value_id of, value u) { return to_.at(in_registers_[at(of)], u); }
    [[nodiscard]] nest::id slots_of_value(value_id of) const { return slots_[at(kept_.slot_of[at(of)])]; }
    [[nodiscard]] value in_slot(value_id of, value slot) {
        return to_.at(slots_of_value(of), slot * of_.threads_per_block + threads_.thread);
    }
    [[nodiscard]] value read(std::size_t input, value_threads::place& place) {
        return operands_.element(input, of_.inputs[input].is_partial ? value() : threads_.address(input, place));
    }
    [[nodiscard]] std::vector<std::size_t> loaded_in(int phase) const;
    void load(int phase);
    void copy_own(const std::vector<std::size_t>& inputs);
    [[nodiscard]] bool is_copied(std::size_t input) const {
        return of_.panel.copies && bytes_of(of_.inputs[input].type) >= 4;
    }
    void keep(value_id of) { in_registers_[at(of)] = to_.own("column_" + name_of(of), type_of(of), of_.panel.items); }

    void compute(int phase);
    [[nodiscard]] int written_out(int phase) const;
    void take(int phase, std::optional<int> body, const item& each, const std::function<value(value_id)>& kept);

    [[nodiscard]] value is_stored_here(element_type is, value_threads::place& element);

    // --- Rows of the panel in shared memory, in vectors: persistent_columns_vectors.cpp ---

    /// Of a thread that moves them: which columns, and every so many-th row.
    struct vectors {
        value first_column;  // of the panel's
        value is_there;
        std::vector<value> positions;  // of the first of the columns
        value first_row;               // of the panel's
        value rows;                    // of the panel's, in shared memory
    };
    /// One of them.
    struct vector_item {
        value slot;    // its place in shared memory
        value number;  // of the elements, in their columns
        value_threads::place place;
    };
    void begin_vectors();
    template <class Each>
    void each_vector(int written_out, slot_group which, Each each);
    void copy_vectors(const std::vector<std::size_t>& inputs);
    void copy_vector(std::size_t input, vector_item& each);
    void store_vectors(int phase, std::optional<int> body);
    [[nodiscard]] std::vector<nest::id> give_to_vectors();
    [[nodiscard]] std::vector<value> of_columns_values();
    [[nodiscard]] std::vector<value> read_vectors(int phase, vector_item& each);
    void take_element_of(int phase, std::optional<int> body, const vector_item& each, value k,
                         const std::vector<value>& read, const std::vector<value>& results, value is_right);
    [[nodiscard]] bool has_tests(const std::optional<int>& body);

    // --- What the reductions come to: persistent_columns_sums.cpp ---

    /// Of a phase: where a block's threads, and where a cluster's blocks leave what they have.
    struct exchange {
        nest::id of_threads = nest::none;
        nest::id full = nest::none;  // an mbarrier; none: a barrier of the cluster, and accumulators as they are
        std::vector<nest::id> of_blocks = {};  // of each reduction of the phase; without an mbarrier of all
    };

    [[nodiscard]] exchange exchange_of(int phase);
    void begin_exchanges();
    void finish(int phase);
    void exchange_splits(int phase, const exchange& with, value column);
    void finish_by_tree(int phase, const exchange& with, value column);
    void combine_own_lanes(const exchange& with, value column);
    void send_to_blocks(int phase, const exchange& with, value column);
    /// An accumulator as other blocks get it, and as they take it.
    [[nodiscard]] value sent(int phase, std::size_t member, value accumulators);
    [[nodiscard]] value received(int phase, std::size_t member, const exchange& with, value place);
    [[nodiscard]] value of_part(int phase, const exchange& with, value column, int part);
    [[nodiscard]] value of_blocks(int phase, const exchange& with, value column);
    void store_row();

    value_threads threads_;
    const kept_elements kept_;
    std::vector<nest::id> in_registers_;  // by value: memory of the thread's elements
    std::vector<nest::id> slots_;
    std::vector<exchange> exchanges_;  // by phase
    std::vector<bool> needed_;         // of values: in the phase
    vectors vectors_;
    value first_;       // the number of the thread's first element
    value item_count_;  // in registers, or more where the thread has them all
    value slot_count_;
    value stored_columns_;              // of a panel that shares some with the next
    value part_;                        // accumulators of the phase
    std::vector<slot_group> underway_;  // copies to slots
};

}  // namespace kiln::plan
