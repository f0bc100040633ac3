// k::explain: what an evaluation would do, from the plan that it would follow.
#include <api/kept_rates.hpp>
#include <api/pipelined.hpp>
#include <evaluate.hpp>

#include <emit/source.hpp>
#include <plan/layout.hpp>
#include <plan/nest/print.hpp>
#include <plan/partition.hpp>
#include <plan/work.hpp>
#include <run/array_stage.hpp>
#include <run/bind_call.hpp>
#include <stage/stand_in.hpp>
#include <streamed/evaluate_streamed.hpp>
#include <text/format.hpp>

#include <kiln/cost.hpp>

#include <algorithm>
#include <string>

namespace kiln::inline v0_1::detail {

namespace {

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

/// By a roofline, where the device was measured.
void predict(backend::device& on, std::int64_t element_count, kernel_explanation& into) {
    if (const device_rates* const rates = find_rates(on))
        into.predicted = rates->predict(into.work, element_count, into.bytes_read, into.bytes_written);
    into.element_count = element_count;
}

/// What a profile saw of it, where it ran on as many bytes.
double measured_ns(const std::shared_ptr<const backend::loaded_kernel>& loaded, std::int64_t bytes) {
    const record::kernel_facts* const facts = loaded ? loaded->facts().get() : nullptr;
    if (!facts || facts->last_run.bytes.load(std::memory_order_relaxed) != bytes) return 0;
    return static_cast<double>(facts->last_run.ns.load(std::memory_order_relaxed));
}

/// Whoever wants to know what bringing them elsewhere costs.
void add_operands(const plan::call_values& call, explanation& into) {
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& node = *call.arrays[static_cast<std::size_t>(i)];
        if (stage::is_stand_in(node)) continue;
        const std::int64_t bytes = node.extents.size() * bytes_of(node.type);
        into.operand_bytes += bytes;
        if (node.owned == ownership::host_user && backend::place_of(node.data).is_pinned) into.pinned_bytes += bytes;
    }
}

explanation explain_call(const graph& described, const executable_list& executables, const std::vector<leaf>& leaves,
                         const std::vector<output>& outputs) {
    plan::bindings call(leaves.data(), static_cast<int>(leaves.size()), outputs.data(),
                        static_cast<int>(outputs.size()));
    bind_call(call, [&]() -> const graph& { return described; });
    explanation out;
    if (call.element_count == 0) return out;
    backend::device& on = backend::device_at(*call.on);
    add_operands(call, out);
    const planned plan = plan_call(on, described, call.kind);
    const executable* const run_by = find(executables, call.kind);
    for (const element_type type : plan.schedule.temporaries)
        out.temporary_bytes += call.element_count * bytes_of(type);
    for (const plan::kernel& kernel : plan.schedule.kernels) {
        kernel_explanation each;
        each.name = emit::kernel_name(plan.schedule.program, kernel);
        each.expression = emit::expression_text(plan.schedule.program, kernel);
        each.cut = cut_text(plan.schedule.program, kernel, on.target());
        each.target = on.describe().target;
        each.origin = kernel_origin::interpreter;
        std::shared_ptr<const backend::loaded_kernel> loaded;
        if (on.toolchain())
            loaded = explain_source(on, emit::emit(plan.schedule.program, kernel, on.target().kind), call.kind.wanted(),
                                    each);
        else if (run_by) loaded = run_by->kernels[out.kernels.size()].loaded;
        each.nest = plan::nest::print(emit::nest_of(plan.schedule.program, kernel, on.target().kind));
        each.bytes_read = bytes_of_call(kernel.inputs, call);
        each.bytes_written = bytes_of_call(kernel.outputs, call);
        each.operation_count = (kernel.last_step - kernel.first_step) * call.element_count;
        each.elements_per_thread = kernel.elements_per_thread * kernel.rows_per_thread;
        each.threads_per_block = kernel.threads_per_block;
        each.block_count = plan::block_count(kernel, call);
        each.work = plan::work_of(plan.schedule.program, kernel, on.target().kind);
        predict(on, call.element_count, each);
        each.measured_ns = measured_ns(loaded, each.bytes_read + each.bytes_written);
        out.kernels.push_back(std::move(each));
    }
    return out;
}

/// Of steps over whole arrays.
explanation explain_steps(const stage::stage& of) {
    backend::device& on = backend::current_device();
    const std::unique_ptr<array_stage> steps = plan_array_stage(of, on);
    explanation out;
    for (const std::int64_t bytes : steps->temporaries) out.temporary_bytes += bytes;
    for (int step = 0; step < steps->step_count(); ++step) {
        const step_launch how = steps->launch(step);
        kernel_explanation each;
        std::shared_ptr<const backend::loaded_kernel> loaded;
        if (on.target().kind == plan::frame::cuda && on.toolchain() && !steps->by_library) {
            loaded = explain_source(on, steps->source(step), steps->wanted(), each);
            each.nest = steps->nest(step);
            each.block_count = how.block_count;
            each.threads_per_block = how.threads_per_block;
            each.elements_per_thread = how.elements_per_thread;
        } else {
            each.name = steps->name(step);
            each.origin = steps->by_library ? kernel_origin::library : kernel_origin::built_in;
        }
        each.target = on.describe().target;
        each.expression = steps->text(step);
        if (step + 1 < steps->step_count()) each.cut = steps->why_cut();
        each.bytes_read = how.bytes_read;
        each.bytes_written = how.bytes_written;
        each.operation_count = how.element_count;
        each.work.plain = 1;
        if (!steps->by_library) predict(on, how.element_count, each);
        each.measured_ns = measured_ns(loaded, each.bytes_read + each.bytes_written);
        out.kernels.push_back(std::move(each));
    }
    return out;
}

/// Of what passes from stage to stage, and is no root.
std::int64_t bytes_between(const stage::stages& of) {
    std::int64_t bytes = 0;
    for (const stage::stage& each : of.list) {
        if (each.outputs.front().call_is == output::reducing::nothing && !each.takes_arrays()) continue;
        for (std::size_t i = 0; i < each.results.size(); ++i) {
            const int number = each.first_result + static_cast<int>(i);
            const bool is_root = std::any_of(of.roots.begin(), of.roots.end(),
                                             [number](const auto& root) { return root.result == number; });
            if (!is_root) bytes += each.results[i].extents.size() * bytes_of(each.results[i].type);
        }
    }
    return bytes;
}

const char* why_it_ends(const stage::stage& of) {
    switch (of.ends_for) {
        case stage::stage::end::scan: return "a scan reads an array";
        case stage::stage::end::segments: return "segments are told from an array";
        case stage::stage::end::sort: return "a sort reads an array";
        case stage::stage::end::views: return "views see it at several places: it is computed once";
        case stage::stage::end::copy:
            return "what follows would read it across memory: neighbours are put side by side";
        case stage::stage::end::reduction: break;
    }
    if (std::holds_alternative<stage::sort>(of.over_arrays)) return "what follows reads rows in order";
    if (std::holds_alternative<stage::scan>(of.over_arrays)) return "what follows reads what a scan made";
    if (std::holds_alternative<stage::segments>(of.over_arrays)) return "what follows reads what segments come to";
    if (of.takes_arrays()) return "what follows reads a product that a library makes";
    return "what follows needs the whole result of a reduction";
}

}  // namespace

