#include <plan/element_mapping.hpp>

#include <plan/aligned_tiles.hpp>
#include <plan/byte_tables.hpp>
#include <plan/host_order.hpp>
#include <plan/interleaved.hpp>
#include <plan/operands.hpp>
#include <plan/row_window.hpp>
#include <plan/rows_in_lanes.hpp>
#include <plan/side_by_side.hpp>
#include <plan/skewed_elements.hpp>
#include <plan/stencil.hpp>
#include <plan/strips.hpp>
#include <plan/window.hpp>

#include <algorithm>
#include <limits>

namespace kiln::plan {

namespace {

constexpr int max_element_bytes = 16;
constexpr int most_unrolled_steps = 128;

class mapping {
public:
    mapping(const lower::program& program, const call_class& call, const iteration_class& iteration, const target& on)
        : program_(program), call_(call), iteration_(iteration), on_(on) {}

    void choose(kernel& into) const {
        if (on_.vector_bytes > 0) {
            into.has_byte_table = gains_from_table(program_, into, frame::cuda);
            choose_threads(into);
            into.has_byte_table = into.has_byte_table && has_enough_for_table(into);
        } else if (!into.crossed && choose_side_by_side(into, program_, iteration_, on_)) {
            return;
        } else if (!into.crossed) {
            into.has_byte_table = on_.persistent_rows && gains_from_table(program_, into, frame::host);
            if (!into.has_byte_table && choose_rows_in_lanes(into, program_, iteration_, on_)) return;
            if (into.reduces() || !choose_tile(into)) choose_short_rows(into);
            into.has_byte_table = into.has_byte_table && !into.short_rows;
        }
    }

private:
    // 16 bytes of the widest type per thread, but at least 4 elements where a narrow type takes part: its warps then
    // still cover whole 32-byte sectors. Misalignment narrows it.
    void choose_threads(kernel& into) const {
        int widest = 1;
        int narrowest = max_element_bytes;
        const auto look = [&](const operand& each) {
            widest = std::max(widest, bytes_of(each.type));
            narrowest = std::min(narrowest, bytes_of(each.type));
        };
        for (const operand& each : into.outputs) look(each);
        for (const operand& each : into.inputs)
            if (!each.is_position) look(each);

        if (choose_window(into, widest, narrowest)) return;
        const bool needs_layout = !all_contiguous(into);
        // A store in several accesses fills sectors by halves; a load finds the other half in the first cache.
        int elements = std::min(std::max(on_.vector_bytes / widest, std::min(4, on_.vector_bytes / narrowest)),
                                on_.vector_bytes / widest_of(into.outputs));
        // The body stands in the kernel once per element: long ones get fewer, or they take long to compile. Of bytes more: eight of
        // each of three pictures are too few on their way (blended, an H200 takes 69 us so, and 66 by sixteen).
        const int steps = into.last_step - into.first_step;
        while (!into.has_byte_table && elements > 4 && steps * elements > most_unrolled_steps * (widest == 1 ? 2 : 1))
            elements /= 2;
        if (moves_in_vectors(into)) {
            if (call_.alignment() < on_.vector_bytes)
                elements = std::min(elements, std::max(1, call_.alignment() / widest));
            if (needs_layout) elements = std::min(elements, iteration_.row_multiple);
            // One element of 16 bytes is a vector too.
            into.vectorised = elements > 1 || (widest == on_.vector_bytes && call_.alignment() >= widest);
            if (into.vectorised) into.elements_per_thread = elements;
            // Where bytes become floats, blocks of half as many threads take 0.5 % less on an H200.
            const int loaded = widest_of(into.inputs);
            if (into.vectorised && !into.has_byte_table && loaded > 0 && 4 * loaded <= widest_of(into.outputs))
                into.threads_per_block = on_.threads_per_block / 2;
        }
        if (!into.vectorised && choose_skewed_elements(into, program_, call_, iteration_, on_))
            return forget_row_groups(into);
        if (into.vectorised) {
            choose_rows(into);
            return forget_row_groups(into);
        }
        // Neighbouring threads on neighbouring elements, several rounds of them: as many bytes on their way as vectors have.
        into.elements_per_thread = std::clamp(on_.vector_bytes / widest, 1, 4);
        if (!needs_layout || choose_tile(into)) return forget_row_groups(into);
        if (!iteration_.long_rows)
            return choose_narrow_lanes(into) ? forget_row_groups(into) : choose_shared_blocks(into);
        if (choose_row_tables(into)) return forget_row_groups(into);
        into.mapping = thread_mapping::rows;
        into.elements_per_thread = iteration_.planes > 0 ? iteration_.planes : 2 * into.elements_per_thread;
        if (choose_stencil(into)) return forget_row_groups(into);
        if (choose_narrow_lanes(into)) return forget_row_groups(into);
        choose_row_groups(into);
    }

