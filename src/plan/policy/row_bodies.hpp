// kiln/plan/policy/row_bodies: the steps of a kernel that reduces what reductions of short rows come to, as bodies: what is made of a
// row's elements to be reduced; of its results, what is one for the row; and what is made of all that.
// in: a program with operation::reduce in it   out: bodies of a nest, and calls of them   knows nothing of: threads, memory
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/schedule.hpp>

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace kiln::plan {

class row_bodies {
public:
    /// The set of the rows' reductions comes after that of the outputs. `is_of_row`: whether an input is one for all elements that results
    /// are made of; none: each result is made of all it needs.
    row_bodies(nest::builder& to, const lower::program& program, const kernel& of,
               const std::function<bool(std::size_t input)>& is_of_row = {});

    using known_values = std::map<lower::value_id, nest::value>;

    /// The reductions' steps.
    [[nodiscard]] const std::vector<lower::value_id>& reductions() const { return reductions_; }
    /// The set of the rows' reductions.
    [[nodiscard]] int set() const { return set_; }
    /// A row's reductions are numbered behind the outputs'.
    [[nodiscard]] std::size_t number_of(std::size_t reduction) const { return outputs_ + reduction; }

    /// What is made of one element to be reduced, of each reduction.
    std::vector<nest::value> reduced(known_values known);
    /// What is known of one element, the `number`th of its row.
    nest::value element(known_values known, nest::value number);
    /// What the row's accumulators are in the end, of `count` elements.
    void finish(known_values& known, nest::value accumulators, nest::value count);
    /// What is made of that, and is one for the row: these values.
    [[nodiscard]] const std::vector<lower::value_id>& of_row() const { return of_row_.of.outputs; }
    /// All three, as bodies.
    [[nodiscard]] const nest::body& elements_body() const { return elements_.of; }
    [[nodiscard]] const nest::body& row_body() const { return of_row_.of; }
    [[nodiscard]] const nest::body& results_body() const { return results_.of; }
    /// Whether these are made of it; whether results are.
    [[nodiscard]] bool needs_of_row(lower::value_id of) const;
    [[nodiscard]] bool needs_result(lower::value_id of) const;
    void make_of_row(known_values& known) { call(of_row_, known); }
    /// What is made of all that.
    void make_results(known_values& known) { call(results_, known); }

private:
    struct part {
        nest::body of;
        std::optional<int> number = {};  // once it is called
    };

    [[nodiscard]] bool is_reduction(lower::value_id of) const;
    [[nodiscard]] nest::body body(const char* name, const std::vector<lower::value_id>& wanted,
                                  const std::vector<lower::value_id>& given = {}) const;
    [[nodiscard]] std::vector<lower::value_id> values_of_row(const nest::body& results,
                                                             const std::function<bool(std::size_t)>& is_of_row) const;
    void call(part& of, known_values& known);

    nest::builder& to_;
    const lower::program& program_;
    const kernel& of_;
    const std::size_t outputs_;
    const int set_;
    std::vector<lower::value_id> reductions_;
    part elements_, of_row_, results_;
};

}  // namespace kiln::plan
