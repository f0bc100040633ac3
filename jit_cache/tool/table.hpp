// kiln-cache/table: columns that line up and fit.
// in: cells, a width   out: lines of text   knows nothing of: entries, folders
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln_cache {

enum class cells : std::uint8_t {
    text,   // to the left; cut where the line is too long
    exact,  // to the left, whole
    number  // to the right, whole
};

/// Columns as wide as their widest cell, two spaces between, nothing behind the last. Where a line would be too long, the
/// widest columns of text are cut first.
class table {
public:
    explicit table(std::size_t line_columns) : line_columns_(line_columns) {}
    /// A column of weight 2 keeps twice the width of others.
    void column(std::string title, cells kind, std::size_t weight = 1);
    /// Printable text, a cell for each column.
    void row(std::vector<std::string> cells);
    [[nodiscard]] std::string text() const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;

    std::size_t line_columns_;
    std::vector<cells> kinds_;
    std::vector<std::size_t> weights_;
    std::vector<std::vector<std::string>> rows_{1};  // the titles first
};

}  // namespace kiln_cache