    /// Whether an operand's neighbours along a row are the same element, or neighbours again: of a quotient.
    [[nodiscard]] static bool is_repeated(const operand& of) {
        return of.how == access::strided && std::any_of(of.steps.begin(), of.steps.end(), [](const step_plan& each) {
                   return each.how == detail::index_step::kind::divide;
               });
    }

    /// Elements of a byte or two that are found one by one leave in vectors all the same: an image of bytes that is resized. Made three
    /// times as large, (3000, 4000) take an H100 42.8 us so, 67.8 byte by byte; where its rows and columns are looked up, 75.7 for 140.
    /// Of 16 elements and two rows 42.2 and 79.0, of four and four rows 46.0 and 79.0. 2M rows of 64 float16 that are looked up take an H200
    /// 142 us so, of one row 156, one by one 203.
    bool choose_narrow_lanes(kernel& into) const {
        constexpr int widest = 2;
        constexpr int least = 4;
        constexpr int most_steps = 256;
        if (into.rank < 2 || into.aliased || into.has_byte_table || iteration_.planes > 0) return false;
        if (widest_of(into.outputs) > widest) return false;
        for (const operand& each : into.outputs)
            if (each.guarded_axes || (each.how != access::contiguous && each.how != access::row)) return false;
        bool pays = false;
        for (const operand& each : into.inputs) {
            if (each.is_partial || each.row_group > 0 || each.unit_axis >= 0) return false;
            if (each.is_position || each.how == access::uniform) continue;
            const bool is_found = each.gathered || is_repeated(each);
            if (bytes_of(each.type) > widest || (each.how == access::strided && !is_found)) return false;
            pays = pays || is_found;
        }
        int elements = std::min({8, iteration_.row_multiple, call_.alignment() / widest_of(into.outputs)});
        int rows = 4;
        const auto steps = [&] { return (into.last_step - into.first_step) * elements * rows; };
        while (rows > 1 && steps() > most_steps) rows /= 2;
        while (elements > least && steps() > most_steps) elements /= 2;
        if (!pays || elements < least) return false;
        into.vectorised = true;
        into.elements_per_thread = elements;
        into.rows_per_thread = rows;
        into.mapping = rows > 1 ? thread_mapping::rows : thread_mapping::linear;
        return true;
    }

    bool choose_row_tables(kernel& into) const {
        // Of a thread, for which it makes one entry of the table: an H100 takes 52 us of 38M bytes so, 55 by 8, 59 by 32.
        constexpr int elements = 16;
        if (into.aliased || into.has_byte_table || !gains_from_row_tables(program_, into)) return false;
        into.mapping = thread_mapping::rows;
        into.has_byte_table = into.has_row_tables = true;
        into.threads_per_block = values_of_a_byte;
        into.elements_per_thread = elements;
        return true;
    }

    /// Shorter rows, where threads that have several of them read what these have in common once.
    static void choose_shared_blocks(kernel& into) {
        // More rows leave more threads at the end of a plane: a stencil of seven points over (513, 257, 259) floats takes an H100 112 us
        // so, and 118 by eight.
        constexpr int height = 4;
        // Of doubles, less is on its way: of (257, 257, 259) 103 us for 100. Of 27 points, whose loads take longer than their bytes, that is
        // little.
        constexpr int widest = 4;
        constexpr int many = 16;
        const auto views = std::count_if(into.inputs.begin(), into.inputs.end(),
                                         [](const operand& each) { return each.row_group > 0; });
        if (widest_of(into.inputs) > widest && views < many) return forget_row_groups(into);
        const int of_linear = into.elements_per_thread;
        into.elements_per_thread = height;
        choose_row_groups(into);
        if (into.has_row_groups()) {
            into.mapping = thread_mapping::rows;
            into.rows_share_blocks = true;
        } else {
            into.elements_per_thread = of_linear;
        }
    }

