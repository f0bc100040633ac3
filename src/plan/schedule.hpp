// kiln/plan/schedule: which steps share a kernel, and how each kernel reaches its operands. Holds for every call of one
// class: no size, stride value or pointer is in it.
// knows nothing of: source text
#pragma once

#include <capture/index_map.hpp>
#include <lower/program.hpp>
#include <plan/ceil_div.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/nest/tile.hpp>
#include <plan/target.hpp>

#include <kiln/reduction.hpp>

#include <cstdint>
#include <vector>

namespace kiln::plan {

enum class access : std::uint8_t {
    contiguous,    // element i of the iteration is element i of memory; of positions, the first is a multiple of 16
    row,           // neighbours along the innermost collapsed axis are neighbours in memory
    uniform,       // one element for a whole row
    strided,       // anything else
    partial_sums,  // of a call's memories alone: partial sums, a uniform operand to kernels once they added them up
};

/// How the elements of vectors along a row lie where an index map says it: row_blocks.hpp.
enum class row_block : std::uint8_t {
    none,  // each element lies anywhere
    neighbours,  // of a vector of the row those of a vector in memory, or, where that would be beyond an end, the element there
    one,          // of a vector of the row one element
    pairs,        // each element in memory twice: of a vector of the row half a vector
    alternating,  // of a vector of the row two elements by turns
    twos,         // every second element in memory twice: of x[0::2] and x[1::2] that are stacked again
};

/// offset + axes . position + steps . values of earlier steps, each number a word of the layout unless it is 1: that most
/// are, and known to be, saves a multiplication and lets the compiler see how far apart elements are.
struct linear_plan {
    struct step_word {
        int step = 0;
        int word = 0;  // -1: the coefficient is 1

        friend bool operator==(const step_word&, const step_word&) = default;
    };
    int offset_word = -1;        // -1: none
    int axis_word = 0;           // of the first axis that has a word; the others follow
    std::uint8_t axes = 0;       // bits: collapsed axes whose coefficient is not 0
    std::uint8_t unit_axes = 0;  // those of them whose coefficient is 1: they have no word
    std::int8_t known_inner =
        0;  // the innermost axis' coefficient, where the text says it (known_stride_of()); 0: it does not
    std::vector<step_word> steps;
};

/// One step of an operand's index map. Source: capture/index_map.hpp.
struct step_plan {
    detail::index_step::kind how = detail::index_step::kind::clamp;
    int extent_word = 0;
    int divisor_word = -1;  // of divide, where positions are 32 bits wide
    int lookup = -1;        // of lookup: which argument of the gather
    linear_plan input;
};

struct operand {
    lower::value_id value = -1;
    int memory = -1;  // which memory of the call: its arrays, then its outputs, then the temporaries
    element_type type = element_type::float32;
    access how = access::contiguous;
    bool is_position = false;           // its elements' values are their addresses, its parameter is the first
    bool gathered = false;              // an index expression says where: read inside the body
    bool is_partial = false;            // a sum that each block finalizes for itself: partial_sums.hpp
    row_block block = row_block::none;  // of a strided one with a map: how vectors of its rows lie
    std::int8_t unit_axis = -1;     // of a strided one: the axis along which its neighbours are, if a tile of it pays
    std::uint8_t guarded_axes = 0;  // of an output smaller than the iteration: stored where these positions are 0
    int partial_count_word = 0;     // of partial sums: how many
    std::int8_t in_window = -1;     // elements from the first view of the kernel's window to this one; -1: it is none
    std::int8_t row_group = 0;      // of views of one memory that are rows apart (row_window.hpp), a number; 0: of none
    std::int8_t rows_from_first = 0;  // then: from the group's first view
    std::int8_t stencil =
        0;  // of arrays shifted by constant distances (stencil.hpp), its memory's number; 0: it is none
    /// Then: by how much, of the collapsed axes. Where a kernel reduces: which element of a row it is, of how many (row_sets.hpp).
    std::vector<std::int8_t> shifted = {};
    linear_plan address = {};  // unless contiguous: in elements from the parameter
    std::vector<step_plan> steps = {};

