// kiln/plan/policy/phased_rows: what kernels whose rows stay on chip have in common on all devices: which steps are done together, as
// bodies, and what is known of a row (plan/row_phases.hpp).
// in: a program with operation::reduce in it   out: bodies of a nest, and calls of them   knows nothing of: threads, memory
#pragma once

#include <plan/nest/operands.hpp>
#include <plan/row_phases.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::plan {

class phased_rows {
protected:
    phased_rows(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : phased_rows(program, of, to, operands, row_phases(phases_of(program))) {}
    phased_rows(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands,
                row_phases phases);

    static std::size_t at(lower::value_id of) { return static_cast<std::size_t>(of); }
    [[nodiscard]] int phase_of(lower::value_id of) const { return phases_.phase[at(of)]; }
    [[nodiscard]] bool of_row(lower::value_id of) const { return phases_.of_row[at(of)]; }
    [[nodiscard]] bool is_step(lower::value_id of) const { return of >= program_.first_step_value(); }
    [[nodiscard]] bool is_scan(lower::value_id of) const { return is_step(of) && program_.step_of(of)->scans; }
    /// Of a table whose row is looked up once for a row: read as operands are, by no body.
    [[nodiscard]] bool is_gather(lower::value_id of) const {
        return is_step(of) && program_.step_of(of)->code == operation::gather;
    }
    [[nodiscard]] const operand* input(lower::value_id of) const;
    [[nodiscard]] nest::type type_of(lower::value_id of) const { return nest::types::element(program_.type_of(of)); }
    [[nodiscard]] std::string name_of(lower::value_id of) const;
    /// Whether an output is of elements that this phase computes.
    [[nodiscard]] bool is_stored(std::size_t output, int phase) const {
        return of_.stores_elements(output) && phase_of(of_.outputs[output].value) == phase;
    }

    template <class Visit>
    void each_step(Visit visit) const {
        for (int i = 0; i < static_cast<int>(program_.steps.size()); ++i)
            visit(program_.steps[static_cast<std::size_t>(i)], program_.step_value(i), i);
    }
    /// Of those that a phase's elements go into, with their numbers among all.
    template <class Visit>
    void each_reduction(int phase, Visit visit) const {
        std::size_t number = 0;
        each_step([&](const lower::step& each, lower::value_id result, int) {
            if (each.code != operation::reduce || each.scans) return;
            if (phase_of(result) == phase + 1) visit(each, result, number);
            ++number;
        });
    }
    /// Of the scans that a phase's elements go into.
    template <class Visit>
    void each_scan(int phase, Visit visit) const {
        each_step([&](const lower::step& each, lower::value_id result, int) {
            if (each.scans && phase_of(result) == phase + 1) visit(each, result);
        });
    }

    /// Those of the steps that it `takes`, with these of their values as results.
    [[nodiscard]] nest::body body_of(std::string name, const std::function<bool(lower::value_id)>& takes,
                                     std::vector<lower::value_id> outputs) const;
    /// The steps of a phase's elements, with these of their values (and of what they are made of) as results.
    [[nodiscard]] nest::body elements_body(int phase, std::vector<lower::value_id> outputs) const;
    /// The same, with those as results that something outside of it needs: reductions, stores, later phases; none of nothing.
    std::optional<int> body_of_phase(int phase);
    /// The same where no earlier phase has left anything: of all that the phase needs, of elements.
    std::optional<int> body_from_inputs(int phase, const std::vector<bool>& needed);
    /// Calls a body with values at hand; what comes of each output. `is_right`: by fast paths alone (builder::compute_fast).
    std::vector<nest::value> call(int body, const std::function<nest::value(lower::value_id)>& value_of,
                                  nest::value is_right = {});
    /// Where a GPU's thread has what it needs of an element, and where it leaves what it makes of it.
    struct element_places {
        std::function<nest::value(lower::value_id)> held;  // read or made before
        std::function<nest::value(lower::value_id)> keep;  // for later phases; none: they do not need it
        std::function<void(nest::value one)> append = {};  // to the phase's accumulators; none: another pass does
        std::function<void(lower::value_id scan, nest::value element)> begin_scan = {};
        std::function<void(std::size_t output, nest::value element)> store = {};  // none: the same
        nest::value is_right = {};                                                // of the body, as in call()
    };
    /// Where each phase that reduces has a set of its own.
    [[nodiscard]] bool reduces(int phase) const {
        bool out = false;
        each_reduction(phase, [&](const lower::step&, lower::value_id, std::size_t) { out = true; });
        return out;
    }
    /// All of a phase for an element of the row.
    void take_element(int phase, std::optional<int> body, nest::value number, const element_places& places);
    /// What is one for each row, once the reductions that it is made of are there.
    void compute_row(int phase);
    /// Its steps.
    [[nodiscard]] nest::body row_body(int phase) const;
    [[nodiscard]] bool is_made_of_row(lower::value_id of, int phase) const;
    /// The values that this makes.
    [[nodiscard]] std::vector<lower::value_id> made_of_row(int phase) const;
    /// Scalars, reductions, and what is made of those alone.
    nest::value& row_value(lower::value_id of) { return of_row_[at(of)]; }

    const lower::program& program_;
    const kernel& of_;
    row_phases phases_;
    nest::builder& to_;
    nest::operands& operands_;

private:
    [[nodiscard]] bool is_made_in(int phase, lower::value_id of, const std::vector<bool>& needed) const;

    std::vector<nest::value> of_row_;  // by value
};

}  // namespace kiln::plan
