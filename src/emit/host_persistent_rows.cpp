#include <emit/host_persistent_rows.hpp>

#include <emit/host_rows.hpp>
#include <emit/library.hpp>
#include <plan/host_order.hpp>
#include <plan/layout.hpp>
#include <plan/row_phases.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace kiln::emit {

namespace {

using lower::step;
using lower::value_id;
using plan::access;
using plan::kernel;
using plan::operand;

// What is kept of each value begins at a multiple of so many elements of it: whole lines.
constexpr int multiple_kept = 64;

/// What a phase computes of elements, as a kernel of its own: values that earlier phases kept are operands, and what is one
/// for each row is a scalar.
struct phase_elements {
    kernel of;
    body inside;
    std::vector<std::string> places;  // of each output, its elements as lvalues
};

class persistent_rows_writer {
public:
    persistent_rows_writer(const lower::program& program, const kernel& of, const value_names& names,
                           const address_text& addresses, bool uses_library)
        : program_(program),
          kernel_(of),
          names_(names),
          addresses_(addresses),
          uses_library_(uses_library),
          phases_(plan::phases_of(program)) {
        while (kept_axes_ < of.rank && !(of.reduced_axes >> kept_axes_ & 1)) ++kept_axes_;
        one_reduced_axis_ = kept_axes_ + 1 >= of.rank;
        for (int phase = 0; phase < phases_.count; ++phase) elements_.push_back(elements(phase));
    }

    persistent_rows_text run() const {
        persistent_rows_text out;
        for (const phase_elements& each : elements_)
            if (!each.places.empty())
                out.functions += text::format("static inline void {}({})\n{{\n{}}}\n\n", each.inside.name,
                                              each.inside.parameters, each.inside.steps);
        out.lines = before_rows() + row_steps(0, "    ");
        out.lines += "    for (i64 value = begin; value < end; ++value) {\n        const i64 row = value * reduced;\n";
        for (int phase = 0; phase < phases_.count; ++phase) out.lines += phase_lines(phase);
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            if (!kernel_.stores_elements(i))
                out.lines += text::format("        y{}[value] = {};\n", i, names_(kernel_.outputs[i].value));
        out.lines += next_position() + "    }\n";
        return out;
    }

private:
    static std::size_t at(value_id value) { return static_cast<std::size_t>(value); }
    [[nodiscard]] int phase_of(value_id value) const { return phases_.phase[at(value)]; }
    [[nodiscard]] bool of_row(value_id value) const { return phases_.of_row[at(value)]; }
    [[nodiscard]] bool is_step(value_id value) const { return value >= program_.first_step_value(); }
    /// Arrays are read again.
    [[nodiscard]] bool is_kept(value_id value) const { return is_step(value) && phases_.kept[at(value)]; }
    [[nodiscard]] std::string kept_name(value_id value) const { return "row_" + names_(value); }
    [[nodiscard]] std::string piece_name(value_id value) const { return "piece_" + names_(value); }
    [[nodiscard]] std::string extent(int axis) const { return addresses_.word(plan::layout_extent(axis)); }
    [[nodiscard]] int inner() const { return kernel_.rank - 1; }
    /// The position in the row of what a loop along the innermost axis is at.
    [[nodiscard]] const char* place_in_row() const { return one_reduced_axis_ ? "i" : "line + i"; }

    template <class Visit>
    void each_step(Visit visit) const {
        for (int i = 0; i < static_cast<int>(program_.steps.size()); ++i)
            visit(program_.steps[static_cast<std::size_t>(i)], program_.step_value(i));
    }
    /// Calls visit(step, value, its number) for the reductions over a phase's elements.
    template <class Visit>
    void each_reduction(int phase, Visit visit) const {
        int number = 0;
        each_step([&](const step& each, value_id value) {
            if (each.code != operation::reduce) return;
            if (phase_of(value) == phase + 1) visit(each, value, number);
            ++number;
        });
    }

    [[nodiscard]] const operand* input(value_id value) const {
        for (const operand& each : kernel_.inputs)
            if (each.value == value) return &each;
        return nullptr;
    }

    /// Where the values of a reduction are neighbours anyway, from `piece` on; "" where they must be computed first.
    [[nodiscard]] std::string neighbours(value_id value, int phase) const {
        if (is_kept(value) && phase_of(value) <= phase) return text::format("{} + piece", kept_name(value));
        const operand* const of = input(value);
        if (!of || of->is_position || !of->steps.empty()) return {};
        if (of->how == access::contiguous) return text::format("{} + row + piece", names_(value));
        if (of->how != access::row || !one_reduced_axis_) return {};
        const auto axis = [this](int number) { return number == inner() ? "piece" : axis_position(number); };
        return text::format("{} + ({})", names_(value), addresses_.address(*of, names_(value), axis));
    }

