// Kernels that make one value of many. What is reduced is computed as it is read. A value's threads, their rounds and the
// order in which their results are combined are those of plan/reduction.hpp, whatever the elements are computed from.
#include <capture/array_node.hpp>
#include <emit/cuda_values.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/reduction_text.hpp>
#include <plan/layout.hpp>
#include <plan/partial_sums.hpp>
#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

using plan::access;
using plan::operand;

class reduction_writer : value_threads {
public:
    using value_threads::value_threads;

    [[nodiscard]] std::string functions() const {
        return block_reduce_function(/*for_all=*/false, "") + (kernel.last_block_finalizes() ? count_block : "");
    }

    [[nodiscard]] std::string lines() const {
        return (kernel.threads_per_output > 1
                    ? text::format("    __shared__ accumulators shared[{}];\n", shared_accumulators())
                    : "") +
               whose() + rounds() + block_reduction() +
               (kernel.ends_in_partial_sums ? partial_sum_stores()
                : kernel.splits             ? last_block_finalize() + stores()
                                            : stores());
    }

private:
    /// Where the operands' elements are, by the positions of element `first`.
    [[nodiscard]] std::string addresses(const std::string& indent) const {
        return element_positions(any_contiguous(), indent) + parts.input_addresses(indent);
    }

    /// The body of one element, and its results stored, or `appended`, as "one".
    template <class Input>
    [[nodiscard]] std::string element(Input input, const std::string& appended, const std::string& number_of_element,
                                      const char* stored, const std::string& indent) const {
        std::string out;
        std::string accumulator;
        std::string stores;
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
            out += text::format("{}{} one_y{};\n", indent, spelling(kernel.reduced[i].accumulated), i);
            if (kernel.stores_elements(i)) {
                stores += indent + text::format(fmt::runtime(stored), i) + "\n";
                continue;
            }
            accumulator += kernel.reduced[i].finds_position()
                               ? text::format(" one.s{0}.value = one_y{0}; one.s{0}.at = {1};", i, number_of_element)
                               : text::format(" one.s{0} = one_y{0};", i);
        }
        out += indent + parts.call(input, [](const operand&, const std::string& name) { return "one_" + name; }) + "\n";
        out += text::format("{}{}accumulators one;{}\n", stores, indent, accumulator);
        return out + indent + appended + "\n";
    }

    [[nodiscard]] std::string into_part(const std::string& part) const {
        return text::format("{0} = {1}({0}, one);", part, append_name(plan::reductions_of_outputs(kernel)));
    }

    static constexpr const char* store_one = "if (is_there) y{0}[i] = one_y{0};";

    /// By the positions of element `first`, without vectors.
    [[nodiscard]] std::string loaded_element(const std::string& appended, const std::string& indent) const {
        const auto input = [this](const operand& each) {
            const std::string name = parts.names(each.value);
            return element_text(each, name, place(each, name));
        };
        return addresses(indent) + element(input, appended, "first", store_one, indent);
    }

    /// Rounds of a thread whose loads go out together, before the first of them is needed. Long bodies are longer to wait
    /// for anyway, and each round holds the body once per element.
    [[nodiscard]] int loads_in_flight() const {
        const int steps = (kernel.last_step - kernel.first_step) * kernel.elements_per_thread;
        // Of columns that do not move in vectors, twice as many are as many bytes on their way as elsewhere.
        const int most = kernel.loads_in_flight == 4 && !kernel.vectorised ? 8 : kernel.loads_in_flight;
        return std::min(most, steps <= 64 ? 8 : steps <= 128 ? 2 : 1);
    }

    static bool loads_first(const operand& each) { return !each.is_position && !each.gathered; }

    /// A round's operands: "v_x0[u]", a vector or an element.
    [[nodiscard]] std::string loads(const std::string& indent) const {
        std::string out = addresses(indent);
        for (const operand& each : kernel.inputs) {
            if (!loads_first(each)) continue;
            const std::string name = parts.names(each.value);
            const std::string at = place(each, name);
            if (!kernel.vectorised || each.how == access::uniform)
                out += text::format("{}v_{}[u] = {}[{}];\n", indent, name, name, at);
            else if (moves_as_bits(each.type, kernel))
                out += text::format("{0}reinterpret_cast<{1}&>(v_{2}[u]) = load_{3}({2} + {4});\n", indent,
                                    vector_bits(each.type, kernel.elements_per_thread), name,
                                    vector_type(each.type, kernel.elements_per_thread), at);
            else
                out += text::format("{0}v_{1}[u] = load_{2}({1} + {3});\n", indent, name,
                                    vector_type(each.type, kernel.elements_per_thread), at);
        }
        return out;
    }

    [[nodiscard]] std::string declarations(int in_flight, const std::string& indent) const {
        std::string out;
        for (const operand& each : kernel.inputs) {
            if (!loads_first(each)) continue;
            const bool is_vector = kernel.vectorised && each.how != access::uniform;
            out += text::format("{}{} v_{}[{}];\n", indent,
                                is_vector ? vector_type(each.type, kernel.elements_per_thread) : spelling(each.type),
                                parts.names(each.value), in_flight);
        }
        return out;
    }

    /// What a round comes to, appended to part[k].
    [[nodiscard]] std::string computed_round(const std::string& indent) const {
        const auto lane = [this](const operand& each) {
            const std::string name = parts.names(each.value);
            if (each.gathered) return element_text(each, name, place(each, name));
            if (!each.is_position)
                return text::format("v_{}[u]{}", name, kernel.vectorised && each.how != access::uniform ? ".v[k]" : "");
            const std::string at = text::format("{} + {}", name, place(each, name));
            return each.how == access::uniform || !kernel.vectorised ? at : at + " + k";
        };
        const std::string in = indent + "    ";
        std::string before;
        std::string after;
        for (std::size_t i = 0; kernel.vectorised && i < kernel.outputs.size(); ++i) {
            if (!kernel.stores_elements(i)) continue;
            before += text::format("{}{} v_y{};\n", indent,
                                   vector_type(kernel.outputs[i].type, kernel.elements_per_thread), i);
            after += text::format("{0}if (is_there) store(y{1} + i, v_y{1});\n", indent, i);
        }
        return addresses(indent) + before +
               text::format("{0}#pragma unroll\n{0}for (int k = 0; k < {1}; ++k) {{\n{2}{0}}}\n", indent,
                            kernel.vectorised ? kernel.elements_per_thread : 1,
                            element(lane, into_part("part[k]"), along_rows() ? "first + k" : "first",
                                    kernel.vectorised ? "v_y{0}.v[k] = one_y{0};" : store_one, in)) +
               after;
    }

    [[nodiscard]] std::string rounds() const {
        const int accumulator_count = along_rows() ? kernel.vector_width : width();
        std::string out = text::format(
            "    accumulators part[{0}];\n"
            "    #pragma unroll\n"
            "    for (int k = 0; k < {0}; ++k) part[k] = identity();\n",
            accumulator_count);
        const std::string start =
            along_rows() ? text::format("begin + lane * {}", kernel.vector_width) : "begin + lane";
        if (kernel.vectorised || !along_rows()) {
            out += whole_rounds(start);
            if (along_rows()) out += rest_of_row();
        } else {
            // Element by element, in the order of vectors.
            out += text::format("    #pragma unroll 2\n    for ({} next = {}; next < end; next += {}) {{\n", number(),
                                start, stride());
            out += elements_of_vector("next", "        ") + "    }\n";
        }
        if (along_rows())
            out += "    accumulators mine[1] = {combine(combine(part[0], part[1]), combine(part[2], part[3]))};\n";
        else out += "    accumulators (&mine)[" + std::to_string(width()) + "] = part;\n";
        return out;
    }

    [[nodiscard]] std::string whole_rounds(const std::string& start) const {
        const int in_flight = loads_in_flight();
        const std::string is_whole =
            along_rows() ? text::format("first + {} <= end", kernel.vector_width) : std::string("first < end");
        std::string out = text::format("    #pragma unroll 1\n    for ({} next = {}; next < end; next += {}) {{\n",
                                       number(), start, in_flight * stride());
        out += declarations(in_flight, "        ");
        const std::string head = text::format(
            "        #pragma unroll\n        for (int u = 0; u < {}; ++u) {{\n            const {} first = next + u * "
            "{};\n"
            "            if ({}) {{\n",
            in_flight, number(), stride(), is_whole);
        const std::string tail = "            }\n        }\n";
        return out + head + loads("                ") + tail + head + computed_round("                ") + tail +
               "    }\n";
    }

    /// A row's last elements, fewer than a vector, belong to the thread whose turn it would be.
    [[nodiscard]] std::string rest_of_row() const {
        std::string out = text::format("    const {} vectors = (end - begin) / {};\n", number(), kernel.vector_width);
        out += text::format("    if (begin + vectors * {} < end && lane == vectors % {}) {{\n", kernel.vector_width,
                            kernel.threads_per_output);
        const std::string from = text::format("begin + vectors * {}", kernel.vector_width);
        const bool is_long = kernel.last_step - kernel.first_step > 16;
        return out + (is_long ? elements_in_turn(from, "        ") : elements_of_vector(from, "        ")) + "    }\n";
    }

    /// Less than a vector of elements, with the body once in the kernel's text: a long one takes its time to compile.
    [[nodiscard]] std::string elements_in_turn(const std::string& from, const std::string& indent) const {
        const std::string in = indent + "    ";
        const std::string appended = text::format(
            "#pragma unroll\n{0}for (int each = 0; each < {1}; ++each)\n"
            "{0}    if (each == k) {2}",
            in, kernel.vector_width - 1, into_part("part[each]"));
        return text::format(
            "{0}#pragma unroll 1\n{0}for (int k = 0; k < {1}; ++k) {{\n{2}const {3} first = {4} + k;\n"
            "{2}if (first >= end) break;\n{5}{0}}}\n",
            indent, kernel.vector_width - 1, in, number(), from, loaded_element(appended, in));
    }

    [[nodiscard]] std::string elements_of_vector(const std::string& from, const std::string& indent) const {
        return text::format(
            "{0}#pragma unroll\n{0}for (int k = 0; k < {1}; ++k) {{\n{0}    const {2} first = {3} + k;\n"
            "{0}    if (first < end) {{\n{4}{0}    }}\n{0}}}\n",
            indent, kernel.vector_width, number(), from, loaded_element(into_part("part[k]"), indent + "        "));
    }

    /// For each value of the thread, by k.
    [[nodiscard]] std::string each_value(const std::string& what) const {
        return text::format("    #pragma unroll\n    for (int k = 0; k < {}; ++k) {{\n        {}\n    }}\n", width(),
                            what);
    }

    [[nodiscard]] std::string block_reduction() const {
        return kernel.threads_per_output > 1 ? each_value("mine[k] = block_reduce(mine[k], shared, lane);") : "";
    }

    // An atomicAdd between two fences would do; they make all threads of a block wait for what they have stored (H200: 0.5 us).
    static constexpr const char* count_block =
        "// Counts the block as done, and says whether it is the last: then what the others have left is there.\n"
        "__device__ __forceinline__ bool is_last_of(unsigned int count, unsigned int* counter)\n{\n"
        "    unsigned int before;\n"
        "    asm volatile(\"atom.release.gpu.global.add.u32 %0, [%1], 1;\" : \"=r\"(before) : \"l\"(counter) : "
        "\"memory\");\n"
        "    if (before + 1 == count) asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");\n"
        "    return before + 1 == count;\n}\n\n";

    /// Last-block finalize: the last of an output's blocks to end combines what all of them have left, in the order of the splits.
    [[nodiscard]] std::string last_block_finalize() const {
        std::string left;
        std::string leave;
        std::string take;
        std::string offset = "workspace";
        for (std::size_t i = 0; i < kernel.reduced.size(); ++i) {
            if (kernel.stores_elements(i)) continue;
            const std::string type = accumulator_type(kernel.reduced[i]);
            left += text::format("    {0}* const left{1} = reinterpret_cast<{0}*>({2});\n", type, i, offset);
            offset = text::format(
                "reinterpret_cast<unsigned char*>(left{0}) + (static_cast<unsigned long long>(kept) * splits * "
                "sizeof({1}) + 255) / 256 * 256",
                i, type);
            leave += text::format(" left{0}[split * kept + value + k] = mine[k].s{0};", i);
            take += text::format(" other[u].s{0} = left{0}[other_split * kept + value + k];", i);
        }
        const std::string finalized = text::format(
            "mine[k] = identity();\n"
            "        for ({0} next = lane; next < splits; next += {1}) {{\n"
            "            accumulators other[8];\n"
            "            #pragma unroll\n"
            "            for (int u = 0; u < 8; ++u) {{\n"
            "                const {0} other_split = next + u * {2};\n"
            "                if (other_split < splits) {{{3} }}\n"
            "            }}\n"
            "            #pragma unroll\n"
            "            for (int u = 0; u < 8; ++u)\n"
            "                if (next + u * {2} < splits) mine[k] = combine(mine[k], other[u]);\n"
            "        }}",
            number(), 8 * kernel.threads_per_output, kernel.threads_per_output, take);
        // Who counts the block must come after who leaves its results: of one value that is one thread.
        const char* const all_left = outputs_per_block() > 1 ? "    __syncthreads();\n" : "";
        return left + "    if (lane == 0 && is_there) {\n" + indented(each_value(leave.substr(1))) + "    }\n" +
               all_left +
               "    __shared__ bool is_last;\n"
               "    if (threadIdx.x == 0) is_last = is_last_of(splits, counters + group);\n"
               "    __syncthreads();\n"
               "    if (!is_last) return;\n" +
               each_value(finalized) + block_reduction() + "    if (threadIdx.x == 0) counters[group] = 0;\n";
    }

    /// The block's part of each sum, behind the place of the sum itself.
    [[nodiscard]] std::string partial_sum_stores() const {
        std::string out;
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
            if (!kernel.stores_elements(i))
                out += text::format(
                    "    if (lane == 0) y{0}[{1} + split] = mine[0].s{0};\n", i,
                    plan::partial_sums_offset / static_cast<std::size_t>(bytes_of(kernel.outputs[i].type)));
        return out;
    }

    [[nodiscard]] std::string stores() const {
        std::string out;
        const char* const condition = kernel.threads_per_output > 1 ? "lane == 0 && is_there" : "is_there";
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
            if (kernel.stores_elements(i)) continue;
            if (width() == 1) {
                out += text::format("        y{0}[value] = finish_{0}(mine[0].s{0}, reduced);\n", i);
                continue;
            }
            out += text::format("        {} v_y{};\n        #pragma unroll\n",
                                vector_type(kernel.reduced[i].result, width()), i);
            out += text::format(
                "        for (int k = 0; k < {1}; ++k) v_y{0}.v[k] = finish_{0}(mine[k].s{0}, reduced);\n", i, width());
            out += text::format("        store(y{0} + value, v_y{0});\n", i);
        }
        return text::format("    if ({}) {{\n{}    }}\n", condition, out);
    }
};

}  // namespace

element_threads write_reduction_threads(const cuda_parts& parts) {
    const reduction_writer writer(parts);
    return {writer.functions(), writer.lines()};
}

}  // namespace kiln::emit
