// Kernels that make one value of many. What is reduced is computed as it is read. A value's threads, their rounds and the
// order in which their results meet are those of plan/reduction.hpp, whatever the elements are computed from.
#include <emit/cuda_parts.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/reduction_text.hpp>
#include <plan/layout.hpp>
#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

using plan::access;
using plan::operand;

class reduction_writer {
public:
    explicit reduction_writer(const cuda_parts& parts) : parts_(parts), kernel_(parts.kernel) {
        for (int axis = 0; axis < kernel_.rank; ++axis)
            (kernel_.reduced_axes >> axis & 1 ? reduced_axes_ : kept_axes_).push_back(axis);
    }

    [[nodiscard]] std::string functions() const {
        if (kernel_.lanes == 1) return {};
        // The lanes of a row are in one warp, unless they are the whole block.
        const char* const wait = along_rows() && kernel_.lanes <= 32 ? "__syncwarp" : "__syncthreads";
        return fmt::format(
            "// The results of a value's threads, in pairs; the first of them has all.\n"
            "__device__ __forceinline__ states meet(states mine, states* shared, int lane)\n{{\n"
            "    shared[threadIdx.x] = mine;\n"
            "    #pragma unroll\n"
            "    for (int apart = {0}; apart > 0; apart /= 2) {{\n"
            "        {2}();\n"
            "        if (lane < apart) shared[threadIdx.x] = mine = combine(mine, shared[threadIdx.x + apart * {1}]);\n"
            "    }}\n"
            "    {2}();\n"
            "    return mine;\n}}\n\n",
            kernel_.lanes / 2, between_lanes(), wait);
    }

    [[nodiscard]] std::string lines() const {
        return whose() + rounds() + meeting() + (kernel_.splits ? last_block() : "") + stores();
    }

private:
    [[nodiscard]] int threads() const { return kernel_.threads_per_block; }
    [[nodiscard]] bool along_rows() const { return kernel_.run > 1; }
    /// Of columns, neighbouring values of a thread; of rows 1.
    [[nodiscard]] int width() const { return kernel_.values_per_thread(); }
    /// Threads of a block that have different values.
    [[nodiscard]] int owners() const { return threads() / kernel_.lanes; }
    [[nodiscard]] int between_lanes() const { return along_rows() ? 1 : owners(); }
    /// Elements from one round of a thread to its next.
    [[nodiscard]] int stride() const { return kernel_.lanes * kernel_.run; }
    [[nodiscard]] const char* number() const { return parts_.number_type(); }
    [[nodiscard]] std::string size_word(int which) const {
        return fmt::format("at.word[{}]", kernel_.grid_word + which);
    }

    /// Which value, and which of its elements: "value", "lane", "begin", "end".
    [[nodiscard]] std::string whose() const {
        std::string out;
        if (kernel_.lanes > 1) out += fmt::format("    __shared__ states shared[{}];\n", threads());
        const char* const block = kernel_.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
        if (kernel_.splits) {
            out += fmt::format("    const {} splits = {};\n", number(), size_word(0));
            out += fmt::format("    const {} group = {};\n", number(),
                               parts_.quotient(block, kernel_.grid_word, kernel_.grid_word + 1));
            out += fmt::format("    const {} split = {} - group * splits;\n", number(), block);
        } else {
            out += fmt::format("    const {} group = {};\n", number(), block);
        }
        const std::string owner =
            along_rows() ? fmt::format("threadIdx.x / {}", kernel_.lanes) : fmt::format("threadIdx.x % {}", owners());
        const std::string lane =
            along_rows() ? fmt::format("threadIdx.x % {}", kernel_.lanes) : fmt::format("threadIdx.x / {}", owners());
        out += fmt::format("    const int lane = {};\n", lane);
        out += fmt::format("    const {} kept = {};\n    const {} reduced = {};\n", number(), size_word(2), number(),
                           size_word(3));
        const std::string of_block = fmt::format("(group * {} + {})", owners(), owner);
        const std::string value =
            width() == 1 ? of_block.substr(1, of_block.size() - 2) : fmt::format("{} * {}", of_block, width());
        // Threads past the last value do its work once more, and store nothing: none may miss where all meet.
        out += fmt::format("    const bool is_there = {} < kept;\n", value);
        out += fmt::format("    const {} value = is_there ? {} : kept - {};\n", number(), value, width());
        if (kernel_.splits) {
            out += fmt::format("    const {} begin = split * {};\n", number(), word_as_number(4));
            out += fmt::format("    const {} end = split + 1 == splits ? reduced : begin + {};\n", number(),
                               word_as_number(4));
        } else {
            out += fmt::format("    const {} begin = 0;\n    const {} end = reduced;\n", number(), number());
        }
        return out + positions("value", kept_axes_, "    ");
    }

