// kiln/plan/policy/persistent_rows: rows stay on chip: each thread holds its elements of a row, from the first reduction over it to what is
// stored, so that a row is read once and written once. Which value is computed in which phase is said in plan/row_phases.hpp, what lies in
// registers and what in slots of shared memory in plan/row_slots.hpp; who adds up what, in which order, is as for reductions alone.
// in: a planned kernel whose rows stay on chip   out: a nest
#pragma once

#include <plan/narrow_elements.hpp>
#include <plan/neighbour_rows.hpp>
#include <plan/policy/neighbour_lanes.hpp>
#include <plan/policy/phased_rows.hpp>
#include <plan/policy/reduction.hpp>
#include <plan/policy/skewed_rows.hpp>
#include <plan/row_slots.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln::plan {

class persistent_rows_policy : phased_rows {
public:
    persistent_rows_policy(const lower::program& program, const kernel& of, nest::builder& to,
                           nest::operands& operands);

    void run();

private:
    using value = nest::value;
    using value_id = lower::value_id;

    static constexpr int most_tile_bytes = 40 * 1024;  // of a block's 48 K, beside what its threads combine in

    /// Sets of reductions, one for each phase; those of scans come after them.
    [[nodiscard]] int set_count() const { return set_count_; }
    [[nodiscard]] const std::string& suffix(int set) { return to_.made().sets[static_cast<std::size_t>(set)].suffix; }

    // --- A thread's elements of its row ---

    [[nodiscard]] int width() const { return of_.vector_width; }
    [[nodiscard]] value kept(value_id of, value u, value k) {
        const value place = to_.at(kept_[at(of)], u * width() + k);
        return is_scan(of) ? to_.member(place, scan_number(of)) : place;
    }
    void keep(value_id of);
    /// Of a narrow element that an earlier phase left: as if it was read once more. A compiler that knew what was computed of it then would
    /// keep that, in twice as many registers. Softmax of 16-bit floats takes an H100 93 us of rows of 1000 for 101, and of rows of 16384, of
    /// which it is told how many registers there are, 118 for 113.
    [[nodiscard]] bool is_converted_anew(value_id of, int phase) const {
        const bool pays = makes_again(phases_) || of_.resident == 0;
        return pays && is_narrow(program_.type_of(of)) && phase_of(of) < phase && !is_scan(of);
    }
    [[nodiscard]] value anew(value_id of, value u, value k) { return to_.piece("anew", type_of(of), {kept(of, u, k)}); }
    [[nodiscard]] int round() const { return of_.threads_per_output * width(); }
    /// Of an item's elements, one for each of the vector's places.
    [[nodiscard]] value first_of(value u) {
        if (of_.has_neighbour_lanes) return first_neighbour_ + u * round();
        return (threads_.lane + u * of_.threads_per_output) * width();
    }
    [[nodiscard]] value behind_first(value k) { return of_.has_neighbour_lanes ? k * warp : k; }

    /// A part of a thread's items: those in registers are written out, those in slots are as many turns of a loop.
    struct items {
        bool in_slots = false;
        int begin = 0;
        int end = 0;
    };
    [[nodiscard]] items in_registers() const { return {false, 0, of_.items_in_registers}; }
    [[nodiscard]] items in_slots() const { return {true, of_.items_in_registers, of_.items_per_thread}; }
    /// Whether most of a thread's registers are of its elements (row_slots.hpp).
    [[nodiscard]] bool are_longest() const { return of_.items_per_thread > 20; }
    [[nodiscard]] bool has_registers() const { return of_.items_in_registers > 0; }
    [[nodiscard]] bool has_slots() const { return of_.items_in_registers < of_.items_per_thread; }
    template <class Each>
    void each_item(items of, Each each) {
        if (of.in_slots) to_.loop(nest::runner::serial, "u", of.begin, of.end, 1, each, slots_written_out());
        else to_.unrolled("u", of.end, each);
    }
    /// Whole vectors. The threads of a row are in step: none leaves early.
    template <class Each>
    void each_vector(items of, Each each) {
        each_item(of, [&](value u) {
            const value first = to_.let("first", nest::types::number, first_of(u));
            when_in_row(of, u, first, [&] { each(u, first); });
        });
    }
    template <class Each>
    void each_element(items of, Each each) {
        each_item(of, [&](value u) {
            const value vector = to_.let("vector", nest::types::number, first_of(u));
            each_element_of(of, u, vector, [&](value k, value first) { each(u, k, first); });
        });
    }
    /// Of one item.
    template <class Each>
    void each_element_of(items of, value u, value vector, Each each) {
        to_.unrolled("k", width(), [&](value k) {
            const value first = to_.let("first", nest::types::number, vector + behind_first(k));
            when_in_row(of, u, first, [&] { each(k, first); });
        });
    }
    /// Items that no row of the kernel's class ends before are not asked: a question for each keeps a compiler from computing several at
    /// once. Cross-entropy of (4096, 32000) floats takes an H200 140 us so, 146 with it.
    template <class Each>
    void when_in_row(items of, value u, value first, Each each) {
        const int whole = whole_items();
        if (of.end <= whole) each();
        else to_.when(whole > of.begin ? u < whole || first < threads_.end : first < threads_.end, each);
    }

