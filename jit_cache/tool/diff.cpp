// kiln-cache/diff: the longest common subsequence of lines, by the table of textbooks (Hirschberg 1975 has its recurrence).
#include "diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln_cache {

namespace {

constexpr std::size_t most_cells = 4'000'000;
constexpr std::size_t context = 3;

using lines = std::vector<std::string_view>;

lines lines_of(std::string_view text) {
    lines all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        all.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

enum class edit : std::uint8_t { keep, remove, add };

/// Which edits make `after` of `before`, in order.
std::vector<edit> edits_between(const lines& before, const lines& after) {
    std::vector<edit> edits;
    std::size_t begin = 0;
    while (begin < before.size() && begin < after.size() && before[begin] == after[begin]) ++begin;
    std::size_t end = 0;  // how many lines are equal at the end
    while (end < before.size() - begin && end < after.size() - begin &&
           before[before.size() - 1 - end] == after[after.size() - 1 - end])
        ++end;
    const std::size_t rows = before.size() - begin - end;
    const std::size_t columns = after.size() - begin - end;
    edits.assign(begin, edit::keep);
    if (rows > 0 && columns > most_cells / rows) {
        edits.insert(edits.end(), rows, edit::remove);
        edits.insert(edits.end(), columns, edit::add);
    } else {
        // common[i][j]: lines that before[i..] and after[j..] have in common: 2,000 at most, the root of most_cells.
        const std::size_t width = columns + 1;
        std::vector<std::uint16_t> common((rows + 1) * width, 0);
        for (std::size_t i = rows; i-- > 0;) {
            for (std::size_t j = columns; j-- > 0;) {
                const bool same = before[begin + i] == after[begin + j];
                common[i * width + j] = same ? static_cast<std::uint16_t>(common[(i + 1) * width + j + 1] + 1)
                                             : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
            }
        }
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < rows || j < columns) {
            if (i < rows && j < columns && before[begin + i] == after[begin + j]) {
                edits.push_back(edit::keep);
                ++i, ++j;
            } else if (j == columns || (i < rows && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
                edits.push_back(edit::remove);
                ++i;
            } else {
                edits.push_back(edit::add);
                ++j;
            }
        }
    }
    edits.insert(edits.end(), end, edit::keep);
    return edits;
}

/// "12,7": as diff -u counts; of no lines, the line before them is named.
std::string range(std::size_t first, std::size_t count) {
    return count == 1 ? std::to_string(first + 1) : fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

}  // namespace

text_difference difference_between(std::string_view before, std::string_view after) {
    const lines old_lines = lines_of(before);
    const lines new_lines = lines_of(after);
    const std::vector<edit> edits = edits_between(old_lines, new_lines);
    text_difference result;
    std::size_t old_line = 0;
    std::size_t new_line = 0;
    for (std::size_t at = 0; at < edits.size();) {
        if (edits[at] == edit::keep) {
            ++at, ++old_line, ++new_line;
            continue;
        }
        // A hunk: to the last edit that is followed by more than twice the context of what is kept.
        const std::size_t before_it = std::min(context, std::min(old_line, new_line));
        std::size_t end = at;
        for (std::size_t kept = 0, i = at; i < edits.size() && kept <= 2 * context; ++i) {
            kept = edits[i] == edit::keep ? kept + 1 : 0;
            if (kept == 0) end = i + 1;
        }
        end = std::min(end + context, edits.size());
        std::string hunk;
        const std::size_t old_first = old_line - before_it;
        const std::size_t new_first = new_line - before_it;
        for (std::size_t i = 0; i < before_it; ++i) hunk.append(" ").append(old_lines[old_first + i]).append("\n");
        for (; at < end; ++at) {
            switch (edits[at]) {
                case edit::keep:
                    hunk.append(" ").append(old_lines[old_line++]).append("\n");
                    ++new_line;
                    break;
                case edit::remove:
                    hunk.append("-").append(old_lines[old_line++]).append("\n");
                    ++result.changed.removed;
                    break;
                case edit::add:
                    hunk.append("+").append(new_lines[new_line++]).append("\n");
                    ++result.changed.added;
                    break;
            }
        }
        result.unified += fmt::format("@@ -{} +{} @@\n{}", range(old_first, old_line - old_first),
                                      range(new_first, new_line - new_first), hunk);
    }
    return result;
}

}  // namespace kiln_cache
