// Columns stay on chip: a block has a panel of neighbouring columns, and each thread holds its elements of one of them from the first
// reduction over it to what is stored: the first in registers, the rest in shared memory that no other thread looks at. A
// column that is split is a cluster's: each of its blocks has one of the splits, and sends what that came to to all of them. Who
// adds up what, in which order, is as for reductions alone.
#include <plan/column_panels.hpp>
#include <plan/policy/phased_rows.hpp>
#include <plan/policy/reduction.hpp>

#include <algorithm>
#include <optional>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::runner;
using nest::value;
namespace types = nest::types;

class persistent_columns_policy : phased_rows {
public:
    persistent_columns_policy(const lower::program& program, const kernel& of, nest::builder& to,
                              nest::operands& operands)
        : phased_rows(program, of, to, operands),
          threads_(to, operands, of),
          kept_(kept_elements_of(program, phases_, read_in_place(program, of))),
          in_registers_(phases_.phase.size(), nest::none) {
        for (reduction_set& each : reductions_of_rows(program)) to_.set(std::move(each));
        if (of.panel.resident) to_.resident(of.panel.resident);
    }

    void run() {
        for (int set = 0; set < set_count(); ++set) exchanges_.push_back(exchange_of(set));
        for (const element_type each : kept_.slots)
            slots_.push_back(of_.panel.slots == 0
                                 ? nest::none
                                 : to_.dynamic_shared("slots" + std::to_string(slots_.size()), types::element(each),
                                                      of_.panel.slots * of_.threads_per_block));
        threads_.begin();
        first_ = to_.let("mine", types::number, threads_.first + threads_.lane);
        count_slots();
        begin_exchanges();
        compute_row(0);
        for (int phase = 0; phase < phases_.count; ++phase) {
            load(phase);
            // Not before the cluster's other blocks have begun can anything be sent to them.
            if (phase == 0 && blocks() > 1) to_.cluster_barrier();
            compute(phase);
            if (reduces(phase)) finish(phase);
        }
        store_row();
    }

private:
    [[nodiscard]] int set_count() { return static_cast<int>(to_.made().sets.size()); }
    [[nodiscard]] const reduction_set& set(int which) { return to_.made().sets[static_cast<std::size_t>(which)]; }
    [[nodiscard]] int blocks() const { return of_.panel.blocks; }
    [[nodiscard]] int columns() const { return threads_.outputs_per_block(); }

    static std::vector<bool> read_in_place(const lower::program& program, const kernel& of) {
        std::vector<bool> out(program.arrays.size());
        for (const operand& each : of.inputs) out[at(each.value)] = is_read_in_place(each, of.rank);
        return out;
    }

    // --- A thread's elements of its column ---

    void count_slots() {
        if (of_.panel.slots == 0) return;
        const value beyond = to_.let("beyond", types::number, first_ + of_.panel.items * of_.threads_per_output);
        slot_count_ =
            to_.let("slot_count", types::small,
                    to_.select(beyond < threads_.end,
                               (threads_.end - beyond + (of_.threads_per_output - 1)) / of_.threads_per_output,
                               to_.constant(0, types::number)));
    }

    /// Those in registers.
    template <class Each>
    void each_item(Each each) {
        to_.unrolled("u", of_.panel.items, [&](value u) {
            const value number = to_.let("number", types::number, first_ + u * of_.threads_per_output);
            to_.when(number < threads_.end, [&] { each(u, number); });
        });
    }
    /// Those after them.
    template <class Each>
    void each_slot(int written_out, Each each) {
        if (of_.panel.slots == 0) return;
        to_.loop(
            runner::serial, "slot", 0, slot_count_, 1,
            [&](value slot) {
                const value number =
                    to_.let("number", types::number, first_ + (slot + of_.panel.items) * of_.threads_per_output);
                each(slot, number);
            },
            written_out);
    }

    [[nodiscard]] bool is_kept(value_id of) const { return kept_.slot_of[at(of)] >= 0; }
    [[nodiscard]] value in_register(value_id of, value u) { return to_.at(in_registers_[at(of)], u); }
    [[nodiscard]] value in_slot(value_id of, value slot) {
        const nest::id memory = slots_[at(kept_.slot_of[at(of)])];
        return to_.at(memory, slot * of_.threads_per_block + threads_.thread);
    }
    [[nodiscard]] value read(std::size_t input, value_threads::place& place) {
        return operands_.element(input, of_.inputs[input].is_partial ? value() : threads_.address(input, place));
    }

