// kiln/plan/segments: how what elements come to by segments is computed in steps: words (integers of 64 bits), one or more for
// each segment, that elements are combined into in any order, and the results that the words become.
// in: a stage's segments   out: steps   knows nothing of: text
#pragma once

#include <plan/ceil_div.hpp>
#include <plan/target.hpp>

#include <kiln/element_type.hpp>
#include <kiln/reduction.hpp>

#include <cstdint>
#include <vector>

namespace kiln::plan {

enum class segment_pass : std::uint8_t {
    clear,      // words become `setting`, which no element changes
    number,     // elements are counted
    sum,        // of integers
    magnitude,  // of floats: the largest of a segment
    parts,      // the same: sums of integers, in units of the segment's magnitude (emit/helpers/segments.inc)
    least,
    greatest,
    total,    // of parts, the result
    extreme,  // of the least or greatest, the result
};

/// Over elements whose segments are `numbers` (or, by bins, whose numbers have a bin each), or over segments: clear, total, extreme.
struct segment_step {
    segment_pass pass = segment_pass::number;
    element_type numbers = element_type::int64;
    element_type values = element_type::int64;  // of the elements, or of the result
    bool by_bins = false;
    bool shared = false;      // a GPU's blocks have tables of their own
    bool by_floats = false;   // by bins: floats know which, but near an edge
    bool all_inside = false;  // no number is outside of the segments: uint8 and 256 of them
    std::int64_t elements = 0;
    std::int64_t count = 0;    // of segments; of clear, of words
    std::int64_t copies = 1;   // of a block's table
    std::int64_t setting = 0;  // to be cleared by; of parts and totals, how many binary digits a part has
    double low = 0;
    double high = 0;
    std::int64_t inside = 1;  // neighbouring elements that have one number: segment_rows.hpp
    /// Of sums of floats by rows, on a GPU whose blocks have no tables: magnitudes are integers of 32 bits in a memory of their own, and rows
    /// of words are row_pitch() apart.
    bool in_sectors = false;
    bool narrow = false;     // on a GPU: words of 32 bits, which are the result
    bool any_order = false;  // of sums of floats, on a GPU: elements are added where the result is

    /// Of parts: what a part leaves of a double is a second integer.
    [[nodiscard]] constexpr bool has_rests() const noexcept { return values == element_type::float64; }
    [[nodiscard]] constexpr bool over_elements() const noexcept {
        return pass != segment_pass::clear && pass != segment_pass::total && pass != segment_pass::extreme;
    }
    [[nodiscard]] constexpr bool reads_values() const noexcept {
        return over_elements() && pass != segment_pass::number;
    }
};

/// Words from one row's first to the next one's. Memory combines a sector of four at a time, whatever of it is wanted, and where three of
/// four follow each other every other row is in two: of (4M, 3) floats in 100,000 segments an H100 took 110 us for parts that take 96.
constexpr std::int64_t row_pitch(const segment_step& of) {
    constexpr std::int64_t words_of_sector = 4;
    return of.inside + (of.in_sectors && of.inside % words_of_sector == words_of_sector - 1);
}
/// Of those steps, the words before the magnitudes.
constexpr std::int64_t words_of_rows(const segment_step& of) {
    return of.count / of.inside * row_pitch(of) * (of.has_rests() ? 2 : 1);
}

struct segment_plan {
    std::vector<segment_step> steps;  // in launch order
    std::int64_t words = 0;           // of a temporary; 0: the words are the result
};

/// `values`: none where elements are counted. Sums of floats may be in `any_order` (options.fast_math).
segment_plan plan_segments(const detail::segment_call& by, std::int64_t elements, element_type numbers,
                           element_type values, const target& on, bool any_order = false);

// Of a GPU.
inline constexpr int segment_threads = 1024;
inline constexpr int segment_words = 4096;     // of 64 bits, of a block's table
inline constexpr int segment_counters = 8192;  // of 32

/// Elements that a thread takes at once.
constexpr int segment_vector(const segment_step& of) {
    const int bytes = bytes_of(of.numbers);
    return 16 / (of.reads_values() && bytes_of(of.values) > bytes ? bytes_of(of.values) : bytes);
}
int threads_per_block(const segment_step& of);
std::int64_t block_count(const segment_step& of);
std::int64_t bytes_read(const segment_step& of);
std::int64_t bytes_written(const segment_step& of);

}  // namespace kiln::plan
