#include <emit/cuda_values.hpp>

#include <plan/layout.hpp>

#include <algorithm>

namespace kiln::emit {

using plan::access;
using plan::operand;

value_threads::value_threads(const cuda_parts& parts_) : parts(parts_), kernel(parts_.kernel) {
    for (int axis = 0; axis < kernel.rank; ++axis)
        (kernel.reduced_axes >> axis & 1 ? reduced_axes : kept_axes).push_back(axis);
}

std::string accumulators_of_another(const char* comment, const char* name, const char* which, const char* given,
                                    const std::string& suffix) {
    return text::format(
        "// {0}\n"
        "__device__ __forceinline__ accumulators{4} {1}(accumulators{4} mine, int {2})\n{{\n"
        "    union {{ accumulators{4} all; unsigned int word[(sizeof(accumulators{4}) + 3) / 4]; }} bits;\n"
        "    bits.all = mine;\n"
        "    #pragma unroll\n"
        "    for (int i = 0; i < static_cast<int>(sizeof bits.word / 4); ++i) bits.word[i] = {3};\n"
        "    return bits.all;\n}}\n\n",
        comment, name, which, given, suffix);
}

namespace {

constexpr int warp = 32;

/// The threads of a row are neighbours: those of a warp are combined through registers, then the warps through shared memory.
std::string block_reduce_along_row(int threads_per_output, bool for_all, const std::string& suffix) {
    std::string out =
        accumulators_of_another("What the thread has that is so many further on in the warp.", "further_on", "apart",
                                "__shfl_down_sync(0xffffffffu, bits.word[i], apart)", suffix);
    if (for_all)
        out += accumulators_of_another("What the first of the row's threads in the warp has.", "first_of_row", "lane",
                                       "__shfl_sync(0xffffffffu, bits.word[i], (threadIdx.x - lane) % 32)", suffix);
    out += text::format(
        "// The results of a row's threads, in pairs; {1}.\n"
        "__device__ __forceinline__ accumulators{0} block_reduce(accumulators{0} mine, accumulators{0}* shared, int "
        "lane)\n{{\n",
        suffix, for_all ? "each of them has all" : "the first of them has all");
    const auto pairs = [](int count) {
        return text::format(
            "    #pragma unroll\n"
            "    for (int apart = {}; apart > 0; apart /= 2) mine = combine(mine, further_on(mine, apart));\n",
            count / 2);
    };
    out += pairs(std::min(threads_per_output, warp));
    if (const int warps = threads_per_output / warp; warps > 1)
        out += text::format(
                   "    if (threadIdx.x % {0} == 0) shared[threadIdx.x / {0}] = mine;\n"
                   "    __syncthreads();\n"
                   "    mine = shared[(threadIdx.x - lane) / {0} + threadIdx.x % {1}];\n",
                   warp, warps) +
               pairs(warps);
    return out + text::format("    return {};\n}}\n\n", for_all ? "first_of_row(mine, lane)" : "mine");
}

std::string block_reduce_along_column(int threads_per_output, int outputs_per_block) {
    return text::format(
        "// The results of a value's threads, in pairs; the first of them has all.\n"
        "__device__ __forceinline__ accumulators block_reduce(accumulators mine, accumulators* shared, int lane)\n{{\n"
        "    shared[threadIdx.x] = mine;\n"
        "    #pragma unroll\n"
        "    for (int apart = {}; apart > 0; apart /= 2) {{\n"
        "        __syncthreads();\n"
        "        if (lane < apart) shared[threadIdx.x] = mine = combine(mine, shared[threadIdx.x + apart * {}]);\n"
        "    }}\n"
        "    __syncthreads();\n"
        "    return mine;\n}}\n\n",
        threads_per_output / 2, outputs_per_block);
}

}  // namespace

std::string value_threads::block_reduce_function(bool for_all, const std::string& suffix) const {
    if (kernel.threads_per_output == 1) return {};
    return along_rows() ? block_reduce_along_row(kernel.threads_per_output, for_all, suffix)
                        : block_reduce_along_column(kernel.threads_per_output, outputs_per_block());
}

int value_threads::shared_accumulators() const { return along_rows() ? threads() / warp : threads(); }

std::string value_threads::size_word(int which) const { return text::format("at.word[{}]", kernel.grid_word + which); }

std::string value_threads::size_word_as_number(int which) const {
    return text::format("static_cast<{}>({})", number(), size_word(which));
}

std::string value_threads::whose() const {
    std::string out;
    const char* const block = kernel.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
    if (kernel.splits) {
        out += text::format("    const {} splits = {};\n", number(), size_word(0));
        out += text::format("    const {} group = {};\n", number(),
                            parts.quotient(block, kernel.grid_word, kernel.grid_word + 1));
        out += text::format("    const {} split = {} - group * splits;\n", number(), block);
    } else {
        out += text::format("    const {} group = {};\n", number(), block);
    }
    const std::string output_in_block = along_rows() ? text::format("threadIdx.x / {}", kernel.threads_per_output)
                                                     : text::format("threadIdx.x % {}", outputs_per_block());
    const std::string lane = along_rows() ? text::format("threadIdx.x % {}", kernel.threads_per_output)
                                          : text::format("threadIdx.x / {}", outputs_per_block());
    out += text::format("    const int lane = {};\n", lane);
    out += text::format("    const {} kept = {};\n    const {} reduced = {};\n", number(), size_word(2), number(),
                        size_word(3));
    const std::string of_block = text::format("(group * {} + {})", outputs_per_block(), output_in_block);
    const std::string value =
        width() == 1 ? of_block.substr(1, of_block.size() - 2) : text::format("{} * {}", of_block, width());
    // Threads past the last value do its work once more, and store nothing: all of a block take part in block_reduce.
    out += text::format("    const bool is_there = {} < kept;\n", value);
    out += text::format("    const {} value = is_there ? {} : kept - {};\n", number(), value, width());
    if (kernel.splits) {
        out += text::format("    const {} begin = split * {};\n", number(), size_word_as_number(4));
        out += text::format("    const {} end = split + 1 == splits ? reduced : begin + {};\n", number(),
                            size_word_as_number(4));
    } else {
        out += text::format("    const {} begin = 0;\n    const {} end = reduced;\n", number(), number());
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
            out += text::format("{}const {} p{} = {};\n", indent, index, axis, rest);
            break;
        }
        const int extent = plan::layout_extent(axis);
        const std::string next = text::format("rest{}", axis);
        out += text::format("{}const {} {} = {};\n", indent, number(), next,
                            parts.quotient(rest, extent, plan::layout_divisor(kernel.rank, axis)));
        out += text::format("{}const {} p{} = {} - {} * {};\n", indent, index, axis, rest, next,
                            parts.addresses.word(extent));
        rest = next;
    }
    return out;
}

bool value_threads::any_contiguous() const {
    for (const operand& each : kernel.inputs)
        if (each.how == access::contiguous && !each.gathered) return true;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
        if (kernel.stores_elements(i)) return true;
    return false;
}

std::string value_threads::element_positions(bool number_too, const std::string& indent) const {
    std::string out = positions("first", reduced_axes, indent);
    if (!number_too) return out;
    std::string linear = text::format("static_cast<{}>(p0)", number());
    for (int axis = 1; axis < kernel.rank; ++axis)
        linear = text::format("({} * {} + p{})", linear, parts.addresses.word(plan::layout_extent(axis)), axis);
    return out + text::format("{}const {} i = {};\n", indent, number(), linear);
}

}  // namespace kiln::emit
