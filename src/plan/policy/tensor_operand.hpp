// kiln/plan/policy/tensor_operand: how rounds of an operand of tensor cores come into shared memory: as it lies, copied in the
// background; or made of arrays on the way there, element by element, through registers that were filled a round before.
// in: a planned contraction, the block's first row or column   out: parts of its nest
// knows nothing of: what multiplies the elements, and how many rounds ahead they come
#pragma once

#include <plan/nest/operands.hpp>
#include <plan/tensor_contraction.hpp>

#include <vector>

namespace kiln::plan {

class tensor_operand {
public:
    tensor_operand(nest::builder& to, nest::operands& operands, const lower::program& program, const kernel& of,
                   staged_operand staged);

    [[nodiscard]] const staged_operand& of() const { return staged_; }
    [[nodiscard]] bool is_made() const { return staged_.made >= 0; }
    [[nodiscard]] nest::id shared() const { return shared_; }

    /// Shared memory.
    void declare();
    /// Which elements are the thread's, of the tile that begins with row (column) `first`: those of neighbouring threads are neighbours.
    void divide(nest::value thread, nest::value first, const std::vector<nest::value>& positions);
    /// Of what is made: the arrays' elements of the round that begins with element `first`.
    void ask(nest::value first, nest::value reduced);
    /// A round to a stage; of what is made, the one that was asked for. `reduced`: where it ends, unless all of it is there.
    void bring(nest::value stage, nest::value first, nest::value reduced);
    /// To the places of the next round.
    void go_on();

private:
    /// Where the thread's elements of an array are.
    struct source {
        std::size_t input = 0;
        nest::value stride;
        nest::value next;                // of the first copy of a round, unless the places of all are kept
        nest::id places = nest::none;    // of each
        nest::id elements = nest::none;  // of what is made: those that were asked for
    };

    [[nodiscard]] int depth_axis() const;
    [[nodiscard]] int copied() const { return of_.contraction.copied; }
    [[nodiscard]] bool by_groups() const { return of_.contraction.by_groups; }
    [[nodiscard]] const operand& array(const source& of) const { return of_.inputs[of.input]; }
    [[nodiscard]] nest::type moved(element_type of, bool as_bits) const;
    [[nodiscard]] nest::value from(const source& of, nest::value copy);
    [[nodiscard]] nest::value place(const source& of, nest::value copy);
    [[nodiscard]] nest::value line_place(nest::value line);
    [[nodiscard]] nest::value place_in_stage(nest::value copy, nest::value line);
    template <class Each>
    void each_line(nest::value stage, Each each);
    void copy(nest::value to, nest::value copy, nest::value there = {});
    void make(nest::value to, nest::value copy, nest::value there = {});
    void bring_one(nest::value to, nest::value copy, nest::value there = {});
    void set_zeros(nest::value to);

    nest::builder& to_;
    nest::operands& operands_;
    const kernel& of_;
    const staged_operand staged_;
    nest::id shared_ = nest::none;
    std::vector<source> sources_;
    int body_ = -1;  // of what is made
    std::vector<lower::value_id> read_;
    nest::value first_;
    int copies_ = 0;               // of a round
    int apart_ = 0;                // lines from one to the next
    nest::value line_, in_line_;   // its first one's
    nest::value place_of_groups_;  // where its first one goes, in a stage
};

}  // namespace kiln::plan
