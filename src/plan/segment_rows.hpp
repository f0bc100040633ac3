// kiln/plan/segment_rows: how what rows of values come to by segments, a row having one id, is computed on a GPU: rows are put in
// the order of their segments, and a segment's are read one after the other. To combine each value in memory takes an atomic
// instruction: (1M, 64) floats in 4000 segments took an H100 968 us as elements that have a number each, 420 as rows in their own
// order, and take 170 in the order of segments.
// Long segments are in parts, whose words come together as in plan/segments.hpp; nothing of an order is in any of them.
// in: rows, ids' and values' types, what is wanted   out: steps   knows nothing of: text
#pragma once

#include <plan/kernel_signature.hpp>
#include <plan/segments.hpp>

#include <cstdint>
#include <iterator>
#include <vector>

namespace kiln::plan {

enum class segment_row_pass : std::uint8_t {
    clear,         // the counters and the segments' lengths
    rank,          // each row's number within its segment, and each segment's length
    place,         // where a segment begins among the places; the parts of long ones
    order,         // each place's row
    finish_short,  // the results of segments that are not long; the words of long ones become those without elements
    // Of long segments, a part for each block.
    magnitudes,
    words,
    finish_long,
};

struct segment_row_step {
    segment_row_pass pass = segment_row_pass::clear;
    segment_pass makes = segment_pass::parts;  // parts, sum, least or greatest
    element_type numbers = element_type::int32;
    element_type values = element_type::float32;
    std::int64_t rows = 1;
    std::int64_t segments = 1;
    std::int64_t inside = 1;   // values of a row
    std::int64_t setting = 0;  // of parts, how many binary digits they have; of extremes, the word without elements

    [[nodiscard]] constexpr bool reads_numbers() const noexcept {
        return pass == segment_row_pass::rank || pass == segment_row_pass::order;
    }
    [[nodiscard]] constexpr bool has_magnitudes() const noexcept { return makes == segment_pass::parts; }
    [[nodiscard]] constexpr bool has_rests() const noexcept {
        return has_magnitudes() && values == element_type::float64;
    }
    /// Of a result.
    [[nodiscard]] constexpr int words_of_each() const noexcept { return has_rests() ? 3 : has_magnitudes() ? 2 : 1; }
};

struct segment_row_plan {
    std::vector<segment_row_step> steps;  // in launch order
    std::int64_t words = 0;               // of 64 bits, of a temporary
    std::int64_t places = 0;              // of 32 bits, of another one: segment_rows_cuda.inc says what is where
};

/// Of a GPU; `by`: of rows, detail::are_rows_of_segments.
segment_row_plan plan_segment_rows(const detail::segment_call& by, std::int64_t elements, element_type numbers,
                                   element_type values);

inline constexpr int rank_rows = 8192;         // of a block that ranks
inline constexpr int rank_table = 8192;        // segments that it has a table for
inline constexpr int segment_row_part = 1024;  // rows of a part of a long segment
inline constexpr int longest_segment = 2048;   // rows, that one block still takes

/// Who takes a segment's rows.
struct segment_row_share {
    int vector = 1;  // neighbouring columns of a thread, which move at once
    int ahead = 1;   // rows that a thread reads before it takes the first
    int lanes = 32;  // of a row, or of a tile of one
    int warps = 8;   // of a segment that is not long
};
segment_row_share share_of(const segment_row_step& of);

/// Whether a block that ranks has a table of all segments.
constexpr bool has_rank_table(const segment_row_step& of) {
    return of.pass == segment_row_pass::rank && of.segments <= rank_table;
}

int threads_per_block(const segment_row_step& of);
/// As many as long segments can have.
std::int64_t most_parts(const segment_row_step& of);
std::int64_t block_count(const segment_row_step& of);
std::int64_t bytes_read(const segment_row_step& of);
std::int64_t bytes_written(const segment_row_step& of);

/// Of every step.
inline constexpr parameter segment_row_signature[] = {
    {role::segment_result}, {role::segment_table},  {role::segment_numbers}, {role::segment_values},
    {role::segment_places}, {role::segment_rows},   {role::segment_count},   {role::segment_parts},
    {role::segment_inside}, {role::segment_setting}};

}  // namespace kiln::plan
