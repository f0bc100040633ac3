#include <plan/reduction_mapping.hpp>

#include <plan/column_panels.hpp>
#include <plan/compile_weight.hpp>
#include <plan/contraction.hpp>
#include <plan/free_rows.hpp>
#include <plan/interleaved.hpp>
#include <plan/neighbour_rows.hpp>
#include <plan/operands.hpp>
#include <plan/policy/neighbour_lanes.hpp>
#include <plan/row_slots.hpp>
#include <plan/shared_rows.hpp>
#include <plan/tensor_contraction.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

namespace kiln::plan {

namespace {

class mapping {
public:
    mapping(const lower::program& program, const call_class& call, const iteration_class& iteration, const target& on)
        : program_(program), call_(call), iteration_(iteration), on_(on) {}

    /// Neighbours that a thread takes move in vectors where they are neighbours in memory: of a row its next elements, of
    /// columns the next ones.
    void choose(kernel& into) const {
        choose_threads(into);
        choose_turns(into);
    }

private:
    void choose_threads(kernel& into) const {
        const reduction_class& division = iteration_.division;
        into.mapping = thread_mapping::reduction;
        into.rank = iteration_.rank;
        into.alignment = call_.alignment();
        into.threads_per_output = division.threads_per_output;
        into.threads_per_block = division.threads_per_output * division.outputs_per_block;
        into.vector_width = division.vector_width;
        into.items_per_thread = division.items_per_thread;
        into.loads_in_flight = division.loads_in_flight;
        into.splits = division.splits;
        into.ends_in_partial_sums = on_.reduces && division.ends_in_partial_sums &&
                                    std::all_of(into.reduced.begin(), into.reduced.end(), needs_no_finish);
        into.elements_per_thread = division.vector_width;
        if (into.nested_extent > 0) {
            map_nested(into);
            return;
        }
        if (into.crossed) {
            map_crossed(into);
            return;
        }
        if (choose_tensor_contraction(into, program_, iteration_, on_)) return;
        if (iteration_.of_values) {
            // Asked of its graph before (row_limits.cpp).
            if (!choose_contraction(into, program_, iteration_, on_))
                throw std::logic_error("kiln: values that no tiles are made of");
            return;
        }
        if (into.persistent_rows && division.vector_width == 1) return choose_panel(into);
        if (choose_contraction(into, program_, iteration_, on_)) return;
        choose_shared_rows(into, iteration_);
        if (choose_interleaved(into, program_, iteration_, call_.alignment())) return;
        const bool inner_goes = into.reduced_axes >> (iteration_.rank - 1) & 1;
        if (choose_free_rows(into, program_, iteration_, call_.alignment(), on_)) return;
        if (choose_skewed_rows(into)) return;
        // A single row may end between vectors.
        if (into.persistent_rows && iteration_.rank == 1) return;
        if (inner_goes != (division.vector_width > 1) ||
            (into.gathers() && !into.persistent_rows && !gathers_of_columns(into)) ||
            iteration_.row_multiple % reduction_sizes::widest != 0)
            return;
        int widest = 0;
        for (const operand& each : into.inputs) {
            if (each.gathered && !into.persistent_rows) continue;  // element by element
            if (each.how == access::strided) return;
            if (!each.is_position && each.how != access::uniform) widest = std::max(widest, bytes_of(each.type));
        }
        if (into.gathers() && !into.persistent_rows) widest = std::max(widest, widest_of(into.outputs));
        // Positions alone are worth it to random numbers, of which neighbours share a block.
        if (widest == 0 && into.persistent_rows && !into.inputs.empty()) widest = on_.vector_bytes;
        if (widest == 0 || call_.alignment() < std::min(widest * reduction_sizes::widest, on_.vector_bytes)) return;
        // A state takes as long to add to as its element to load: of so few columns each has a thread of its own.
        if (division.few_columns > 0 && keeps_state(into)) return;
        into.vectorised = true;
        into.elements_per_thread = reduction_sizes::widest;
        if (division.few_columns > 0) map_few_columns(into);
        // Of columns of a byte or two, whose parts are long, twice as many are on their way: sums of (16384, 8192) bytes over their first axis take an
        // H200 47 us so, and 58.
        constexpr int narrow = 2;
        constexpr int most_in_flight = 4;
        if (!inner_goes && division.splits && widest <= narrow && division.few_columns == 0 &&
            into.loads_in_flight == most_in_flight)
            into.loads_in_flight *= 2;
    }

