// kiln/plan/policy/host_phases: what kernels whose rows stay in a thread's caches have in common, of one row at a time (host_persistent_rows.cpp)
// or of many (host_tiled_rows.cpp): where elements are between the phases of plan/row_phases.hpp, and what each phase makes of them.
// in: a program with operation::reduce in it   out: elements of a row for host_row.hpp   knows nothing of: how many rows there are
#pragma once

#include <plan/policy/host_row.hpp>
#include <plan/policy/phased_rows.hpp>

#include <functional>
#include <vector>

namespace kiln::plan {

class host_phases : protected phased_rows {
protected:
    host_phases(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : phased_rows(program, of, to, operands),
          kept_(phases_.phase.size(), nest::none),
          pieces_(phases_.phase.size(), nest::none) {}
    ~host_phases() = default;

    // --- What is another for one row and for many ---
    /// Whether the values of a reduction are neighbours anyway, and from `piece` on where; nowhere if they must be computed first.
    [[nodiscard]] virtual bool are_neighbours(lower::value_id of, int phase) const = 0;
    virtual nest::value neighbours(lower::value_id of, int phase, nest::value piece) = 0;
    /// Whether a body's input is the same all along what a loop goes over: a row's value.
    [[nodiscard]] virtual bool is_alike(lower::value_id of) const = 0;
    /// An input that is not. `line`: the place in memory of the thread's of what a loop has at 0; not there: 0.
    virtual row_operand element_input(lower::value_id of, nest::value line) = 0;
    /// What an array's element at 0 is the how manieth of all.
    [[nodiscard]] virtual nest::value linear() const = 0;

    // --- What is the same ---
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    /// Arrays are read again.
    [[nodiscard]] bool is_kept(lower::value_id of) const { return is_step(of) && phases_.kept[at(of)]; }
    /// Whether there are elements that leave the kernel, all of them a line at a time.
    [[nodiscard]] bool stores_lines() const;
    /// The values that a phase's reductions need a piece of at a time.
    [[nodiscard]] std::vector<lower::value_id> computed_to_reduce(int phase) const;

    /// A result of a phase's elements, and where its element at a place is.
    struct phase_result {
        lower::value_id of;
        std::function<nest::value(nest::value)> element;
        nest::id output = nest::none;  // of what leaves the kernel: its memory
    };
    /// Of the elements from `piece` on; not there: 0.
    std::vector<phase_result> results_of(int phase, nest::value piece);
    static std::vector<lower::value_id> values_of(const std::vector<phase_result>& results);
    static bool all_leave(const std::vector<phase_result>& results);
    [[nodiscard]] std::vector<lower::value_id> alike_in(const nest::body& body) const;
    row_elements elements(const nest::body& body, int number, const std::vector<phase_result>& results,
                          nest::value line, const strip_bodies& in_strips);

    /// Whether a phase's results are 16-bit floats of memory as float, and nothing else: the library has a function of a block of them.
    [[nodiscard]] bool widens_alone(const nest::body& body, int phase, const std::vector<phase_result>& results) const;
    void widen(int number, int phase, nest::value piece, nest::value count);

    std::vector<nest::id> kept_;    // by value: memory of the thread's
    std::vector<nest::id> pieces_;  // by value: a piece of what is to be reduced
    const operand anywhere_ = {};   // what is found where the code around a row says
};

}  // namespace kiln::plan