    [[nodiscard]] std::string word_as_number(int which) const {
        return fmt::format("static_cast<{}>({})", number(), size_word(which));
    }

    /// The positions on those axes of the value (or element) with that number among them.
    [[nodiscard]] std::string positions(const std::string& of, const std::vector<int>& axes,
                                        const std::string& indent) const {
        std::string out;
        std::string rest = of;
        const char* const index = parts_.addresses.index_type();
        for (std::size_t i = axes.size(); i-- > 0;) {
            const int axis = axes[i];
            if (i == 0) {
                out += fmt::format("{}const {} p{} = {};\n", indent, index, axis, rest);
                break;
            }
            const int extent = plan::layout_extent(axis);
            const std::string next = fmt::format("rest{}", axis);
            out += fmt::format("{}const {} {} = {};\n", indent, number(), next,
                               parts_.quotient(rest, extent, plan::layout_divisor(kernel_.rank, axis)));
            out += fmt::format("{}const {} p{} = {} - {} * {};\n", indent, index, axis, rest, next,
                               parts_.addresses.word(extent));
            rest = next;
        }
        return out;
    }

    /// Where the operands' elements are, by the positions of element `first`.
    [[nodiscard]] std::string addresses(const std::string& indent) const {
        std::string out = positions("first", reduced_axes_, indent);
        bool any_contiguous = false;
        for (const operand& each : kernel_.inputs) any_contiguous |= each.how == access::contiguous && !each.taken;
        if (any_contiguous) {
            std::string linear = fmt::format("static_cast<{}>(p0)", number());
            for (int axis = 1; axis < kernel_.rank; ++axis)
                linear = fmt::format("({} * {} + p{})", linear, parts_.addresses.word(plan::layout_extent(axis)), axis);
            out += fmt::format("{}const {} i = {};\n", indent, number(), linear);
        }
        return out + parts_.input_addresses(indent);
    }

    static std::string place(const operand& of, const std::string& name) {
        return of.how == access::contiguous ? "i" : "at_" + name;
    }

