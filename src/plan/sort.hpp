// kiln/plan/sort: how rows of neighbouring elements are sorted in steps: short ones in a block each, long ones a digit of eight
// bits at a time; where only the first few in order are wanted, these are selected.
// in: rows, a type, what is wanted of them   out: steps   knows nothing of: text
#pragma once

#include <kiln/element_type.hpp>
#include <plan/ceil_div.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/target.hpp>

#include <cstdint>
#include <iterator>
#include <vector>

namespace kiln::plan {

enum class sort_kind : std::uint8_t {
    network,  // rows of few elements, in a few lanes of a warp each
    block,    // a row for each block
    select,   // of each part of a row the first elements in order
    // Of longer rows, on a GPU; elsewhere the passes alone.
    clear,  // the counts
    count,  // each row's elements of each digit, and no state yet
    pass,   // from one memory to another, in the order of one digit: after that of the last, in order
};

struct sort_step {
    sort_kind what = sort_kind::pass;
    element_type type = element_type::float32;
    bool descending = false;
    bool has_places = false;  // where each element was goes along
    bool wide = false;        // counts and places have 64 bits
    std::int64_t rows = 1;
    std::int64_t count = 1;  // elements of a row
    int digit = 0;
    std::int64_t kept = 0;   // of each part of a row; of a network, of each row
    std::int64_t parts = 1;  // of a row, which differ by an element at most
    // Memories: 0 the operand, 1 the elements in order, 2 where they were, then the plan's temporaries; -1: none.
    int from = 0;
    int to = 1;
    int places_from = -1;  // none: an element's own place
    int places_to = -1;
    int counts = -1;
    int states = -1;

    [[nodiscard]] int digits() const noexcept { return bytes_of(type); }
    [[nodiscard]] bool is_last() const noexcept { return what != sort_kind::pass || digit + 1 == digits(); }
    [[nodiscard]] std::int64_t element_count() const noexcept { return rows * count; }
    [[nodiscard]] std::int64_t longest_part() const noexcept { return ceil_div(count, parts); }
    [[nodiscard]] std::int64_t count_bytes() const noexcept { return wide ? 8 : 4; }

    /// Whether a network compares places behind keys: where they are wanted, and where 32 bits have room for both and a key does not have
    /// all that a number's bits say. Of 32M floats in rows of 32 it takes an H200 twice as long as without.
    [[nodiscard]] bool compares_places() const noexcept {
        return has_places || (kind_of(type) == element_kind::floating && bytes_of(type) == 2);
    }
};

struct sort_plan {
    std::vector<sort_step> steps;           // in launch order
    std::vector<std::int64_t> temporaries;  // bytes
};

/// What is wanted of rows.
struct sort_task {
    element_type type = element_type::float32;
    bool descending = false;
    bool values = true;      // the elements in order
    bool positions = false;  // where they were
    std::int64_t rows = 1;
    std::int64_t count = 1;
    std::int64_t kept = 0;  // the first elements of each row in order, which alone are wanted; 0: all
};

/// Of rows with elements.
sort_plan plan_sort(const sort_task& of, const target& on);

/// Whether the operand's memory may be that of the elements in order.
bool sorts_in_place(const sort_plan& plan);

/// A block's share of a step on a GPU.
struct sort_tile {
    int threads = 256;
    int elements = 1;  // of a thread
    int lanes = 1;     // that a network has for a row

    [[nodiscard]] std::int64_t length() const noexcept { return std::int64_t{threads} * elements; }
};
sort_tile tile_of(const sort_step& step);

/// Of a row, for a block that counts.
inline constexpr int sort_part = 32768;

/// Of a block that selects: parts whose least elements bound what is selected. More of them than are selected, else the bound is wide.
inline int selection_parts(const sort_step& of) { return of.kept <= 64 ? 64 : 1024; }

std::int64_t block_count(const sort_step& of);
std::int64_t bytes_read(const sort_step& of);
std::int64_t bytes_written(const sort_step& of);

/// Of every step of a sort, on every device.
inline constexpr parameter sort_signature[] = {{role::sort_to},          {role::sort_from},   {role::sort_places_to},
                                               {role::sort_places_from}, {role::sort_counts}, {role::sort_states},
                                               {role::sort_rows},        {role::sort_count},  {role::sort_digit},
                                               {role::sort_kept},        {role::sort_parts}};

/// Words of 32 bits before the counts: how many tiles of each pass have begun.
inline constexpr std::int64_t sort_tickets = 16;

}  // namespace kiln::plan
