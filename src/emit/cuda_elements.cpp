// Kernels that go element by element: in the order of the elements' numbers, by rows, or by tiles. Threads of a warp are on
// neighbouring elements, and each takes several, a block's threads apart, so that as many bytes are on their way as vectors
// would have.
#include <emit/cuda_parts.hpp>
#include <plan/layout.hpp>

namespace kiln::emit {

namespace {

using plan::access;
using plan::operand;
using plan::thread_mapping;

std::string guard(const plan::operand& of, int rank) {
    std::string out;
    for (int axis = 0; axis < rank; ++axis)
        if (of.guarded_axes >> axis & 1)
            out += text::format("{}{} == 0", out.empty() ? "" : " && ", axis_position(axis));
    return out;
}

class element_writer {
public:
    explicit element_writer(const cuda_parts& parts) : parts_(parts), kernel_(parts.kernel) {}

    std::string run() const {
        switch (kernel_.mapping) {
            case thread_mapping::linear: return linear();
            case thread_mapping::rows: return rows();
            case thread_mapping::tiles: return tiles();
            case thread_mapping::reduction: break;
        }
        return {};
    }

private:
    [[nodiscard]] int threads() const { return kernel_.threads_per_block; }
    [[nodiscard]] int per_block() const { return threads() * kernel_.elements_per_thread; }
    [[nodiscard]] const char* index() const { return parts_.addresses.index_type(); }
    [[nodiscard]] std::string block() const {
        return kernel_.wide_index ? "static_cast<long long>(blockIdx.x)" : "blockIdx.x";
    }

    /// element(..., i, p0, ...) for positions of these names.
    [[nodiscard]] std::string call(const std::string& number) const {
        std::string out = text::format("element({}, {}", parts_.arguments(), number);
        for (int axis = 0; axis < kernel_.rank; ++axis) out += ", " + axis_position(axis);
        for (const operand& input : kernel_.inputs)
            if (kernel_.tiled(input)) out += text::format(", tile_{}[inner][outer]", parts_.names(input.value));
        return out + ");";
    }

    /// `one` is the lines for the element with the number (or position) `name`.
    [[nodiscard]] std::string rounds(const std::string& name, const std::string& type, const std::string& end,
                                     const std::string& one) const {
        if (kernel_.elements_per_thread == 1)
            return text::format("    const {0} {1} = first;\n    if ({1} < {2}) {{\n{3}    }}\n", type, name, end, one);
        std::string out = text::format(
            "    if (first - threadIdx.x + {} <= {}) {{\n"
            "        #pragma unroll\n"
            "        for (int k = 0; k < {}; ++k) {{\n"
            "            const {} {} = first + k * {};\n",
            per_block(), end, kernel_.elements_per_thread, type, name, threads());
        out += indented(one) + "        }\n    } else {\n        #pragma unroll 1\n";
        out += text::format("        for ({0} {1} = first; {1} < {2}; {1} += {3}) {{\n", type, name, end, threads());
        return out + indented(one) + "        }\n    }\n";
    }

    std::string linear() const {
        std::string out = text::format("    const {} count = at.word[0];\n", parts_.number_type());
        out +=
            text::format("    const {} first = {} * {} + threadIdx.x;\n", parts_.number_type(), block(), per_block());
        return out + rounds("i", parts_.number_type(), "count",
                            parts_.positions("i", parts_.inner(), "        ") + "        " + call("i") + "\n");
    }

    // A block is as wide as it has threads, and several rows high: what the rows around read, too, is then found in the
    // first cache (a stencil's three rows), and what depends on the row alone is the same for the whole block.
    std::string rows() const {
        const int inner = parts_.inner();
        const int grid = kernel_.grid_word;
        const int height = kernel_.elements_per_thread;
        std::string out =
            text::format("    const {} group = {};\n", parts_.number_type(), parts_.quotient(block(), grid, grid + 1));
        out += text::format("    const {} p{} = ({} - group * {}) * {} + threadIdx.x;\n", index(), inner, block(),
                            parts_.addresses.word(grid), threads());
        out += text::format("    const {0} extent = {1};\n    const {2} rows = at.word[{3}];\n", index(),
                            parts_.addresses.word(plan::layout_extent(inner)), parts_.number_type(), grid + 2);
        out += text::format("    const {} first_row = group * {};\n", parts_.number_type(), height);
        out += text::format("    if (p{} >= extent) return;\n", inner);
        const std::string row =
            parts_.positions("row", inner - 1, "            ") +
            text::format("            {}\n", call(text::format("row * extent + {}", axis_position(inner))));
        out += text::format("    if (first_row + {} <= rows) {{\n        #pragma unroll\n", height);
        out += text::format(
            "        for (int k = 0; k < {}; ++k) {{\n            const {} row = first_row + k;\n{}        }}\n",
            height, parts_.number_type(), row);
        out += "    } else {\n        #pragma unroll 1\n";
        return out + text::format("        for ({} row = first_row; row < rows; ++row) {{\n{}        }}\n    }}\n",
                                  parts_.number_type(), row);
    }