    /// The body of one element, and its results taken into `into`.
    template <class Input>
    [[nodiscard]] std::string element(Input input, const std::string& into, const std::string& number_of_element,
                                      const std::string& indent) const {
        std::string out;
        std::string state;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            out += fmt::format("{}{} one_y{};\n", indent, spelling(kernel_.reduced[i].accumulated), i);
            state += kernel_.reduced[i].finds_position()
                         ? fmt::format(" one.s{0}.value = one_y{0}; one.s{0}.at = {1};", i, number_of_element)
                         : fmt::format(" one.s{0} = one_y{0};", i);
        }
        out +=
            indent + parts_.call(input, [](const operand&, const std::string& name) { return "one_" + name; }) + "\n";
        out += fmt::format("{}states one;{}\n", indent, state);
        return out + fmt::format("{0}{1} = combine({1}, one);\n", indent, into);
    }

    /// By the positions of element `first`, without vectors.
    [[nodiscard]] std::string loaded_element(const std::string& into, const std::string& indent) const {
        const auto input = [this](const operand& each) {
            const std::string name = parts_.names(each.value);
            return element_text(each, name, place(each, name));
        };
        return addresses(indent) + element(input, into, "first", indent);
    }

    /// Rounds of a thread whose loads go out together, before the first of them is needed. Long bodies are longer to wait
    /// for anyway, and each round holds the body once per element.
    [[nodiscard]] int rounds_together() const {
        const int steps = (kernel_.last_step - kernel_.first_step) * kernel_.elements_per_thread;
        // Of columns that do not move in vectors, twice as many are as many bytes on their way as elsewhere.
        const int most = kernel_.together == 4 && !kernel_.vectorised ? 8 : kernel_.together;
        return std::min(most, steps <= 64 ? 8 : steps <= 128 ? 2 : 1);
    }

    static bool loads_first(const operand& each) { return !each.is_position && !each.taken; }

    /// A round's operands: "v_x0[u]", a vector or an element.
    [[nodiscard]] std::string loads(const std::string& indent) const {
        std::string out = addresses(indent);
        for (const operand& each : kernel_.inputs) {
            if (!loads_first(each)) continue;
            const std::string name = parts_.names(each.value);
            const std::string at = place(each, name);
            if (!kernel_.vectorised || each.how == access::uniform)
                out += fmt::format("{}v_{}[u] = {}[{}];\n", indent, name, name, at);
            else if (moves_as_bits(each.type, kernel_))
                out += fmt::format("{0}reinterpret_cast<{1}&>(v_{2}[u]) = load_{3}({2} + {4});\n", indent,
                                   vector_bits(each.type, kernel_.elements_per_thread), name,
                                   vector_type(each.type, kernel_.elements_per_thread), at);
            else
                out += fmt::format("{0}v_{1}[u] = load_{2}({1} + {3});\n", indent, name,
                                   vector_type(each.type, kernel_.elements_per_thread), at);
        }
        return out;
    }

    [[nodiscard]] std::string declarations(int together, const std::string& indent) const {
        std::string out;
        for (const operand& each : kernel_.inputs) {
            if (!loads_first(each)) continue;
            const bool is_vector = kernel_.vectorised && each.how != access::uniform;
            out += fmt::format("{}{} v_{}[{}];\n", indent,
                               is_vector ? vector_type(each.type, kernel_.elements_per_thread) : spelling(each.type),
                               parts_.names(each.value), together);
        }
        return out;
    }

    /// What a round comes to, taken into part[k].
    [[nodiscard]] std::string computed_round(const std::string& indent) const {
        const auto lane = [this](const operand& each) {
            const std::string name = parts_.names(each.value);
            if (each.taken) return element_text(each, name, place(each, name));
            if (!each.is_position)
                return fmt::format("v_{}[u]{}", name, kernel_.vectorised && each.how != access::uniform ? ".v[k]" : "");
            const std::string at = fmt::format("{} + {}", name, place(each, name));
            return each.how == access::uniform || !kernel_.vectorised ? at : at + " + k";
        };
        const std::string in = indent + "    ";
        return addresses(indent) + fmt::format("{0}#pragma unroll\n{0}for (int k = 0; k < {1}; ++k) {{\n{2}{0}}}\n",
                                               indent, kernel_.vectorised ? kernel_.elements_per_thread : 1,
                                               element(lane, "part[k]", along_rows() ? "first + k" : "first", in));
    }

    [[nodiscard]] std::string rounds() const {
        const int parts = along_rows() ? kernel_.run : width();
        std::string out = fmt::format(
            "    states part[{0}];\n"
            "    #pragma unroll\n"
            "    for (int k = 0; k < {0}; ++k) part[k] = nothing();\n",
            parts);
        const std::string start = along_rows() ? fmt::format("begin + lane * {}", kernel_.run) : "begin + lane";
        if (kernel_.vectorised || !along_rows()) {
            out += whole_rounds(start);
            if (along_rows()) out += rest_of_row();
        } else {
            // Element by element, in the order of vectors.
            out += fmt::format("    #pragma unroll 2\n    for ({} next = {}; next < end; next += {}) {{\n", number(),
                               start, stride());
            out += elements_of_run("next", "        ") + "    }\n";
        }
        if (along_rows())
            out += "    states mine[1] = {combine(combine(part[0], part[1]), combine(part[2], part[3]))};\n";
        else out += "    states (&mine)[" + std::to_string(width()) + "] = part;\n";
        return out;
    }

    [[nodiscard]] std::string whole_rounds(const std::string& start) const {
        const int together = rounds_together();
        const std::string is_whole =
            along_rows() ? fmt::format("first + {} <= end", kernel_.run) : std::string("first < end");
        std::string out = fmt::format("    #pragma unroll 1\n    for ({} next = {}; next < end; next += {}) {{\n",
                                      number(), start, together * stride());
        out += declarations(together, "        ");
        const std::string head = fmt::format(
            "        #pragma unroll\n        for (int u = 0; u < {}; ++u) {{\n            const {} first = next + u * "
            "{};\n"
            "            if ({}) {{\n",
            together, number(), stride(), is_whole);
        const std::string tail = "            }\n        }\n";
        return out + head + loads("                ") + tail + head + computed_round("                ") + tail +
               "    }\n";
    }

    /// What is less than a run at the end belongs to the thread whose turn it would be.
    [[nodiscard]] std::string rest_of_row() const {
        std::string out = fmt::format("    const {} runs = (end - begin) / {};\n", number(), kernel_.run);
        out += fmt::format("    if (begin + runs * {} < end && lane == runs % {}) {{\n", kernel_.run, kernel_.lanes);
        return out + elements_of_run(fmt::format("begin + runs * {}", kernel_.run), "        ") + "    }\n";
    }

    [[nodiscard]] std::string elements_of_run(const std::string& from, const std::string& indent) const {
        return fmt::format(
            "{0}#pragma unroll\n{0}for (int k = 0; k < {1}; ++k) {{\n{0}    const {2} first = {3} + k;\n"
            "{0}    if (first < end) {{\n{4}{0}    }}\n{0}}}\n",
            indent, kernel_.run, number(), from, loaded_element("part[k]", indent + "        "));
    }

    /// For each value of the thread, by k.
    [[nodiscard]] std::string each_value(const std::string& what) const {
        return fmt::format("    #pragma unroll\n    for (int k = 0; k < {}; ++k) {{\n        {}\n    }}\n", width(),
                           what);
    }

    [[nodiscard]] std::string meeting() const {
        return kernel_.lanes > 1 ? each_value("mine[k] = meet(mine[k], shared, lane);") : "";
    }

    /// The block that comes last puts together what all blocks of its values have left, in their order.
    [[nodiscard]] std::string last_block() const {
        std::string left;
        std::string leave;
        std::string take;
        std::string offset = "workspace";
        for (std::size_t i = 0; i < kernel_.reduced.size(); ++i) {
            const std::string type = state_type(kernel_.reduced[i]);
            left += fmt::format("    {0}* const left{1} = reinterpret_cast<{0}*>({2});\n", type, i, offset);
            offset = fmt::format(
                "reinterpret_cast<unsigned char*>(left{0}) + (static_cast<unsigned long long>(kept) * splits * "
                "sizeof({1}) + 255) / 256 * 256",
                i, type);
            leave += fmt::format(" left{0}[split * kept + value + k] = mine[k].s{0};", i);
            take += fmt::format(" other[u].s{0} = left{0}[other_split * kept + value + k];", i);
        }
        const std::string gathered = fmt::format(
            "mine[k] = nothing();\n"
            "        for ({0} next = lane; next < splits; next += {1}) {{\n"
            "            states other[8];\n"
            "            #pragma unroll\n"
            "            for (int u = 0; u < 8; ++u) {{\n"
            "                const {0} other_split = next + u * {2};\n"
            "                if (other_split < splits) {{{3} }}\n"
            "            }}\n"
            "            #pragma unroll\n"
            "            for (int u = 0; u < 8; ++u)\n"
            "                if (next + u * {2} < splits) mine[k] = combine(mine[k], other[u]);\n"
            "        }}",
            number(), 8 * kernel_.lanes, kernel_.lanes, take);
        return left + "    if (lane == 0 && is_there) {\n" + indented(each_value(leave.substr(1))) + "    }\n" +
               "    __threadfence();\n"
               "    __syncthreads();\n"
               "    __shared__ bool is_last;\n"
               "    if (threadIdx.x == 0) is_last = atomicAdd(counters + group, 1u) == splits - 1;\n"
               "    __syncthreads();\n"
               "    if (!is_last) return;\n"
               "    __threadfence();\n" +
               each_value(gathered) + meeting() + "    if (threadIdx.x == 0) counters[group] = 0;\n";
    }

    [[nodiscard]] std::string stores() const {
        std::string out;
        const char* const condition = kernel_.lanes > 1 ? "lane == 0 && is_there" : "is_there";
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) {
            if (width() == 1) {
                out += fmt::format("        y{0}[value] = finish_{0}(mine[0].s{0}, reduced);\n", i);
                continue;
            }
            out += fmt::format("        {} v_y{};\n        #pragma unroll\n",
                               vector_type(kernel_.reduced[i].result, width()), i);
            out += fmt::format(
                "        for (int k = 0; k < {1}; ++k) v_y{0}.v[k] = finish_{0}(mine[k].s{0}, reduced);\n", i, width());
            out += fmt::format("        store(y{0} + value, v_y{0});\n", i);
        }
        return fmt::format("    if ({}) {{\n{}    }}\n", condition, out);
    }

    const cuda_parts& parts_;
    const plan::kernel& kernel_;
    std::vector<int> kept_axes_;
    std::vector<int> reduced_axes_;
};

}  // namespace

element_threads write_reduction_threads(const cuda_parts& parts) {
    const reduction_writer writer(parts);
    return {writer.functions(), writer.lines()};
}

}  // namespace kiln::emit
