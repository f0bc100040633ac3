#include <api/array_text.hpp>
#include <api/number_text.hpp>

#include <algorithm>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

constexpr std::size_t line_width = 75;

bool is_summarised(const shape& whole, int axis) {
    return whole.size() > most_elements_in_full && whole[axis] > 2 * edge_elements;
}

/// Brackets, lines and dots around words. Source: _formatArray of numpy/core/arrayprint.py.
class layout {
public:
    layout(const shape& whole, const std::vector<std::string>& words)
        : whole_(whole), shown_(shown_shape(whole)), words_(words) {}

    std::string run() { return axis_text(0, " ", line_width); }

private:
    /// `indent`: of each line but the first.
    std::string axis_text(int axis, const std::string& indent, std::size_t width) {
        const bool is_last = axis == whole_.rank() - 1;
        const std::string inside = is_last ? row(axis, indent, width) : rows(axis, indent, width);
        return '[' + inside.substr(indent.size()) + ']';
    }

    std::string rows(int axis, const std::string& indent, std::size_t width) {
        const std::string between(static_cast<std::size_t>(whole_.rank() - axis - 1), '\n');
        std::string out;
        for (std::int64_t i = 0; i < shown_[axis]; ++i) {
            if (i > 0) out += between;
            if (i == edge_elements && is_summarised(whole_, axis)) out += indent + "..." + between;
            out += indent + axis_text(axis + 1, indent + ' ', width - 1);
        }
        return out;
    }

    std::string row(int axis, const std::string& indent, std::size_t width) {
        std::string out;
        std::string line = indent;
        const auto add = [&](const std::string& word) {
            if (line.size() > indent.size()) {
                line += ' ';
                if (line.size() + word.size() > width - 1) {
                    line.resize(line.find_last_not_of(' ') + 1);
                    out += line + '\n';
                    line = indent;
                }
            }
            line += word;
        };
        for (std::int64_t i = 0; i < shown_[axis]; ++i) {
            if (i == edge_elements && is_summarised(whole_, axis)) add("...");
            add(words_[next_++]);
        }
        return out + line;
    }

    const shape& whole_;
    const shape shown_;
    const std::vector<std::string>& words_;
    std::size_t next_ = 0;
};

}  // namespace

shape shown_shape(const shape& whole) {
    std::int64_t extents[max_rank] = {};
    for (int axis = 0; axis < whole.rank(); ++axis)
        extents[axis] = is_summarised(whole, axis) ? 2 * edge_elements : whole[axis];
    return shape(extents, whole.rank());
}

std::string array_text(element_type type, const shape& whole, const std::byte* shown) {
    if (whole.rank() == 0) return scalar_text(type, shown);
    if (whole.size() == 0) return "[]";
    const std::vector<std::string> words = aligned_words(type, shown, shown_shape(whole).size());
    return layout(whole, words).run();
}

}  // namespace kiln::inline v0_1::detail
