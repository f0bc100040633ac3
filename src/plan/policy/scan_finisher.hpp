// kiln/plan/policy/scan_finisher: a scan's values on their way to memory: what the steps after the scan (plan/scan_finish.hpp) make of
// them, and what is read for it. What is read is asked for before values are made, by so many at a time that memory is waited for once.
// in: a step, a nest   out: what stands for its results   knows nothing of: who has which value
#pragma once

#include <plan/nest/builder.hpp>
#include <plan/scan.hpp>

#include <span>
#include <vector>

namespace kiln::plan {

class scan_finisher {
public:
    /// Its parameters, after the scan's own.
    scan_finisher(nest::builder& to, const scan_step& of, nest::id result);

    /// Whether there are steps; without them a value is what is stored, and nothing is read.
    [[nodiscard]] bool is_there() const { return finish_ != nullptr; }
    /// Of registers that what is read for one value takes, if it changes along a line; 0: nothing does.
    [[nodiscard]] int bytes_along() const;
    [[nodiscard]] bool reads_along() const { return bytes_along() > 0; }
    /// Of each result: where it is stored, and its type.
    [[nodiscard]] std::span<const nest::id> results() const { return results_; }
    [[nodiscard]] element_type type(std::size_t result) const {
        return finish_ ? finish_->steps->all.outputs[result].type : of_.result_type();
    }

    /// Line (o, i), whose values the thread has from now on; without an i, where lines' elements are neighbours.
    void begin_line(nest::value o, nest::value i = {});

    /// What arrays beside have at some values: of each that changes along the line, elements of its own.
    using elements = std::vector<nest::id>;
    elements room(int count);
    void load(const elements& to, nest::value number, nest::value place_in_line);
    /// Of `count` values, what others loaded.
    void take(const elements& to, const elements& from, int count);
    /// Of neighbouring values, where neighbours of all arrays that have them are aligned.
    void load_vector(const elements& to, nest::value first, nest::value place_in_line, int lanes);
    [[nodiscard]] nest::value are_aligned(nest::value place_in_line, int lanes);

    /// Of each result, what is stored of the value for which element `number` was loaded.
    std::vector<nest::value> results_of(nest::value scanned, const elements& loaded, nest::value number);

private:
    struct array_beside {
        nest::id memory = nest::none;
        nest::value first;  // of positions: the first position, in place of memory
        nest::value outer, count, inner;
        nest::value base;    // where the line begins
        nest::value stayed;  // its element, if that is one for all of the line
    };
    [[nodiscard]] bool changes(std::size_t i) const { return finish_->walk(i) != beside_walk::stays; }
    [[nodiscard]] bool moves_in_vectors(std::size_t i) const {
        return finish_->walk(i) == beside_walk::neighbour && !finish_->beside(i).is_position;
    }
    [[nodiscard]] nest::type type_of(std::size_t i) const { return nest::types::element(finish_->beside(i).type); }
    nest::value element(std::size_t i, nest::value place);
    [[nodiscard]] nest::value place(std::size_t i, nest::value place_in_line);

    nest::builder& to_;
    const scan_step& of_;
    const scan_finish* const finish_;
    std::vector<nest::id> results_;
    std::vector<array_beside> besides_;
    std::vector<nest::value> scalars_;
    nest::body made_;
    int body_ = -1;  // -1: every result is read as it is
};

}  // namespace kiln::plan
