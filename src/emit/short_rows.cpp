#include <emit/row_moves.hpp>
#include <emit/short_rows.hpp>

#include <plan/layout.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <vector>

namespace kiln::emit {

namespace {

using plan::access;
using plan::operand;

// Elements of a chunk, at most. Each chunk but the last is a multiple of a row and of 16 elements: it begins as many
// elements past a row's first as the range does, and where lines of its outputs begin if the range does.
constexpr int chunk_elements = 2048;
static_assert(chunk_elements >= 16 * plan::longest_short_row);
// A chunk, the rest of its first and last row, and what a vector has too much.
constexpr int buffer_elements = chunk_elements + 2 * plan::longest_short_row + 16;

/// An operand that is brought into the chunk's order.
struct staged_operand {
    const operand* of;
    std::string name;
    bool once;    // the same in every chunk: it moves along the row alone
    bool passes;  // may be read where it is, if rows lie there one after the other
    bool spread;  // in blocks of rows, without a buffer of the chunk's
};

class writer {
public:
    writer(const plan::kernel& of, const value_names& names, const address_text& addresses, const host_rows& rows)
        : kernel_(of), addresses_(addresses), rows_(rows) {
        for (const operand& each : of.inputs)
            if (of.staged(each)) add(each, names(each.value));
    }

    std::string run() const {
        std::string out = text::format(
            "    const i64 extent = {0};\n"
            "    const i64 skipped = begin % extent;  // of a chunk's first row\n"
            "    const i64 chunk = {1} / (16 * extent) * (16 * extent);\n",
            blocks() ? text::format("{}", kernel_.row_extent) : extent(inner()), chunk_elements);
        for (const staged_operand& each : staged_)
            out +=
                text::format("    alignas(64) {} many_{}[{}];\n", spelling(each.of->type), each.name, buffer_elements);
        out += before_chunks();
        out += text::format(
            "    for (i64 first = begin; first < end; first += chunk) {{\n"
            "        const i64 count = least_index(chunk, end - first);\n");
        for (const staged_operand& each : staged_)
            if (each.passes || each.spread)
                out += text::format("        const {}* {}_{} = many_{};\n", spelling(each.of->type),
                                    each.passes ? "in" : "rows", each.name, each.name);
        if (blocks()) out += "        bool by_blocks = false;\n";
        out += stage_chunk();
        if (blocks()) out += take_blocks();
        out += rows_.row({blocks() ? "done" : "0", "count", "first", "        ", in_place([](const staged_operand& of) {
                              return text::format("{}_{}[skipped + i]", of.passes ? "in" : "many", of.name);
                          })});
        return out + "    }\n";
    }

private:
    void add(const operand& of, const std::string& name) {
        const bool once = moves_along_row_alone(of);
        const bool passes = !once && !by_element(of) && addresses_.stride(of, inner()) == "1" &&
                            motion_of(of, beside()).regular && apart(of) != "0" && apart(of) != "1";
        staged_.push_back({&of, name, once, passes, kernel_.row_extent > 0 && kernel_.spread(of)});
    }

    [[nodiscard]] int inner() const { return kernel_.rank - 1; }
    [[nodiscard]] int beside() const { return inner() - 1; }
    [[nodiscard]] std::string extent(int axis) const { return addresses_.word(plan::layout_extent(axis)); }

    /// By how much the address goes up from row to row.
    [[nodiscard]] std::string apart(const operand& of) const {
        return slope(motion_of(of, beside()), of, beside(), addresses_);
    }

    /// Of each staged operand, what `lvalue` says.
    template <class Lvalue>
    [[nodiscard]] std::function<std::string(const operand&, const std::string&)> in_place(Lvalue lvalue) const {
        return [this, lvalue](const operand& of, const std::string&) {
            const auto found = std::find_if(staged_.begin(), staged_.end(),
                                            [&](const staged_operand& each) { return each.of == &of; });
            return found == staged_.end() ? std::string() : lvalue(*found);
        };
    }

    [[nodiscard]] bool moves_along_row_alone(const operand& of) const {
        for (int axis = 0; axis < inner(); ++axis)
            if (of.address.axes >> axis & 1 || !motion_of(of, axis).still) return false;
        return true;
    }

