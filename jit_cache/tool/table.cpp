// kiln-cache/table: measured, then cut, then padded.
#include "table.hpp"

#include "terminal.hpp"

#include <algorithm>

namespace kiln_cache {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest_text = 6;

}  // namespace

void table::column(std::string title, cells kind, std::size_t weight) {
    kinds_.push_back(kind);
    weights_.push_back(weight);
    rows_.front().push_back(std::move(title));
}

void table::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::vector<std::size_t> table::widths() const {
    std::vector<std::size_t> result(kinds_.size(), 0);
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) result[i] = std::max(result[i], width_of(row[i]));
    }
    std::size_t line = gap * (result.size() - 1);
    for (const std::size_t each : result) line += each;
    while (line > line_columns_) {
        std::size_t widest = result.size();
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (kinds_[i] != cells::text || result[i] <= narrowest_text) continue;
            if (widest == result.size() || result[i] * weights_[widest] > result[widest] * weights_[i]) widest = i;
        }
        if (widest == result.size()) break;  // a terminal narrower than the figures: lines wrap
        --result[widest];
        --line;
    }
    return result;
}

std::string table::text() const {
    const std::vector<std::size_t> columns = widths();
    std::string text;
    std::string line;
    for (const auto& row : rows_) {
        line.clear();
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::size_t width = width_of(row[i]);
            const bool fits = width <= columns[i];
            const std::string shorter = fits ? std::string() : cut(row[i], columns[i]);
            const std::string& cell = fits ? row[i] : shorter;
            if (!fits) width = width_of(cell);
            const std::size_t padding = columns[i] - std::min(columns[i], width);
            if (i > 0) line.append(gap, ' ');
            if (kinds_[i] == cells::number) line.append(padding, ' ');
            line += cell;
            if (kinds_[i] != cells::number) line.append(padding, ' ');
        }
        line.resize(line.find_last_not_of(' ') + 1);
        text.append(line).append(1, '\n');
    }
    return text;
}

}  // namespace kiln_cache
