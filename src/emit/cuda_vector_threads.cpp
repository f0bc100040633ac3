// Kernels whose operands move in vectors: one access per operand and thread (or several of neighbouring rows), a one-shot
// grid, stores past the caches, the rest at the end element by element. Positions come from the element's number without a
// division.
#include <emit/compile_weight.hpp>
#include <emit/cuda_parts.hpp>
#include <emit/cuda_vectors.hpp>
#include <plan/layout.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

using plan::access;
using plan::kernel;
using plan::operand;

class vector_writer {
public:
    explicit vector_writer(const cuda_parts& parts) : parts_(parts), kernel_(parts.kernel) {}

    /// Every operand is contiguous.
    std::string contiguous_threads() const {
        if (!kernel_.vectorised) return misaligned_threads();
        return first_element() + "    if (first >= count) return;\n" + vector_part(true);
    }

    /// Neighbouring threads on neighbouring elements, several rounds of them.
    std::string misaligned_threads() const {
        const int elements = kernel_.elements_per_thread;
        const int threads = kernel_.threads_per_block;
        if (elements == 1)
            return text::format("    const {} i = {};\n    if (i < count) {}\n", parts_.number_type(), global_thread(),
                                element_call());
        const char* const block = kernel_.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
        std::string out = text::format("    const {} first = {} * {} + threadIdx.x;\n", parts_.number_type(), block,
                                       threads * elements);
        out +=
            text::format("    if (first - threadIdx.x + {} <= count) {{\n        #pragma unroll\n", threads * elements);
        out += text::format("        for (int k = 0; k < {}; ++k) {{\n            const {} i = first + k * {};\n",
                            elements, parts_.number_type(), threads);
        out += text::format("            {}\n        }}\n    }} else {{\n        #pragma unroll 1\n", element_call());
        return out + text::format("        for ({} i = first; i < count; i += {}) {}\n    }}\n", parts_.number_type(),
                                  threads, element_call());
    }

    /// Along rows. Rows of several axes are whole vectors; only one axis can have a rest.
    std::string row_threads() const {
        if (kernel_.mapping == plan::thread_mapping::rows) return threads_of_rows();
        std::string out = text::format("    const {} count = at.word[0];\n", parts_.number_type()) + first_element();
        return out + "    if (first >= count) return;\n" + parts_.positions("first", parts_.inner(), "    ") +
               parts_.operand_addresses("    ") + vector_part(kernel_.rank == 1);
    }

    // A thread takes the same vector of several rows, of which each reads what another does: past the last row it computes
    // that once more, so that no load waits for a branch, and stores nothing.
    std::string threads_of_rows() const {
        const int inner = parts_.inner();
        const int grid = kernel_.grid_word;
        const char* const number = parts_.number_type();
        const std::string width = parts_.addresses.word(grid);
        std::string out = text::format("    const {} thread = {};\n", number, global_thread());
        out += text::format("    const {} group = {};\n", number, parts_.quotient("thread", grid, grid + 1));
        out += text::format("    const {} p{} = (thread - group * {}) * {};\n", parts_.addresses.index_type(), inner,
                            width, kernel_.elements_per_thread);
        out += text::format("    const {} rows = at.word[{}];\n", number, grid + 2);
        out += text::format("    if (group * {} >= rows) return;\n", kernel_.rows_per_thread);
        out += text::format("    #pragma unroll\n    for (int r = 0; r < {}; ++r) {{\n", kernel_.rows_per_thread);
        std::string row = text::format("    const bool is_there = group * {} + r < rows;\n", kernel_.rows_per_thread);
        row +=
            text::format("    const {} row = is_there ? group * {} + r : rows - 1;\n", number, kernel_.rows_per_thread);
        row += text::format("    const {} first = row * {} + p{};\n", number,
                            parts_.addresses.word(plan::layout_extent(inner)), inner);
        row += parts_.positions("row", inner - 1, "    ") + parts_.operand_addresses("    ") +
               vector_part(false, "if (is_there) ");
        return out + indented(row) + "    }\n";
    }

private:
    std::string global_thread() const {
        return kernel_.wide_index
                   ? text::format("static_cast<long long>(blockIdx.x) * {} + threadIdx.x", kernel_.threads_per_block)
                   : text::format("blockIdx.x * {}u + threadIdx.x", kernel_.threads_per_block);
    }

    /// Of element i of contiguous operands.
    std::string element_call() const {
        return parts_.call([this](const operand& each) { return element_text(each, parts_.names(each.value), "i"); },
                           [](const operand&, const std::string& name) { return name + "[i]"; });
    }

    std::string first_element() const {
        return text::format("    const {} first = ({}) * {};\n", parts_.number_type(), global_thread(),
                            kernel_.elements_per_thread);
    }

