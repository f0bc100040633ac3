// The CUDA frame of kernels that no policy builds: reductions, and what has persistent rows.
#include <emit/cuda_parts.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/frames.hpp>
#include <emit/partial_sums.hpp>

namespace kiln::emit {

using plan::kernel;

std::string cuda_frame(const lower::program& program, const kernel& of, const body& inside, const std::string& name) {
    const cuda_parts parts(program, of);
    std::string functions;
    if (!of.persistent_rows)
        functions =
            text::format("__device__ __forceinline__ void body({})\n{{\n{}}}\n\n", inside.parameters, inside.steps);
    const element_threads threads =
        of.persistent_rows ? write_persistent_row_threads(parts) : write_reduction_threads(parts);
    functions += threads.functions;
    std::string lines = threads.lines;
    lines.insert(0, partial_sum_lines(parts.names, of));
    functions += kernel_text(name, of.threads_per_block, parts.parameters(true), lines);

    std::string out = inside.functions;
    if (of.vectorised) out += vector_definitions(of) + "\n";
    if (of.has_layout()) out += text::format("struct layout {{ long long word[{}]; }};\n\n", of.layout_words);
    if (of.has_layout())
        if (const std::string used = parts.addresses.functions(functions); !used.empty()) out += used + "\n";
    out += functions;
    return heading(program, of) + typedefs_for(out) + "\n" + out;
}

std::string kernel_text(const std::string& name, int threads, const std::string& parameters, const std::string& lines) {
    // sm_90 is the first that can. Nothing tells the next kernel to start before this one's blocks have ended: that doubled
    // the time of kernels with many short blocks (uint8 to float, H200: 84 us and 160).
    static constexpr const char* wait =
        "__device__ __forceinline__ void wait_for_earlier_kernels()\n"
        "{\n"
        "#if __CUDA_ARCH__ >= 900\n"
        "    asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
        "#endif\n"
        "}\n\n";
    return wait + text::format(
                      "extern \"C\" __global__ void __launch_bounds__({})\n{}({})\n{{\n"
                      "    wait_for_earlier_kernels();\n{}}}\n",
                      threads, name, parameters, lines);
}

std::string heading(const lower::program& program, const kernel& of) {
    return text::format("// {}\n", expression_text(program, of));
}

}  // namespace kiln::emit