    /// Without a question in between a compiler computes all of a row at once, which takes registers: of threads that have long parts of
    /// short rows (RMS norm of rows of 13 floats 156 us for 135 on an H100), and of whole vectors of doubles (of 1000, 50 us for 48 on an
    /// H200), fewer items than there are go without.
    [[nodiscard]] int whole_items() const {
        const int whole = whole_items_of_row(of_.items_per_thread);
        const auto is_wide = [](const operand& each) { return each.type == element_type::float64; };
        const bool are_wide = of_.vectorised && std::any_of(of_.inputs.begin(), of_.inputs.end(), is_wide);
        return moves_by_warps() || are_wide ? static_cast<int>(std::bit_floor(static_cast<unsigned>(whole))) : whole;
    }

    /// What a phase does with its elements, in registers and in slots.
    struct work {
        int phase = 0;
        bool in_slots = false;
        std::optional<int> body;
        std::vector<std::size_t> stored;  // outputs
        std::vector<bool> needed;         // values that come from memory, or from earlier phases
        bool tests = false;               // the body has roots and quotients with fast paths
    };
    /// Values of the item at hand, where they are not in memory of the thread's own: by value, one or a vector of them.
    using at_hand = std::vector<value>;
    [[nodiscard]] at_hand none_at_hand() const { return at_hand(phases_.phase.size()); }

    /// What a phase is the first to read of a row: an input's elements, or those of one that a gather reads.
    struct source {
        value_id kept = -1;
        std::size_t input = 0;
        const lower::step* gather = nullptr;
    };
    [[nodiscard]] std::vector<source> first_read_in(int phase) const;
    [[nodiscard]] value address(const source& of, value_threads::place& at);
    void load(int phase);
    /// Loads what a phase is the first to read, into registers and slots; whether copies to slots are underway.
    bool begin_reads(int phase);
    /// Of what is one for each row.
    void load_of_row(const std::vector<bool>& needed);
    void load_of_rows();
    void compute(int phase);
    void take(const work& of, items which);
    /// Whether a phase reads an input as it comes to an element: one that it needs, and that nobody holds.
    [[nodiscard]] bool is_read_at(const work& of, items which, const operand& each) const;
    void take_vectors(const work& of, items which);
    void take_elements(const work& of, items which);
    /// Whether a phase's body has them, and its results are only stored: it may be computed twice.
    [[nodiscard]] bool tests_quotients(int phase, const std::optional<int>& body);
    /// Takes an item's elements by fast paths, without a branch between them; all once more where a result was not right. `take` is given
    /// where it is said, or nothing.
    void take_tested(const work& of, const std::function<void(value is_right)>& take);
    /// `vectors`: of the item, by value: what of it was read in whole vectors. `is_right`: as in take_tested().
    void take_element_at(const work& of, items which, value u, value k, value first, const at_hand& vectors,
                         value is_right, const std::function<void(std::size_t, value, value_threads::place&)>& store);
    /// What is stored of an item, by output, made in registers: room for all of its elements.
    [[nodiscard]] std::vector<nest::id> make_item(const work& of, items which, value u, value vector,
                                                  const at_hand& vectors);
    [[nodiscard]] bool turns_stores(const work& of) const;
    void store_turned(const work& of, items which);
    void one_element(const work& of, value u, value k, value number, const at_hand& read, const at_hand& made,
                     value is_right, const std::function<void(std::size_t output, value element)>& store);
    value position_of_lane(const operand& of, value first, value k);
    void finish(int phase, nest::id shared);
    void store_row();

    // --- Narrow elements of rows that begin anywhere: persistent_skewed_rows.cpp ---

    [[nodiscard]] skewed_row skewed(const operand& each, nest::id memory, const std::string& name, value begin);
    void load_skewed(const std::vector<source>& sources);
    /// What a phase reads in place of operands that are skewed: their rows, and, of an item, by value, its elements.
    [[nodiscard]] std::map<value_id, skewed_row> skewed_in_place(const work& of, items which);
    [[nodiscard]] at_hand read_skewed(std::map<value_id, skewed_row>& rows, value u, value vector);
    [[nodiscard]] bool stores_skewed(const work& of) const;
    void store_skewed(const work& of, items which);
    void when_warp_is_in_row(value u, const std::function<void()>& then);

    // --- Lanes that take neighbours, and slots that threads share: persistent_neighbours.cpp ---

