// kiln/plan/nest/operands: a kernel's operands in the nest that a policy builds for it: its parameters, where an element of an
// operand is, and what the body of an element is given.
// in: a planned kernel, positions   out: values of its nest   knows nothing of: who takes which element
#pragma once

#include <plan/layout.hpp>
#include <plan/nest/builder.hpp>
#include <plan/schedule.hpp>

#include <functional>
#include <string>
#include <vector>

namespace kiln::plan::nest {

class operands {
public:
    operands(builder& to, const lower::program& program, const kernel& of);

    /// "x0", "index0"; "y0".
    [[nodiscard]] const std::string& input_name(std::size_t of) const { return inputs_[of].name; }
    [[nodiscard]] std::string output_name(std::size_t of) const { return "y" + std::to_string(of); }
    [[nodiscard]] id memory_of_input(std::size_t of) const { return inputs_[of].memory; }
    [[nodiscard]] id memory_of_output(std::size_t of) const { return outputs_[of]; }
    /// How many elements there are, where all operands are contiguous.
    [[nodiscard]] value count() const { return count_; }
    /// Where the blocks of a split reduction leave what they came to, and count themselves.
    [[nodiscard]] id workspace() const { return workspace_; }
    [[nodiscard]] id counters() const { return counters_; }
    /// The parameter of a scalar.
    [[nodiscard]] value scalar(std::size_t of) const { return scalars_[of]; }

    /// What a block makes before its elements: what inputs that are partial sums come to, a table of its body. All of its threads
    /// are here, and will be at a barrier. `of_row`: where the table is one row's, an element of an input that is the same all along it.
    void begin_block(value thread, const std::function<value(std::size_t)>& of_row = {});

    [[nodiscard]] value extent(int axis) { return to_.word(layout_extent(axis)); }
    /// The positions on axes 0 to `last` of the element (or row) with that number; those of the other axes stay empty.
    std::vector<value> positions(value number, int last);
    /// The same on some axes, of the element with that number among theirs.
    void positions(value number, const std::vector<int>& axes, std::vector<value>& to);

    /// On the host, as variables: those of the first of many elements (or rows), and from one to the next: one is carried from each
    /// axis to the one around it.
    void first_positions(value number, int first, int last, std::vector<value>& to);
    void next_positions(const std::vector<value>& positions, int first, int last);

    /// Where an operand's element is at these positions, as a variable "at_" + name: its index map's steps before it.
    /// `lookups`: of one that a gather reads, what was looked up.
    value address(const operand& of, const std::string& name, const std::vector<value>& positions,
                  const std::vector<value>& lookups = {});
    /// The same of a vector whose first element has these positions: where step `clamped` would be beyond an end with any of its elements,
    /// that of the last vector before it. `beyond` is how far the step is from there.
    value address_of_block(const operand& of, const std::string& name, const std::vector<value>& positions, int clamped,
                           int elements, value& beyond);
    /// By how much the address goes up along an axis.
    value stride(const operand& of, int axis);
    /// A linear form, where steps that it is made of have these values.
    value linear(const linear_plan& form, const std::vector<value>& positions, const std::vector<value>& steps);
    value step(const step_plan& of, const std::vector<value>& positions, const std::vector<value>& steps);
    /// Where what was looked up is on an axis: below 0 from its end, and outside of it the nearest.
    value found(const std::string& name, value lookup, value extent);

    /// The element of an input at a place: of positions, the position; of partial sums, the sum.
    value element(std::size_t of, value place);
    /// Of what a body finds elements in by positions: all of it; of positions, the first.
    value array(std::size_t of);
    /// Whether loads of a vector of that type give its bits, which become a vector once the rest at the end has met the
    /// others: where the two ways meet, each element of a byte or two would take a register of its own (nvcc 13.0: 148 in
    /// place of 53 for 8 operands of bytes).
    [[nodiscard]] bool moves_as_bits(element_type type) const;
    /// The vector (or its bits) of an input that begins there, of as many elements as a thread has.
    value vector(std::size_t of, value place);
    /// The same, stored to a vector.
    void load_vector(value to, std::size_t of, value place);
    value output(std::size_t of, value place) { return to_.at(outputs_[of], place); }

    /// The body of one element. `input` and `output` say what stands for each; `positions` are for a body that gathers.
    /// `is_right`: by fast paths alone, of whose results it says whether they are right.
    void compute(const std::function<value(std::size_t)>& input, const std::function<value(std::size_t)>& output,
                 const std::vector<value>& positions, value is_right = {});

private:
    [[nodiscard]] bool is_known(const linear_plan& form, int axis) const {
        return form.known_inner != 0 && axis == of_.rank - 1;
    }

    void finalize_partial_sums(value thread);
    void make_tables(value thread, const std::function<value(std::size_t)>& of_row);
    /// Of an operand whose distances are in the text.
    value known_address(const operand& of, const std::string& name, const std::vector<value>& positions);

    struct input_parameter {
        std::string name;
        id memory = none;
        value first = {};  // of positions
        value sum = {};    // of partial sums
    };
    builder& to_;
    const kernel& of_;
    std::vector<input_parameter> inputs_;
    std::vector<id> outputs_;
    std::vector<value> scalars_;
    std::vector<value> divisors_;
    std::vector<id> tables_;  // of each output, by an element of a byte
    value count_;
    id workspace_ = none;
    id counters_ = none;
};

}  // namespace kiln::plan::nest