    [[nodiscard]] phase_elements elements(int phase) const {
        phase_elements out;
        out.of = kernel_;
        out.of.inputs.clear();
        out.of.scalars.clear();
        out.of.outputs.clear();
        const auto add_output = [&](value_id value, std::string place) {
            operand made;
            made.value = value;
            made.type = program_.type_of(value);
            out.of.outputs.push_back(made);
            out.places.push_back(std::move(place));
        };
        each_step([&](const step&, value_id value) {
            if (is_kept(value) && phase_of(value) == phase)
                add_output(value, text::format("{}[{}]", kept_name(value), place_in_row()));
        });
        for (const value_id value : computed_to_reduce(phase))
            add_output(value, text::format("{}[{} - piece]", piece_name(value), place_in_row()));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            if (kernel_.stores_elements(i) && phase_of(kernel_.outputs[i].value) == phase)
                add_output(kernel_.outputs[i].value, text::format("y{}[row + {}]", i, place_in_row()));
        if (out.places.empty()) return out;
        add_operands(phase, out.of);
        out.inside = make_steps(program_, out.of, names_, plan::frame::host, [&](int number) {
            const value_id value = program_.step_value(number);
            return !of_row(value) && phase_of(value) == phase &&
                   program_.steps[static_cast<std::size_t>(number)].code != operation::reduce;
        });
        out.inside.name = text::format("phase{}", phase);
        out.inside.uses_library = uses_library_;
        if (uses_library_) out.inside.parameters += ", const void* const* library";  // after an output at least
        return out;
    }

    /// What a phase's steps read.
    void add_operands(int phase, kernel& to) const {
        const std::vector<bool> needed = plan::needed_in(phase, program_, kernel_, phases_);
        for (const operand& each : kernel_.inputs)
            if (needed[at(each.value)]) to.inputs.push_back(each);
        for (const value_id each : kernel_.scalars)
            if (needed[at(each)]) to.scalars.push_back(each);
        each_step([&](const step&, value_id value) {
            if (!needed[at(value)]) return;
            if (of_row(value)) {
                to.scalars.push_back(value);
            } else if (phase_of(value) < phase) {
                operand kept;
                kept.value = value;
                kept.type = program_.type_of(value);
                to.inputs.push_back(kept);
            }
        });
    }

    /// The values that a phase's reductions need a piece of at a time.
    [[nodiscard]] std::vector<value_id> computed_to_reduce(int phase) const {
        std::vector<value_id> out;
        each_reduction(phase, [&](const step& each, value_id, int) {
            const value_id value = each.args[0];
            if (neighbours(value, phase).empty() && std::find(out.begin(), out.end(), value) == out.end())
                out.push_back(value);
        });
        return out;
    }

    /// The row's size, the thread's memory, and where the first row is.
    [[nodiscard]] std::string before_rows() const {
        std::string out = "    const i64 reduced = 1";
        for (int axis = kept_axes_; axis < kernel_.rank; ++axis) out += " * " + extent(axis);
        out += ";\n" + memory();
        if (kept_axes_ == 0) return out;
        std::string rest = "begin";
        for (int axis = kept_axes_ - 1; axis > 0; --axis) {
            out += text::format("    i64 p{0} = {1} % {2};\n    const i64 rest{3} = {1} / {2};\n", axis, rest,
                                extent(axis), axis - 1);
            rest = text::format("rest{}", axis - 1);
        }
        return out + text::format("    i64 p0 = {};\n", rest);
    }

    [[nodiscard]] std::string memory() const {
        std::string kept;
        std::string pieces;
        int bytes = 0;
        each_step([&](const step& each, value_id value) {
            if (!is_kept(value)) return;
            kept += text::format("    {0}* const {1} = reinterpret_cast<{0}*>(memory + room * {2});\n",
                                 spelling(each.result), kept_name(value), bytes);
            bytes += bytes_of(each.result);
        });
        for (int phase = 0; phase < phases_.count; ++phase)
            for (const value_id value : computed_to_reduce(phase))
                pieces += text::format("    alignas(64) {} {}[{}];\n", spelling(program_.type_of(value)),
                                       piece_name(value), plan::host_order::piece);
        if (bytes == 0) return pieces;
        return text::format(
                   "    const i64 room = (reduced + {0}) / {1} * {1};\n"
                   "    char* const memory = static_cast<char*>(\n"
                   "        reinterpret_cast<void* (*)(i64)>(const_cast<void*>(library[{2}]))(room * {3}));\n",
                   multiple_kept - 1, multiple_kept, thread_memory_slot, bytes) +
               kept + pieces;
    }