    /// What is the same in every chunk: its first row, and that one over and over.
    [[nodiscard]] std::string before_chunks() const {
        std::string inside;
        for (const staged_operand& each : staged_) {
            if (!each.once) continue;
            const auto axis = [&](int number) { return std::string(number == inner() ? "i" : "0"); };
            inside += text::format(
                "        for (i64 i = 0; i < extent; ++i) {{\n"
                "{0}"
                "            many_{1}[i] = {2};\n"
                "        }}\n"
                "        repeat_rows(many_{1}, extent, rows * extent);\n",
                addresses_.steps(*each.of, each.name, axis, {}, "            "), each.name,
                element_text(*each.of, each.name, addresses_.address(*each.of, each.name, axis)));
        }
        return inside.empty() ? "" : "    {\n" + rows_of("least_index(chunk, end - begin)") + inside + "    }\n";
    }

    [[nodiscard]] static std::string rows_of(const char* elements) {
        return text::format("        const i64 rows = (skipped + {} + extent - 1) / extent;\n", elements);
    }

    /// Whole rows, as many as the chunk has a part of: in runs along the axis beside the innermost.
    [[nodiscard]] std::string stage_chunk() const {
        const std::string in = "            ";
        std::string runs;
        std::string statements;
        for (const staged_operand& each : staged_) {
            if (each.once) continue;
            runs += shorten_run(*each.of, each.name, in);
            statements += stage(each, in);
        }
        if (statements.empty()) return "";
        std::string out = rows_of("count");
        std::string rest = "first / extent";
        for (int axis = beside(); axis > 0; --axis) {
            out += text::format("        i64 p{0} = {1} % {2};\n        const i64 rest{3} = {1} / {2};\n", axis,
                                axis == beside() ? "(" + rest + ")" : rest, extent(axis), axis - 1);
            rest = text::format("rest{}", axis - 1);
        }
        out += text::format("        i64 p0 = {};\n", rest);
        out += "        for (i64 row = 0, run; row < rows; row += run) {\n";
        out += text::format("{}run = least_index(rows - row, {} - p{});\n", in, extent(beside()), beside());
        out += runs;
        if (blocks())
            out += text::format("{}by_blocks = run == rows && skipped == 0{};\n", in,
                                rows_.may_be_nontemporal() ? " && !nontemporal" : "");
        out += statements;
        out += text::format("{}p{} += run;\n", in, beside());
        for (int axis = beside(); axis > 0; --axis)
            out += text::format("{0}if (p{1} == {2}) {{ p{1} = 0; ++p{3}; }}\n", in, axis, extent(axis), axis - 1);
        return out + "        }\n";
    }

    /// A block of rows at a time, from a row's first element on: operands that are an element for each row go from their
    /// memory to registers and by shuffles to as many as there are elements, through no buffer. What is left is less than
    /// a block.
    [[nodiscard]] std::string take_blocks() const {
        const std::string in = "                ";
        const int elements = block_rows * kernel_.row_extent;
        std::string buffers;
        std::string rests;
        for (const staged_operand& each : staged_) {
            if (!each.spread) continue;
            const int bytes = bytes_of(each.of->type);
            buffers += text::format(
                "{0}alignas({1}) {2} block_{3}[{4}];\n"
                "{0}{5}(block_{3}, rows_{3});\n"
                "{0}rows_{3} += {6};\n",
                in, widest_lanes, spelling(each.of->type), each.name, elements, spread_block(bytes), block_rows);
            rests += text::format("            spread_rows_of_{}(many_{} + done, rows_{}, rows - done / extent);\n",
                                  bytes, each.name, each.name);
        }
        row_names block{"0", text::format("{}", elements), "first + done", in, {}, /*in_caches=*/true};
        block.elsewhere = in_place([](const staged_operand& of) {
            return of.spread ? text::format("block_{}[i]", of.name)
                   : of.once ? text::format("many_{}[i]", of.name)
                             : text::format("{}_{}[done + i]", of.passes ? "in" : "many", of.name);
        });
        return text::format(
                   "        i64 done = 0;\n"
                   "        if (by_blocks) {{\n"
                   "            for (; count - done >= {0}; done += {0}) {{\n",
                   elements) +
               buffers + rows_.row(block) + "            }\n" + rests + "        }\n";
    }