    /// Neighbours of an element: each thread reads the vectors that they lie in, once.
    bool choose_window(kernel& into, int widest, int narrowest) const {
        const window of = window_of(call_);
        const int width = on_.vector_bytes / widest;
        if (of.from.empty() || widest != narrowest || into.aliased) return false;
        const auto from = [&of](const operand& each) {
            const auto memory = static_cast<std::size_t>(each.memory);
            return memory < of.from.size() ? of.from[memory] : -1;
        };
        int first = std::numeric_limits<int>::max();
        int last = -1;
        int views = 0;
        for (const operand& each : into.inputs) {
            if (each.is_position || each.is_partial || each.gathered || each.how != access::contiguous) return false;
            if (from(each) < 0) continue;
            first = std::min(first, from(each));
            last = std::max(last, from(each));
            ++views;
        }
        if (!pays_in_vectors(width, last - first, views)) return false;
        for (operand& each : into.inputs)
            if (from(each) >= 0) each.in_window = static_cast<std::int8_t>(from(each) - first);
        into.window_first = (of.first + first) % width;
        into.vectorised = true;
        into.elements_per_thread = width;
        return true;
    }

    /// Whether short rows are taken many at a time. Outputs stay where they are, and bodies that say where to read need
    /// positions.
    bool gains_from_staging(const kernel& of) const {
        constexpr int most_staged_bytes = 64;  // of each element: buffers of two thousand are in the caches
        if (!iteration_.short_rows || of.rank == 1 || of.gathers()) return false;
        if (of.persistent_rows && !gains_from_tiles(of)) return false;
        for (std::size_t i = 0; i < of.outputs.size(); ++i)
            if (of.outputs[i].how != access::contiguous && of.stores_elements(i)) return false;
        int bytes = 0;
        for (const operand& each : of.inputs) bytes += each.how == access::contiguous ? 0 : bytes_of(each.type);
        return bytes <= most_staged_bytes;
    }

    /// Whether persistent rows are taken many at a time (policy/host_tiled_rows.cpp).
    bool gains_from_tiles(const kernel& of) const {
        // Of each element, of what steps make, a thousand of which may be in memory of the thread's.
        constexpr int most_bytes = 128;
        int bytes = 0;
        for (int step = of.first_step; step < of.last_step; ++step)
            bytes += bytes_of(program_.steps[static_cast<std::size_t>(step)].result);
        return bytes <= most_bytes && of.reduced_axes == 1 << (of.rank - 1) && !stays_in_lanes(of);
    }

    /// Whether a persistent row fills lanes, to which its elements go as they are made, and is read once more: one by one such rows take less
    /// than many at a time, whose elements are stored to be reduced. Of 4M floats, rows of 48 over the root of their squares' sum take 0.56 ms
    /// so and 0.83 in tiles, by two reductions (a layer's norm) 1.55 and 1.28 (2 cores of a Xeon, Emerald Rapids, 2026-11).
    bool stays_in_lanes(const kernel& of) const {
        if (iteration_.row_multiple % host_order::lanes != 0) return false;
        int reductions = 0;
        for (int step = of.first_step; step < of.last_step; ++step) {
            const lower::step& each = program_.steps[static_cast<std::size_t>(step)];
            if (is_strip_function(each)) return false;
            if (each.code != operation::reduce) continue;
            const bool is_computed = each.args[0] >= program_.first_step_value();
            if (reduced_output{each.reduces, each.operands, each.result}.appends_apart() || !is_computed) return false;
            ++reductions;
        }
        return reductions == 1;
    }

