// kiln/emit/address: where an operand's element is that a body gathers, as text: the linear forms and index steps of its plan, their
// numbers read from the layout; and the functions of indices that kernels call. The same in both frames but for the type of an index.
// in: an operand's plan, the names of positions   out: statements and an expression   knows nothing of: types of elements
#pragma once

#include <plan/schedule.hpp>
#include <plan/target.hpp>

#include <functional>
#include <string>
#include <vector>

namespace kiln::emit {

class address_text {
public:
    address_text(const plan::kernel& of, plan::frame frame);

    /// "int" or "long long": offsets into an operand, and positions on one axis.
    [[nodiscard]] const char* index_type() const { return wide_ ? "i64" : "int"; }
    /// A number of the layout, as an index.
    [[nodiscard]] std::string word(int number) const;

    using axis_name = std::function<std::string(int axis)>;

    /// Statements that compute the operand's steps, each on a line after `indent`, named by the operand.
    [[nodiscard]] std::string steps(const plan::operand& of, const std::string& name, const axis_name& axis,
                                    const std::vector<std::string>& lookups, const std::string& indent) const;
    /// The element's address, in elements from the operand's parameter, after those statements.
    [[nodiscard]] std::string address(const plan::operand& of, const std::string& name, const axis_name& axis) const;
    /// The functions that the text calls, defined.
    [[nodiscard]] std::string functions(const std::string& text) const;

private:
    [[nodiscard]] std::string linear(const plan::linear_plan& form, const std::string& name,
                                     const axis_name& axis) const;
    [[nodiscard]] std::string step(const plan::step_plan& of, const std::string& name, const axis_name& axis,
                                   const std::vector<std::string>& lookups) const;

    const plan::kernel& kernel_;
    bool cuda_;
    bool wide_;
};

}  // namespace kiln::emit
