// The cold path: from a graph to loaded kernels.
#include <recipe.hpp>

#include <compile/compiler_failure.hpp>
#include <emit/source.hpp>
#include <lower/lower.hpp>
#include <plan/layout.hpp>
#include <plan/operands.hpp>
#include <plan/partition.hpp>
#include <process/messages.hpp>
#include <record/stopwatch.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <string>

namespace kiln::inline v0_1::detail {

namespace {

using record::counter;
using record::stopwatch;

emit::source emit_kernel(launch::device& on, const lower::program& program, const plan::kernel& kernel) {
    const stopwatch emitting(counter::emit_ns);
    return emit::emit(program, kernel, on.target().kind);
}

std::int64_t bytes_per_element(const std::vector<plan::operand>& operands) {
    std::int64_t bytes = 0;
    for (const plan::operand& each : operands)
        if (!each.is_position) bytes += bytes_of(each.type);
    return bytes;
}

std::string cut_text(const lower::program& program, const plan::kernel& kernel, const plan::target& on) {
    const std::string where = text::format("after step {} of {}: ", kernel.last_step, program.steps.size());
    switch (kernel.why) {
        case plan::kernel_end::complete: return {};
        case plan::kernel_end::parameters:
            return where + text::format("a kernel takes at most {} bytes of parameters",
                                        static_cast<std::size_t>(on.max_parameters) * sizeof(void*));
        case plan::kernel_end::steps: return where + text::format("a kernel has at most {} steps", plan::max_steps);
        case plan::kernel_end::unfused: return where + "options.fuse is off";
    }
    return {};
}

/// `trouble`: why it was not compiled, for who cannot be interpreted either.
std::unique_ptr<launch::loaded_kernel> interpret(launch::device& on, const lower::program& program,
                                                 const plan::kernel& kernel, const std::string& trouble) {
    try {
        return on.interpret(program, kernel);
    } catch (const error& cannot) {
        if (trouble.empty()) throw;
        throw error(text::format("{}; and {}", cannot.what(), trouble));
    }
}

/// Compiled, or interpreted where the compiler failed and the source is not at fault. Throws the failure where nothing
/// runs it.
found_kernel find_or_interpret(launch::device& on, const lower::program& program, const plan::kernel& kernel,
                               const char* label, std::vector<pending_publication>& pending) {
    try {
        return find_or_compile(on, program, kernel, emit_kernel(on, program, kernel), label, pending);
    } catch (const compile::compiler_failure& failure) {
        const auto say = [&](const char* until) {
            process::warn(
                text::format("{}; the interpreter runs {} (KILN_CXX names another compiler, KILN_CPU=interpret "
                             "ends this message)",
                             failure.reason(), until));
        };
        if (failure.is_for_now()) {
            say("this time");
            return {nullptr, failure.what()};
        }
        if (kernel.keeps_rows) {
            say("instead");
            return {};
        }
        try {
            found_kernel interpreted{on.interpret(program, kernel)};
            say("instead");
            return interpreted;
        } catch (const error& cannot) {  // it calls a function of the user's
            throw compile_error(text::format("{}; and {}", failure.what(), cannot.what()), failure.source(),
                                failure.log());
        }
    }
}

struct planned {
    plan::schedule schedule;
    std::vector<int> scalar_slots;
};

planned plan_call(launch::device& on, const graph& described, const plan::bindings& call) {
    lower::lowered lowered = [&] {
        const stopwatch lowering(counter::lower_ns);
        std::vector<int> numbers;
        std::vector<std::uint64_t> baked;
        for (int slot = 0; slot < call.leaf_count; ++slot) {
            numbers.push_back(call.number_at(slot));
            baked.push_back(call.leaves[slot].bits);
        }
        return lower::lower(described, numbers, baked);
    }();
    const stopwatch planning(counter::plan_ns);
    return {plan::partition(std::move(lowered.code), call, on.target(), thread_options.fuse),
            std::move(lowered.scalar_slots)};
}

}  // namespace

std::int64_t bytes_of_call(const std::vector<plan::operand>& operands, const plan::bindings& call) {
    std::int64_t bytes = 0;
    for (const plan::operand& each : operands) {
        const bool is_temporary = each.memory >= call.array_count + call.output_count;
        const std::int64_t elements = is_temporary ? call.element_count : plan::touched_elements(call, each.memory);
        if (!each.is_position) bytes += elements * bytes_of(each.type);
    }
    return bytes;
}

made_recipe make_recipe(launch::device& on, const graph& described, const plan::bindings& call, const char* label) {
    planned plan = plan_call(on, described, call);
    const lower::program& program = plan.schedule.program;

    made_recipe out{std::make_unique<recipe>(), {}, false};
    out.recipe_->key.assign(call.key.data(), call.key.data() + call.key_length);
    for (const graph::output& each : described.outputs) out.recipe_->output_types.push_back(each.result);
    out.recipe_->temporaries = plan.schedule.temporaries;
    for (const plan::kernel& kernel : plan.schedule.kernels) {
        kernel_recipe made;
        std::string trouble;
        if (on.toolchain()) {
            found_kernel found = find_or_interpret(on, program, kernel, label, out.pending);
            made.loaded = std::move(found.loaded);
            trouble = std::move(found.trouble);
        }
        if (!made.loaded && kernel.keeps_rows && on.target().kind == plan::frame::host) {
            on.keep_no_rows();
            throw rows_no_longer_kept();
        }
        if (!made.loaded) made.loaded = interpret(on, program, kernel, trouble);
        out.for_now = out.for_now || !trouble.empty();
        for (const lower::value_id scalar : kernel.scalars)
            made.scalar_slots.push_back(plan.scalar_slots[static_cast<std::size_t>(scalar - program.scalar_value(0))]);
        for (const auto* operands : {&kernel.outputs, &kernel.inputs})
            for (const plan::operand& each : *operands) made.memories.push_back(each.memory);
        made.bytes_read_per_element = bytes_per_element(kernel.inputs);
        made.bytes_written_per_element = bytes_per_element(kernel.outputs);
        made.plan = kernel;
        out.recipe_->kernels.push_back(std::move(made));
    }
    out.recipe_->kernel_count = static_cast<std::int64_t>(out.recipe_->kernels.size());
    const kernel_recipe& first = out.recipe_->kernels.front();
    const bool wide_scalar = std::any_of(program.scalars.begin(), program.scalars.end(),
                                         [](element_type each) { return bytes_of(each) > 8; });
    out.recipe_->plain = !wide_scalar && !first.plan.reduces() && out.recipe_->kernels.size() == 1 &&
                         out.recipe_->temporaries.empty() && !first.plan.has_layout() &&
                         first.memories.size() + first.scalar_slots.size() < most_plain_parameters;
    return out;
}

explanation explain_recipe(launch::device& on, const graph& described, const plan::bindings& call) {
    const planned plan = plan_call(on, described, call);
    explanation out;
    for (const element_type type : plan.schedule.temporaries)
        out.temporary_bytes += call.element_count * bytes_of(type);
    if (call.element_count == 0) return out;
    for (const plan::kernel& kernel : plan.schedule.kernels) {
        kernel_explanation each;
        each.name = emit::kernel_name(plan.schedule.program, kernel);
        each.expression = emit::expression_text(plan.schedule.program, kernel);
        each.cut = cut_text(plan.schedule.program, kernel, on.target());
        each.target = on.describe().target;
        each.origin = kernel_origin::interpreter;
        if (on.toolchain()) explain_source(on, emit_kernel(on, plan.schedule.program, kernel), each);
        each.bytes_read = bytes_of_call(kernel.inputs, call);
        each.bytes_written = bytes_of_call(kernel.outputs, call);
        each.operation_count = (kernel.last_step - kernel.first_step) * call.element_count;
        each.elements_per_thread = kernel.elements_per_thread * kernel.rows_per_thread;
        each.threads_per_block = kernel.threads_per_block;
        each.block_count = plan::block_count(kernel, call);
        out.kernels.push_back(std::move(each));
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail
