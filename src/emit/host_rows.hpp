// kiln/emit/host_rows: a kernel's host code along the innermost axis: one row, or a part of it. Ends in a loop of plain
// loads and stores that a compiler vectorises wherever the row allows it.
// in: a kernel, how its rows are named   out: statements   knows nothing of: in which order rows are taken
#pragma once

#include <emit/address.hpp>
#include <emit/along_row.hpp>
#include <emit/body.hpp>
#include <emit/nontemporal.hpp>

#include <functional>
#include <string>

namespace kiln::emit {

/// One row as the code around it names it: positions [begin, end) along the innermost axis, those of the other axes by
/// axis_position.
struct row_names {
    std::string begin;
    std::string end;
    std::string linear;  // a contiguous operand's element is at linear + i; "": at i
    std::string indent;
    /// Of an operand that is elsewhere than in its memory, its elements' place at i, as an lvalue; "" of others.
    std::function<std::string(const plan::operand& of, const std::string& name)> elsewhere;
    bool in_caches = false;  // results are never stored past them
};

/// By how much an operand's address goes up with the position along an axis while its steps go on as they do.
std::string slope(const along_row& along, const plan::operand& of, int axis, const address_text& addresses);

class host_rows {
public:
    host_rows(const plan::kernel& of, const body& inside, const value_names& names, const address_text& addresses)
        : kernel_(of),
          inside_(inside),
          names_(names),
          addresses_(addresses),
          line_(elements_per_line(of, inside.uses_library)) {}

    /// What these rows use, before the first of them: reads `library`, or says that nobody does.
    [[nodiscard]] std::string before_rows(const std::string& rows) const;

    /// Statements that compute the row.
    [[nodiscard]] std::string row(const row_names& as) const;

    /// "body(x0[i], y0[i]);"
    [[nodiscard]] std::string call(const input_text& input, const output_text& output) const;

    [[nodiscard]] int inner() const { return kernel_.rank - 1; }
    /// Whether rows may be stored past the caches: `nontemporal` says so in the text.
    [[nodiscard]] bool may_be_nontemporal() const { return line_ > 0; }

private:
    class loop;

    const plan::kernel& kernel_;
    const body& inside_;
    const value_names& names_;
    const address_text& addresses_;
    const int line_;  // elements that are stored past the caches at once; 0: none
};

}  // namespace kiln::emit
