#include <emit/host_rows.hpp>

#include <emit/library.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <vector>

namespace kiln::emit {

namespace {

using plan::access;
using plan::operand;

// Below, what finds out how far plain loads go costs more than they save.
constexpr int least_run = 16;  // elements

/// How the loop finds an operand's elements.
enum class reach : std::uint8_t {
    linear,     // as the iteration is numbered
    elsewhere,  // where the code around the row says
    body,       // where the body says
    even,       // at evenly spaced places along the whole row
    pieces,     // at evenly spaced places along pieces of it
    computed,   // anywhere: computed for each element
};

struct row_operand {
    const operand* of;
    std::string name;
    reach how;
    along_row along;
};

}  // namespace

std::string slope(const along_row& along, const plan::operand& of, int axis, const address_text& addresses) {
    std::string out = addresses.stride(of, axis);
    for (const plan::linear_plan::step_word& step : of.address.steps) {
        if (along.steps[static_cast<std::size_t>(step.step)] != motion::moves) continue;
        const std::string added = step.word < 0 ? "1" : addresses.word(step.word);
        out = out == "0" ? added : out + " + " + added;
    }
    return out.find('+') == out.npos ? out : "(" + out + ")";
}

/// One row's text in the making.
class host_rows::loop {
public:
    loop(const host_rows& in, const row_names& as) : in_(in), kernel_(in.kernel_), as_(as) {
        for (const operand& input : kernel_.inputs) add(input, in.names_(input.value));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) add(kernel_.outputs[i], text::format("y{}", i));
    }

    std::string run() const {
        std::string out;
        bool in_pieces = false;
        for (const row_operand& each : operands_) {
            out += row_statements(each);
            in_pieces = in_pieces || each.how == reach::pieces;
        }
        if (!in_pieces) return out + loop_text(as_.begin, as_.end, as_.indent, {});
        return out + pieces();
    }

private:
    void add(const operand& of, const std::string& name) {
        row_operand added{&of, name, reach::even, {}};
        if (of.gathered) added.how = reach::body;
        else if (as_.elsewhere && !as_.elsewhere(of, name).empty()) added.how = reach::elsewhere;
        else if (of.how == access::contiguous) added.how = reach::linear;
        else added.along = motion_of(of, in_.inner());
        if (added.how == reach::even && !added.along.still)
            added.how = added.along.regular ? reach::pieces : reach::computed;
        operands_.push_back(std::move(added));
    }

    [[nodiscard]] address_text::axis_name axis_at(const char* inner_position) const {
        return [this, inner_position](int axis) {
            return axis == in_.inner() ? std::string(inner_position) : axis_position(axis);
        };
    }

    /// What holds for the whole row.
    [[nodiscard]] std::string row_statements(const row_operand& each) const {
        std::string out;
        if (each.how < reach::even) return out;
        for (std::size_t i = 0; i < each.along.steps.size(); ++i)
            if (each.along.steps[i] == motion::still) out += step_statement(each, i, "0", as_.indent);
        if (each.how == reach::even) out += address_statement(each, "0", "", as_.indent);
        return out;
    }

    [[nodiscard]] std::string step_statement(const row_operand& each, std::size_t number, const char* inner_position,
                                             const std::string& indent) const {
        return text::format(
            "{}const i64 {}_{} = {};\n", indent, each.name, number,
            in_.addresses_.step(*each.of, static_cast<int>(number), each.name, axis_at(inner_position)));
    }

    [[nodiscard]] std::string address_statement(const row_operand& each, const char* inner_position,
                                                const std::string& less, const std::string& indent) const {
        return text::format("{}const i64 at_{} = {}{};\n", indent, each.name,
                            in_.addresses_.address(*each.of, each.name, axis_at(inner_position)), less);
    }

    /// The element at position i by its address at `inner_position`.
    [[nodiscard]] std::string changing_statements(const row_operand& each, const char* inner_position,
                                                  const std::string& indent) const {
        std::string out;
        for (std::size_t i = 0; i < each.along.steps.size(); ++i)
            if (each.along.steps[i] != motion::still) out += step_statement(each, i, inner_position, indent);
        return out + address_statement(each, inner_position, "", indent);
    }

    [[nodiscard]] std::string slope(const row_operand& each) const {
        return emit::slope(each.along, *each.of, in_.inner(), in_.addresses_);
    }

