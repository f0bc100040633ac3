// kiln-cache/diff: two texts, line by line, as diff -u shows them.
// in: two texts   out: a unified diff   knows nothing of: what they are
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln_cache {

struct line_counts {
    std::size_t removed = 0;
    std::size_t added = 0;
};

struct text_difference {
    line_counts changed;
    std::string
        unified;  // hunks with three lines of context, without the two lines of file names; empty: they are equal
};

/// The fewest lines that differ, as long as a table of 4 million cells holds what is between the first and the last
/// difference (2,000 lines each); else all of that is shown as replaced. That bounds time and memory.
[[nodiscard]] text_difference difference_between(std::string_view before, std::string_view after);

}  // namespace kiln_cache