    // Through shared memory: an operand whose neighbours are along the tile's outer axis is read along it, and used along
    // the inner one. A column more than needed keeps both ways free of bank conflicts.
    std::string tiles() const {
        const int side = kernel_.tile_side;
        const int inner = parts_.inner();
        const int outer = kernel_.tile_axis;
        const int grid = kernel_.grid_word;
        std::string out;
        for (const operand& input : kernel_.inputs)
            if (kernel_.tiled(input))
                out += text::format("    __shared__ {} tile_{}[{}][{}];\n", spelling(input.type),
                                    parts_.names(input.value), side, side + 1);
        const char* const number = parts_.number_type();
        out += text::format("    const {} along_outer = {};\n", number, parts_.quotient(block(), grid, grid + 1));
        out += text::format("    const {} inner_first = ({} - along_outer * {}) * {};\n", index(), block(),
                            parts_.addresses.word(grid), side);
        out += text::format("    const {} others = {};\n", number, parts_.quotient("along_outer", grid + 2, grid + 3));
        out += text::format("    const {} outer_first = (along_outer - others * {}) * {};\n", index(),
                            parts_.addresses.word(grid + 2), side);
        out += other_positions(outer, inner);
        out += loop("outer", "inner", [&](const std::string& indent) {
            std::string lines;
            for (const operand& input : kernel_.inputs)
                if (kernel_.tiled(input)) {
                    const std::string name = parts_.names(input.value);
                    lines += text::format("{}tile_{}[inner][outer] = {}[{}];\n", indent, name, name,
                                          parts_.addresses.address(input, name, axis_position));
                }
            return lines;
        });
        out += "    __syncthreads();\n";
        return out +
               loop("inner", "outer", [&](const std::string& indent) { return indent + call(linear_number()) + "\n"; });
    }

    /// Threads of a warp along `fast`, rounds along `slow`.
    template <class Lines>
    std::string loop(const char* fast, const char* slow, Lines lines) const {
        const int side = kernel_.tile_side;
        const int inner = parts_.inner();
        const int outer = kernel_.tile_axis;
        std::string out =
            text::format("    #pragma unroll\n    for (int k = 0; k < {}; ++k) {{\n", kernel_.elements_per_thread);
        out += text::format("        const int {} = threadIdx.x % {};\n", fast, side);
        out += text::format("        const int {} = threadIdx.x / {} + k * {};\n", slow, side, threads() / side);
        out += text::format(
            "        const {0} p{1} = outer_first + outer;\n        const {0} p{2} = inner_first + inner;\n", index(),
            outer, inner);
        out += text::format("        if (p{} < {} && p{} < {}) {{\n", outer,
                            parts_.addresses.word(plan::layout_extent(outer)), inner,
                            parts_.addresses.word(plan::layout_extent(inner)));
        return out + lines("            ") + "        }\n    }\n";
    }

    /// The axes that are not the tile's.
    std::string other_positions(int outer, int inner) const {
        std::string out;
        std::string rest = "others";
        for (int axis = inner - 1; axis >= 0; --axis) {
            if (axis == outer) continue;
            const bool is_last = axis == 0 || (axis == 1 && outer == 0);
            if (is_last) {
                out += text::format("    const {} p{} = {};\n", index(), axis, rest);
                break;
            }
            const int extent = plan::layout_extent(axis);
            const std::string next = text::format("others{}", axis);
            out += text::format("    const {} {} = {};\n", parts_.number_type(), next,
                                parts_.quotient(rest, extent, plan::layout_divisor(kernel_.rank, axis)));
            out += text::format("    const {} p{} = {} - {} * {};\n", index(), axis, rest, next,
                                parts_.addresses.word(extent));
            rest = next;
        }
        return out;
    }

    /// The element's number from its positions.
    std::string linear_number() const {
        std::string out = "p0";
        for (int axis = 1; axis < kernel_.rank; ++axis)
            out = text::format("({} * {} + p{})", out, parts_.addresses.word(plan::layout_extent(axis)), axis);
        return out;
    }

    const cuda_parts& parts_;
    const plan::kernel& kernel_;
};

}  // namespace

std::string element_function(const cuda_parts& parts) {
    const plan::kernel& kernel = parts.kernel;
    std::string out = text::format("__device__ __forceinline__ void element({}, const {} i", parts.parameters(false),
                                   parts.number_type());
    for (int axis = 0; axis < kernel.rank; ++axis)
        out += text::format(", const {} {}", parts.addresses.index_type(), axis_position(axis));
    for (const operand& input : kernel.inputs)
        if (kernel.tiled(input)) out += text::format(", const {} v_{}", spelling(input.type), parts.names(input.value));
    out += ")\n{\n" + parts.operand_addresses("    ");
    const auto input_at = [&](const operand& each) {
        const std::string name = parts.names(each.value);
        if (kernel.tiled(each)) return "v_" + name;
        return element_text(each, name, each.how == access::contiguous ? "i" : "at_" + name);
    };
    std::string stores;
    const auto output_at = [&](const operand& each, const std::string& name) {
        const std::string at = each.how == access::contiguous ? "i" : "at_" + name;
        if (!each.guarded_axes) return text::format("{}[{}]", name, at);
        out += text::format("    {} v_{};\n", spelling(each.type), name);
        stores += text::format("    if ({}) {}[{}] = v_{};\n", guard(each, kernel.rank), name, at, name);
        return "v_" + name;
    };
    const std::string body_call = parts.call(input_at, output_at);
    return out + "    " + body_call + "\n" + stores + "}\n";
}

element_threads write_element_threads(const cuda_parts& parts) {
    return {element_function(parts), element_writer(parts).run()};
}

}  // namespace kiln::emit