    /// Rows in pieces along which every regular operand goes up evenly: a plain loop where they are long. Else a few
    /// elements, each found by itself: one at the end of a row, ever more where pieces are short all along.
    [[nodiscard]] std::string pieces() const {
        const std::string in = as_.indent + "    ";
        std::string out = text::format(
            "{0}for (i64 from = {1}, to, few = 1; from < {2}; from = to) {{\n"
            "{0}    i64 run = {2} - from;  // elements that go on as the first one does\n",
            as_.indent, as_.begin, as_.end);
        for (const row_operand& each : operands_) {
            if (each.how != reach::pieces) continue;
            for (std::size_t i = 0; i < each.along.steps.size(); ++i) {
                if (each.along.input_moves[i]) {
                    const std::string input =
                        in_.addresses_.step_input(*each.of, static_cast<int>(i), each.name, axis_at("from"));
                    out += text::format("{}run = least_index(run, {});\n", in,
                                        in_.addresses_.run(*each.of, static_cast<int>(i), input));
                }
                if (each.along.steps[i] != motion::still) out += step_statement(each, i, "from", in);
            }
            out += address_statement(each, "from", slope(each) == "1" ? " - from" : "", in);
        }
        return out + text::format(
                         "{0}if (run >= {1}) {{\n"
                         "{0}    to = from + run;\n"
                         "{0}    few = 1;\n"
                         "{3}{0}}} else {{\n"
                         "{0}    to = {2} - from < {1} ? {2} : from + least_index(few, {2} - from);\n"
                         "{0}    few *= 2;\n"
                         "{4}{0}}}\n{5}}}\n",
                         in, least_run, as_.end, loop_text("from", "to", in + "    ", reach::pieces),
                         loop_text("from", "to", in + "    ", reach::computed), as_.indent);
    }

    /// Where the operand's element at i is, from its memory.
    [[nodiscard]] std::string place(const row_operand& each, reach how) const {
        if (how == reach::linear) return as_.linear.empty() ? "i" : as_.linear + " + i";
        if (how == reach::computed) return "at_" + each.name;
        const std::string by = how == reach::even ? in_.addresses_.stride(*each.of, in_.inner()) : slope(each);
        if (by == "0") return "at_" + each.name;
        if (by == "1") return text::format("at_{} + i", each.name);
        return how == reach::even ? text::format("at_{} + i * {}", each.name, by)
                                  : text::format("at_{} + (i - from) * {}", each.name, by);
    }

    /// One loop over positions. `pieces`: how operands are found that go up evenly along pieces.
    [[nodiscard]] std::string loop_text(const std::string& from, const std::string& to, const std::string& indent,
                                        reach pieces) const {
        std::string inside;
        // The body of a take gets positions by name.
        if (kernel_.gathers()) inside = text::format("{}    const i64 {} = i;\n", indent, axis_position(in_.inner()));
        const auto found_by = [pieces](const row_operand& each) {
            return each.how == reach::pieces ? pieces : each.how;
        };
        for (const row_operand& each : operands_)
            if (found_by(each) == reach::computed) inside += changing_statements(each, "i", indent + "    ");

        std::string stores;
        const auto lvalue = [&](const row_operand& each) {
            if (each.how == reach::elsewhere) return as_.elsewhere(*each.of, each.name);
            return text::format("{}[{}]", each.name, place(each, found_by(each)));
        };
        const auto input_at = [&](const row_operand& each) {
            return each.of->is_position && each.how != reach::elsewhere
                       ? element_text(*each.of, each.name, place(each, found_by(each)))
                       : lvalue(each);
        };
        const auto output_at = [&](const row_operand& each) {
            if (!each.of->guarded_axes) return lvalue(each);
            inside += text::format("{}    {} v_{};\n", indent, spelling(each.of->type), each.name);
            stores += text::format("{}    if ({}) {} = v_{};\n", indent, guard(*each.of), lvalue(each), each.name);
            return "v_" + each.name;
        };
        const std::string body_call = call(input_at, output_at);
        if (in_.line_ && !as_.in_caches && inside.empty() && stores.empty() && plain()) {
            const auto in_line = [](const row_operand& each) { return text::format("line_{}[j]", each.name); };
            return loop_of_lines(from, to, indent, body_call, call(input_at, in_line));
        }

        std::string out;
        // An operand is either apart from the outputs or read at the very position that is written. But a guarded output
        // is written by one element of many: no two iterations may be exchanged.
        if (stores.empty()) out += indent + "#pragma GCC ivdep\n";
        const std::string head = text::format("{}for (i64 i = {}; i < {}; ++i) ", indent, from, to);
        if (inside.empty() && stores.empty()) return out + head + body_call + "\n";
        return out + text::format("{}{{\n{}{}    {}\n{}{}}}\n", head, inside, indent, body_call, stores, indent);
    }

