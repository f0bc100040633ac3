// The way of an expression, on one screen: its stages, in order; of each: bind the call; find what was built for its class,
// or build it: lower, plan, emit, find or compile; launch. Each step is a room of its own; src/README.md is the map.
#include <evaluate.hpp>

#include <lower/lower.hpp>
#include <plan/operands.hpp>
#include <plan/partition.hpp>
#include <record/stopwatch.hpp>
#include <run/array_stage.hpp>
#include <run/bind_call.hpp>
#include <run/empty_call.hpp>
#include <run/launch_call.hpp>
#include <run/partial_sums.hpp>
#include <run/user_scan.hpp>

namespace kiln::inline v0_1::detail {

planned plan_call(backend::device& on, const graph& described, const plan::call_class& call) {
    record::stopwatch lowering(record::counter::lower_ns);
    lower::lowered lowered = lower::lower(described, call.numbers(), call.baked(), plan::looked_up(call));
    lowering.stop();
    const record::stopwatch planning(record::counter::plan_ns);
    return {plan::partition(std::move(lowered.code), call, on.target()), std::move(lowered.scalar_slots)};
}

void evaluate_flat(const flat_terms& flat, output* outputs, int output_count, const char* label, purpose why) {
    evaluate(find_run_time_cache(flat.described), flat.leaves.data(), static_cast<int>(flat.leaves.size()), outputs,
             output_count, label, why);
}

void evaluate_alone(const handle<term>& root, output& to, const char* label, purpose why) {
    evaluate_flat(flatten(root), &to, 1, label, why);
}

namespace {

made_executable build(backend::device& on, const graph& described, const plan::call_class& call, const char* label) {
    const planned plan = plan_call(on, described, call);
    executable_maker made(on, described, call, plan);
    const auto emit = [&](const plan::kernel& kernel) {
        const record::stopwatch emitting(record::counter::emit_ns);
        return emit::emit(plan.schedule.program, kernel, on.target().kind);
    };
    for (const plan::kernel& each : plan.schedule.kernels) made.add(each, emit, label);
    return made.finish();
}

/// The first call of its class.
[[gnu::noinline]] void evaluate_cold(backend::device& on, executable_list& cache, const graph& described,
                                     const plan::bindings& call, output* outputs, const char* label, purpose why) {
    if (call.element_count == 0) return run_empty_call(on, described, call, outputs, evaluate_flat, label, why);
    if (is_tracing) require_memory(call.leaves, call.leaf_count);
    made_executable made = build(on, described, call.kind, label);
    const executable* const used = may_stay(made) ? add(cache, std::move(made.executable_)) : made.executable_.get();
    if (why == purpose::launch) launch_executable(on, *used, call, outputs, record::this_thread());
    publish(made.pending);
}

template <class Describe>
void evaluate_call(executable_list& cache, const leaf* leaves, int leaf_count, output* outputs, int output_count,
                   const char* label, purpose why, const plan::output_leaves* of_each, Describe describe) {
    record::observed_evaluation seen(label);
    plan::bindings call(leaves, leaf_count, outputs, output_count);
    bind_call(call, describe, of_each);
    seen.is_bound();
    backend::device& on = backend::device_at(*call.on);
    if (call.has_partial_sums() && why == purpose::launch) [[unlikely]]
        finalize_operands(call, evaluate_alone);
    const executable* const known = find(cache, call.kind);
    if (!known || call.element_count == 0) [[unlikely]]
        return evaluate_cold(on, cache, describe(), call, outputs, label, why);
    record::tally& counts = record::this_thread();
    counts.add(record::counter::memory_hits, known->kernel_count);
    if (why == purpose::launch) launch_executable(on, *known, call, outputs, counts);
}

}  // namespace

void evaluate(expression_cache& of, const leaf* leaves, int leaf_count, output* outputs, int output_count,
              const char* label, purpose why) {
    evaluate_call(of.executables, leaves, leaf_count, outputs, output_count, label, why, nullptr,
                  [&] { return described_by(of); });
}

void evaluate(run_time_cache& of, const leaf* leaves, int leaf_count, output* outputs, int output_count,
              const char* label, purpose why) {
    evaluate_call(of.executables, leaves, leaf_count, outputs, output_count, label, why, &of.leaves_of_each,
                  [&]() -> const graph& { return of.described; });
}

void evaluate(const stage_sequence& of, const fused_argument* arguments, output* outputs, const char* label,
              purpose why) {
    const record::observed_evaluation seen(label);
    const backend::scoped_current here(*of.on);  // where stages without arrays run as well, generators summed up
    stage_results results(of.plan, arguments);
    for (std::size_t i = 0; i < of.plan.list.size(); ++i) {
        const stage::stage& each = of.plan.list[i];
        const std::vector<leaf>& leaves = results.leaves_of(each);
        if (each.takes_arrays()) {
            run_array_stage(each, leaves, results, evaluate_alone,
                            user_scan_kernel(*of.on, *of.caches[i], each, leaves, build, label), label, why);
            continue;
        }
        std::vector<output>& made = results.outputs_of(each, outputs);
        evaluate(*of.caches[i], leaves.data(), static_cast<int>(leaves.size()), made.data(),
                 static_cast<int>(made.size()), label, why);
        results.put_outputs(each, why);
    }
    if (why == purpose::launch) results.hand_out(outputs);
}

std::shared_ptr<const backend::loaded_kernel> kernel_of_reduction(const handle<term>& root, const char* label) {
    const output wanted;
    const stage_sequence of = stages_of(&root, 1, &wanted);
    const stage::stage& only = of.plan.list.front();
    return combining_kernel(backend::device_at(*of.on), *of.caches.front(), only, only.leaves, build, label);
}

}  // namespace kiln::inline v0_1::detail
