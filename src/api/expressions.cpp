// What eval(), prepare() and assignments of run-time graphs and of reductions end in.
#include <evaluate.hpp>

#include <api/kept_stages.hpp>
#include <capture/reduced.hpp>
#include <device/devices.hpp>
#include <process/thread_state.hpp>
#include <run/tracing.hpp>
#include <stage/one_iteration.hpp>
#include <streamed/evaluate_streamed.hpp>

#include <kiln/options.hpp>

#include <algorithm>
#include <memory>

namespace kiln::inline v0_1::detail {

namespace {

/// By stages that the thread has kept. False: nothing was done.
bool evaluate_kept(const handle<term>* roots, output* outputs, int output_count, const char* label) {
    const auto is_through = [](const output& each) { return each.where == output::place::through; };
    if (is_tracing || backend::detail::recorder || std::any_of(outputs, outputs + output_count, is_through))
        return false;
    met_expression& met = process::thread_state<met_expression, kept_stages>();
    if (!met.take(roots, output_count)) return false;
    const std::shared_ptr<const kept_stages> kept = find_stages(met, outputs, output_count);
    if (!kept) return false;
    try {
        evaluate(kept->stages, met.arguments(), outputs, label, purpose::launch);
        return true;
    } catch (const persistent_rows_unavailable&) {
        forget_stages(*kept);
        return false;
    }
}

void evaluate_on_device(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    evaluate(roots, outputs, output_count, label, why);
}

}  // namespace

void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    const bool may_be_streamed = why == purpose::launch && !is_tracing;
    if (std::none_of(roots, roots + output_count, [](const auto& each) { return each.get()->has_stages; })) {
        flat_terms& flat = process::thread_state<flat_terms, run_time_cache>();
        flatten(roots, output_count, flat);
        if (may_be_streamed && streamed::is_streamed(flat, roots, output_count, outputs))
            return streamed::evaluate(roots, outputs, output_count, label, evaluate_on_device);
        return evaluate_flat(flat, outputs, output_count, label, why);
    }
    if (why == purpose::launch && evaluate_kept(roots, outputs, output_count, label)) return;
    if (may_be_streamed && streamed::is_streamed(roots, output_count, outputs))
        return streamed::evaluate(roots, outputs, output_count, label, evaluate_on_device);
    try {
        evaluate(stages_of(roots, output_count, outputs), nullptr, outputs, label, why);
    } catch (const persistent_rows_unavailable&) {
        // Nothing was written but temporaries: outputs are the last that is launched.
        evaluate(stages_of(roots, output_count, outputs), nullptr, outputs, label, why);
    }
}

namespace {

/// The device of the first operand that has one: where another is on another, binding says so.
backend::device& device_of(const leaf* leaves, int leaf_count) {
    for (const leaf* each = leaves; each != leaves + leaf_count; ++each)
        if (each->kind == leaf_kind::array)
            if (known_device* const on = static_cast<const array_node*>(each->object)->device)
                return backend::device_at(*on);
    return backend::current_device();
}

}  // namespace

bool evaluate_reduced(expression_cache& of, const leaf* leaves, const int* leaf_ends, const reduction_call* calls,
                      output* outputs, int output_count, const char* label, purpose why) {
    const plan::target& on = device_of(leaves, leaf_ends[output_count - 1]).target();
    shape whole;
    if (!thread_options.fuse || thread_options.library ||
        !stage::one_iteration(leaves, leaf_ends, calls, outputs, output_count, on.reduces, whole))
        return false;
    if (on.kind == plan::frame::host && stage::reads_across(leaves, leaf_ends, outputs, output_count, whole))
        return false;
    try {
        evaluate(of, leaves, leaf_ends[output_count - 1], outputs, output_count, label, why);
    } catch (const persistent_rows_unavailable&) {
        return false;  // nothing was written: by stages, the rows of which are interpreted
    }
    for (int i = 0; i < output_count; ++i)
        if (outputs[i].reduces && outputs[i].written)
            drop_axes(*outputs[i].written, reduced_shape(whole, outputs[i].reduced_axes, calls[i].keeps_axes));
    return true;
}

}  // namespace kiln::inline v0_1::detail
