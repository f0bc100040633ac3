// What eval(), prepare() and assignments of run-time graphs and of reductions end in.
#include <evaluate.hpp>

#include <capture/reduced.hpp>
#include <device/devices.hpp>
#include <process/thread_state.hpp>
#include <stage/one_iteration.hpp>

#include <kiln/options.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    if (std::none_of(roots, roots + output_count, [](const auto& each) { return each.get()->has_stages; })) {
        flat_terms& flat = process::thread_state<flat_terms, run_time_cache>();
        flatten(roots, output_count, flat);
        return evaluate_flat(flat, outputs, output_count, label, why);
    }
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
    const bool stores_elements = device_of(leaves, leaf_ends[output_count - 1]).target().reduces;
    shape whole;
    if (!thread_options.fuse || thread_options.library ||
        !stage::one_iteration(leaves, leaf_ends, calls, outputs, output_count, stores_elements, whole))
        return false;
    evaluate(of, leaves, leaf_ends[output_count - 1], outputs, output_count, label, why);
    for (int i = 0; i < output_count; ++i)
        if (outputs[i].reduces && outputs[i].written)
            drop_axes(*outputs[i].written, reduced_shape(whole, outputs[i].reduced_axes, calls[i].keeps_axes));
    return true;
}

}  // namespace kiln::inline v0_1::detail