    /// What later phases need, too. Copies to the slots go out first: they need no register while they are underway.
    void load(int phase) {
        std::vector<std::size_t> inputs;
        for (std::size_t i = 0; i < of_.inputs.size(); ++i)
            if (is_kept(of_.inputs[i].value) && phase_of(of_.inputs[i].value) == phase) inputs.push_back(i);
        if (inputs.empty()) return;
        constexpr int at_once = 8;
        each_slot(at_once, [&](value slot, value number) {
            value_threads::place place = threads_.place_of(number);
            for (const std::size_t i : inputs) {
                const value to = in_slot(of_.inputs[i].value, slot);
                if (is_copied(i)) to_.copy_async(to, read(i, place));
                else to_.assign(to, read(i, place));
            }
        });
        is_underway_ = of_.panel.slots > 0 &&
                       std::any_of(inputs.begin(), inputs.end(), [&](std::size_t i) { return is_copied(i); });
        if (is_underway_) to_.commit_copies();
        for (const std::size_t i : inputs) keep(of_.inputs[i].value);
        each_item([&](value u, value number) {
            value_threads::place place = threads_.place_of(number);
            for (const std::size_t i : inputs) to_.assign(in_register(of_.inputs[i].value, u), read(i, place));
        });
    }
    [[nodiscard]] bool is_copied(std::size_t input) const {
        return of_.panel.copies && bytes_of(of_.inputs[input].type) >= 4;
    }
    void keep(value_id of) { in_registers_[at(of)] = to_.own("column_" + name_of(of), type_of(of), of_.panel.items); }

