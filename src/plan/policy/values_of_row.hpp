// kiln/plan/policy/values_of_row: values that share a row, of each of which a thread has several: what the row has is read once for all of
// them, what each has of its own is kept. Whose elements of the row a thread takes, and how threads' results become one, are for who derives from it.
// in: a planned reduction   out: statements that take one thread's elements   knows nothing of: which thread has which value
#pragma once

#include <plan/policy/reduction.hpp>
#include <plan/row_sets.hpp>

#include <functional>
#include <map>
#include <vector>

namespace kiln::plan {

class values_of_row {
public:
    values_of_row(const lower::program& program, const kernel& of);

protected:
    [[nodiscard]] int values() const { return of_.values_per_thread(); }
    [[nodiscard]] int width() const { return of_.vector_width; }
    template <class Each>
    void each_value(Each each) {
        to_.unrolled("v", values(), each);
    }

    /// What is no row's, of the value with each number; the last one's where there is none.
    void keep_what_stays(const std::function<nest::value(nest::value v)>& number_of);
    void declare_parts();
    void begin_anew();
    /// How many elements are of whole vectors.
    void count_whole();
    /// All of the value's thread with that number: whole vectors, by fast paths without a branch between them where there are some; then
    /// what is left of a row, which belongs to the thread whose turn it would be. Where a result was not right, the thread begins anew.
    void take_elements(nest::value thread);
    /// The same, where `take_whole(is_right)` takes the whole vectors, place by place with take_vector().
    void take_elements(nest::value thread, const std::function<void(nest::value is_right)>& take_whole);
    /// All of the thread's, from memory.
    void take_vectors(nest::value thread, nest::value is_right);
    using of_row = std::function<nest::value(std::size_t which)>;
    /// The vector whose first element has that number: `place(k)` gives a place's elements.
    void take_vector(nest::value first, nest::value is_right, const std::function<of_row(nest::value k)>& place);
    /// What the places of a vector come to, of each value.
    void combine_places(nest::id into);
    void store(nest::value result, nest::value number);

    /// For who takes elements otherwise: whether an input is the row's, its element, and how many elements are of whole vectors.
    [[nodiscard]] bool is_of_row(std::size_t which) const { return inputs_[which].of_row; }
    nest::value element(std::size_t which, nest::value number);
    /// Whether it has elements of rows in vectors.
    [[nodiscard]] bool has_sets() const { return !sets_.empty(); }
    [[nodiscard]] nest::value whole() const { return whole_; }

    /// Where no order is promised, a value has one sum: of all places of its vectors, and what elements are taken after it goes on with it.
    void go_on() { goes_on_ = true; }
    [[nodiscard]] bool goes_on() const { return goes_on_; }

    const kernel& of_;
    nest::builder to_;
    nest::operands operands_;
    value_threads threads_;

private:
    struct input {
        bool of_row = false;
        nest::id own = nest::none;     // of values: an element of each
        nest::value vector = {};       // of the row: what is there now, a vector or
        nest::id loaded = nest::none;  // as many elements, or
        row_element in_set = {};       // of those of all of its set
    };
    /// Of all elements of the memory's rows, those of a vector's places, in as many vectors as a row has elements (row_sets.hpp).
    struct row_set {
        std::size_t first = 0;  // the input that is in the first place
        nest::id loaded = nest::none;
    };

    [[nodiscard]] nest::value part(nest::value v, nest::value_or_number k);
    /// Element after element of each place of a vector. All places take their turn as the first one: a loop whose turns knew them by
    /// number would be written out, and took NVRTC as long as all else.
    void take_others(nest::value thread, nest::value all_are_right);
    /// By fast paths too, where others branch: only where one of these was not right they are taken once more.
    void take_first_place(nest::value next);
    void turn_places();
    void find_sets();
    void load(nest::value next);
    void load_set(row_set& of, int extent, nest::value next);
    [[nodiscard]] nest::value loaded(std::size_t which, nest::value k);
    nest::value one(nest::value v, nest::value number, const of_row& element_of_row, nest::value is_right);
    void append(nest::value to, nest::value made) { to_.assign(to, to_.append(to, made)); }

    [[nodiscard]] int places() const { return goes_on_ ? 1 : width(); }

    bool goes_on_ = false;
    const bool tests_;        // roots and quotients have
    const bool have_any_;     // and paths for all operands, without a branch
    nest::value whole_ = {};  // elements of the row that are of whole vectors
    std::vector<input> inputs_;
    std::map<int, row_set> sets_;  // by their extents
    nest::id parts_ = nest::none;
};

}  // namespace kiln::plan
