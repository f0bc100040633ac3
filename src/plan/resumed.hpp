// kiln/plan/resumed: a reduction whose elements come in chunks, one after the other, each bit that of all of them at once. A GPU's order
// (reduction.hpp) gives each element to a lane: of its split, the one of its place in the rounds. What lanes know is kept from chunk to
// chunk, so that a chunk may end anywhere; the lanes of a split are combined once it has all of its elements, and the splits at the end.
// in: a shape and which of its axes go   out: sizes, and the steps of a chunk   knows nothing of: text, where elements come from
#pragma once

#include <plan/ceil_div.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/schedule.hpp>

#include <kiln/shape.hpp>

#include <cstdint>

namespace kiln::plan {

/// The order of the whole, as far as lanes know it.
struct resumed_order {
    bool along_rows = true;      // the elements of one value are neighbours; otherwise the values are
    int threads_per_output = 1;  // a power of two
    std::int64_t kept = 1;       // values
    std::int64_t reduced = 1;    // elements of each
    std::int64_t part = 1;       // of a split, all but the last
    std::int64_t splits = 1;

    /// Accumulators of a split: of rows one for each place of a thread's vectors.
    [[nodiscard]] int lanes() const noexcept;
};
resumed_order order_of_reduction(const shape& whole, std::uint8_t axes);

/// How many splits have elements in a chunk of so many, at most: as many places do their lanes have, and take turns.
std::int64_t splits_of_chunk(const resumed_order& of, std::int64_t elements);
/// What lanes and splits know, in bytes, where chunks have at most so many elements of each value.
std::int64_t resumed_bytes(const reduced_output& of, const resumed_order& order, std::int64_t elements);
/// One accumulator among others, as a compiler lays it out.
std::int64_t resumed_accumulator_bytes(const reduced_output& of);

struct resumed_step {
    enum class kind : std::uint8_t {
        take,   // a thread for each lane of each value's splits: its elements of the chunk
        close,  // a block for each value's split: its lanes are combined
        end,    // a block for each value: its splits are combined, and the result is stored
    };
    kind what = kind::take;
    reduced_output of;
    resumed_order order;
    // Of a chunk, which has elements [begin, begin + count) of each value; of close: of the splits that have all of theirs.
    std::int64_t begin = 0;
    std::int64_t count = 0;
    std::int64_t first_split = 0;
    std::int64_t split_count = 1;
    std::int64_t turns = 1;  // splits_of_chunk
};

/// Of a block. Few take a chunk's elements, so that a split's lanes are on many multiprocessors.
int block_threads(const resumed_step& of) noexcept;
std::int64_t block_count(const resumed_step& of);

/// Of every such step: elements, what lanes know, what splits do, results; values, elements of each, of a split; of the chunk the first
/// and how many; the first split and how many; splits and turns of all.
inline constexpr parameter resumed_signature[] = {{role::input},
                                                  {role::workspace, 0},
                                                  {role::workspace, 1},
                                                  {role::output},
                                                  {role::element_count, 0},
                                                  {role::element_count, 1},
                                                  {role::element_count, 2},
                                                  {role::element_count, 3},
                                                  {role::element_count, 4},
                                                  {role::element_count, 5},
                                                  {role::element_count, 6},
                                                  {role::element_count, 7},
                                                  {role::element_count, 8}};

}  // namespace kiln::plan
