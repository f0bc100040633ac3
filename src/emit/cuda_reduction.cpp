// Kernels that make one value of many. What is reduced is computed as it is read. A value's threads, their rounds and the
// order in which their results meet are those of plan/reduction.hpp, whatever the elements are computed from.
#include <emit/cuda_parts.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/reduction_text.hpp>
#include <plan/layout.hpp>
#include <plan/reduction.hpp>

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
        return fmt::format(
            "// The results of a value's threads, in pairs; the first of them has all.\n"
            "__device__ __forceinline__ states meet(states mine, states* shared, int lane)\n{{\n"
            "    shared[threadIdx.x] = mine;\n"
            "    #pragma unroll\n"
            "    for (int apart = {}; apart > 0; apart /= 2) {{\n"
            "        __syncthreads();\n"
            "        if (lane < apart) shared[threadIdx.x] = mine = combine(mine, shared[threadIdx.x + apart * {}]);\n"
            "    }}\n"
            "    return mine;\n}}\n\n",
            kernel_.lanes / 2, between_lanes());
    }

    [[nodiscard]] std::string lines() const {
        return whose() + rounds() + (kernel_.lanes > 1 ? "    mine = meet(mine, shared, lane);\n" : "") +
               (kernel_.splits ? last_block() : "") + stores();
    }

