#include <emit/address.hpp>
#include <emit/cuda_nest.hpp>
#include <emit/frames.hpp>
#include <emit/helpers.hpp>
#include <emit/reduction_text.hpp>
#include <plan/policy/policies.hpp>
#include <text/format.hpp>

#include <optional>
#include <utility>

namespace kiln::emit {

namespace {

/// Of a kernel that a policy builds.
std::string nest_text(const lower::program& program, const plan::kernel& of, const plan::nest::tree& nest,
                      const std::string& name) {
    const cuda_nest printed = print_cuda(nest);
    const value_names names(program, of);
    const std::string reductions = reduction_functions(names, nest.sets, plan::frame::cuda);
    const body inside = make_body(program, of, plan::frame::cuda, printed.parameters + printed.lines + reductions);
    const std::string own =
        text::format("__device__ __forceinline__ void body({})\n{{\n{}}}\n\n", inside.parameters, inside.steps) +
        kernel_text(name, of.threads_per_block, printed.parameters, printed.lines);
    std::string out = inside.functions + reductions + printed.definitions + "\n";
    if (of.has_layout()) out += text::format("struct layout {{ long long word[{}]; }};\n\n", of.layout_words);
    if (const std::string used = address_text(of, plan::frame::cuda).functions(own); !used.empty()) out += used + "\n";
    out += own;
    return heading(program, of) + typedefs_for(out) + "\n" + out;
}

}  // namespace

source emit(const lower::program& program, const plan::kernel& kernel, plan::frame frame) {
    source out{kernel_name(program, kernel), {}, typed_expression_text(program, kernel)};
    if (frame == plan::frame::cuda)
        if (const std::optional<plan::nest::tree> nest = plan::nest_of(program, kernel)) {
            out.text = nest_text(program, kernel, *nest, out.name);
            return out;
        }
    const body inside = make_body(program, kernel, frame);
    out.text = frame == plan::frame::cuda ? cuda_frame(program, kernel, inside, out.name)
                                          : host_frame(program, kernel, inside, out.name);
    return out;
}

source emit(const plan::nest::tree& of, std::string expression) {
    const cuda_nest kernel = print_cuda(of);
    const std::string reductions =
        reduction_functions(value_names(lower::program(), plan::kernel()), of.sets, plan::frame::cuda);
    const std::string own = kernel.parameters + "\n" + kernel.lines;
    const std::string all = helpers_for(own + reductions, plan::frame::cuda) + reductions + kernel.definitions + "\n" +
                            kernel_text(of.name, of.threads, kernel.parameters, kernel.lines);
    source out{of.name, {}, std::move(expression)};
    out.text = text::format("// {}\n", out.expression) + typedefs_for(all) + "\n" + all;
    return out;
}

}  // namespace kiln::emit
