// The host frame: a range of elements per call, so that each thread of the CPU device takes one. Contiguous: one loop that
// the compiler vectorises. Strided: row by row along the innermost axis, positions stepped without a division.
#include <emit/frames.hpp>
#include <plan/layout.hpp>

#include <fmt/format.h>

namespace kiln::emit {

namespace {

using plan::kernel;
using plan::operand;

class host_writer {
public:
    host_writer(const lower::program& program, const kernel& of, const body& inside, const std::string& name)
        : program_(program), kernel_(of), inside_(inside), name_(name), names_(program, of), strided_(of) {}

    std::string run() {
        std::string out = inside_.functions;
        out += fmt::format("static inline void body({})\n{{\n{}}}\n\n", inside_.parameters, inside_.steps);
        out += fmt::format(
            "extern \"C\" void {}(void* const* parameters, long long begin, long long end, const void* const* "
            "library)\n{{\n",
            name_);
        out += unpack();
        out += kernel_.strided() ? strided_loop() : contiguous_loop();
        return heading(program_, kernel_) + typedefs_for(out) + "\n" + out + "}\n";
    }

private:
    std::string unpack() const {
        std::string out;
        int slot = 0;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("    {0}* const y{1} = *static_cast<{0}* const*>(parameters[{2}]);\n",
                               spelling(kernel_.outputs[i].type), i, slot++);
        for (const operand& input : kernel_.inputs)
            out += fmt::format("    const {0}* const {1} = *static_cast<const {0}* const*>(parameters[{2}]);\n",
                               spelling(input.type), names_(input.value), slot++);
        for (const lower::value_id scalar : kernel_.scalars)
            out += fmt::format("    const {0} {1} = *static_cast<const {0}*>(parameters[{2}]);\n",
                               spelling(program_.type_of(scalar)), names_(scalar), slot++);
        if (kernel_.strided())
            out += fmt::format("    const i64* const at = static_cast<const i64*>(parameters[{}]);\n", slot);
        if (!inside_.uses_library) out += "    (void)library;\n";
        return out;
    }

    template <class Place>
    std::string call(Place place) const {
        std::string out = "body(";
        const auto add = [&out](const std::string& text) { out += (out.back() == '(' ? "" : ", ") + text; };
        for (std::size_t i = 0; i < kernel_.inputs.size(); ++i)
            add(place(strided_.inputs[i], names_(kernel_.inputs[i].value)));
        for (const lower::value_id scalar : kernel_.scalars) add(names_(scalar));
        if (kernel_.uses_index) add("i");
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) add(place(strided_.outputs[i], fmt::format("y{}", i)));
        if (inside_.uses_library) add("library");
        return out + ");";
    }

    // ivdep: an operand is either apart from the outputs or read at the very position that is written.
    std::string contiguous_loop() const {
        return "    #pragma GCC ivdep\n    for (i64 i = begin; i < end; ++i) " +
               call([](int, const std::string& name) { return name + "[i]"; }) + "\n";
    }

    std::string strided_loop() const {
        const int rank = kernel_.rank;
        const int inner = rank - 1;
        std::string out = fmt::format("    i64 position[{}];\n    i64 rest = begin;\n", rank);
        out += fmt::format(
            "    for (int axis = {}; axis > 0; --axis) {{ position[axis] = rest % at[1 + axis]; rest /= at[1 + axis]; "
            "}}\n",
            inner);
        out += "    position[0] = rest;\n";
        out += "    for (i64 i = begin; i < end;) {\n";
        out +=
            fmt::format("        const i64 row = at[{}] - position[{}] < end - i ? at[{}] - position[{}] : end - i;\n",
                        plan::layout_extent(inner), inner, plan::layout_extent(inner), inner);
        for (int operand_number = 0; operand_number < strided_.count; ++operand_number) {
            out += fmt::format("        i64 offset{} = 0;\n", operand_number);
            out += fmt::format(
                "        for (int axis = 0; axis < {}; ++axis) offset{} += position[axis] * at[{} + axis];\n", rank,
                operand_number, plan::layout_stride(rank, operand_number, 0));
        }
        out += "        const i64 row_end = i + row;\n        const i64 row_begin = i;\n";
        out += "        #pragma GCC ivdep\n        for (; i < row_end; ++i) " +
               call([&](int strided, const std::string& name) {
                   if (strided < 0) return name + "[i]";
                   return fmt::format("{}[offset{} + (i - row_begin) * at[{}]]", name, strided,
                                      plan::layout_stride(rank, strided, inner));
               }) +
               "\n";
        out += fmt::format("        position[{}] += row;\n", inner);
        out += fmt::format(
            "        for (int axis = {}; axis > 0 && position[axis] == at[1 + axis]; --axis) {{ position[axis] = 0; "
            "++position[axis - 1]; }}\n",
            inner);
        return out + "    }\n";
    }

    const lower::program& program_;
    const kernel& kernel_;
    const body& inside_;
    const std::string& name_;
    const value_names names_;
    strided_numbers strided_;
};

}  // namespace

std::string host_frame(const lower::program& program, const kernel& of, const body& inside, const std::string& name) {
    return host_writer(program, of, inside, name).run();
}

}  // namespace kiln::emit