    static bool keeps_state(const kernel& of) {
        return std::any_of(of.reduced.begin(), of.reduced.end(),
                           [](const reduced_output& each) { return each.keeps_state(); });
    }

    /// Whether what is looked up is the same for neighbouring columns, so that a thread looks it up once for all of its own (a bag of
    /// embeddings): 65537 bags of 7 rows of 128 float16 take an H100 25 us, for 97 where threads have a column each.
    [[nodiscard]] bool gathers_of_columns(const kernel& of) const {
        if (of.reduced_axes >> (iteration_.rank - 1) & 1) return false;
        return std::all_of(of.inputs.begin(), of.inputs.end(), [](const operand& each) {
            return each.gathered || (!each.is_position && each.how == access::uniform);
        });
    }

    /// Whether a thread has the work of several: of many rows of narrow elements that come to several values, or of bytes. Mean, largest and
    /// least of (16384, 4096) float16 take an H100 59 us so for 69, sums of (32768, 4096) bytes 66 for 73. Elements are fewer on their way
    /// at once: of one value of float16 53 for 49, and of 1024 elements each 60 for 46.
    void choose_turns(kernel& into) const {
        constexpr int threads = 256;  // of the order
        const reduction_class& division = iteration_.division;
        const bool are_rows = into.mapping == thread_mapping::reduction &&
                              into.vector_width == reduction_sizes::widest && into.nested_extent == 0 &&
                              into.row_extent == 0;
        const bool are_others = into.persistent_rows || into.free_rows || into.values_in_lanes ||
                                into.rows_per_thread > 1 || takes_neighbours(into);
        if (!are_rows || are_others || !into.vectorised || !division.many_values || division.splits ||
            into.threads_per_output != threads)
            return;
        int bytes = 0;  // of a thread's accumulators
        for (std::size_t i = 0; i < into.reduced.size(); ++i) {
            if (into.stores_elements(i) || into.reduced[i].keeps_state()) return;
            bytes += accumulator_bytes(into.reduced[i]) * into.vector_width * row_turns;
        }
        const int widest = widest_of(into.inputs);
        if (widest == 0 || widest > 2 || (widest == 2 && into.reduced.size() == 1)) return;
        into.turns = row_turns;
        if (!into.skewed) return;
        constexpr int most_shared = 16 * 1024;  // bytes, of all accumulators of a block
        while (into.threads_per_block > into.threads_of_row() && bytes * into.threads_per_block > most_shared)
            into.threads_per_block /= 2;
    }

    /// Long rows that begin anywhere. Where a second array begins elsewhere than the first, it moves element by element: 10000 rows of 20003
    /// times a vector of as many take an H200 201 us so, 227 where both do; but of 40000 of 5003, whose threads have few rounds, 248 and 224.
    bool choose_skewed_rows(kernel& into) const {
        // Of a row. Of 1024, registers leave room for one block in place of two: the largest of (257, 65537) 33 us on an H100 for 29.
        constexpr int least_threads = 256, block_threads = 512;
        constexpr int least_in_flight = 4;      // rounds of each: accumulators change hands once
        constexpr int most_shared = 16 * 1024;  // bytes, of all accumulators of a block
        const int width = reduction_sizes::widest;
        const reduction_class& division = iteration_.division;
        const bool are_long = division.vector_width == width && division.threads_per_output >= least_threads &&
                              division.threads_per_output <= block_threads &&
                              division.loads_in_flight >= least_in_flight;
        const bool are_of_elements = !into.persistent_rows && into.rows_per_thread == 1 && !into.values_in_lanes;
        if (into.reduced_axes != 1 << (iteration_.rank - 1) || !are_long || !are_of_elements || into.gathers())
            return false;
        int arrays = 0;
        for (const operand& each : into.inputs) {
            if (each.how == access::uniform) continue;
            if (each.is_position || each.is_partial || each.how == access::strided) return false;
            ++arrays;
        }
        if (arrays > 1 && !division.long_parts) return false;
        const std::size_t skewed = into.skewed_input();
        const int bytes = skewed < into.inputs.size() ? bytes_of(into.inputs[skewed].type) : 0;
        const int needed = std::min(bytes * width, on_.vector_bytes);
        if (bytes == 0 || (iteration_.row_multiple % width == 0 && call_.alignment() >= needed)) return false;
        int of_thread = 0;
        for (std::size_t i = 0; i < into.reduced.size(); ++i) {
            if (into.stores_elements(i)) return false;
            of_thread += accumulator_bytes(into.reduced[i]);
        }
        if (of_thread * width * into.threads_per_block > most_shared) return false;
        into.skewed = true;
        into.vectorised = true;
        into.elements_per_thread = width;
        return true;
    }