    /// Loads of all operands, then the body of each element, then the stores. The rest at the end is loaded and stored
    /// element by element, and computed with the others: the body stands in the kernel once per element of a vector, and
    /// not once more.
    std::string vector_part(bool may_have_rest, const char* before_store = "") const {
        // A vector of one element is whole where it begins before the end. NVRTC does not see that, and compiles a rest.
        const bool has_rest = may_have_rest && kernel_.elements_per_thread > 1;
        const bool rolls = rolls_lanes(parts_.program, kernel_);
        // Of two elements the rest is one, which stands beside the loop: 2 % fewer instructions of NVRTC than in it (13.0,
        // quotients of float64 and int64).
        const bool rest_in_loop = has_rest && rolls && kernel_.elements_per_thread > 2;
        std::string out;
        std::string loads;
        std::string rest_loads;
        std::string parts_of_bits;
        std::string part_loads;
        std::string bits_of_parts;
        std::string vectors_of_bits;
        for (const operand& input : kernel_.inputs) {
            const std::string name = parts_.names(input.value);
            if (input.how == access::uniform && !input.is_position)
                out +=
                    text::format("    const {} v_{} = {}[{}];\n", spelling(input.type), name, name, place(input, name));
            if (!kernel_.is_vector(input)) continue;
            const std::string vector = vector_type(input.type, kernel_.elements_per_thread);
            const std::string load = text::format("load_{}({} + {})", vector, name, place(input, name));
            const char* const bits = vector_bits(input.type, kernel_.elements_per_thread);
            if (!has_rest) {
                out += text::format("    {}{} v_{} = {};\n", rolls ? "" : "const ", vector, name, load);
            } else if (!moves_as_bits(input.type, kernel_)) {
                out += text::format("    {} v_{} = {{}};\n", vector, name);
                loads += text::format("        v_{} = {};\n", name, load);
            } else if (rolls) {
                out += text::format("    {} v_{} = {{}};\n", vector, name);
                loads += text::format("        reinterpret_cast<{}&>(v_{}) = {};\n", bits, name, load);
            } else {
                out += text::format("    {} bits_{};\n", bits, name);
                loads += text::format("        bits_{} = {};\n", name, load);
                parts_of_bits += text::format("        {} part_{} = {{}};\n", vector, name);
                part_loads += text::format(" part_{0}.v[k] = {0}[{1} + k];", name, place(input, name));
                bits_of_parts +=
                    text::format("        bits_{0} = reinterpret_cast<const {1}&>(part_{0});\n", name, bits);
                vectors_of_bits +=
                    text::format("    const {0} v_{1} = reinterpret_cast<const {0}&>(bits_{1});\n", vector, name);
                continue;
            }
            rest_loads +=
                text::format(" v_{0}.v[{2}] = {0}[{1} + k];", name, place(input, name), rest_in_loop ? "0" : "k");
        }
        if (has_rest) out += text::format("    const bool whole = first + {} <= count;\n", kernel_.elements_per_thread);
        // One loop for all operands, not unrolled: with one for each, two of float16 took NVRTC 5 % more instructions (13.0).
        const std::string bits_in_part = part_loads.empty()
                                             ? ""
                                             : text::format(
                                                   "{}        #pragma unroll 1\n"
                                                   "        for (int k = 0; first + k < count; ++k) {{{} }}\n{}",
                                                   parts_of_bits, part_loads, bits_of_parts);
        if (has_rest && !loads.empty())
            out += rest_in_loop ? text::format("    if (whole) {{\n{}    }}\n", loads)
                                : either(loads, bits_in_part, rest_loads);
        out += vectors_of_bits;
        std::string stores;
        std::string rest_stores;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            const std::string name = text::format("y{}", i);
            const std::string at = place(kernel_.outputs[i], name);
            out +=
                text::format("    {} v_{};\n", vector_type(kernel_.outputs[i].type, kernel_.elements_per_thread), name);
            stores +=
                text::format("{}    {}store({} + {}, v_{});\n", has_rest ? "    " : "", before_store, name, at, name);
            rest_stores +=
                text::format(" {0}[{1} + k] = {2};", name, at, rest_in_loop ? "one_" + name : "v_" + name + ".v[k]");
        }
        if (rolls) {
            out += rolled_lanes(rest_in_loop, rest_loads, rest_stores);
            if (rest_in_loop) return out + text::format("    if (whole) {{\n{}    }}\n", stores);
            return out + (has_rest ? either(stores, "", rest_stores) : stores);
        }
        const auto lane_of_input = [this](const operand& each) {
            const std::string name = parts_.names(each.value);
            if (kernel_.by_lane(each)) return element_text(each, name, "at_" + name);
            if (each.is_position) return position_of_lane(each, name);
            return "v_" + name + (each.how == access::uniform ? "" : ".v[k]");
        };
        const auto lane_of_output = [](const operand&, const std::string& name) { return "v_" + name + ".v[k]"; };
        const std::string body_call = parts_.call(lane_of_input, lane_of_output);
        const std::string addresses = parts_.lane_addresses("        ");
        out += "    #pragma unroll\n" +
               lanes(kernel_.elements_per_thread,
                     addresses.empty() ? body_call : text::format("{{\n{}        {}\n    }}", addresses, body_call));
        return out + (has_rest ? either(stores, "", rest_stores) : stores);
    }

    /// The body once, for one lane after the other: the first lane of each vector is the one at hand, and the others move up,
    /// since registers have no index. A heavy body (rolls_lanes) waits for its branches and calls, and so does not overlap
    /// with that of another lane where it is unrolled either; the moves are what this costs.
    [[nodiscard]] std::string rolled_lanes(bool has_rest, const std::string& rest_loads,
                                           const std::string& rest_stores) const {
        const int last = kernel_.elements_per_thread - 1;
        std::string moves;
        std::string results;
        std::string put_last;
        for (const operand& input : kernel_.inputs)
            if (kernel_.is_vector(input))
                moves += text::format(" v_{0}.v[j] = v_{0}.v[j + 1];", parts_.names(input.value));
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            moves += text::format(" v_y{0}.v[j] = v_y{0}.v[j + 1];", i);
            results += text::format("        {} one_y{};\n", spelling(kernel_.outputs[i].type), i);
            put_last += text::format("        v_y{0}.v[{1}] = one_y{0};\n", i, last);
        }
        const auto input_at = [this](const operand& each) {
            const std::string name = parts_.names(each.value);
            if (each.is_position) return position_of_lane(each, name);
            return "v_" + name + (each.how == access::uniform ? "" : ".v[0]");
        };
        const auto output_at = [](const operand&, const std::string& name) { return "one_" + name; };
        std::string out = text::format("    #pragma unroll 1\n    for (int k = 0; k < {}; ++k) {{\n", last + 1);
        if (has_rest) {
            out += "        if (!whole) {\n            if (first + k >= count) break;\n";
            if (!rest_loads.empty()) out += text::format("           {}\n", rest_loads);
            out += "        }\n";
        }
        out += results + text::format("        {}\n", parts_.call(input_at, output_at));
        if (has_rest) out += text::format("        if (!whole) {{{} }}\n", rest_stores);
        out += text::format("        #pragma unroll\n        for (int j = 0; j < {}; ++j) {{{} }}\n", last, moves);
        return out + put_last + "    }\n";
    }

    [[nodiscard]] static std::string lanes(int count, const std::string& what) {
        return text::format("    for (int k = 0; k < {}; ++k) {}\n", count, what);
    }

    /// Lines for whole vectors, or lines for the rest, and what is done for each element of it: at least one is missing.
    [[nodiscard]] std::string either(const std::string& lines, const std::string& rest_lines,
                                     const std::string& rest) const {
        const bool is_one = std::count(rest.begin(), rest.end(), ';') == 1;
        std::string of_rest = rest_lines;
        if (!rest.empty())
            of_rest += "        #pragma unroll\n    " +
                       lanes(kernel_.elements_per_thread - 1,
                             is_one ? "if (first + k < count)" + rest : "if (first + k < count) {" + rest + " }");
        return text::format("    if (whole) {{\n{}    }} else {{\n{}    }}\n", lines, of_rest);
    }

    std::string position_of_lane(const operand& of, const std::string& name) const {
        // The first of a contiguous vector is a multiple of its length. Said like this, the compiler sees it too, and
        // makes one block of random numbers for all that share it (nvcc 13.0, float: 20 wide products in place of 71).
        if (of.how == access::contiguous && draws())
            return text::format("({} + first & ~{}ll) | k", name, kernel_.elements_per_thread - 1);
        const std::string first = text::format("{} + {}", name, place(of, name));
        switch (of.how) {
            case access::uniform: return first;
            case access::strided:
                return text::format("{} + k * {}", first, parts_.addresses.stride(of, parts_.inner()));
            default: return first + " + k";
        }
    }

    bool draws() const {
        const std::vector<lower::step>& steps = parts_.program.steps;
        return std::any_of(steps.begin() + kernel_.first_step, steps.begin() + kernel_.last_step,
                           [](const lower::step& each) { return detail::is_draw(each.code); });
    }

    static std::string place(const operand& of, const std::string& name) {
        return of.how == access::contiguous ? "first" : "at_" + name;
    }

    const cuda_parts& parts_;
    const kernel& kernel_;
};

}  // namespace

std::string write_vector_threads(const cuda_parts& parts) {
    const vector_writer writer(parts);
    return parts.kernel.has_layout() ? writer.row_threads() : writer.contiguous_threads();
}

}  // namespace kiln::emit
