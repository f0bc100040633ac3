// kiln/plan/policy/skewed_rows: rows of narrow elements that begin anywhere, as rows of odd length do. A thread's elements are neighbours,
// but no aligned vector. Read one by one they are four loads whose lanes lie a vector apart, each as slow as one of whole vectors: so a
// thread reads the two aligned vectors that its elements lie in, and takes them from across both; and it stores the vector that the thread
// before it has begun. By how much a row's vectors are beyond aligned ones (their skew) is the same all along it. Which rows' lanes take
// neighbours instead is in plan/neighbour_rows.hpp.
// in: a planned kernel of persistent rows, places   out: vectors in its nest   knows nothing of: phases, order
#pragma once

#include <plan/policy/value_threads.hpp>

#include <string>

namespace kiln::plan {

/// Whether an operand is such a row's: elements of two bytes, neighbours along it.
bool is_skewed(const kernel& of, const operand& each);
/// Whether an output is stored so: bytes are, too, of rows that several warps have.
bool is_stored_skewed(const kernel& of, const operand& output);

/// An operand's elements of a thread, item by item: `u` is the item's number, `first` that of its first element in the row. What lies in a
/// vector that is not the row's alone, at its ends, moves element by element: beside it may be nothing.
class skewed_row {
public:
    /// `begin`: where the first element of the thread's item 0 is.
    skewed_row(nest::builder& to, const kernel& of, value_threads& threads, nest::id memory, std::string name,
               const operand& each, nest::value begin);

    /// Room for what is read of so many items at once.
    void make_room(int items);
    /// Reads what an item lies in to place `slot`, without waiting for it.
    void read(nest::value_or_number slot, nest::value u, nest::value first);
    /// The item's elements of that.
    nest::value take(nest::value_or_number slot, nest::value u, nest::value first);

    /// Before the first store.
    void begin_stores();
    /// Stores an item's elements, after those of the item before; all lanes of the warp are here.
    void store(nest::value vector, nest::value u, nest::value first);

private:
    [[nodiscard]] nest::value at(nest::value u, nest::value_or_number k);
    /// The aligned vector that item u begins in, or one that is further on.
    [[nodiscard]] nest::value vector_at(nest::value u, int further);
    /// Rows of the kernel's class may end in items from `whole` on: those before are not asked.
    [[nodiscard]] static nest::value is_before_end(nest::value u, int whole, nest::value is_before);
    [[nodiscard]] static nest::value is_past_end(nest::value u, int whole, nest::value is_past);

    nest::builder& to_;
    const kernel& of_;
    value_threads& threads_;
    nest::id memory_;
    std::string name_;
    nest::type vector_;
    int width_;
    int whole_;  // items that every row of the kernel's class has whole
    nest::value begin_, skew_, count_;

    bool has_neighbours_;      // of the array's rows all but the first and the last, that nobody stores to
    nest::value head_, tail_;  // elements before the one and from the other on are read one by one
    nest::value read_end_;     // vectors that begin before it are read
    nest::id low_ = nest::none, high_ = nest::none;

    /// Whether no other warp has elements of the row: the item after a warp's goes on where that ends.
    [[nodiscard]] bool is_of_one_warp() const { return of_.threads_per_output <= warp; }

    nest::value lane_before_;  // that the row's elements before the thread's are in, of the first lane the last one
    nest::value is_first_lane_;
    nest::value last_;        // of the first lane: what it was given with the item before
    nest::value first_part_;  // of an item's elements those that end the vector before, as bits
    nest::value ends_;        // whether the thread stores that vector
    nest::value alone_;       // what it stores one by one, wherever the row ends, as bits
};

}  // namespace kiln::plan
