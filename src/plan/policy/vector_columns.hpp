// kiln/plan/policy/vector_columns: columns stay on chip, and each thread holds its elements of `width` neighbouring ones, which move in one
// vector. As many times the threads of a column as have it elsewhere divide it: those that would be one thread there have parts of its
// elements, one after the other. Where the order of a reduction's elements can be seen in its bits, these threads take turns: each begins with
// what the one before it has come to. What is computed of elements is computed before, by all at once, and what threads exchange is little, so
// that this costs less than it saves: by hand softmax of (64, 1024, 1024) over its middle axis takes an H200 142 us so, 138 in an order of
// the sums that needs no turns, and 182 with one column a thread. Columns that are split over a cluster gain nothing.
// in: a planned kernel whose columns stay on chip   out: a nest
#pragma once

#include <plan/column_panels.hpp>
#include <plan/policy/phased_rows.hpp>
#include <plan/policy/reduction.hpp>

#include <optional>
#include <string>
#include <vector>

namespace kiln::plan {

class vector_columns_policy : phased_rows {
public:
    vector_columns_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands);

    void run();

private:
    using value = nest::value;
    using value_id = lower::value_id;

    [[nodiscard]] int set_count() { return static_cast<int>(to_.made().sets.size()); }
    [[nodiscard]] const reduction_set& set(int which) { return to_.made().sets[static_cast<std::size_t>(which)]; }
    [[nodiscard]] int width() const { return of_.panel.width; }
    [[nodiscard]] int lanes() const { return of_.threads_per_output; }
    [[nodiscard]] int columns() const { return of_.threads_per_block / lanes(); }

    [[nodiscard]] bool in_any_order(int phase);

    // --- A thread's part of its columns ---

    void begin_parts();

    /// Where one item is: of `width` elements, neighbours.
    struct item {
        value at;      // among the thread's
        value number;  // of the elements, in their columns
        bool in_slot = false;
    };

    /// Those in registers. Of those that every thread has it is not asked whether they are there.
    template <class Each>
    void each_in_registers(Each each) {
        const int whole = of_.panel.whole ? of_.panel.items : whole_panel_items(of_.items_per_thread, width());
        to_.unrolled("u", of_.panel.items, [&](value u) {
            const auto take = [&] { each(item{u, to_.let("number", nest::types::number, first_ + u * lanes())}); };
            if (of_.panel.items <= whole) take();
            else to_.when(whole > 0 ? u < whole || u < count_ : u < count_, take);
        });
    }
    /// Those after them, as many as there are: to be asked for each whether it is there costs more than a loop whose end is not known.
    template <class Each>
    void each_in_slots(int written_out, Each each) {
        if (of_.panel.slots == 0) return;
        to_.loop(
            nest::runner::serial, "slot", 0, slot_count_, 1,
            [&](value slot) {
                each(item{slot, to_.let("number", nest::types::number, first_ + (slot + of_.panel.items) * lanes()),
                          true});
            },
            written_out);
    }

    [[nodiscard]] bool is_kept(value_id of) const { return kept_.slot_of[at(of)] >= 0; }
    void keep(value_id of);
    [[nodiscard]] value in_register(value_id of, value u, value k) {
        return to_.at(in_registers_[at(of)], u * width() + k);
    }
    [[nodiscard]] value place_of_slot(value slot) { return (slot * of_.threads_per_block + threads_.thread) * width(); }
    [[nodiscard]] nest::id slots_of_value(value_id of) const { return slots_[at(kept_.slot_of[at(of)])]; }
    [[nodiscard]] value in_slot(value_id of, value slot) {
        return to_.at(slots_of_value(of), place_of_slot(slot), vector_of(of));
    }
    [[nodiscard]] nest::type vector_of(value_id of) const { return nest::types::vector(program_.type_of(of), width()); }

    [[nodiscard]] bool is_vector(std::size_t input) const;

    void load(int phase);
    void copy(std::size_t input, value slot, value_threads::place& place);

    // --- What a phase does with an item ---

    struct work {
        std::optional<int> body;
        std::vector<bool> needed;  // values from memory, or from before
        bool makes = true;         // what is kept and stored
        bool appends = true;       // to the accumulators
        bool tests = false;        // the body has roots and quotients with fast paths: of what is not appended
    };

    /// A value's elements of an item, where they are not in registers.
    using at_hand = std::vector<value>;

    void compute(int phase);
    void take_all(int phase, const work& of);
    void take(int phase, const work& of, const item& each);
    [[nodiscard]] at_hand read_vectors(int phase, const work& of, const item& each, value_threads::place& place);
    void take_element_of(int phase, const work& of, const item& each, value k, const value_threads::place& place,
                         const at_hand& read, const at_hand& made, const at_hand& results, value is_right);
    [[nodiscard]] bool is_made(int phase, const work& of, value_id which) const {
        return of.makes && is_step(which) && phase_of(which) == phase;
    }
    void of_column(value k);
    [[nodiscard]] bool has_tests(const std::optional<int>& body);
    [[nodiscard]] std::vector<bool> kept_operands(int phase);
    void wait();
    [[nodiscard]] int written_out(int phase, const work& of) const;
    [[nodiscard]] bool calls_functions() const;

    // --- What the reductions come to: vector_columns_sums.cpp ---

    /// Of a phase.
    struct exchange {
        nest::id of_threads = nest::none;  // what each row of threads has, of each column
        nest::id totals = nest::none;      // what all have
    };

    [[nodiscard]] exchange exchange_of(int phase);
    void take_in_turns(int phase, const work& of);
    /// `row`: of the threads, whose sums have a place in shared memory each.
    template <class Each>
    void each_sum(int phase, value row, Each each) {
        to_.unrolled("k", width(), [&](value k) {
            each(to_.at(sums_, k), to_.at(exchanges_[at(phase)].of_threads, row * columns() + first_column_ + k));
        });
    }
    void leave_sums(int phase, value row);
    void finish(int phase);
    void combine_lanes(value sum);
    void give_to_columns(int phase, const exchange& with);
    void store_columns();

    value_threads threads_;
    const kept_elements kept_;
    std::vector<nest::id> in_registers_;  // by value: memory of the thread's elements
    std::vector<nest::id> of_columns_;    // by value: of a reduction, or of what is made of it, one for each column
    std::vector<nest::id> slots_;
    std::vector<exchange> exchanges_;  // by phase
    value lane_;                       // of those that a column has elsewhere
    value part_;                       // of that lane's elements
    value first_column_;               // of the block's
    value first_;                      // the number of the part's first element
    value count_;                      // its items
    value slot_count_;                 // those of them in slots
    nest::id sums_ = nest::none;       // accumulators of the phase, one for each column
    bool is_underway_ = false;         // copies to slots
};

}  // namespace kiln::plan