    /// Which axes its elements depend on, as bits of the collapsed ones; all of them where that is not known here.
    [[nodiscard]] std::uint8_t axes_read() const {
        if (how == access::contiguous || gathered || is_position || is_partial) return 0xff;
        std::uint8_t out = address.axes;
        for (const step_plan& each : steps) out |= each.input.axes;
        return out;
    }
};

/// Which elements a kernel's threads take.
enum class thread_mapping : std::uint8_t {
    linear,  // by their numbers
    rows,    // parts of several rows together, whose common neighbours the first cache then holds
    tiles,   // each block is a square of two axes, so that operands along either move in whole lines; the host's ranges
             // are of squares
    reduction,    // as reduction.hpp says
    contraction,  // each block makes a tile of values of a reduction
};

/// Why the next step is in another kernel.
enum class kernel_end : std::uint8_t {
    complete,    // there is none
    parameters,  // it would need more parameters than the device takes
    steps,       // a kernel of more steps compiles slowly and spills
    unfused,     // options.fuse is off
};

/// What becomes of an output's elements: `none`, they are stored.
struct reduced_output {
    detail::reduction_kind what = detail::reduction_kind::none;
    element_type accumulated = element_type::float32;  // the elements' type
    element_type result = element_type::float32;
    bool of_row = false;             // where rows are persistent: one for each of them is stored
    std::uint64_t definition = 0;    // of a user's: capture/reduction_table.hpp
    bool of_unsigned_zeros = false;  // no element is -0: what are equal have equal bits

    [[nodiscard]] constexpr bool finds_position() const noexcept {
        return detail::info(what).result == detail::reduced_to::position;
    }
    [[nodiscard]] constexpr bool keeps_state() const noexcept { return detail::keeps_state(what); }
    [[nodiscard]] constexpr bool sums_exponentials() const noexcept {
        return detail::info(what).accumulates == detail::accumulation::exponentials;
    }
    /// Whether any order of its elements gives the same bits: positions, truths, and the least and greatest of integers. Of 0 and -0,
    /// which are equal, the first in the order is the greatest.
    [[nodiscard]] constexpr bool is_free_of_order() const noexcept {
        switch (what) {
            case detail::reduction_kind::argmin:
            case detail::reduction_kind::argmax:
            case detail::reduction_kind::any:
            case detail::reduction_kind::every: return true;
            case detail::reduction_kind::min:
            case detail::reduction_kind::max:
                return kind_of(accumulated) == element_kind::integer || kind_of(accumulated) == element_kind::logical;
            default: return false;
        }
    }
    /// Whether an element is appended by other steps than two accumulators are combined.
    [[nodiscard]] constexpr bool appends_apart() const noexcept { return finds_position() || keeps_state(); }
};

/// Of what is known of some elements: a value, or one and where it is, or several.
constexpr int accumulator_bytes(const reduced_output& of) {
    constexpr int bytes_of_moments = 32;
    if (of.sums_exponentials()) return 3 * bytes_of(of.accumulated);
    if (of.keeps_state()) return bytes_of_moments;
    return of.finds_position() ? 16 : bytes_of(of.accumulated);
}

/// Of a contraction: which values a block has, and which of those a thread.
struct contraction_tile {
    int rows = 0;  // 0: it is none
    int columns = 0;
    int thread_rows = 1;
    int thread_columns = 1;
    int depth = 0;              // elements of each value that are in shared memory at once
    int values_exchanged = 1;   // of a thread at once, where the threads of a value are combined
    bool stores_fours = false;  // values of four neighbouring columns are stored at once, all of them aligned
    bool serial = false;  // of short rows: all that threads of a value would take is taken by one, lane after lane

    // Of those whose elements are copied in the background.
    int stages = 0;  // rounds of `depth` elements that are in shared memory, or on their way; 0: they come by registers
    int copied_bytes = 0;  // neighbours that move at once from anywhere on; 0: single elements alone
    bool lines = false;    // elements of a row stay side by side, and a thread takes a vector of them at a time
    bool whole_rounds =
        false;  // no value has elements left over after the last round (nor, if `serial`, fewer than there is room for)

    // On tensor cores (tensor_contraction.hpp).
    nest::tile_shape shape = nest::tile_shape::f16;
    int warp_rows = 0;  // values of a warp; 0: it is none of those
    int warp_columns = 0;
    int copied = 1;               // neighbouring elements that move at once
    bool by_groups = false;       // of warps, which read shared memory by themselves
    bool by_first_cache = false;  // what is copied comes by the multiprocessor's first cache
    bool stores_lines = false;  // of values of which rows do not begin at whole fours: neighbours by neighbouring lanes
    bool stores_whole =
        false;  // the tile is all of a product, which leaves in whole vectors (policy/stored_product.hpp)
    int stores_neighbours = 0;  // of a row at once, by way of shared memory (policy/stored_rows.hpp); 0: not so
    bool finishes_in_functions = false;  // of the library
    bool mirrored = false;               // tiles on and above the diagonal alone are made, and stored below it, too

    [[nodiscard]] int values_of_thread() const { return thread_rows * thread_columns; }
    /// Of what lies beside in shared memory for one element of each value: whole vectors, and a few more against bank conflicts.
    [[nodiscard]] int pitch(int extent) const { return extent == 1 ? 1 : extent + 4; }
};

/// Of columns that stay on chip: where a thread has its elements (column_panels.hpp).
struct column_panel {
    int items = 0;            // of them, in registers; 0: it is none
    int slots = 0;            // in shared memory: those after them, or, where rows move in vectors, those before
    int blocks = 1;           // of a cluster: each has a split of its columns, or several, or some of a split's threads
    int splits_of_block = 1;  // of as many threads each, side by side
    int blocks_of_split = 1;  // then: each has every so many-th of the threads
    int resident = 0;         // on a multiprocessor at once; 0: as it comes
    bool copies = false;      // to shared memory in the background
    /// Neighbouring columns of a thread; then as many times the threads have parts of the columns (policy/vector_columns.cpp).
    int width = 1;
    int moved = 1;       // neighbouring columns that one copy to shared memory moves, and one store of what is there
    bool whole = false;  // each thread has all of its items and slots
    /// Of a block's columns the last ones, that the next block has, too, and whose sums both make: each stores the sectors that begin in its
    /// other columns, and so whole ones where rows begin between them.
    int overlap = 0;
};

/// Elements of a row that is worth blocks of its own: of five blocks of 256 threads, at most one is mostly idle.
inline constexpr std::int64_t long_row = 1024;
/// Elements of a row that is too short for a loop of its own, at most.
inline constexpr int longest_short_row = 32;
/// The same of rows that stay in a thread's caches.
inline constexpr int longest_tiled_row = 256;
/// Of rows of up to so many, a kernel may know how many: classes of calls are told apart by it.
inline constexpr int longest_known_row = 8;

/// One kernel: steps [first_step, last_step) of the program.
struct kernel {
    int first_step = 0;
    int last_step = 0;
    kernel_end why = kernel_end::complete;
    std::vector<operand> outputs;
    std::vector<operand> inputs;           // arrays, positions, and temporaries of earlier kernels
    std::vector<lower::value_id> scalars;  // by value
    std::vector<int> divisors;             // of those, by number: whose multipliers are parameters, too (divisors.hpp)
    /// Of each output, where elements become fewer. On the host the kernel computes the elements (its outputs have the
    /// iteration's shape), and the device reduces them, unless it reduces by itself.
    std::vector<reduced_output> reduced;
    std::uint8_t reduced_axes = 0;  // of the collapsed ones
    /// Reductions among the steps are of rows that stay on chip: their threads hold what later steps need of them.
    bool persistent_rows = false;
    int items_per_thread = 1;    // of persistent rows, on CUDA: of vector_width elements, at most
    int items_in_registers = 1;  // of those; the others are in shared memory: this and what follows, row_slots.hpp
    bool recomputes = false;     // of these, phases compute once more what earlier ones did
    /// Of these, on CUDA: lanes take neighbouring elements, and slots are the threads' together: neighbour_rows.hpp.
    bool has_neighbour_lanes = false;
    bool shares_slots = false;
    int resident = 0;            // blocks that a multiprocessor is to have at once; 0: as it comes
    int threads_per_output = 1;  // this and what follows: reduction.hpp
    int vector_width = 1;
    int loads_in_flight = 1;
    /// Of rows that move in vectors, but begin anywhere: vectors are where memory has them, and accumulators change hands afterwards. Where
    /// nothing is reduced: skewed_elements.hpp.
    bool skewed = false;
    bool free_rows = false;  // rows whose threads are not those of reduction.hpp: free_rows.hpp
    /// Of rows: so many threads of reduction.hpp are one of the kernel, which does their work in turn (policy/value_threads.hpp).
    int turns = 1;
    bool splits = false;
    bool ends_in_partial_sums = false;  // which no block of this kernel finalizes: partial_sums.hpp
    bool aliased = false;               // an output is an input's memory: no pointer is __restrict__
    int rank = 1;                       // collapsed axes; 1 when all operands are contiguous
    int layout_words = 0;               // 0: all operands are contiguous
    int elements_per_thread = 1;
    /// A thread's elements are neighbours and move in one access (of one element where it has 16 bytes); otherwise they
    /// are a block's threads apart.
    bool vectorised = false;
    /// Of rows that do not move in vectors: threads are numbered from one row to the next, where rows would leave most of a block idle.
    bool rows_share_blocks = false;
    bool has_byte_table = false;  // blocks look up what their body gives (byte_tables.hpp)
    bool has_row_tables = false;  // that is another for each row: a block has a part of one
    /// Of vectorised rows: a thread takes the same vector of so many rows that follow each other. Of rows that are reduced: so
    /// many neighbouring values.
    int rows_per_thread = 1;
    /// Of rows that are reduced: neighbouring values belong to neighbouring lanes, a thread's own are a warp apart, and what a value's
    /// threads would make one thread makes, in their order.
    bool values_in_lanes = false;
    bool tiles_of_lanes = false;  // then: which read elements from tiles of their warp
    bool is_stencil = false;      // inputs are shifted by constant distances, and each thread reads its neighbours once
    int window_first = 0;         // where inputs are of a window: elements from a multiple of 16 bytes to its first
    bool wide_index = false;      // 64-bit element positions
    int alignment = 1;            // bytes that the first elements of all arrays are at multiples of
    /// On the host: many rows at a time, their operands first brought into the order of the elements.
    bool short_rows = false;
    /// Of short rows, where values are side by side, and on CUDA of interleaved ones: a row's elements, where the kernel gains from knowing them (`spread`); 0 elsewhere.
    int row_extent = 0;
    /// On the host: the kernel reduces by itself, neighbouring values side by side (side_by_side.hpp).
    bool side_by_side = false;
    bool in_tiles = false;     // then: in tiles of them and of rows of values
    bool lies_across = false;  // or: because memory has these beside each other, and not a row's elements
    /// The same, rows one after the other, whose elements are put to lanes as they are made (rows_in_lanes.hpp).
    bool rows_in_lanes = false;
    /// The same of rows longer than a part: what a range comes to is put to what the device knows of its part already.
    bool parts_in_lanes = false;
    /// What is reduced is made of reductions over the innermost axis, which has so many elements; 0: there are none.
    int nested_extent = 0;
    /// What is reduced is made of elements and of reductions over the innermost axis, which stays: a row of it is read once.
    bool crossed = false;
    int threads_per_block = 256;
    /// On CUDA: every second launch's blocks begin with the last. A kernel that begins where the one before it ended finds there, in the second
    /// cache, what that one read or made: a step of a wave over 4096 x 4096 floats takes an H200 50 us for 52, x + y of 8M 20 for 25. No block waits
    /// for one before it.
    bool goes_both_ways = false;
    int dynamic_shared_bytes = 0;  // of a block, beside what its code declares (nest/dynamic_shared.hpp)
    thread_mapping mapping = thread_mapping::linear;
    int tile_axis = -1;  // of tiles and contractions: the axis beside column_axis()
    int tile_side = 0;   // of tiles: elements
    contraction_tile contraction;
    column_panel panel;
    /// Of rows and tiles, in the layout: blocks (of vectorised rows, and of those that share blocks: threads) along the innermost axis and their divisor;
    /// then, of rows, how many there are; of tiles the same along its other axis.
    int grid_word = 0;
    kernel_signature signature;  // of all of the above