    void find_neighbours();
    [[nodiscard]] value_threads::place place_of(value u, value k, value first);
    void store_neighbours(const work& of, items which);
    /// Starts copies of whole rows to slots, which all threads wait for.
    void copy_rows(const std::vector<std::size_t>& inputs);
    void copy_row(std::size_t input, value row);

    // --- Rows of which a warp has several: persistent_short_rows.cpp ---

    /// Whether the warp's lanes move its rows together.
    [[nodiscard]] bool moves_by_warps() const;
    [[nodiscard]] bool is_moved(const operand& input) const;
    [[nodiscard]] std::vector<element_type> moved_types() const;
    [[nodiscard]] int rows_of_warp() const { return warp / of_.threads_per_output; }
    /// Elements that a row has room for; in a tile one more, or rows of lanes side by side were in one bank.
    [[nodiscard]] int row_room() const { return of_.items_in_registers * width() * of_.threads_per_output; }
    [[nodiscard]] int tile_elements() const { return rows_of_warp() * (row_room() + 1); }  // of a warp
    [[nodiscard]] int tile_bytes() const;
    void make_tiles();
    template <class Each>
    void each_moved(Each each);
    [[nodiscard]] value in_tile(element_type type, value first);
    void load_rows(const source& of);
    void store_rows(const work& of, items which);

    // --- Narrow elements of rows that are a block's together: persistent_block_rows.cpp ---

    [[nodiscard]] bool moves_by_blocks() const;
    [[nodiscard]] bool is_of_block(const operand& input) const;
    [[nodiscard]] std::optional<element_type> type_of_blocks() const;
    [[nodiscard]] int block_tile_count() const;
    [[nodiscard]] int inputs_of_blocks() const;
    /// Elements that a block's rows have room for.
    [[nodiscard]] int block_elements() const { return threads_.outputs_per_block() * row_room(); }
    void make_block_tiles();
    template <class Each>
    void each_block_vector(Each each);
    value first_in_block();
    value in_block(value u, value k);
    void load_blocks(const std::vector<source>& sources);
    void store_blocks(const work& of, items which);

    // --- Gathers: persistent_gathers.cpp ---

    /// What is looked up for the thread's row.
    void look_up();
    [[nodiscard]] std::vector<value> lookups_of(const lower::step& gather);

    // --- Scans: persistent_scans.cpp ---

    void set_scans();
    [[nodiscard]] bool scans(int phase) const;
    [[nodiscard]] int scan_set(value_id scan) const { return scan_sets_[at(scan)]; }
    [[nodiscard]] std::size_t scan_number(value_id scan);
    /// Room for its elements, of which there are none so far.
    void begin_scan(value_id scan);
    /// Each element of the row becomes what those up to it come to.
    void scan_row(value_id scan);

    // --- Slots: persistent_slots.cpp ---

    void make_slots();
    /// Turns of a loop over slots that are written one after the other: all, or about sixteen. Of four, 4096 rows of 32000 floats take 155 us
    /// in place of 119 on an H200.
    [[nodiscard]] int slots_written_out() const;
    /// Where an item's first element is in an array of slots, or element k of one that is no vector.
    [[nodiscard]] value slot_of(value u);
    [[nodiscard]] value slot_of(value_id of, value u, value k);
    [[nodiscard]] value slot(value_id of, value place) { return to_.at(slot_memory(of), place); }
    [[nodiscard]] nest::id slot_memory(value_id of) const {
        return slot_arrays_[static_cast<std::size_t>(slots_.array[at(of)])];
    }
    /// Inputs that a phase is the first to need.
    [[nodiscard]] std::vector<std::size_t> copied_in(int phase) const;
    /// Starts copies of these.
    void copy_to_slots(const std::vector<std::size_t>& inputs);
    void copy_vector(std::size_t input, value u, value_threads::place& at);
    [[nodiscard]] work of_slots(const work& of_registers);
    /// Of an element that is in slots: what was left there, and, of vectors, room for what will be.
    void read_slots(const work& of, value u, value k, at_hand& read);
    [[nodiscard]] bool leaves(const work& of, value_id made) const;

    value_threads threads_;
    at_hand of_row_inputs_;
    at_hand looked_up_;            // by value: of what gathers look up, what bodies make
    std::vector<nest::id> kept_;   // by value: memory of the thread's elements
    nest::id parts_ = nest::none;  // accumulators of the phase
    std::map<element_type, nest::id> tiles_;
    std::vector<nest::id> block_tiles_;
    value of_block_, first_of_block_, first_in_block_;  // elements of its rows, where they and the thread's begin
    int set_count_ = 0;
    std::vector<int> scan_sets_;  // by value
    row_slots slots_;
    std::vector<nest::id> slot_arrays_;
    value first_neighbour_, begin_;  // of lanes that take neighbours: their first element in the row, and in memory
    at_hand first_slots_;            // by value, of slots that threads share: the thread's first
};

}  // namespace kiln::plan
