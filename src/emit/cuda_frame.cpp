// The CUDA frame. Operands that move in vectors: one access per operand and thread, a one-shot grid, streaming hints on
// what is read once, the tail element by element in the thread that meets it. Others: element by element, a block's threads
// on neighbours, several rounds per thread. Positions come from the element's number without a division.
#include <emit/address.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/frames.hpp>
#include <plan/layout.hpp>

#include <fmt/format.h>

namespace kiln::emit {

namespace {

using plan::access;
using plan::kernel;
using plan::operand;

class cuda_writer {
public:
    cuda_writer(const lower::program& program, const kernel& of, const body& inside, const std::string& name)
        : program_(program),
          kernel_(of),
          inside_(inside),
          name_(name),
          names_(program, of),
          addresses_(of, plan::frame::cuda) {}

    std::string run() {
        std::string functions =
            fmt::format("__device__ __forceinline__ void body({})\n{{\n{}}}\n\n", inside_.parameters, inside_.steps);
        if (needs_element_function()) functions += element_function() + "\n";
        functions += fmt::format("extern \"C\" __global__ void __launch_bounds__({})\n{}({})\n{{\n",
                                 kernel_.threads_per_block, name_, parameters(true));
        functions += !kernel_.has_layout() ? contiguous_threads()
                     : kernel_.vectorised  ? vector_threads()
                                           : rounds_of_threads();
        std::string out = inside_.functions;
        if (kernel_.vectorised) out += vector_definitions(kernel_) + "\n";
        if (kernel_.has_layout())
            out += fmt::format("struct layout {{ long long word[{}]; }};\n\n", kernel_.layout_words);
        if (const std::string used = addresses_.functions(functions); !used.empty()) out += used + "\n";
        out += functions;
        return heading(program_, kernel_) + typedefs_for(out) + "\n" + out + "}\n";
    }

private:
    const char* position() const { return kernel_.wide_index ? "long long" : "unsigned int"; }
    // Rows of several axes are whole vectors; only one axis can have a rest.
    bool has_tail() const { return kernel_.rank == 1; }
    bool needs_element_function() const { return kernel_.has_layout() && (!kernel_.vectorised || has_tail()); }

    /// Of the kernel, or of a device function that is given the same.
    std::string parameters(bool of_kernel) const {
        const char* restrict_ = kernel_.aliased ? "" : " __restrict__";
        std::string out;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("{}*{} y{}, ", spelling(kernel_.outputs[i].type), restrict_, i);
        for (const operand& input : kernel_.inputs)
            out += input.is_position
                       ? fmt::format("const i64 {}, ", names_(input.value))
                       : fmt::format("const {}*{} {}, ", spelling(input.type), restrict_, names_(input.value));
        for (const lower::value_id scalar : kernel_.scalars)
            out += fmt::format("const {} {}, ", spelling(program_.type_of(scalar)), names_(scalar));
        if (!kernel_.has_layout()) return out + fmt::format("const {} count", position());
        return out + (of_kernel ? "const __grid_constant__ layout at" : "const layout& at");
    }
    std::string arguments() const {
        std::string out;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) out += fmt::format("y{}, ", i);
        for (const operand& input : kernel_.inputs) out += names_(input.value) + ", ";
        for (const lower::value_id scalar : kernel_.scalars) out += names_(scalar) + ", ";
        return out + "at";
    }

    /// `input` and `output` say what stands for an operand.
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
        return out + ");";
    }

    /// Of element `index` of contiguous operands.
    std::string element_call(const std::string& index) const {
        return call([&](const operand& each) { return element_text(each, names_(each.value), index); },
                    [&](const operand&, const std::string& name) { return fmt::format("{}[{}]", name, index); });
    }

    std::string global_thread() const {
        return kernel_.wide_index
                   ? fmt::format("static_cast<long long>(blockIdx.x) * {} + threadIdx.x", kernel_.threads_per_block)
                   : fmt::format("blockIdx.x * {}u + threadIdx.x", kernel_.threads_per_block);
    }

