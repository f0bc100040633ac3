#include <run/empty_call.hpp>

#include <device/arrays.hpp>
#include <device/devices.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

/// The array of an output of no elements.
array_node* make_empty_output(backend::device& on, const plan::call_values& call, const graph& described, int output) {
    if (call.reused) return call.outputs[output].target;
    return backend::make_owner(on, described.outputs[static_cast<std::size_t>(output)].as, call.output_shape(output),
                               on.current_stream())
        .release();
}

}  // namespace

void run_empty_call(backend::device& on, const graph& described, const plan::call_values& call, output* outputs,
                    evaluate_flat_function evaluate, const char* label, purpose why) {
    const backend::scoped_current here(*call.on);  // outputs without arrays, too
    std::vector<output> made(outputs, outputs + call.output_count);
    std::vector<handle<array_node>> kept;
    for (int i = 0; i < call.output_count; ++i) {
        output& each = made[static_cast<std::size_t>(i)];
        if (call.output_shape(i).size() != 0) {
            flat_terms alone;
            alone.described = only_output(described, i, call.leaves, alone.leaves);
            evaluate(alone, &each, 1, label, why);
        } else if (why == purpose::launch) {
            each.written = make_empty_output(on, call, described, i);
        }
        if (!call.reused) kept.emplace_back(each.written);
    }
    for (int i = 0; i < call.output_count; ++i) outputs[i].written = made[static_cast<std::size_t>(i)].written;
    for (handle<array_node>& each : kept) (void)each.release();
}

}  // namespace kiln::inline v0_1::detail