    /// Blocks of those threads alone that have columns, as each has several: of the others each would do once more what another does. As
    /// many bytes are on their way as of all of a block's threads, in more loads of each.
    void map_few_columns(kernel& into) const {
        constexpr int most_bytes = 256;  // of a thread's loads of one operand
        const reduction_class& division = iteration_.division;
        const int most_in_flight =
            division.outputs_per_block < warp ? 8 : 16;  // of rows that are shorter, blocks are more
        const int bytes = std::max(1, widest_of(into.inputs)) * reduction_sizes::widest;
        into.threads_per_block = division.threads_per_output * division.few_columns;
        if (division.loads_in_flight < 4) return;
        const int wanted = division.loads_in_flight * (division.outputs_per_block / division.few_columns);
        const int most = std::clamp(most_bytes / bytes, division.loads_in_flight, most_in_flight);
        into.loads_in_flight = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::min(wanted, most))));
    }

    /// An output of elements; or a sum whose parts are of its own type, so that nothing but adding is left to be done.
    static bool needs_no_finish(const reduced_output& of) {
        if (of.what == detail::reduction_kind::none) return !of.of_row;
        const bool adds = of.what == detail::reduction_kind::sum || of.what == detail::reduction_kind::dot;
        return adds && of.accumulated == of.result;
    }

    /// What all threads read at the same time serves two outer rows of each. The rows that are reduced first move in vectors
    /// where they are whole ones.
    void map_nested(kernel& into) const {
        into.rows_per_thread = 2;
        int widest = 0;
        for (const operand& each : into.inputs)
            if (!each.is_position && (each.how == access::contiguous || each.how == access::row))
                widest = std::max(widest, bytes_of(each.type));
        into.vectorised = widest > 0 && iteration_.row_multiple % reduction_sizes::widest == 0 &&
                          call_.alignment() >= std::min(widest * reduction_sizes::widest, on_.vector_bytes);
    }

    /// Each thread has neighbouring columns, wherever they are.
    void map_crossed(kernel& into) const {
        int widest = widest_of(into.outputs);
        for (const operand& each : into.inputs)
            if (!each.is_position && (each.how == access::contiguous || each.how == access::row))
                widest = std::max(widest, bytes_of(each.type));
        into.elements_per_thread = reduction_sizes::widest;
        into.vectorised = iteration_.row_multiple % reduction_sizes::widest == 0 &&
                          call_.alignment() >= std::min(widest * reduction_sizes::widest, on_.vector_bytes);
        if (iteration_.division.few_columns > 0) map_few_columns(into);
    }

    /// Whether neighbouring columns are neighbours in memory, of all that is read and stored: what the widest of it has in bytes; 0: they
    /// are not.
    int bytes_of_neighbours(const kernel& of) const {
        if (!on_.async_copies || of.gathers() || iteration_.row_multiple % reduction_sizes::widest != 0 ||
            iteration_.division.outputs_per_block % reduction_sizes::widest != 0)
            return 0;
        int widest = widest_of(of.outputs);
        for (const operand& each : of.inputs) {
            if (each.how == access::strided && !is_read_in_place(each, of.rank)) return 0;
            if (!each.is_position && each.how != access::uniform) widest = std::max(widest, bytes_of(each.type));
        }
        return call_.alignment() >= std::min(widest * reduction_sizes::widest, on_.vector_bytes) ? widest : 0;
    }

    /// Whether a thread can have neighbouring columns of all that is kept, and the threads of a column are of one warp.
    bool columns_move_in_vectors(const kernel& of) const {
        const reduction_class& division = iteration_.division;
        const int threads = division.threads_per_output;
        return division.cluster <= 1 && threads <= warp && threads * division.outputs_per_block % warp == 0 &&
               bytes_of_neighbours(of) > 0;
    }

    /// Whether rows of a panel move in vectors where its threads have one column each: of columns that are split over a cluster. Rows of
    /// doubles take longer so: z-scores of (4096, 8192) 253 us on an H100 for 216.
    bool rows_move_in_vectors(const kernel& of) const {
        constexpr int widest = 4;
        const int bytes = bytes_of_neighbours(of);
        return iteration_.division.cluster > 1 && bytes > 0 && bytes <= widest;
    }

    /// Neighbouring columns that two panels have, so that each stores whole sectors of rows that begin between them. What several panels
    /// write of a sector at different times, the second cache does not put together: x - mean(x, axis(0)) of (8192, 4099) floats takes an
    /// H100 177 us so, with an overlap 117 (a copy 92).
    int overlap_of_panels(const kernel& of) const {
        // In place, a panel would store what the next has not read.
        if (of.aliased || iteration_.division.outputs_per_block < warp) return 0;
        constexpr int least_bytes = 4;  // of narrower elements too many would be made twice
        int out = 0;
        for (std::size_t i = 0; i < of.outputs.size(); ++i) {
            const int bytes = bytes_of(of.outputs[i].type);
            const bool is_stored = of.stores_elements(i) && of.outputs[i].how == access::contiguous;
            if (is_stored && bytes >= least_bytes && iteration_.row_multiple * bytes % sector_bytes != 0)
                out = std::max(out, sector_bytes / bytes);
        }
        // Of doubles functions take longer than stores: softmax of (4099, 4099) 182 us so, 160 without.
        constexpr int of_wide_elements = sector_bytes / 8;
        return out <= of_wide_elements && calls_functions() ? 0 : out;
    }

    /// Whether a step of elements is one of those.
    template <class Is>
    [[nodiscard]] bool any_of_elements(Is is) const {
        const row_phases phases = phases_of(program_);
        for (std::size_t i = 0; i < program_.steps.size(); ++i) {
            const lower::step& each = program_.steps[i];
            const auto value = static_cast<std::size_t>(program_.step_value(static_cast<int>(i)));
            if (each.code != operation::reduce && !phases.of_row[value] && is(each)) return true;
        }
        return false;
    }

    [[nodiscard]] bool calls_functions() const {
        return any_of_elements([](const lower::step& each) { return is_function(each.code); });
    }

    /// Or quotients and roots, which take as long.
    [[nodiscard]] bool computes_functions() const {
        constexpr int of_quotient = 7;  // the lightest one's
        return any_of_elements(
            [](const lower::step& each) { return is_function(each.code) || compile_weight(each) >= of_quotient; });
    }

    /// Of columns so tall that blocks of a cluster share their threads rather: one block at once has nothing to do while it waits.
    [[nodiscard]] bool is_alone_and_tall(const panel_plan& of) const {
        return of.at_once == 1 && iteration_.division.items_per_thread > tall_panel_items;
    }

    /// Of panels that share columns; none where those of a block are so few that it takes longer.
    [[nodiscard]] std::optional<panel_plan> overlapping_panel(const kernel& of,
                                                              const std::vector<bool>& read_in_place) const {
        constexpr int most_blocks = 4;
        const int few = iteration_.division.outputs_per_block;
        const bool is_wide = widest_of(of.outputs) >= 8;
        if (is_wide && computes_functions()) return overlapping_panel_of_quotients(read_in_place);
        std::optional<panel_plan> out;
        // Of 8 bytes more columns have no room in registers. Where a block has not room for so many, blocks of a cluster have, each of some of
        // their threads: z-scores of (641, 65537) floats take an H100 138 us so, 195 without, of (1021, 65537) 241 and 298.
        for (int blocks = 1; !is_wide && blocks <= most_blocks; blocks *= 2) {
            const auto made = roomy_panel_of(program_, read_in_place, iteration_.division, on_,
                                             {.times_columns = 2, .blocks_of_split = blocks});
            if (!out || (made && made->columns > few)) out = made;
            if (out && out->columns > few) return out;
        }
        if (!out) out = any_panel_of(program_, read_in_place, iteration_.division, on_);
        // A quarter of so few threads' work is done twice: softmax of (64, 1021, 1023) over 1 takes an H200 287 us so, 255 without; where
        // they are as many as there are registers for, of (8192, 4099) 124 and 149.
        const bool are_few = out && out->columns <= few && out->panel.splits_of_block == 1;
        if (are_few && computes_functions()) return {};
        return out;
    }

    /// Of doubles, an eighth of whose columns are shared: by blocks that share threads, too, or where it is asked of no element whether it is there.
    /// z-scores of (1024, 16411) take an H100 107 us so, 125 without, of (521, 33001) 109 and 123, of (4096, 4099) 123 and 160.
    [[nodiscard]] std::optional<panel_plan> overlapping_panel_of_quotients(
        const std::vector<bool>& read_in_place) const {
        constexpr int blocks_of_split = 2;
        const reduction_class& division = iteration_.division;
        if (division.items_per_thread > tall_panel_items) return {};
        const auto made = [&](const panel_wish& how) { return panel_of(program_, read_in_place, division, on_, how); };
        auto out = made({.few_registers = !division.whole_items, .blocks_of_split = blocks_of_split});
        if (out && out->columns >= division.outputs_per_block) return out;
        out = made({});
        if (out && division.whole_items && out->panel.splits_of_block > 1) return out;
        return {};
    }

    /// That there is room for one, row_limits.cpp has seen before these reductions became one kernel.
    panel_plan panel_for(const kernel& of) const {
        const std::vector<bool> read_in_place = arrays_read_in_place(program_, of);
        const auto made = [&](const panel_wish& how) {
            return panel_of(program_, read_in_place, iteration_.division, on_, how);
        };
        if (const int overlap = overlap_of_panels(of))
            if (auto out = overlapping_panel(of, read_in_place)) {
                out->panel.overlap = overlap;
                return *out;
            }
        if (columns_move_in_vectors(of))
            if (const auto out = made({.width = reduction_sizes::widest}); out && !is_alone_and_tall(*out)) return *out;
        // Where it is asked of each element whether it is there, more threads pay: columns of (4099, 4096) doubles less their mean, over their
        // standard deviation, take an H100 122 us so, 134 of fewer.
        if (!iteration_.division.whole_items && widest_of(of.inputs) == 8)
            if (const auto out = made({.few_registers = true})) return *out;
        if (const auto out = any_panel_of(program_, read_in_place, iteration_.division, on_)) return *out;
        throw std::logic_error("kiln: columns that do not fit on chip");
    }

    void choose_panel(kernel& into) const {
        panel_plan made = panel_for(into);
        into.vectorised = made.panel.width > 1;
        if (made.panel.splits_of_block == 1 && made.panel.blocks_of_split == 1 && made.panel.overlap == 0 &&
            rows_move_in_vectors(into)) {
            into.vectorised = true;
            made.panel.moved = reduction_sizes::widest;
        }
        into.panel = made.panel;
        into.elements_per_thread = made.panel.width;
        into.threads_per_block = made.columns * into.threads_of_panel_column();
        into.dynamic_shared_bytes = made.dynamic_shared_bytes;
    }

    const lower::program& program_;
    const call_class& call_;
    const iteration_class& iteration_;
    const target& on_;
};

}  // namespace

void map_reduction(kernel& into, const lower::program& program, const call_class& call,
                   const iteration_class& iteration, const target& on) {
    mapping(program, call, iteration, on).choose(into);
    if (!into.persistent_rows || into.vector_width == 1) return;
    choose_slots(into, program, on);
    choose_neighbour_lanes(into, program, on);
}

}  // namespace kiln::plan