explanation explain(expression_cache& of, const leaf* leaves, int leaf_count, int output_count) {
    return explain_call(described_by(of), of.executables, std::vector<leaf>(leaves, leaves + leaf_count),
                        std::vector<output>(static_cast<std::size_t>(output_count)));
}

explanation explain(const handle<term>* roots, int output_count) {
    const std::vector<output> wanted(static_cast<std::size_t>(output_count));
    const stage_sequence stages = stages_of(roots, output_count, wanted.data());
    const backend::scoped_current here(*stages.on);
    stage_results results(stages.plan, nullptr);
    explanation out;
    out.temporary_bytes = bytes_between(stages.plan);
    const stage::stage* before = nullptr;
    for (std::size_t i = 0; i < stages.plan.list.size(); ++i) {
        const stage::stage& each = stages.plan.list[i];
        explanation part = each.takes_arrays() ? explain_steps(each)
                                               : explain_call(each.described, stages.caches[i]->executables,
                                                              results.leaves_of(each), each.outputs);
        results.put_outputs(each, purpose::prepare);
        out.temporary_bytes += part.temporary_bytes;
        out.operand_bytes += part.operand_bytes;
        out.pinned_bytes += part.pinned_bytes;
        if (before && !out.kernels.empty() && !part.kernels.empty() && out.kernels.back().cut.empty())
            out.kernels.back().cut = why_it_ends(*before);
        for (kernel_explanation& kernel : part.kernels) out.kernels.push_back(std::move(kernel));
        before = &each;
    }
    // Results of several are evaluated one after the other: what is said is of the first.
    if (streamed::is_streamed(roots, output_count, wanted.data())) {
        out.chunks = streamed::explain(roots[0]);
        predict_pipeline(out, find_rates(backend::current_device()));
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail
