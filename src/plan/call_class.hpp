// kiln/plan/call_class: everything of a call that may change its kernels. It is the key of the call's executable and all of a
// call that planning reads: so no plan depends on what the key forgot. Sizes are in it as the facts below, never as numbers.
// in: what bind finds (bind.hpp)   out: facts by name   knows nothing of: sizes, strides, addresses, scalars, text
#pragma once

#include <plan/schedule.hpp>
#include <plan/scratch.hpp>
#include <plan/target.hpp>

#include <kiln/options.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace kiln::plan {

inline constexpr int usual_leaves = 40;

/// Of contractions on tensor cores (reduction_class).
inline constexpr int most_tiles = 4;
inline constexpr int least_mirrored_tiles = 2;

inline constexpr int least_of_long_part = 8;

/// How a reduction's elements are divided among threads, as far as its kernel's text depends on it (reduction.hpp). Of
/// calls for CUDA; the host divides when it launches.
struct reduction_class {
    int threads_per_output = 1;
    int outputs_per_block = 1;
    int vector_width = 1;
    int loads_in_flight = 1;
    int items_per_thread = 1;  // of rows that are persistent, or may be contracted: reduction.hpp
    bool splits = false;       // there is more than one split
    bool ends_in_partial_sums = false;
    std::uint8_t tall_axes = 0;  // of the collapsed ones that stay: worth a contraction's tiles (contraction.hpp);
                                 // on the host axes_side_by_side() (side_by_side.hpp)
    bool rows_of_part =
        false;  // on the host: is_row_of_part() of the innermost axis, which alone goes (rows_in_lanes.hpp)
    bool many_values = false;  // for larger tiles; where there are none, for several in a thread (shared_rows.hpp)
    int lane_values = 0;  // of each lane, where values are enough for it to have its own (shared_rows.hpp); 0 elsewhere
    int cluster = 0;      // of columns that stay on chip, their splits; 0 elsewhere
    bool whole_items =
        false;  // of those, and of contractions of rows (then without `known_row`): each thread has all of items_per_thread
    int few_columns = 0;     // of columns that do not stay there: threads_of_few_columns()
    int narrow_columns = 0;  // of contractions that know rows and columns: narrow_columns() (contraction.hpp)
    bool few_terms = false;  // then: fewer than least_of_one_thread
    bool long_parts =
        false;  // of rows that neither stay nor may be contracted: each thread has least_of_long_part vectors or more
    int known_row = 0;  // of short rows that are interleaved (interleaved.hpp) or nested, the extent; 0 elsewhere
    // Of two operands and one axis that goes (tensor_contraction.hpp).
    int copied_bytes = 0;  // neighbours of either operand that move at once from anywhere on: 1 to 16; 0: not told
    int tiles = 0;         // larger ones where values are many: 1 to 4; 0: values are few
    int small_side = 0;    // of 16-bit products: of the one small tile that holds all of a product's values; 0: larger
    bool whole_fours = false;   // unless of 16-bit products: values are stored in fours
    bool mirrored = false;      // then, from `least_mirrored_tiles` on: half of the tiles are made (mirrored.hpp)
    bool whole_rounds = false;  // of the same: each value has a multiple of `round_elements`
};

/// What is told of a call whose operands are not all contiguous. Extents enter it coarsely, so that a call of another size
/// mostly finds the executable that there is.
struct iteration_class {
    int rank = 1;              // of the collapsed axes
    int row_multiple = 16;     // elements that rows, and the strides between them, are multiples of: 1, 2, 4, 8 or 16
    bool long_rows = false;    // the innermost axis is worth blocks of its own: from long_row elements on
    bool skewed_rows = false;  // of others, on CUDA: worth vectors wherever they begin (skewed_elements.hpp)
    int planes = 0;  // of long rows, on CUDA, in calls that do not reduce: how many are made of the same (planes.hpp)
    bool short_rows =
        false;  // it is not worth a loop of its own: up to longest_short_row; on CUDA, where rows are interleaved
    int known_row = 0;  // of those up to longest_known_row, the extent; 0 elsewhere, and in calls that reduce on CUDA
    bool narrow_operands = false;  // of a call of wide index that reduces: its operands and outputs alone would not be
    bool reduces = false;
    bool persistent_rows = false;  // then: on chip, between reductions and what is made of them
    bool of_values =
        false;  // then: values that tiles reduce are made something of, and nothing stays (contraction.hpp)
    bool nested =
        false;  // then: the innermost axis goes first, and its results are what is divided; or it stays (schedule.hpp)
    std::uint8_t reduced_axes = 0;  // of the collapsed ones
    reduction_class division;
};

/// Words, so that comparing takes few instructions. A header:
///   bits 0-2 the options, 3-7 and 10 whose calls these are (run/bind_call.hpp), 8 wide index, 9 an output is an operand's
///   memory, 11 of the host, 16-20 alignment;
/// then bytes: what is at each slot, one each, past most_short_slots four; 8 for each baked leaf; unless all operands are
/// contiguous an iteration_class (if they are, perhaps a window, window.hpp), of a call with persistent rows a byte for each output, and what each memory is like (operands.hpp);
/// and zeros up to a whole word.
class call_class {
public:
    [[gnu::always_inline]] call_class(int leaf_count, int output_count)
        : leaf_count_(leaf_count), output_count_(output_count), words_(words_for(leaf_count, output_count)) {}
    /// An executable's: nothing of the call is borrowed.
    call_class(const call_class& other);
    call_class& operator=(const call_class&) = delete;

