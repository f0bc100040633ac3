// The host frame: a range of elements per call, so that each thread of the CPU device takes one. Contiguous: one loop that
// the compiler vectorises. Others: row by row along the innermost axis, positions of the outer axes stepped without a
// division.
#include <emit/address.hpp>
#include <emit/frames.hpp>
#include <plan/layout.hpp>

#include <fmt/format.h>

namespace kiln::emit {

namespace {

using plan::access;
using plan::kernel;
using plan::operand;

class host_writer {
public:
    host_writer(const lower::program& program, const kernel& of, const body& inside, const std::string& name)
        : program_(program),
          kernel_(of),
          inside_(inside),
          name_(name),
          names_(program, of),
          addresses_(of, plan::frame::host) {}

    std::string run() {
        std::string code = inside_.functions;
        std::string function =
            fmt::format("static inline void body({})\n{{\n{}}}\n\n", inside_.parameters, inside_.steps);
        function += fmt::format(
            "extern \"C\" void {}(void* const* parameters, long long begin, long long end, const void* const* "
            "library)\n{{\n",
            name_);
        function += unpack();
        function += kernel_.has_layout() ? rows() : contiguous_loop();
        code += addresses_.functions(function) + function;
        return heading(program_, kernel_) + typedefs_for(code) + "\n" + code + "}\n";
    }

private:
    std::string unpack() const {
        std::string out;
        int slot = 0;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("    {0}* const y{1} = *static_cast<{0}* const*>(parameters[{2}]);\n",
                               spelling(kernel_.outputs[i].type), i, slot++);
        for (const operand& input : kernel_.inputs)
            out += fmt::format("    const {0}{1} {2} = *static_cast<const {0}{1}*>(parameters[{3}]);\n",
                               spelling(input.type), input.is_position ? "" : "* const", names_(input.value), slot++);
        for (const lower::value_id scalar : kernel_.scalars)
            out += fmt::format("    const {0} {1} = *static_cast<const {0}*>(parameters[{2}]);\n",
                               spelling(program_.type_of(scalar)), names_(scalar), slot++);
        if (kernel_.has_layout())
            out += fmt::format("    const i64* const at = static_cast<const i64*>(parameters[{}]);\n", slot);
        if (!inside_.uses_library) out += "    (void)library;\n";
        return out;
    }

    template <class Input, class Output>
    std::string call(Input input, Output output) const {
        std::string out = "body(";
        const auto add = [&out](const std::string& text) { out += (out.back() == '(' ? "" : ", ") + text; };
        for (const operand& each : kernel_.inputs) add(each.taken ? names_(each.value) : input(each));
        for (const lower::value_id scalar : kernel_.scalars) add(names_(scalar));
        if (kernel_.takes()) {
            add("at");
            for (int axis = 0; axis < kernel_.rank; ++axis) add(axis_position(axis));
        }
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) add(output(kernel_.outputs[i], fmt::format("y{}", i)));
        if (inside_.uses_library) add("library");
        return out + ");";
    }

    // ivdep: an operand is either apart from the outputs or read at the very position that is written.
    std::string contiguous_loop() const {
        return "    #pragma GCC ivdep\n    for (i64 i = begin; i < end; ++i) " +
               call([this](const operand& each) { return names_(each.value) + (each.is_position ? " + i" : "[i]"); },
                    [](const operand&, const std::string& name) { return name + "[i]"; }) +
               "\n";
    }

    [[nodiscard]] int inner() const { return kernel_.rank - 1; }

    std::string rows() const {
        if (inner() == 0) return row_loop("begin", "end", "i", "    ");
        std::string out;
        std::string rest = "begin";
        for (int axis = inner(); axis > 0; --axis) {
            const std::string extent = addresses_.word(plan::layout_extent(axis));
            out += fmt::format("    i64 p{0} = {1} % {2};\n    const i64 rest{3} = {1} / {2};\n", axis, rest, extent,
                               axis - 1);
            rest = fmt::format("rest{}", axis - 1);
        }
        out += fmt::format("    i64 p0 = rest0;\n    for (i64 first = begin; first < end;) {{\n");
        const std::string extent = addresses_.word(plan::layout_extent(inner()));
        // `first` is where the row's position 0 would be in the contiguous operands.
        out += fmt::format(
            "        const i64 row_begin = p{0};\n"
            "        const i64 row_end = {1} - p{0} < end - first ? {1} : p{0} + (end - first);\n"
            "        const i64 row = first - row_begin;\n",
            inner(), extent);
        out += row_loop("row_begin", "row_end", "row + ", "        ");
        out += fmt::format("        first += row_end - row_begin;\n        p{} = 0;\n", inner());
        return out + next_row() + "    }\n";
    }