    /// Whether every element is beside its neighbours or the same: what gathers is not bound by stores, and takes long to
    /// compile.
    [[nodiscard]] bool plain() const {
        return std::all_of(operands_.begin(), operands_.end(), [&](const row_operand& each) {
            return each.how < reach::even || slope(each) == "0" || slope(each) == "1";
        });
    }

    /// The call of the body, its operands as they are said to be.
    template <class Input, class Output>
    [[nodiscard]] std::string call(Input input, Output output) const {
        const auto find = [this](const operand& of) -> const row_operand& {
            return *std::find_if(operands_.begin(), operands_.end(),
                                 [&](const row_operand& each) { return each.of == &of; });
        };
        return in_.call([&](const operand& of) { return input(find(of)); },
                        [&](const operand& of, const std::string&) { return output(find(of)); });
    }

    /// Elements up to the first whole line, lines past the caches, and the rest; or all by the first loop.
    [[nodiscard]] std::string loop_of_lines(const std::string& from, const std::string& to, const std::string& indent,
                                            const std::string& body_call, const std::string& line_call) const {
        const int line = in_.line_;
        const std::string linear = as_.linear.empty() ? "" : as_.linear + " + ";
        std::string lines;
        std::string stores;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            const element_type type = kernel_.outputs[i].type;
            lines +=
                text::format("{}        alignas({}) {} line_y{}[{}];\n", indent, line_bytes, spelling(type), i, line);
            stores += text::format("{0}        store_nontemporal(y{1} + {2}next, line_y{1}, {3});\n", indent, i, linear,
                                   line * bytes_of(type));
        }
        const std::string first_line =
            as_.linear.empty() ? text::format("({} + {}) / {} * {}", from, line - 1, line, line)
                               : text::format("({0} + {1} + {2}) / {3} * {3} - {0}", as_.linear, from, line - 1, line);
        return text::format(
            "{0}i64 next = {1}, stop = nontemporal ? least_index({2}, {3}) : {2};\n"
            "{0}do {{\n"
            "{0}    #pragma GCC ivdep\n"
            "{0}    for (i64 i = next; i < stop; ++i) {4}\n"
            "{0}    for (next = stop; {2} - next >= {5}; next += {5}) {{\n"
            "{6}"
            "{0}        for (int j = 0; j < {5}; ++j) {{ const i64 i = next + j; {7} }}\n"
            "{8}"
            "{0}    }}\n"
            "{0}    stop = {2};\n"
            "{0}}} while (next < stop);\n",
            indent, from, to, first_line, body_call, line, lines, line_call, stores);
    }

    [[nodiscard]] std::string guard(const operand& of) const {
        std::string out;
        for (int axis = 0; axis < kernel_.rank; ++axis)
            if (of.guarded_axes >> axis & 1)
                out += text::format("{}{} == 0", out.empty() ? "" : " && ",
                                    axis == in_.inner() ? "i" : axis_position(axis));
        return out;
    }

    const host_rows& in_;
    const plan::kernel& kernel_;
    const row_names& as_;
    std::vector<row_operand> operands_;
};

std::string host_rows::row(const row_names& as) const { return loop(*this, as).run(); }

std::string host_rows::before_rows(const std::string& rows) const {
    if (rows.find("nontemporal") == rows.npos) return inside_.uses_library ? "" : "    (void)library;\n";
    std::string addresses;
    for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) addresses += text::format("{}(i64)y{}", i ? " | " : "", i);
    return text::format("    const bool nontemporal = library[{}] && ({}) % {} == 0;\n",
                        static_cast<int>(library_function::count), addresses, line_bytes);
}

std::string host_rows::call(const input_text& input, const output_text& output) const {
    return call_text(kernel_, names_, input, output, inside_.name) + (inside_.uses_library ? ", library);" : ");");
}

}  // namespace kiln::emit