    /// On the host: what no interpreter does.
    [[nodiscard]] bool needs_compiled_code() const { return reduces_by_itself() || parts_in_lanes || crossed; }

    /// Whether an operand goes through a tile in shared memory.
    [[nodiscard]] bool tiled(const operand& of) const {
        return mapping == thread_mapping::tiles && of.unit_axis == tile_axis;
    }

    /// Whether an operand of a vectorised kernel is read lane by lane, as its index map says.
    [[nodiscard]] bool by_lane(const operand& of) const {
        return vectorised && of.how == access::strided && !of.steps.empty() && of.block == row_block::none;
    }

    /// Whether an input of a vectorised kernel is one vector per thread.
    [[nodiscard]] bool is_vector(const operand& of) const {
        const bool are_elements =
            of.block == row_block::one || of.block == row_block::alternating || of.block == row_block::twos;
        return !of.is_position && of.how != access::uniform && !are_elements && !by_lane(of);
    }

    /// Whether an input of short rows is brought into the order of the elements: all but those that are in it, or one
    /// element for all.
    [[nodiscard]] bool staged(const operand& of) const {
        return short_rows && of.how != access::contiguous && (of.address.axes || !of.steps.empty());
    }

    /// Whether an input of short rows has an element for each row, beside those of the rows around it: vectors of them
    /// become vectors of the rows' elements by shuffles, which a compiler that knows a row's extent can write down.
    [[nodiscard]] bool spread(const operand& of) const {
        const bool has_lanes = bytes_of(of.type) == 4 || bytes_of(of.type) == 8;
        return short_rows && has_lanes && !of.is_position && of.steps.empty() && !(of.address.axes >> (rank - 1) & 1) &&
               of.address.unit_axes >> (rank - 2) & 1;
    }