    void choose_short_rows(kernel& into) const {
        constexpr int most_steps = 64;  // the body stands in the kernel once more: long ones take long to compile
        into.short_rows = gains_from_staging(into);
        if (into.reduces() || into.last_step - into.first_step > most_steps) return;
        for (const operand& each : into.inputs)
            if (into.spread(each)) into.row_extent = iteration_.known_row;
    }

    /// What the rows around a row read, too, is loaded once, or comes from the first cache, if the same thread does them:
    /// two where rows share an operand, four where they read their neighbours'. More take longer on an H200.
    void choose_rows(kernel& into) const {
        int most = 1;
        for (const operand& each : into.inputs)
            if (into.rank > 1 && each.how != access::contiguous) {
                // A position is in no memory; and rows that follow one another in it leave as one: of 100 floats, one of which is 1, an
                // H100 takes 138 us for 400 MB, 146 where threads have two rows.
                const bool is_shared = !each.is_position && !(each.address.axes >> (into.rank - 2) & 1);
                most = std::max(most, !each.steps.empty() && each.block == row_block::none ? 4 : is_shared ? 2 : 1);
            }
        const int steps = (into.last_step - into.first_step) * into.elements_per_thread;
        // What planes are made of is the same for each of them: the body stands in the kernel as often, and is computed once.
        if (iteration_.planes > 0 && steps <= most_unrolled_steps) {
            into.rows_per_thread = iteration_.planes;
            most = 1;
        }
        while (into.rows_per_thread < most && 2 * into.rows_per_thread * steps <= most_unrolled_steps)
            into.rows_per_thread *= 2;
        if (into.rows_per_thread > 1) into.mapping = thread_mapping::rows;
    }

    /// Whether each operand's elements of one thread are neighbours in memory, or one element. Some may be read lane by
    /// lane beside as many that do move in vectors: a stencil's left and right.
    static bool moves_in_vectors(const kernel& of) {
        for (const operand& each : of.outputs)
            if (each.guarded_axes || (each.how != access::contiguous && each.how != access::row)) return false;
        int vectors = 0;
        int by_lane = 0;
        for (const operand& each : of.inputs) {
            if (each.how == access::contiguous || each.how == access::row) vectors += !each.is_position;
            if (each.block != row_block::none) {
                vectors += !each.is_position;
                continue;
            }
            if (each.how != access::strided || (each.is_position && each.steps.empty())) continue;
            if (each.steps.empty() || each.unit_axis >= 0) return false;
            by_lane += !each.is_position;
        }
        return !of.gathers() && (by_lane == 0 || (of.rank > 1 && by_lane <= vectors));
    }

    /// Operands whose neighbours are along another axis than the rows' move through a square: on CUDA in shared memory, with
    /// a column more than needed against bank conflicts, on the host in the first cache.
    bool choose_tile(kernel& into) const {
        int bytes = 0;
        for (const operand& each : into.inputs) {
            if (each.unit_axis < 0 || each.is_position) continue;
            if (into.tile_axis < 0) into.tile_axis = each.unit_axis;
            if (into.tile_axis == each.unit_axis) bytes += bytes_of(each.type);
        }
        if (into.tile_axis < 0) return false;
        const bool on_cuda = on_.kind == frame::cuda;
        for (int side = 64; side >= (on_cuda ? 32 : 16); side /= 2) {
            into.tile_side = side;
            const int needed =
                on_cuda && has_aligned_tiles(into) ? bytes_of_aligned_tiles(into) : bytes * side * (side + on_cuda);
            if (needed > on_.shared_bytes) continue;
            into.mapping = thread_mapping::tiles;
            if (on_cuda) into.elements_per_thread = side * side / into.threads_per_block;
            return true;
        }
        into.tile_axis = -1;
        into.tile_side = 0;
        return false;
    }

    const lower::program& program_;
    const call_class& call_;
    const iteration_class& iteration_;
    const target& on_;
};

}  // namespace

void map_elements(kernel& into, const lower::program& program, const call_class& call, const iteration_class& iteration,
                  const target& on) {
    if (on.vector_bytes > 0 && choose_interleaved_elements(into, program, iteration, call.alignment()))
        return forget_row_groups(into);
    mapping(program, call, iteration, on).choose(into);
}

}  // namespace kiln::plan
