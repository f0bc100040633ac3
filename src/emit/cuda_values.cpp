#include <emit/cuda_values.hpp>

#include <plan/layout.hpp>

namespace kiln::emit {

using plan::access;
using plan::operand;

value_threads::value_threads(const cuda_parts& parts_) : parts(parts_), kernel(parts_.kernel) {
    for (int axis = 0; axis < kernel.rank; ++axis)
        (kernel.reduced_axes >> axis & 1 ? reduced_axes : kept_axes).push_back(axis);
}

std::string value_threads::meet_function(const std::string& suffix) const {
    if (kernel.lanes == 1) return {};
    // The lanes of a row are in one warp, unless they are the whole block.
    const char* const wait = along_rows() && kernel.lanes <= 32 ? "__syncwarp" : "__syncthreads";
    return fmt::format(
        "// The results of a value's threads, in pairs; the first of them has all.\n"
        "__device__ __forceinline__ states{3} meet(states{3} mine, states{3}* shared, int lane)\n{{\n"
        "    shared[threadIdx.x] = mine;\n"
        "    #pragma unroll\n"
        "    for (int apart = {0}; apart > 0; apart /= 2) {{\n"
        "        {2}();\n"
        "        if (lane < apart) shared[threadIdx.x] = mine = combine(mine, shared[threadIdx.x + apart * {1}]);\n"
        "    }}\n"
        "    {2}();\n"
        "    return mine;\n}}\n\n",
        kernel.lanes / 2, between_lanes(), wait, suffix);
}

std::string value_threads::size_word(int which) const { return fmt::format("at.word[{}]", kernel.grid_word + which); }

std::string value_threads::size_word_as_number(int which) const {
    return fmt::format("static_cast<{}>({})", number(), size_word(which));
}

std::string value_threads::whose() const {
    std::string out;
    const char* const block = kernel.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
    if (kernel.splits) {
        out += fmt::format("    const {} splits = {};\n", number(), size_word(0));
        out += fmt::format("    const {} group = {};\n", number(),
                           parts.quotient(block, kernel.grid_word, kernel.grid_word + 1));
        out += fmt::format("    const {} split = {} - group * splits;\n", number(), block);
    } else {
        out += fmt::format("    const {} group = {};\n", number(), block);
    }
    const std::string owner =
        along_rows() ? fmt::format("threadIdx.x / {}", kernel.lanes) : fmt::format("threadIdx.x % {}", owners());
    const std::string lane =
        along_rows() ? fmt::format("threadIdx.x % {}", kernel.lanes) : fmt::format("threadIdx.x / {}", owners());
    out += fmt::format("    const int lane = {};\n", lane);
    out += fmt::format("    const {} kept = {};\n    const {} reduced = {};\n", number(), size_word(2), number(),
                       size_word(3));
    const std::string of_block = fmt::format("(group * {} + {})", owners(), owner);
    const std::string value =
        width() == 1 ? of_block.substr(1, of_block.size() - 2) : fmt::format("{} * {}", of_block, width());
    // Threads past the last value do its work once more, and store nothing: none may miss where all meet.
    out += fmt::format("    const bool is_there = {} < kept;\n", value);
    out += fmt::format("    const {} value = is_there ? {} : kept - {};\n", number(), value, width());
    if (kernel.splits) {
        out += fmt::format("    const {} begin = split * {};\n", number(), size_word_as_number(4));
        out += fmt::format("    const {} end = split + 1 == splits ? reduced : begin + {};\n", number(),
                           size_word_as_number(4));
    } else {
        out += fmt::format("    const {} begin = 0;\n    const {} end = reduced;\n", number(), number());
    }
    return out + positions("value", kept_axes, "    ");
}

/// The positions on those axes of the value (or element) with that number among them.
std::string value_threads::positions(const std::string& of, const std::vector<int>& axes,
                                     const std::string& indent) const {
    std::string out;
    std::string rest = of;
    const char* const index = parts.addresses.index_type();
    for (std::size_t i = axes.size(); i-- > 0;) {
        const int axis = axes[i];
        if (i == 0) {
            out += fmt::format("{}const {} p{} = {};\n", indent, index, axis, rest);
            break;
        }
        const int extent = plan::layout_extent(axis);
        const std::string next = fmt::format("rest{}", axis);
        out += fmt::format("{}const {} {} = {};\n", indent, number(), next,
                           parts.quotient(rest, extent, plan::layout_divisor(kernel.rank, axis)));
        out += fmt::format("{}const {} p{} = {} - {} * {};\n", indent, index, axis, rest, next,
                           parts.addresses.word(extent));
        rest = next;
    }
    return out;
}

bool value_threads::any_contiguous() const {
    for (const operand& each : kernel.inputs)
        if (each.how == access::contiguous && !each.taken) return true;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
        if (kernel.stores_elements(i)) return true;
    return false;
}

std::string value_threads::element_positions(bool number_too, const std::string& indent) const {
    std::string out = positions("first", reduced_axes, indent);
    if (!number_too) return out;
    std::string linear = fmt::format("static_cast<{}>(p0)", number());
    for (int axis = 1; axis < kernel.rank; ++axis)
        linear = fmt::format("({} * {} + p{})", linear, parts.addresses.word(plan::layout_extent(axis)), axis);
    return out + fmt::format("{}const {} i = {};\n", indent, number(), linear);
}

}  // namespace kiln::emit