    /// How far rows are evenly apart: not past a place where a step goes on differently.
    [[nodiscard]] std::string shorten_run(const operand& of, const std::string& name, const std::string& in) const {
        if (by_element(of)) return "";
        const along_row along = motion_of(of, beside());
        if (along.still) return "";
        if (!along.regular) return in + "run = 1;\n";
        std::string out;
        for (std::size_t i = 0; i < of.steps.size(); ++i) {
            if (!along.input_moves[i]) continue;
            // Of inputs that are step values, those at the run's first row.
            for (std::size_t j = 0; j < i; ++j)
                if (uses_step(of.steps[i].input, j)) return in + "run = 1;\n";
            const std::string input = addresses_.step_input(of, static_cast<int>(i), name, position("0"));
            out += text::format("{}run = least_index(run, {});\n", in, addresses_.run(of, static_cast<int>(i), input));
        }
        return out + in + "if (run < 1) run = 1;\n";
    }

    [[nodiscard]] static bool uses_step(const plan::linear_plan& form, std::size_t step) {
        return std::any_of(form.steps.begin(), form.steps.end(), [&](const plan::linear_plan::step_word& each) {
            return each.step == static_cast<int>(step);
        });
    }

    [[nodiscard]] address_text::axis_name position(const std::string& along_row) const {
        return [this, along_row](int axis) { return axis == inner() ? along_row : axis_position(axis); };
    }

    /// Not a multiple of the position along a row, or no memory.
    [[nodiscard]] bool by_element(const operand& of) const { return of.is_position || !motion_of(of, inner()).still; }

    /// Rows [row, row + run) of the chunk, from the row at the positions on.
    [[nodiscard]] std::string stage(const staged_operand& each, const std::string& in) const {
        const operand& of = *each.of;
        if (by_element(of)) return stage_by_element(each, in);
        const auto axis = [&](int number) { return number == inner() ? std::string("0") : axis_position(number); };
        const std::string stride = addresses_.stride(of, inner());
        const std::string from = text::format("{} + ({})", each.name, addresses_.address(of, each.name, axis));
        const std::string to = text::format("many_{} + row * extent", each.name);
        const std::string before = addresses_.steps(of, each.name, axis, {}, in) + in;
        if (each.spread)
            return before + text::format("if (by_blocks) rows_{0} = {1};\n{2}else spread_rows_of_{3}({4}, {1}, run);\n",
                                         each.name, from, in, bytes_of(of.type), to);
        const std::string by = motion_of(of, beside()).regular ? apart(of) : "0";
        const std::string where = text::format("_rows({}, {}, run, extent, {}", to, from, by);
        // Rows that lie one after the other as the elements do are read where they are.
        const std::string pass =
            each.passes ? text::format("if (run == rows && {} == extent) in_{} = {};\n{}else ", by, each.name, from, in)
                        : "";
        return before + pass +
               (stride == "0"   ? "spread" + where
                : stride == "1" ? "copy" + where
                                : "gather" + where + ", " + stride) +
               ");\n";
    }

    [[nodiscard]] std::string stage_by_element(const staged_operand& each, const std::string& in) const {
        const operand& of = *each.of;
        const auto axis = [&](int number) {
            return number == inner()    ? std::string("i")
                   : number == beside() ? "(" + axis_position(number) + " + j)"
                                        : axis_position(number);
        };
        return text::format(
            "{0}for (i64 i = 0; i < extent; ++i)\n"
            "{0}    for (i64 j = 0; j < run; ++j) {{\n"
            "{1}"
            "{0}        many_{2}[(row + j) * extent + i] = {3};\n"
            "{0}    }}\n",
            in, addresses_.steps(of, each.name, axis, {}, in + "        "), each.name,
            element_text(of, each.name, addresses_.address(of, each.name, axis)));
    }

    [[nodiscard]] bool blocks() const { return kernel_.row_extent > 0; }

    const plan::kernel& kernel_;
    const address_text& addresses_;
    const host_rows& rows_;
    std::vector<staged_operand> staged_;
};

}  // namespace

std::string short_rows(const plan::kernel& of, const value_names& names, const address_text& addresses,
                       const host_rows& rows) {
    return writer(of, names, addresses, rows).run();
}

}  // namespace kiln::emit