    /// Of two calls of one expression: whether one executable serves both.
    friend bool operator==(const call_class& left, const call_class& right) noexcept {
        // The header tells most classes apart; the rest is compared only if it does not.
        if (left.words_[0] != right.words_[0] || left.word_count_ != right.word_count_) return false;
        std::size_t same = 1;
        while (same < left.word_count_ && left.words_[same] == right.words_[same]) ++same;
        return same == left.word_count_;
    }

    // --- of every call
    /// As the call's thread wants its kernels.
    [[nodiscard]] options wanted() const noexcept;
    [[nodiscard]] frame device() const noexcept { return words_[0] & calls_of_host ? frame::host : frame::cuda; }
    /// Element positions take 64 bits.
    [[nodiscard]] bool wide_index() const noexcept { return words_[0] >> 8 & 1; }
    /// An output is an array's memory.
    [[nodiscard]] bool aliased() const noexcept { return words_[0] >> 9 & 1; }
    /// Bytes that every contiguous operand's address, and the first of every row, is a multiple of: 1, 2, 4, 8 or 16.
    [[nodiscard]] int alignment() const noexcept { return static_cast<int>(words_[0] >> 16 & 31); }

    /// What is at each slot: the number of a distinct array, by first appearance; -2 - slot of the number that stands there
    /// once more; else -1; and the bits of the baked leaves, 0 elsewhere. As lower() wants them.
    [[nodiscard]] std::vector<int> numbers() const;
    [[nodiscard]] std::vector<std::uint64_t> baked() const;
    [[nodiscard]] int array_count() const noexcept;
    [[nodiscard]] int output_count() const noexcept { return output_count_; }

    /// Then there is one axis, the same for all operands, and iteration() says nothing more.
    [[nodiscard]] bool all_contiguous() const noexcept {
        return *iteration_bytes() == 0 || *iteration_bytes() == window_mark;
    }
    [[nodiscard]] iteration_class iteration() const noexcept;
    /// Of a call with neighbours in it: what window.hpp wrote; else nullptr.
    [[nodiscard]] const std::uint8_t* window() const noexcept {
        return *iteration_bytes() == window_mark ? iteration_bytes() + 1 : nullptr;
    }
    /// Of a call with persistent rows: whether an output has one element for each.
    [[nodiscard]] bool is_of_row(int output) const noexcept;
    /// What is written of the memories, arrays and then outputs: for operands_of (operands.hpp).
    [[nodiscard]] const std::uint8_t* memory_bytes() const noexcept;

    // --- for bind, which writes it: from first_byte() on what is at the slots, and so on
    static constexpr int most_short_slots = 120;
    static constexpr std::int32_t no_number = -1;
    static constexpr std::int32_t is_baked = -2;
    static constexpr std::int32_t copied = -3;  // less the slot of the number that stands once more
    [[nodiscard]] std::uint8_t* first_byte() noexcept { return bytes() + sizeof(std::uint64_t); }
    /// Room for `count` more bytes (and the last word's rest) from `next` on, which may move.
    [[nodiscard]] std::uint8_t* make_room(std::uint8_t* next, std::size_t count);
    static constexpr std::size_t iteration_size = 10;  // bytes, at most
    static constexpr std::uint8_t window_mark = 0x40;  // no rank
    static std::uint8_t* write_iteration(std::uint8_t* next, const iteration_class& of, frame device) noexcept;
    /// `next`: past the last byte.
    [[gnu::always_inline]] void finish(std::uint8_t* next, std::uint64_t header) noexcept {
        words_[0] = header;
        const auto used = static_cast<std::size_t>(next - bytes());
        std::memset(next, 0, sizeof(std::uint64_t));
        word_count_ = (used + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    }

private:
    [[nodiscard]] std::int32_t number_at(int slot) const noexcept;
    [[nodiscard]] const std::uint8_t* iteration_bytes() const noexcept;
    static std::size_t words_for(int leaves, int outputs) {
        return static_cast<std::size_t>(8 + 13 * leaves + outputs + 15) / 8;
    }
    [[nodiscard]] std::uint8_t* bytes() noexcept { return reinterpret_cast<std::uint8_t*>(words_.data()); }
    [[nodiscard]] const std::uint8_t* bytes() const noexcept {
        return reinterpret_cast<const std::uint8_t*>(words_.data());
    }
    [[nodiscard]] const std::uint8_t* after_slots() const noexcept {
        return bytes() + sizeof(std::uint64_t) + (leaf_count_ > most_short_slots ? 4 : 1) * leaf_count_;
    }

    int leaf_count_;
    int output_count_;
    std::size_t word_count_ = 0;
    scratch<std::uint64_t, (8 + 13 * usual_leaves + 16) / 8> words_;
};

}  // namespace kiln::plan