private:
    static constexpr int threads = plan::reduction_sizes::threads;
    [[nodiscard]] int values() const { return threads / kernel_.lanes; }
    [[nodiscard]] bool along_rows() const { return kernel_.run > 1; }
    [[nodiscard]] int between_lanes() const { return along_rows() ? 1 : values(); }
    [[nodiscard]] const char* number() const { return parts_.number_type(); }
    [[nodiscard]] std::string size_word(int which) const { return fmt::format("at.word[{}]", kernel_.grid_word + which); }

    /// Which value, and which of its elements: "value", "lane", "begin", "end".
    [[nodiscard]] std::string whose() const {
        std::string out;
        if (kernel_.lanes > 1) out += fmt::format("    __shared__ states shared[{}];\n", threads);
        const char* const block = kernel_.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
        if (kernel_.splits) {
            out += fmt::format("    const {} splits = {};\n", number(), size_word(0));
            out += fmt::format("    const {} group = {};\n", number(),
                               parts_.quotient(block, kernel_.grid_word, kernel_.grid_word + 1));
            out += fmt::format("    const {} split = {} - group * splits;\n", number(), block);
        } else {
            out += fmt::format("    const {} group = {};\n", number(), block);
        }
        const std::string value = along_rows() ? fmt::format("threadIdx.x / {}", kernel_.lanes)
                                               : fmt::format("threadIdx.x % {}", values());
        const std::string lane = along_rows() ? fmt::format("threadIdx.x % {}", kernel_.lanes)
                                              : fmt::format("threadIdx.x / {}", values());
        out += fmt::format("    const int lane = {};\n", lane);
        out += fmt::format("    const {} kept = {};\n    const {} reduced = {};\n", number(), size_word(2), number(),
                           size_word(3));
        // Threads past the last value do its work once more, and store nothing: none may miss where all meet.
        out += fmt::format("    const bool is_there = group * {} + {} < kept;\n", values(), value);
        out += fmt::format("    const {} value = is_there ? group * {} + {} : kept - 1;\n", number(), values(), value);
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
        out += indent + parts_.call(input, [](const operand&, const std::string& name) { return "one_" + name; }) + "\n";
        out += fmt::format("{}states one;{}\n", indent, state);
        return out + fmt::format("{0}{1} = combine({1}, one);\n", indent, into);
    }

    [[nodiscard]] std::string loaded_element(const std::string& into, const std::string& indent) const {
        const auto input = [this](const operand& each) {
            const std::string name = parts_.names(each.value);
            return element_text(each, name, place(each, name));
        };
        return addresses(indent) + element(input, into, "first", indent);
    }

    [[nodiscard]] std::string rounds() const { return along_rows() ? rounds_of_rows() : rounds_of_columns(); }

    [[nodiscard]] std::string rounds_of_columns() const {
        return fmt::format(
            "    states mine = nothing();\n"
            "    #pragma unroll 8\n"
            "    for ({} first = begin + lane; first < end; first += {}) {{\n{}    }}\n",
            number(), kernel_.lanes, loaded_element("mine", "        "));
    }

    [[nodiscard]] std::string rounds_of_rows() const {
        const int run = kernel_.run;
        std::string out = fmt::format(
            "    states part[{0}];\n"
            "    #pragma unroll\n"
            "    for (int k = 0; k < {0}; ++k) part[k] = nothing();\n"
            "    {1} next = begin + lane * {0};\n",
            run, number());
        if (kernel_.vectorised) {
            out += fmt::format(
                "    #pragma unroll 4\n"
                "    for (; next + {} <= end; next += {}) {{\n"
                "        const {} first = next;\n{}    }}\n",
                run, kernel_.lanes * run, number(), vector_round());
        }
        out += fmt::format(
            "    {0}\n"
            "    for (; next < end; next += {1}) {{\n"
            "        #pragma unroll\n"
            "        for (int k = 0; k < {2}; ++k) {{\n"
            "            const {3} first = next + k;\n"
            "            if (first >= end) break;\n{4}        }}\n    }}\n",
            kernel_.vectorised ? "#pragma unroll 1" : "#pragma unroll 2", kernel_.lanes * run, run, number(),
            loaded_element("part[k]", "            "));
        return out + "    states mine = combine(combine(part[0], part[1]), combine(part[2], part[3]));\n";
    }

    [[nodiscard]] std::string vector_round() const {
        std::string out = addresses("        ");
        for (const operand& each : kernel_.inputs) {
            const std::string name = parts_.names(each.value);
            if (each.is_position) continue;
            if (each.how == access::uniform)
                out += fmt::format("        const {} v_{} = {}[at_{}];\n", spelling(each.type), name, name, name);
            else if (moves_as_bits(each.type, kernel_))
                out += fmt::format("        const {0} bits_{1} = load_{2}({1} + {3});\n"
                                   "        const {2} v_{1} = reinterpret_cast<const {2}&>(bits_{1});\n",
                                   vector_bits(each.type, kernel_.run), name, vector_type(each.type, kernel_.run),
                                   place(each, name));
            else
                out += fmt::format("        const {0} v_{1} = load_{0}({1} + {2});\n",
                                   vector_type(each.type, kernel_.run), name, place(each, name));
        }
        const auto lane = [this](const operand& each) {
            const std::string name = parts_.names(each.value);
            if (!each.is_position) return "v_" + name + (each.how == access::uniform ? "" : ".v[k]");
            const std::string at = fmt::format("{} + {}", name, place(each, name));
            if (each.how == access::uniform) return at;
            if (each.how == access::strided)
                return fmt::format("{} + k * {}", at, parts_.addresses.stride(each, parts_.inner()));
            return at + " + k";
        };
        return out + fmt::format("        #pragma unroll\n        for (int k = 0; k < {}; ++k) {{\n{}        }}\n",
                                 kernel_.run, element(lane, "part[k]", "first + k", "            "));
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
                "reinterpret_cast<unsigned char*>(left{0}) + (static_cast<unsigned long long>(kept) * splits * sizeof({1}) + 255) / 256 * 256",
                i, type);
            leave += fmt::format(" left{0}[split * kept + value] = mine.s{0};", i);
            take += fmt::format(" other.s{0} = left{0}[other_split * kept + value];", i);
        }
        return left + fmt::format(
                          "    if (lane == 0 && is_there) {{{} }}\n"
                          "    __threadfence();\n"
                          "    __syncthreads();\n"
                          "    __shared__ bool is_last;\n"
                          "    if (threadIdx.x == 0) is_last = atomicAdd(counters + group, 1u) == splits - 1;\n"
                          "    __syncthreads();\n"
                          "    if (!is_last) return;\n"
                          "    __threadfence();\n"
                          "    mine = nothing();\n"
                          "    for ({} other_split = lane; other_split < splits; other_split += {}) {{\n"
                          "        states other;{}\n"
                          "        mine = combine(mine, other);\n"
                          "    }}\n{}"
                          "    if (threadIdx.x == 0) counters[group] = 0;\n",
                          leave, number(), kernel_.lanes, take,
                          kernel_.lanes > 1 ? "    mine = meet(mine, shared, lane);\n" : "");
    }

    [[nodiscard]] std::string stores() const {
        std::string out;
        for (std::size_t i = 0; i < kernel_.outputs.size(); ++i)
            out += fmt::format(" y{0}[value] = finish_{0}(mine.s{0}, reduced);", i);
        return fmt::format("    if ({}is_there) {{{} }}\n", kernel_.lanes > 1 ? "lane == 0 && " : "", out);
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