    // --- every operand is contiguous ---

    std::string contiguous_threads() const {
        const int elements = kernel_.elements_per_thread;
        if (!kernel_.vectorised)
            return fmt::format("    const {} i = {};\n    if (i < count) {}\n", position(), global_thread(),
                               element_call("i"));
        std::string out = fmt::format("    const {} first = ({}) * {};\n", position(), global_thread(), elements);
        out += fmt::format("    if (first + {} <= count) {{\n{}    }} else {{\n", elements, vector_part());
        return out +
               fmt::format("        for ({} i = first; i < count; ++i) {}\n    }}\n", position(), element_call("i"));
    }

    // --- vectors along rows ---

    std::string vector_threads() const {
        const int elements = kernel_.elements_per_thread;
        std::string out = fmt::format("    const {0} count = at.word[0];\n    const {0} first = ({1}) * {2};\n",
                                      position(), global_thread(), elements);
        out += fmt::format("    if (first + {} <= count) {{\n", elements);
        out += positions("first", "        ") + addresses("        ") + vector_part();
        if (!has_tail()) return out + "    }\n";
        return out + fmt::format("    }} else {{\n        for ({} i = first; i < count; ++i) element({}, i);\n    }}\n",
                                 position(), arguments());
    }

    /// Loads of all operands, then the body of each element, then the stores.
    std::string vector_part() const {
        const int elements = kernel_.elements_per_thread;
        std::string out;
        for (const operand& input : kernel_.inputs) {
            if (input.is_position) continue;
            const std::string name = names_(input.value);
            const std::string at = place(input, name);
            const std::string vector = vector_type(input.type, elements);
            if (input.how == access::uniform)
                out += fmt::format("        const {} v_{} = {}[{}];\n", spelling(input.type), name, name, at);
            else
                out += fmt::format("        const {0} v_{1} = {2}_{0}({1} + {3});\n", vector, name,
                                   is_streamed(input, kernel_) || kernel_.aliased ? "load" : "keep", at);
        }
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format("        {} v_y{};\n", vector_type(kernel_.outputs[i].type, elements), i);
        const auto lane_of_input = [this](const operand& each) {
            const std::string name = names_(each.value);
            if (each.is_position) return position_of_lane(each, name);
            return "v_" + name + (each.how == access::uniform ? "" : ".v[k]");
        };
        const auto lane_of_output = [](const operand&, const std::string& name) { return "v_" + name + ".v[k]"; };
        out += fmt::format("        #pragma unroll\n        for (int k = 0; k < {}; ++k) {}\n", elements,
                           call(lane_of_input, lane_of_output));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            const std::string name = fmt::format("y{}", i);
            out += fmt::format("        store({0} + {1}, v_{0});\n", name, place(kernel_.outputs[i], name));
        }
        return out;
    }

    std::string position_of_lane(const operand& of, const std::string& name) const {
        const std::string first = fmt::format("{} + {}", name, place(of, name));
        switch (of.how) {
            case access::uniform: return first;
            case access::strided: return fmt::format("{} + k * {}", first, addresses_.stride(of, kernel_.rank - 1));
            default: return first + " + k";
        }
    }

    static std::string place(const operand& of, const std::string& name) {
        return of.how == access::contiguous ? "first" : "at_" + name;
    }

    /// Of each operand that is not contiguous: "at_x1".
    std::string addresses(const std::string& indent) const {
        std::string out;
        const auto add = [&](const operand& of, const std::string& name) {
            if (of.how == access::contiguous || of.taken) return;
            out += addresses_.steps(of, name, axis_position, {}, indent);
            out += fmt::format("{}const {} at_{} = {};\n", indent, addresses_.index_type(), name,
                               addresses_.address(of, name, axis_position));
        };
        for (const operand& input : kernel_.inputs) add(input, names_(input.value));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) add(kernel_.outputs[i], fmt::format("y{}", i));
        return out;
    }

    // --- element by element ---

    std::string rounds_of_threads() const {
        const int threads = kernel_.threads_per_block;
        const int elements = kernel_.elements_per_thread;
        std::string out = fmt::format("    const {} count = at.word[0];\n", position());
        if (elements == 1)
            return out + fmt::format("    const {} i = {};\n    if (i < count) element({}, i);\n", position(),
                                     global_thread(), arguments());
        const std::string block = kernel_.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
        out += fmt::format("    const {} first = {} * {} + threadIdx.x;\n", position(), block, threads * elements);
        out +=
            fmt::format("    if (first - threadIdx.x + {} <= count) {{\n        #pragma unroll\n", threads * elements);
        out += fmt::format("        for (int k = 0; k < {}; ++k) element({}, first + k * {});\n", elements, arguments(),
                           threads);
        out += "    } else {\n        #pragma unroll 1\n";
        return out + fmt::format("        for ({} i = first; i < count; i += {}) element({}, i);\n    }}\n", position(),
                                 threads, arguments());
    }

    std::string element_function() const {
        std::string out =
            fmt::format("__device__ __forceinline__ void element({}, const {} i)\n{{\n", parameters(false), position());
        out += positions("i", "    ") + addresses("    ");
        const auto input_at = [this](const operand& each) {
            const std::string name = names_(each.value);
            return element_text(each, name, each.how == access::contiguous ? "i" : "at_" + name);
        };
        std::string stores;
        const auto output_at = [&](const operand& each, const std::string& name) {
            const std::string at = each.how == access::contiguous ? "i" : "at_" + name;
            if (!each.guarded_axes) return fmt::format("{}[{}]", name, at);
            out += fmt::format("    {} v_{};\n", spelling(each.type), name);
            stores += fmt::format("    if ({}) {}[{}] = v_{};\n", guard(each), name, at, name);
            return "v_" + name;
        };
        const std::string body_call = call(input_at, output_at);
        return out + "    " + body_call + "\n" + stores + "}\n";
    }

    std::string guard(const operand& of) const {
        std::string out;
        for (int axis = 0; axis < kernel_.rank; ++axis)
            if (of.guarded_axes >> axis & 1)
                out += fmt::format("{}{} == 0", out.empty() ? "" : " && ", axis_position(axis));
        return out;
    }

    /// "p0", "p1", ...: where an element is on each axis. Past 2^31 by the processor's division.
    std::string positions(const std::string& element, const std::string& indent) const {
        const int inner = kernel_.rank - 1;
        const char* const index = addresses_.index_type();
        if (inner == 0) return fmt::format("{}const {} p0 = {};\n", indent, index, element);
        std::string out;
        std::string rest = element;
        for (int axis = inner; axis > 0; --axis) {
            const std::string extent = addresses_.word(plan::layout_extent(axis));
            const std::string outer = axis == 1 ? "p0" : fmt::format("rest{}", axis - 1);
            const char* const type = axis == 1 ? index : position();
            out += kernel_.wide_index ? fmt::format("{}const {} {} = {} / {};\n", indent, type, outer, rest, extent)
                                      : fmt::format("{}const {} {} = divide({}, at.word[{}]);\n", indent, type, outer,
                                                    rest, plan::layout_divisor(kernel_.rank, axis));
            out += fmt::format("{}const {} p{} = {} - {} * {};\n", indent, index, axis, rest, outer, extent);
            rest = outer;
        }
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

std::string cuda_frame(const lower::program& program, const kernel& of, const body& inside, const std::string& name) {
    return cuda_writer(program, of, inside, name).run();
}

std::string heading(const lower::program& program, const kernel& of) {
    return fmt::format("// {}\n", expression_text(program, of));
}

}  // namespace kiln::emit