    /// Whether inputs are views of one memory a few elements apart, which each thread reads once.
    [[nodiscard]] bool has_window() const {
        for (const operand& each : inputs)
            if (each.in_window >= 0) return true;
        return false;
    }

    /// Whether inputs are views of one memory rows apart, of which each thread reads what its rows have in common once.
    [[nodiscard]] bool has_row_groups() const {
        for (const operand& each : inputs)
            if (each.row_group > 0) return true;
        return false;
    }

    /// Whether an operand's numbers are in the kernel's text, where others have words in the layout.
    [[nodiscard]] static bool is_known(const operand& of) { return of.stencil > 0 && !of.steps.empty(); }

    [[nodiscard]] bool reduces() const { return !reduced.empty(); }
    /// On the host: whether its values are results, which no device makes of elements.
    [[nodiscard]] bool reduces_by_itself() const { return persistent_rows || side_by_side || rows_in_lanes; }
    /// Of what is reduced: the last axis stays.
    [[nodiscard]] bool has_columns() const { return !(reduced_axes >> (rank - 1) & 1); }
    /// On the host: columns, of persistent rows that are along other axes than the last.
    [[nodiscard]] bool has_persistent_columns() const { return persistent_rows && has_columns(); }
    /// Of tiles and contractions: the innermost axis of which a block has a part.
    [[nodiscard]] int column_axis() const {
        int axis = rank - 1;
        while (axis > 0 && reduced_axes >> axis & 1) --axis;
        return axis;
    }
    /// Of rows that begin anywhere, which input says where vectors do: the first that has an element for each of the iteration's, else the
    /// first that differs along a row; past the last: there is none.
    [[nodiscard]] std::size_t skewed_input() const {
        const auto all = static_cast<std::uint8_t>((1u << rank) - 1);
        std::size_t out = inputs.size();
        for (std::size_t i = inputs.size(); i-- > 0;)
            if (inputs[i].how != access::uniform) out = i;
        for (std::size_t i = inputs.size(); i-- > 0;)
            if (inputs[i].how != access::uniform && (inputs[i].axes_read() & all) == all) out = i;
        return out;
    }
    /// Whether an output is one of elements.
    [[nodiscard]] bool stores_elements(std::size_t output) const {
        return !reduces() || (reduced[output].what == detail::reduction_kind::none && !reduced[output].of_row);
    }
    /// Of rows, reduced or interleaved: the axes along one.
    [[nodiscard]] std::uint8_t row_axes() const {
        return reduces() ? reduced_axes : static_cast<std::uint8_t>(1 << (rank - 1));
    }
    /// Of a reduction: neighbouring values, of columns in one vector.
    [[nodiscard]] int values_per_thread() const { return vector_width == 1 ? elements_per_thread : rows_per_thread; }
    /// Of rows: threads of the kernel that each has.
    [[nodiscard]] int threads_of_row() const { return threads_per_output / turns; }
    /// Where they are in lanes.
    [[nodiscard]] int values_per_block() const { return warp * rows_per_thread; }
    /// The last of an output's blocks to end finalizes it: by counters it knows that it is the last, and in a workspace it finds
    /// what the others have left.
    [[nodiscard]] bool last_block_finalizes() const { return splits && !ends_in_partial_sums && !persistent_rows; }
    [[nodiscard]] bool has_layout() const { return layout_words > 0; }
    /// Of columns that stay on chip: threads of a block that each of them has.
    [[nodiscard]] int threads_of_panel_column() const {
        return threads_per_output * panel.splits_of_block / panel.blocks_of_split;
    }
    [[nodiscard]] bool gathers() const {
        for (const operand& each : inputs)
            if (each.gathered) return true;
        return false;
    }
};

/// Of a block in a launch that takes elements by their numbers; 0 on devices without blocks.
inline std::int64_t elements_per_block(const kernel& of) {
    return std::int64_t{of.threads_per_block} * of.elements_per_thread * of.rows_per_thread;
}

/// Blocks of such a launch; 0 on devices without them.
inline std::int64_t linear_block_count(const kernel& of, std::int64_t element_count) {
    const std::int64_t per_block = elements_per_block(of);
    return per_block ? ceil_div(element_count, per_block) : 0;
}

struct schedule {
    lower::program program;
    std::vector<kernel> kernels;            // in launch order
    std::vector<element_type> temporaries;  // what passes from kernel to kernel through memory; of the iteration's size
};

}  // namespace kiln::plan
