#include <api/array_text.hpp>
#include <api/number_text.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

bool is_summarised(const shape& whole, int axis, const print_options& options) {
    return whole.size() > options.threshold && whole[axis] > 2 * options.edge_items;
}

/// Brackets, lines and dots around words. Source: _formatArray of numpy/core/arrayprint.py.
class layout {
public:
    layout(const shape& whole, const std::vector<std::string>& words, const print_options& options)
        : whole_(whole), options_(options), shown_(shown_shape(whole, options)), words_(words) {}

    std::string run() { return axis_text(0, " ", options_.line_width); }

private:
    /// `indent`: of each line but the first.
    std::string axis_text(int axis, const std::string& indent, int width) {
        const bool is_last = axis == whole_.rank() - 1;
        const std::string inside = is_last ? row(axis, indent, width) : rows(axis, indent, width);
        return '[' + inside.substr(indent.size()) + ']';
    }

    std::string rows(int axis, const std::string& indent, int width) {
        const std::string between(static_cast<std::size_t>(whole_.rank() - axis - 1), '\n');
        std::string out;
        for (std::int64_t i = 0; i < shown_[axis]; ++i) {
            if (i > 0) out += between;
            if (i == options_.edge_items && is_summarised(whole_, axis, options_)) out += indent + "..." + between;
            out += indent + axis_text(axis + 1, indent + ' ', width - 1);
        }
        return out;
    }

    std::string row(int axis, const std::string& indent, int width) {
        std::string out;
        std::string line = indent;
        const auto add = [&](const std::string& word) {
            if (line.size() > indent.size()) {
                line += ' ';
                if (std::cmp_greater(line.size() + word.size(), width - 1)) {
                    line.resize(line.find_last_not_of(' ') + 1);
                    out += line + '\n';
                    line = indent;
                }
            }
            line += word;
        };
        for (std::int64_t i = 0; i < shown_[axis]; ++i) {
            if (i == options_.edge_items && is_summarised(whole_, axis, options_)) add("...");
            add(words_[next_++]);
        }
        return out + line;
    }

    const shape& whole_;
    const print_options& options_;
    const shape shown_;
    const std::vector<std::string>& words_;
    std::size_t next_ = 0;
};

}  // namespace

shape shown_shape(const shape& whole, const print_options& options) {
    std::int64_t extents[max_rank] = {};
    for (int axis = 0; axis < whole.rank(); ++axis)
        extents[axis] = is_summarised(whole, axis, options) ? 2 * options.edge_items : whole[axis];
    return shape(extents, whole.rank());
}

std::string array_text(element_type type, const shape& whole, const std::byte* shown, const print_options& options) {
    // One number is exact, unless digits were asked for.
    if (whole.rank() == 0 && options.precision == print_options{}.precision) return scalar_text(type, shown);
    if (whole.rank() == 0) return aligned_words(type, shown, 1, options.precision).front();
    if (whole.size() == 0) return "[]";
    const std::vector<std::string> words =
        aligned_words(type, shown, shown_shape(whole, options).size(), options.precision);
    return layout(whole, words, options).run();
}

}  // namespace kiln::inline v0_1::detail