    /// What is one for each row, once the reductions that it is made of are there.
    [[nodiscard]] std::string row_steps(int phase, const char* indent) const {
        std::string out;
        each_step([&](const step& each, value_id value) {
            if (each.code != operation::reduce && of_row(value) && phase_of(value) == phase)
                out += text::format("{}const {} {} = {};\n", indent, spelling(each.result), names_(value),
                                    step_text(program_, names_, each, plan::frame::host));
        });
        return out;
    }

    [[nodiscard]] std::string phase_lines(int phase) const {
        std::string before;
        std::string appended;
        std::string results;
        each_reduction(phase, [&](const step& each, value_id value, int number) {
            const std::string computed = neighbours(each.args[0], phase);
            before += text::format("        auto all_{0} = identity_{0}();\n", number);
            appended += text::format("            all_{0} = run_{0}(all_{0}, {1}, piece_end - piece, piece);\n", number,
                                     computed.empty() ? piece_name(each.args[0]) : computed);
            results += text::format("        const {} {} = finish_{}(all_{}, reduced);\n", spelling(each.result),
                                    names_(value), number, number);
        });
        const std::string computed = element_lines(phase);
        if (computed.empty() && appended.empty()) return {};
        if (appended.empty())  // in one piece
            return text::format(
                "        {{\n            const i64 piece = 0;\n            const i64 piece_end = reduced;\n{}        "
                "}}\n",
                computed);
        return before +
               text::format(
                   "        for (i64 piece = 0; piece < reduced; piece += {0}) {{\n"
                   "            const i64 piece_end = least_index(piece + {0}, reduced);\n{1}{2}        }}\n{3}",
                   plan::host_order::piece, computed, appended, results) +
               row_steps(phase + 1, "        ");
    }

    /// The elements of a piece.
    [[nodiscard]] std::string element_lines(int phase) const {
        const phase_elements& of = elements_[static_cast<std::size_t>(phase)];
        if (of.places.empty()) return {};
        const host_rows rows(of.of, of.inside, names_, addresses_);
        const auto elsewhere = [&](const operand& each, const std::string&) -> std::string {
            for (std::size_t i = 0; i < of.places.size(); ++i)
                if (&of.of.outputs[i] == &each) return of.places[i];
            return is_step(each.value) ? text::format("{}[{}]", kept_name(each.value), place_in_row()) : "";
        };
        if (one_reduced_axis_) return rows.row({"piece", "piece_end", "row", "            ", elsewhere});
        std::string out;
        std::string rest = "piece";
        for (int axis = inner(); axis > kept_axes_; --axis) {
            out += text::format("            i64 p{0} = {1} % {2};\n            const i64 rest{3} = {1} / {2};\n", axis,
                                rest, extent(axis), axis - 1);
            rest = text::format("rest{}", axis - 1);
        }
        out += text::format(
            "            i64 p{0} = {1};\n"
            "            for (i64 first = piece; first < piece_end;) {{\n"
            "                const i64 row_begin = p{2};\n"
            "                const i64 row_end = least_index({3}, p{2} + (piece_end - first));\n"
            "                const i64 line = first - row_begin;\n"
            "                const i64 linear = row + line;\n",
            kept_axes_, rest, inner(), extent(inner()));
        out += rows.row({"row_begin", "row_end", "linear", "                ", elsewhere});
        out += text::format("                first += row_end - row_begin;\n                p{} = 0;\n", inner());
        return out + carried(kept_axes_, inner() - 1, "                ") + "            }\n";
    }

    [[nodiscard]] std::string next_position() const {
        return kept_axes_ == 0 ? "" : carried(0, kept_axes_ - 1, "        ");
    }

    /// The next position on axes `first` to `last`: one is carried from each to the axis around it.
    [[nodiscard]] std::string carried(int first, int last, const char* indent) const {
        std::string out = text::format("{}++p{};\n", indent, last);
        for (int axis = last; axis > first; --axis)
            out += text::format("{}if (p{} == {}) {{ p{} = 0; ++p{}; }}\n", indent, axis, extent(axis), axis, axis - 1);
        return out;
    }

    const lower::program& program_;
    const kernel& kernel_;
    const value_names& names_;
    const address_text& addresses_;
    const bool uses_library_;
    const plan::row_phases phases_;
    int kept_axes_ = 0;  // the outermost ones; the others go
    bool one_reduced_axis_ = true;
    std::vector<phase_elements> elements_;
};

}  // namespace

persistent_rows_text host_persistent_rows(const lower::program& program, const kernel& of, const value_names& names,
                                          const address_text& addresses, bool uses_library) {
    return persistent_rows_writer(program, of, names, addresses, uses_library).run();
}

}  // namespace kiln::emit
