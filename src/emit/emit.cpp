#include <emit/address.hpp>
#include <emit/cuda_nest.hpp>
#include <emit/frames.hpp>
#include <emit/helpers.hpp>
#include <emit/reduction_text.hpp>
#include <plan/compile_weight.hpp>
#include <plan/policy/policies.hpp>
#include <text/format.hpp>

#include <utility>

namespace kiln::emit {

namespace {

constexpr const char* function_head = "__device__ __forceinline__ ";

/// The functions that a nest's elements are computed by.
std::string body_functions(const lower::program& program, const plan::kernel& of, const plan::nest::tree& nest,
                           const value_names& names) {
    const auto function = [](const std::string& name, const std::string& parameters, const std::string& steps) {
        return text::format("{}void {}({})\n{{\n{}}}\n\n", function_head, name, parameters, steps);
    };
    if (nest.bodies.empty()) {
        const body all = make_steps(program, of, names, plan::frame::cuda, [](int) { return true; });
        return function("body", all.parameters, all.steps);
    }
    std::string out;
    for (const plan::nest::body& each : nest.bodies) {
        std::string parameters;
        for (const lower::value_id input : each.inputs)
            parameters += text::format("const {} {}, ", spelling(program.type_of(input)), names(input));
        std::string steps;
        for (const int step : each.steps) steps += step_line(program, names, step, plan::frame::cuda);
        for (std::size_t i = 0; i < each.outputs.size(); ++i) {
            parameters += text::format("{}& y{}, ", spelling(program.type_of(each.outputs[i])), i);
            steps += text::format("    y{} = {};\n", i, names(each.outputs[i]));
        }
        parameters.resize(parameters.size() - 2);
        out += function(each.name, parameters, steps);
    }
    return out;
}

std::string cuda_text(const lower::program& program, const plan::kernel& of, const std::string& name) {
    const plan::nest::tree nest = plan::nest_of(program, of);
    const cuda_nest printed = print_cuda(nest, name);
    const value_names names(program, of);
    const std::string bodies = body_functions(program, of, nest, names);
    const std::string called =
        user_functions(names, plan::frame::cuda) + reduction_functions(names, nest.sets, plan::frame::cuda);
    const std::string own = bodies + printed.kernel;
    std::string out = helpers_for(own + called, plan::frame::cuda, plan::rolls_lanes(program, of)) + called +
                      printed.definitions + "\n";
    if (of.has_layout()) out += text::format("struct layout {{ long long word[{}]; }};\n\n", of.layout_words);
    if (const std::string used = address_text(of, plan::frame::cuda).functions(own); !used.empty()) out += used + "\n";
    out += own;
    return heading(program, of) + typedefs_for(out) + "\n" + out;
}

}  // namespace

source emit(const lower::program& program, const plan::kernel& kernel, plan::frame frame) {
    const std::string name = kernel_name(program, kernel);
    return {name, frame == plan::frame::cuda ? cuda_text(program, kernel, name) : host_frame(program, kernel, name),
            typed_expression_text(program, kernel)};
}

source emit(const plan::nest::tree& of, std::string expression) {
    const cuda_nest printed = print_cuda(of, of.name);
    const std::string reductions =
        reduction_functions(value_names(lower::program(), plan::kernel()), of.sets, plan::frame::cuda);
    const std::string all = helpers_for(printed.kernel + reductions, plan::frame::cuda) + reductions +
                            printed.definitions + "\n" + printed.kernel;
    source out{of.name, {}, std::move(expression)};
    out.text = text::format("// {}\n", out.expression) + typedefs_for(all) + "\n" + all;
    return out;
}

}  // namespace kiln::emit
