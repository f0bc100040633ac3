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

// Rows inside, positions along a row outside: loops over a row's few elements would take longer to begin than to run.
constexpr const char* gather_rows_text =
    R"(template <class T>
static inline void gather_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart, i64 stride)
{
    for (i64 i = 0; i < extent; ++i)
        for (i64 row = 0; row < rows; ++row) to[row * extent + i] = from[row * apart + i * stride];
}
)";

// Below, rows are moved as vectors that are wider than they: what is too much of one lies under the next.

/// Rows whose elements are neighbours.
constexpr const char* copy_rows_text =
    R"(template <int wide, class T>
static inline void copy_wide_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    for (i64 row = 0; row < rows; ++row)
        __builtin_memcpy(to + row * extent, from + row * apart, wide * sizeof(T));
}
template <class T>
static inline void copy_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    if (apart == extent) {
        __builtin_memcpy(to, from, rows * extent * sizeof(T));
        return;
    }
    // Nothing is read past the last row.
    i64 wide = 0;
    if (extent <= 4 && apart >= 4) copy_wide_rows<4>(to, from, wide = rows - 1, extent, apart);
    else if (extent <= 8 && apart >= 8) copy_wide_rows<8>(to, from, wide = rows - 1, extent, apart);
    gather_rows(to + wide * extent, from + wide * apart, rows - wide, extent, apart, 1);
}
)";

/// Rows that are one element, repeated. Of three, the most usual ones, a compiler that knows it makes shuffles, in half the
/// time; each such extent takes it 12 ms more.
constexpr const char* spread_rows_text =
    R"(template <int wide, class T>
static inline void spread_wide_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    for (i64 row = 0; row < rows; ++row) {
        const T value = from[row * apart];
        for (i64 i = 0; i < extent; i += wide)
            for (int j = 0; j < wide; ++j) to[row * extent + i + j] = value;
    }
}
template <int extent, class T>
static inline void spread_known_rows(T* __restrict__ to, const T* __restrict__ from, i64 rows, i64 apart)
{
    for (i64 row = 0; row < rows; ++row)
        for (int i = 0; i < extent; ++i) to[row * extent + i] = from[row * apart];
}
template <class T>
static inline void spread_rows(T* to, const T* from, i64 rows, i64 extent, i64 apart)
{
    if (extent == 3) spread_known_rows<3>(to, from, rows, apart);
    else if (extent <= 8) spread_wide_rows<8>(to, from, rows, extent, apart);
    else spread_wide_rows<16>(to, from, rows, extent, apart);
}
)";

/// An operand that is brought into the chunk's order.
struct staged_operand {
    const operand* of;
    std::string name;
    bool once;  // the same in every chunk: it moves along the row alone
};

class writer {
public:
    writer(const plan::kernel& of, const value_names& names, const address_text& addresses, const host_rows& rows)
        : kernel_(of), addresses_(addresses), rows_(rows) {
        for (const operand& each : of.inputs)
            if (of.staged(each)) staged_.push_back({&each, names(each.value), moves_along_row_alone(each)});
    }

    std::string run() const {
        std::string out = text::format(
            "    const i64 extent = {0};\n"
            "    const i64 skipped = begin % extent;  // of a chunk's first row\n"
            "    const i64 chunk = {1} / (16 * extent) * (16 * extent);\n",
            extent(inner()), chunk_elements);
        for (const staged_operand& each : staged_)
            out +=
                text::format("    alignas(64) {} many_{}[{}];\n", spelling(each.of->type), each.name, buffer_elements);
        out += before_chunks();
        out += text::format(
            "    for (i64 first = begin; first < end; first += chunk) {{\n"
            "        const i64 count = least_index(chunk, end - first);\n");
        out += stage_chunk();
        const auto in_buffer = [this](const operand& of, const std::string& name) {
            const bool is_staged =
                std::any_of(staged_.begin(), staged_.end(), [&](const staged_operand& each) { return each.of == &of; });
            return is_staged ? text::format("many_{}[skipped + i]", name) : std::string();
        };
        out += rows_.row({"0", "count", "first", "        ", in_buffer});
        return out + "    }\n";
    }

private:
    [[nodiscard]] int inner() const { return kernel_.rank - 1; }
    [[nodiscard]] int beside() const { return inner() - 1; }
    [[nodiscard]] std::string extent(int axis) const { return addresses_.word(plan::layout_extent(axis)); }

    [[nodiscard]] bool moves_along_row_alone(const operand& of) const {
        for (int axis = 0; axis < inner(); ++axis)
            if (of.address.axes >> axis & 1 || !motion_of(of, axis).still) return false;
        return true;
    }

    /// What is the same in every chunk.
    [[nodiscard]] std::string before_chunks() const {
        std::string inside;
        for (const staged_operand& each : staged_)
            if (each.once) inside += stage(each, "        ");
        if (inside.empty()) return "";
        return "    {\n        const i64 row = 0;\n" + rows_of("least_index(chunk, end - begin)", "run") + inside +
               "    }\n";
    }

    [[nodiscard]] static std::string rows_of(const char* elements, const char* name) {
        return text::format("        const i64 {} = (skipped + {} + extent - 1) / extent;\n", name, elements);
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
        std::string out = rows_of("count", "rows");
        std::string rest = "first / extent";
        for (int axis = beside(); axis > 0; --axis) {
            out += text::format("        i64 p{0} = {1} % {2};\n        const i64 rest{3} = {1} / {2};\n", axis,
                                axis == beside() ? "(" + rest + ")" : rest, extent(axis), axis - 1);
            rest = text::format("rest{}", axis - 1);
        }
        out += text::format("        i64 p0 = {};\n", rest);
        out += "        for (i64 row = 0, run; row < rows; row += run) {\n";
        out += text::format("{}run = least_index(rows - row, {} - p{});\n", in, extent(beside()), beside());
        out += runs + statements;
        out += text::format("{}p{} += run;\n", in, beside());
        for (int axis = beside(); axis > 0; --axis)
            out += text::format("{0}if (p{1} == {2}) {{ p{1} = 0; ++p{3}; }}\n", in, axis, extent(axis), axis - 1);
        return out + "        }\n";
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
        const auto axis = [&](int number) {
            return each.once || number == inner() ? std::string("0") : axis_position(number);
        };
        const along_row along = motion_of(of, beside());
        const std::string apart = each.once ? "0" : slope(along, of, beside(), addresses_);
        const std::string stride = addresses_.stride(of, inner());
        const std::string call = text::format("_rows(many_{0} + row * extent, {0} + ({1}), run, extent, {2}", each.name,
                                              addresses_.address(of, each.name, axis), along.regular ? apart : "0");
        return addresses_.steps(of, each.name, axis, {}, in) + in +
               (stride == "0"   ? "spread" + call
                : stride == "1" ? "copy" + call
                                : "gather" + call + ", " + stride) +
               ");\n";
    }

    [[nodiscard]] std::string stage_by_element(const staged_operand& each, const std::string& in) const {
        const operand& of = *each.of;
        const auto axis = [&](int number) {
            return number == inner()    ? std::string("i")
                   : each.once          ? std::string("0")
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

std::string short_rows_functions(const std::string& text) {
    std::string out;
    const bool copies = text.find("copy_rows(") != text.npos;
    if (copies || text.find("gather_rows(") != text.npos) out += gather_rows_text;
    if (copies) out += copy_rows_text;
    if (text.find("spread_rows(") != text.npos) out += spread_rows_text;
    return out;
}

}  // namespace kiln::emit
