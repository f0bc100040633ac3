// kiln/plan/policy/staged_rows: operands of many short rows on the host, brought into the order of the rows' elements, one row after the
// other, so that one loop goes over all of them as if every operand were contiguous. What lies so anyway is read where it is.
// in: a planned kernel of short rows   out: statements of its nest   knows nothing of: what is made of elements
#pragma once

#include <plan/nest/operands.hpp>
#include <plan/policy/host_row.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kiln::plan {

/// An operand that is brought into a chunk's order.
struct staged_input {
    std::size_t input;
    const operand* of;
    std::string name;
    bool once;                   // the same in every chunk: it moves along the row alone
    bool passes;                 // may be read where it is, if rows lie there one after the other
    bool spread;                 // in blocks of rows, without a buffer of the chunk's
    nest::id many = nest::none;  // the buffer
    nest::id in = nest::none;    // where it is read, of what passes
    nest::id rows = nest::none;  // of what is spread: the element of the next row
};

class staged_rows {
public:
    staged_rows(nest::builder& to, nest::operands& operands, const kernel& of);

    // --- Statements, in this order ---
    /// Buffers of so many elements, of rows of `extent`.
    void declare_buffers(nest::value extent, int elements);
    /// What is the same in every chunk: as many rows of it as a chunk has, where there is such.
    void repeat(const std::function<nest::value()>& rows);
    /// Where a chunk's operands are read.
    void begin_chunk();
    /// Whole rows: in runs along the axis beside the innermost. `by_blocks`: a variable that says whether what is spread is left where it is;
    /// `when_run` is told whether a run is all of them, and assigns it.
    void stage(nest::value rows, nest::value first_row, nest::value by_blocks = {},
               const std::function<void(nest::value is_all)>& when_run = {});

    [[nodiscard]] bool are_all_repeated() const {
        return std::all_of(staged_.begin(), staged_.end(), [](const staged_input& each) { return each.once; });
    }
    [[nodiscard]] const std::vector<staged_input>& operands() const { return staged_; }
    /// Of the next row to be staged.
    [[nodiscard]] const std::vector<nest::value>& positions() const { return positions_; }

    /// What is moved beyond a row's end, at most: buffers have room for it.
    static constexpr int room = 16;

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int beside() const { return inner() - 1; }
    [[nodiscard]] bool by_element(const operand& of) const;
    [[nodiscard]] bool moves_along_row_alone(const operand& of) const;
    nest::value apart(const operand& of);
    nest::value address(const staged_input& each, const std::vector<nest::value>& positions);
    void add(std::size_t input);
    void carry(int axis);
    void shorten_run(const operand& of);
    void stage(const staged_input& each, nest::value row);
    void stage_by_element(const staged_input& each, nest::value row);

    nest::builder& to_;
    nest::operands& operands_;
    const kernel& of_;
    std::vector<staged_input> staged_;
    nest::value extent_;
    nest::value rows_, run_, by_blocks_;  // of the chunk at hand
    std::vector<nest::value> positions_;  // of the next row to be staged
};

}  // namespace kiln::plan
