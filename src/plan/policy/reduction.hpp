// kiln/plan/policy/reduction: kernels that make one value of many, as nests. What is reduced is computed as it is read; a value's
// threads, their rounds and the order in which their results are combined are the same whatever it is computed from.
// in: a planned kernel that reduces   out: a nest
#pragma once

#include <plan/policy/value_threads.hpp>

#include <functional>

namespace kiln::plan {

/// Neighbouring elements are of one value, as of a total: so are neighbouring threads.
nest::tree rows_nest(const lower::program& program, const kernel& of);

/// The same of what any order has the same bits of (free_rows.hpp).
nest::tree free_rows_nest(const lower::program& program, const kernel& of);

/// They are of different values.
nest::tree columns_nest(const lower::program& program, const kernel& of);

/// Values that share a row, several for each thread.
nest::tree shared_rows_nest(const lower::program& program, const kernel& of);

/// The same of long rows and many values: each lane has values of its own.
nest::tree lane_values_nest(const lower::program& program, const kernel& of);

/// The same of values with several accumulators: elements come from tiles of warps.
nest::tree lane_tiles_nest(const lower::program& program, const kernel& of);

/// Rows of few elements, several neighbours for each thread.
nest::tree interleaved_nest(const lower::program& program, const kernel& of);

/// Rows of what shorter rows come to, each made by one thread.
nest::tree nested_rows_nest(const lower::program& program, const kernel& of);

/// Columns of what is made of rows and of what they come to.
nest::tree crossed_columns_nest(const lower::program& program, const kernel& of);

/// Rows that stay on chip between reductions and what is made of them.
nest::tree persistent_rows_nest(const lower::program& program, const kernel& of);

/// Columns that stay on chip, as those rows do.
nest::tree persistent_columns_nest(const lower::program& program, const kernel& of);

/// The same, several neighbouring columns for each thread.
nest::tree vector_columns_nest(const lower::program& program, const kernel& of);

/// Tiles of values, of which each operand knows only the rows or the columns.
nest::tree contraction_nest(const lower::program& program, const kernel& of);

/// The same on tensor cores.
nest::tree tensor_contraction_nest(const lower::program& program, const kernel& of);

/// The body of an element of a value: its results to `store`, or into an accumulator of one element. `is_right`: of fast paths alone
/// (builder::compute_fast).
nest::value reduced_element(nest::builder& to, nest::operands& operands, const kernel& of,
                            const std::function<nest::value(std::size_t)>& input,
                            const std::vector<nest::value>& positions, nest::value number_of_element,
                            const std::function<void(std::size_t output, nest::value element)>& store,
                            nest::value is_right = {});

/// What both have in common: all but which elements a thread takes, and what becomes of its accumulators.
class reduction_policy {
public:
    reduction_policy(const lower::program& program, const kernel& of);
    reduction_policy(const reduction_policy&) = delete;
    reduction_policy& operator=(const reduction_policy&) = delete;
    virtual ~reduction_policy() = default;

    nest::tree run();

protected:
    /// All of a thread's elements, appended to its accumulators.
    virtual void take_elements() = 0;
    /// What a thread's value k came to.
    virtual nest::value mine(nest::value_or_number k) = 0;
    /// Whether the elements from `first` that a thread takes at once are there.
    virtual nest::value is_whole(nest::value first) = 0;
    /// Of an input that moves in vectors: whether it does in this row; none: in every row. Elsewhere it moves element by element.
    virtual nest::value moves_in_vectors(std::size_t) { return {}; }

    /// Rounds from `start`, of several of which all loads go out before the first of them is needed.
    void rounds(nest::value start);
    /// One element, by itself; `append` says to which accumulators.
    void element(nest::value number_of_element, const std::function<void(nest::value one)>& append);
    void append(nest::value to, nest::value one) { to_.assign(to, to_.append(to, one)); }
    nest::value part(nest::value_or_number k) { return to_.at(parts_, k); }
    [[nodiscard]] int loads_in_flight() const;
    [[nodiscard]] int accumulators() const;

    const kernel& of_;
    nest::builder to_;
    nest::operands operands_;
    value_threads threads_;

private:
    void make_room(int accumulators);
    [[nodiscard]] bool has_few_columns() const;
    [[nodiscard]] bool is_loaded(std::size_t input) const;
    [[nodiscard]] bool is_vector(std::size_t input) const;
    void load(nest::value u, nest::value first);
    void compute(nest::value u, nest::value first);
    void combine_values();
    [[nodiscard]] int splits_of_value() const;
    [[nodiscard]] int splits_together() const;
    void finalize_in_last_block();
    void store_partial_sums();
    void store();
    template <class Each>
    void each_value(Each each);

    nest::id parts_ = nest::none;   // accumulators of the thread's
    nest::id shared_ = nest::none;  // of the block's threads
    std::vector<nest::id> loaded_;  // of each input, what a thread asked for in its rounds
};

}  // namespace kiln::plan