    /// One is carried from the axis inside each.
    std::string next_row() const {
        std::string out = fmt::format("        ++p{};\n", inner() - 1);
        for (int axis = inner() - 1; axis > 0; --axis)
            out += fmt::format("        if (p{0} == {1}) {{ p{0} = 0; ++p{2}; }}\n", axis,
                               addresses_.word(plan::layout_extent(axis)), axis - 1);
        return out;
    }

    /// The innermost loop. What does not change along it is outside, so that it vectorises.
    std::string row_loop(const std::string& from, const std::string& to, const std::string& linear,
                         const std::string& indent) const {
        // "i" alone where rows are all there is.
        const std::string element = linear == "i" ? "i" : linear + "i";
        std::string before;
        std::string inside;
        const auto outside_axis = [this](int axis) { return axis == inner() ? std::string("0") : axis_position(axis); };
        const auto own_axis = [this](int axis) { return axis == inner() ? std::string("i") : axis_position(axis); };
        std::vector<std::string> guards;
        const auto prepare = [&](const operand& of, const std::string& name) {
            if (of.how == access::contiguous || of.taken) return;
            if (of.how == access::strided && !of.steps.empty()) {
                inside += addresses_.steps(of, name, own_axis, {}, indent + "    ");
                inside +=
                    fmt::format("{}    const i64 at_{} = {};\n", indent, name, addresses_.address(of, name, own_axis));
                return;
            }
            before += addresses_.steps(of, name, outside_axis, {}, indent);
            before +=
                fmt::format("{}const i64 at_{} = {};\n", indent, name, addresses_.address(of, name, outside_axis));
        };
        for (const operand& input : kernel_.inputs) prepare(input, names_(input.value));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) prepare(kernel_.outputs[i], fmt::format("y{}", i));

        const auto place = [&](const operand& of, const std::string& name) {
            if (of.how == access::contiguous) return element;
            if (of.how == access::row) return fmt::format("at_{} + i", name);
            if (of.how == access::strided && of.steps.empty())
                return fmt::format("at_{} + i * {}", name, addresses_.stride(of, inner()));
            return "at_" + name;
        };
        const auto input_at = [&](const operand& each) {
            const std::string name = names_(each.value);
            return element_text(each, name, place(each, name));
        };
        std::string stores;
        const auto output_at = [&](const operand& each, const std::string& name) {
            if (!each.guarded_axes) return fmt::format("{}[{}]", name, place(each, name));
            inside += fmt::format("{}    {} v_{};\n", indent, spelling(each.type), name);
            stores += fmt::format("{}    if ({}) {}[{}] = v_{};\n", indent, guard(each), name, place(each, name), name);
            return "v_" + name;
        };
        const std::string body_call = call(input_at, output_at);
        // The body of a take gets positions by name.
        if (kernel_.takes())
            inside =
                fmt::format("{}    const i64 {} = i;\n", indent, inner() == 0 ? "p0" : axis_position(inner())) + inside;
        std::string out = before;
        const std::string loop = fmt::format("for (i64 i = {}; i < {}; ++i)", from, to);
        // A guarded output is written by one element of many: no two iterations may be exchanged.
        if (stores.empty()) out += indent + "#pragma GCC ivdep\n";
        if (inside.empty() && stores.empty()) return out + fmt::format("{}{} {}\n", indent, loop, body_call);
        return out +
               fmt::format("{}{} {{\n{}{}    {}\n{}{}}}\n", indent, loop, inside, indent, body_call, stores, indent);
    }

    std::string guard(const operand& of) const {
        std::string out;
        for (int axis = 0; axis < kernel_.rank; ++axis)
            if (of.guarded_axes >> axis & 1)
                out += fmt::format("{}{} == 0", out.empty() ? "" : " && ", axis == inner() ? "i" : axis_position(axis));
        return out;
    }

    const lower::program& program_;
    const kernel& kernel_;
    const body& inside_;
    const std::string& name_;
    const value_names names_;
    const address_text addresses_;
};

}  // namespace

std::string host_frame(const lower::program& program, const kernel& of, const body& inside, const std::string& name) {
    return host_writer(program, of, inside, name).run();
}

}  // namespace kiln::emit
