// kiln/run/launch_call: an executable and a call's values to launches: outputs made or reused, streams in order, parameters on the
// stack, counted. In a header, so that the warm path is one function.
#pragma once

#include <device/arrays.hpp>
#include <device/stream_order.hpp>
#include <plan/divisors.hpp>
#include <record/stopwatch.hpp>
#include <run/call_memory.hpp>
#include <run/executable.hpp>

namespace kiln::inline v0_1::detail {

inline void count_launch(record::tally& counts, std::int64_t bytes_read, std::int64_t bytes_written) {
    counts.add(record::counter::bytes_read, bytes_read);
    counts.add(record::counter::bytes_written, bytes_written);
    counts.add(record::counter::launches, 1);
    counts.turn();
}

/// Any executable: temporaries, strided operands, operands in host memory.
inline void launch_kernels(backend::device& on, const executable& with, const plan::call_values& call, output* outputs,
                           int stream, record::tally& counts) {
    call_memory memory(on, call, with, outputs, stream);
    const std::int64_t start_ns = record::now_ns();
    for (const kernel_executable& each : with.kernels) {
        const kernel_arguments arguments(each, call, memory, counts);
        on.launch(*each.loaded, arguments.for_launch(stream));
        count_launch(counts, bytes_of_call(each.plan.inputs, call), bytes_of_call(each.plan.outputs, call));
    }
    counts.add(record::counter::launch_ns, record::now_ns() - start_ns);
    memory.finish();
}

/// The usual one: a plain executable on the device's own memory, on a stream that runs it. Parameters point straight at the nodes.
inline void launch_plain(backend::device& on, const executable& with, const plan::call_values& call, output* outputs,
                         int stream, record::tally& counts) {
    const kernel_executable& only = with.kernels.front();
    for (int i = 0; i < call.array_count; ++i)
        backend::order_read(on, *call.arrays[static_cast<std::size_t>(i)], stream);
    fresh_outputs fresh(outputs);
    if (call.reused) {
        backend::order_write(on, *outputs[0].target, stream);
        outputs[0].written = outputs[0].target;
    } else {
        for (int i = 0; i < call.output_count; ++i)
            fresh.add(
                backend::make_owner(on, with.output_types[static_cast<std::size_t>(i)], call.output_shape(i), stream));
    }

    void* parameters[most_plain_parameters + 1];
    for (const parameter_places::placed& each : only.places.operands) {
        const array_node* const node = each.number < call.array_count
                                           ? call.arrays[static_cast<std::size_t>(each.number)]
                                           : outputs[each.number - call.array_count].written;
        parameters[each.parameter] = const_cast<std::byte**>(&node->data);
    }
    std::uint64_t multipliers[plan::most_divisors];
    if (only.places.has_scalars) {
        for (const parameter_places::placed& each : only.places.scalars)
            parameters[each.parameter] = const_cast<std::uint64_t*>(&call.leaves[each.number].bits);
        place_divisors(only.places, call, multipliers, parameters);
    }
    void** const last = parameters + only.places.element_count;
    last[0] = const_cast<std::int64_t*>(&call.element_count);
    last[1] = counts.turned();  // of kernels that take it

    const std::int64_t start_ns = record::now_ns();
    const std::int64_t blocks =
        only.elements_per_block ? plan::ceil_div(call.element_count, only.elements_per_block) : 0;
    on.launch(*only.loaded, {parameters, call.element_count, blocks, only.plan.threads_per_block, stream});
    counts.add(record::counter::launch_ns, record::now_ns() - start_ns);
    // Of slices of one array each element is counted once.
    const std::int64_t bytes_read =
        call.foreign ? bytes_of_call(only.plan.inputs, call) : only.bytes_read_per_element * call.element_count;
    count_launch(counts, bytes_read, only.bytes_written_per_element * call.element_count);
    fresh.keep();
}

/// `counts`: the calling thread's.
inline void launch_executable(backend::device& on, const executable& with, const plan::call_values& call,
                              output* outputs, record::tally& counts) {
    const bool user_target = call.reused && outputs[0].target->owned == ownership::host_user;
    const int stream = on.current_stream();
    if (with.plain && call.memory_is_ready() && !user_target && stream != backend::recorded_stream)
        launch_plain(on, with, call, outputs, stream, counts);
    else launch_kernels(on, with, call, outputs, stream, counts);
}

}  // namespace kiln::inline v0_1::detail