    void compute(int phase) {
        const std::optional<int> body = body_of_phase(phase);
        bool stores = false;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) stores = stores || is_stored(i, phase);
        if (reduces(phase))
            part_ = to_.variable("part" + set(phase).suffix, types::accumulators(phase), to_.identity(phase));
        if (reduces(phase) || stores || body) {
            each_step([&](const step& each, value_id result, int) {
                if (each.code != operation::reduce && is_kept(result) && phase_of(result) == phase) keep(result);
            });
            needed_ = needed_in(phase, program_, of_, phases_);
            each_item([&](value u, value number) {
                take(phase, body, number, [&](value_id of) { return in_register(of, u); });
            });
        }
        if (is_underway_) to_.wait_copies(0);
        is_underway_ = false;
        if (reduces(phase) || stores || body)
            each_slot(written_out(phase), [&](value slot, value number) {
                take(phase, body, number, [&](value_id of) { return in_slot(of, slot); });
            });
    }

    /// Turns of a phase's loop that stand one after the other: loads of several are then on their way at once.
    [[nodiscard]] int written_out(int phase) const {
        int steps = 0;
        each_step([&](const step&, value_id result, int) { steps += !of_row(result) && phase_of(result) == phase; });
        return steps <= 8 ? 8 : steps <= 32 ? 4 : 1;
    }

    /// All of a phase for an element. What shares a slot with what this makes is read before.
    template <class Kept>
    void take(int phase, std::optional<int> body, value number, Kept kept) {
        value_threads::place place;
        const auto here = [&]() -> value_threads::place& {
            if (place.positions.empty()) place = threads_.place_of(number);
            return place;
        };
        std::vector<value> at_hand(phases_.phase.size());
        for (value_id each = 0; at(each) < at_hand.size(); ++each) {
            if (!needed_[at(each)] || of_row(each) || program_.is_constant(each)) continue;
            const bool is_made_here = is_step(each) && phase_of(each) == phase;
            if (is_made_here) continue;
            if (is_kept(each)) at_hand[at(each)] = to_.let("v_" + name_of(each), type_of(each), kept(each));
            else if (const operand* const from = input(each)) {
                const auto i = static_cast<std::size_t>(from - of_.inputs.data());
                at_hand[at(each)] = to_.let("v_" + name_of(each), type_of(each), read(i, here()));
            }
        }
        element_places places;
        places.held = [&](value_id of) { return at_hand[at(of)]; };
        places.keep = [&](value_id of) { return is_kept(of) ? kept(of) : value(); };
        places.append = [&](value one) { to_.assign(part_, to_.append(part_, one)); };
        places.store = [&](std::size_t output, value element) {
            const value i = threads_.number(here());
            to_.when(threads_.is_there, [&] { to_.assign(operands_.output(output, i), element); });
        };
        take_element(phase, body, number, places);
    }

    // --- What the reductions come to ---

    /// Of a phase: where a block's threads, and where a cluster's blocks leave what they have.
    struct exchange {
        nest::id of_threads = nest::none;
        nest::id full = nest::none;  // an mbarrier; none: a barrier of the cluster, and accumulators as they are
        std::vector<nest::id> of_blocks = {};  // of each reduction of the phase; without an mbarrier of all
    };

    exchange exchange_of(int phase) {
        const std::string& suffix = set(phase).suffix;
        exchange out{threads_.shared("shared" + suffix, phase)};
        if (blocks() == 1) return out;
        const auto& members = set(phase).members;
        const bool sends = std::all_of(members.begin(), members.end(), [](const reduction_set::member& each) {
            const int bytes = bytes_of(each.of.accumulated);
            return !each.of.appends_apart() && (bytes == 4 || bytes == 8);
        });
        const int places = blocks() * columns();
        if (!sends) {
            out.of_blocks.push_back(to_.shared("of_blocks" + suffix, types::accumulators(phase), places));
            return out;
        }
        out.full = to_.shared("full" + suffix, types::mbarrier, 1);
        for (const reduction_set::member& each : members)
            out.of_blocks.push_back(to_.shared("of_blocks" + suffix + "_" + std::to_string(each.number),
                                               types::element(each.of.accumulated), places));
        return out;
    }

    /// Once for each phase, whose mbarrier has one only.
    void begin_exchanges() {
        bool has_some = false;
        for (const exchange& each : exchanges_) has_some = has_some || each.full != nest::none;
        if (!has_some) return;
        to_.when(threads_.thread == 0, [&] {
            for (int phase = 0; phase < set_count(); ++phase) {
                const exchange& each = exchanges_[at(phase)];
                if (each.full == nest::none) continue;
                int bytes = 0;
                for (const reduction_set::member& of : set(phase).members)
                    bytes += blocks() * columns() * bytes_of(of.of.accumulated);
                to_.init_mbarrier(to_.at(each.full, 0), 1);
                to_.arrive(to_.at(each.full, 0), bytes);
            }
        });
    }

    /// For every thread of the column.
    void finish(int phase) {
        const exchange& with = exchanges_[at(phase)];
        const value column = threads_.thread % columns();
        threads_.combine(part_, with.of_threads);
        if (blocks() > 1) exchange_splits(phase, with, column);
        if (with.of_threads != nest::none) to_.assign(part_, to_.at(with.of_threads, column));
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            row_value(result) =
                to_.let(name_of(result), to_.finish(to_.member(part_, number), number, threads_.reduced));
        });
        compute_row(phase + 1);
    }

    /// As the last block of a split reduction does: each of a column's threads takes some of the splits, in their order.
    void exchange_splits(int phase, const exchange& with, value column) {
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
            const value mine = to_.variable("of_split" + set(phase).suffix, types::accumulators(phase),
                                            to_.at(with.of_threads, column));
            if (with.full == nest::none) {
                to_.assign(to_.remote(with.of_blocks[0], from, block), mine);
                return;
            }
            for (std::size_t i = 0; i < with.of_blocks.size(); ++i)
                to_.store_async(to_.remote(with.of_blocks[i], from, block),
                                to_.member(mine, set(phase).members[i].number), to_.remote(with.full, 0, block));
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
                    to_.assign(to_.member(other, set(phase).members[i].number), to_.at(with.of_blocks[i], place));
            to_.assign(part_, to_.combine(part_, other));
        });
        threads_.combine(part_, with.of_threads);
    }

    /// What is stored once for each column.
    void store_row() {
        std::vector<std::size_t> stored;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (!of_.stores_elements(i)) stored.push_back(i);
        if (stored.empty()) return;
        value stores = threads_.lane == 0 && threads_.is_there;
        if (blocks() > 1) stores = stores && threads_.split == 0;
        to_.when(stores, [&] {
            for (const std::size_t i : stored)
                to_.assign(operands_.output(i, threads_.which), row_value(of_.outputs[i].value));
        });
    }

    value_threads threads_;
    const kept_elements kept_;
    std::vector<nest::id> in_registers_;  // by value: memory of the thread's elements
    std::vector<nest::id> slots_;
    std::vector<exchange> exchanges_;  // by phase
    std::vector<bool> needed_;         // of values: in the phase
    value first_;                      // the number of the thread's first element
    value slot_count_;
    value part_;                // accumulators of the phase
    bool is_underway_ = false;  // copies to slots
};

}  // namespace

nest::tree persistent_columns_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, of.threads_per_block, of.wide_index);
    nest::operands operands(to, program, of);
    persistent_columns_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
